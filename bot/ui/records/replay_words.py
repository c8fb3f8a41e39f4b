"""What happened in one step of a replay, in words."""

from typing import Final

from bot.game import events as e
from bot.game.replay_steps import ReplayStep
from bot.ui.kit.texts import mark
from bot.ui.table.result import meaning, result_lines
from bot.ui.words.public_signs import reports
from bot.ui.words.sign_emojis import shown_gesture
from bot.ui.words.table_text import TableText

_SWEEPS: Final = {
    e.SweepAsked: mark("🧹 {name} asks for a sweep."),
    e.SweepAgreed: mark("{name} agrees to the sweep."),
    e.SweepRefused: mark("{name} refuses the sweep."),
}
_CALLS: Final = {
    e.Outcome.KEMS: mark("{name} calls Kem's!"),
    e.Outcome.DOUBLE: mark("{name} calls {double}!"),
    e.Outcome.DOUBLE_COUNTER: mark("{name} calls a double counter against {accused}!"),
}


def step_lines(frame: ReplayStep, table_text: TableText) -> list[str]:
    """What happened, a line or, at the end of the round, several. `table_text` is that of the step's table."""
    t, event = table_text.texts.t, frame.event
    if isinstance(event, e.CardsDealt):
        return [t("The cards are dealt.")]
    if isinstance(event, e.HuntOpened):
        return [t("The hunt is open.")]
    if isinstance(event, e.PoolSwept):
        return [t("🧹 The middle is swept.")]
    if isinstance(event, e.RoundEnded):
        return result_lines(table_text)
    lines = [_line(event, frame, table_text)]
    # A guess may end the match without a call.
    return lines if table_text.view.winner is None else [*lines, *result_lines(table_text)]


def _line(event: e.Event, frame: ReplayStep, table_text: TableText) -> str:
    t = table_text.texts.t
    match event:
        case e.ExcessRedrawn(seat=seat, cards=cards):
            return t("{name} showed {cards} and drew anew.", name=table_text.name(seat), cards=table_text.cards(cards))
        case e.CardPutDown(seat=seat, card=card):
            return t("{name} puts {card} down.", name=table_text.name(seat), card=table_text.faces.shown(card))
        case e.CardTaken(seat=seat, card=card):
            return t("{name} takes {card}.", name=table_text.name(seat), card=table_text.faces.shown(card))
        case e.SweepAgreed(seat=seat, silent=True):
            return t("{name} says nothing, and so agrees to the sweep.", name=table_text.name(seat))
        case e.SweepAsked(seat=seat) | e.SweepAgreed(seat=seat) | e.SweepRefused(seat=seat):
            return t(_SWEEPS[type(event)], name=table_text.name(seat))
        case e.GestureMade(seat=seat, kind=kind, text=text):
            return f"{table_text.name(seat)} {shown_gesture(kind, text)}{meaning(frame.table.gestures[-1], table_text)}"
        case e.ChainOpened(seat=seat, outcome=outcome, team=team):
            accused = "" if team is None else table_text.team(team)
            return t(_CALLS[outcome], name=table_text.name(seat), double=table_text.double(), accused=accused)
        case e.ChainBroken(seat=seat):
            return t("{name} adds a word in vain: the first call stands.", name=table_text.name(seat))
        case e.CounterHadNoEffect(seat=seat, team=team):
            told = {"name": table_text.name(seat), "accused": table_text.team(team)}
            return t("{name} counters {accused}, which holds two Kem's: that has no effect.", **told)
        case e.CounterFailed(seat=seat, team=team, target=target):
            accused = table_text.team(team) if target is None else table_text.name(target)
            return t("{caller} accused {accused} in vain.", caller=table_text.name(seat), accused=accused)
        case e.CardsShown(seat=seat, viewer=viewer, cards=cards):
            told = {"name": table_text.name(seat), "viewer": table_text.name(viewer), "cards": table_text.cards(cards)}
            return t("{name} shows {viewer} in private: {cards}", **told)
        case _:
            return reports(table_text)[-1]
