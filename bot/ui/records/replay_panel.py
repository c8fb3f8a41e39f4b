"""A replay as a message: one step of a round in words, all hands open, and buttons whose ids name the other steps."""

import re
from enum import StrEnum
from typing import Final

from bot.game import events as e
from bot.game.replay_steps import ReplayStep, RoundReplay
from bot.records.archive import PastMatch
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.texts import mark
from bot.ui.table.board import meaning, result_lines
from bot.ui.words.card_faces import Faces
from bot.ui.words.signs import shown_gesture
from bot.ui.words.table_text import TableText, clock, reports

_ARG: Final = re.compile(r"([0-9]{1,5})[a-z]")
_TABLE: Final[dict[type[e.Event], str]] = {
    e.CardsDealt: mark("The cards are dealt."),
    e.HuntOpened: mark("The hunt is open."),
    e.PoolSwept: mark("🧹 The middle is swept."),
}
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


class RecordsVerb(StrEnum):
    """What a press on a history or a replay asks for; a comment names its argument."""

    REPLAY = "replay"  # a step and a letter that keeps ids apart; its round stands before the verb
    SHARE = "share"  # posts the round that stands before the verb as a moving picture
    HISTORY = "history"  # a user id (0 for everybody) and a spot: "1000:a1800000000000.17"


def replay_panel(match: PastMatch, replay: RoundReplay, step: int, faces: Faces) -> c.Layout:
    """Step `step` of a round, counted from 0, or the nearest one."""
    t, last = faces.texts.t, len(replay.steps) - 1
    step = min(max(step, 0), last)
    frame = replay.steps[step]
    table_text = TableText(frame.table, match.people, faces)
    told = {"number": match.table_id, "round": replay.number, "rounds": replay.rounds, "step": step + 1}
    title = t("Match {number} · round {round} of {rounds} · step {step} of {steps}", **told, steps=last + 1)
    lines = step_lines(frame, table_text)
    if not lines[0].startswith("#"):
        lines[0] = f"### {lines[0]}"
    return c.layout(
        c.text(f"-# {title} · {clock(frame.at)}", table_text.heading()),
        c.text(table_text.pool()),
        c.text(*(f"{table_text.seat(seat)} {table_text.cards(hand)}" for seat, hand in enumerate(frame.hands))),
        c.text(*lines),
        *_buttons(match.table_id, replay, step, faces),
        colour=c.SLATE,
    )


def step_of(arg: str) -> int | None:
    """The step that a button's argument names, None for anything else."""
    found = _ARG.fullmatch(arg)
    return None if found is None else int(found[1])


def _buttons(table_id: int, replay: RoundReplay, step: int, faces: Faces) -> list[c.Row]:
    """The steps of the round, then the other rounds. A letter keeps custom ids of the same step apart."""
    t, last, number = faces.texts.t, len(replay.steps) - 1, replay.number
    former, later = max(number - 1, 1), min(number + 1, replay.rounds)

    def turn(label: str, to: int, way: str, *, of: int = number, style: c.Style = c.SECONDARY, can: bool) -> c.Button:
        return c.button(label, make_id(table_id, RecordsVerb.REPLAY, f"{to}{way}", of), style=style, is_enabled=can)

    steps = [
        turn(t("⏮ First"), 0, "f", can=step > 0),
        turn(t("◀ Back"), max(step - 1, 0), "b", can=step > 0),
        turn(t("On ▶"), min(step + 1, last), "n", style=c.PRIMARY, can=step < last),
        turn(t("Last ⏭"), last, "l", can=step < last),
    ]
    rounds = [
        turn(t("← Round {number}", number=former), 0, "p", of=former, can=number > 1),
        turn(t("Round {number} →", number=later), 0, "q", of=later, can=number < replay.rounds),
        c.button(t("🎞 Share"), make_id(table_id, RecordsVerb.SHARE, round=number), style=c.SUCCESS),
    ]
    return [*c.rows(steps), *c.rows(rounds)]


def step_lines(frame: ReplayStep, table_text: TableText) -> list[str]:
    """What happened in one step, in words. `table_text` is that of the step's table."""
    t, event = table_text.texts.t, frame.event
    if (happened := _TABLE.get(type(event))) is not None:
        return [t(happened)]
    if isinstance(event, e.RoundEnded):
        return result_lines(table_text)
    lines = [_line(event, frame, table_text)]
    # A guess may end the match without a call.
    return lines if table_text.view.winner is None else [*lines, *result_lines(table_text)]


def _line(event: e.Event, frame: ReplayStep, table_text: TableText) -> str:
    t = table_text.texts.t
    match event:
        case e.ExcessRedrawn(seat=seat, cards=cards):
            return t("{name} showed {cards} and drew again.", name=table_text.name(seat), cards=table_text.cards(cards))
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
