"""What happened in one step of a replay, in words."""

from typing import Final

from bot.game import events as e
from bot.game.film import Frame
from bot.ui.emojis import shown_gesture
from bot.ui.result import meaning, result_lines
from bot.ui.sign_news import reports
from bot.ui.teller import Teller
from bot.ui.texts import mark

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


def step_lines(frame: Frame, teller: Teller) -> list[str]:
    """What happened, a line or, at the end of the round, several. `teller` tells of the frame's table."""
    t, event = teller.texts.t, frame.event
    if isinstance(event, e.CardsDealt):
        return [t("The cards are dealt.")]
    if isinstance(event, e.HuntOpened):
        return [t("The hunt is open.")]
    if isinstance(event, e.PoolSwept):
        return [t("🧹 The middle is swept.")]
    if isinstance(event, e.RoundEnded):
        return result_lines(teller)
    lines = [_line(event, frame, teller)]
    # A guess may end the match without a call.
    return lines if teller.view.winner is None else [*lines, *result_lines(teller)]


def _line(event: e.Event, frame: Frame, teller: Teller) -> str:
    t = teller.texts.t
    match event:
        case e.ExcessRedrawn(seat=seat, cards=cards):
            return t("{name} showed {cards} and drew anew.", name=teller.name(seat), cards=teller.cards(cards))
        case e.CardPutDown(seat=seat, card=card):
            return t("{name} puts {card} down.", name=teller.name(seat), card=teller.faces.shown(card))
        case e.CardTaken(seat=seat, card=card):
            return t("{name} takes {card}.", name=teller.name(seat), card=teller.faces.shown(card))
        case e.SweepAgreed(seat=seat, silent=True):
            return t("{name} says nothing, and so agrees to the sweep.", name=teller.name(seat))
        case e.SweepAsked(seat=seat) | e.SweepAgreed(seat=seat) | e.SweepRefused(seat=seat):
            return t(_SWEEPS[type(event)], name=teller.name(seat))
        case e.GestureMade(seat=seat, kind=kind, text=text):
            return f"{teller.name(seat)} {shown_gesture(kind, text)}{meaning(frame.table.gestures[-1], teller)}"
        case e.ChainOpened(seat=seat, outcome=outcome, team=team):
            accused = "" if team is None else teller.team(team)
            return t(_CALLS[outcome], name=teller.name(seat), double=teller.double(), accused=accused)
        case e.ChainBroken(seat=seat):
            return t("{name} adds a word in vain: the first call stands.", name=teller.name(seat))
        case e.CounterHadNoEffect(seat=seat, team=team):
            told = {"name": teller.name(seat), "accused": teller.team(team)}
            return t("{name} counters {accused}, which holds two Kem's: that has no effect.", **told)
        case e.CounterFailed(seat=seat, team=team, target=target):
            accused = teller.team(team) if target is None else teller.name(target)
            return t("{caller} accused {accused} in vain.", caller=teller.name(seat), accused=accused)
        case e.CardsShown(seat=seat, viewer=viewer, cards=cards):
            told = {"name": teller.name(seat), "viewer": teller.name(viewer), "cards": teller.cards(cards)}
            return t("{name} shows {viewer} in private: {cards}", **told)
        case _:
            return reports(teller)[-1]
