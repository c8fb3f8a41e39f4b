"""The lessons as data: when each applies to what the learner's seat sees, and which event ends it.

Their sentences are in `bot.ui.words.coach_text`. The first match is classic: four seats, two teams.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.game.cards import HAND_SIZE, Card, alike_groups, is_kems
from bot.game.events import CardPutDown, CardTaken, Event, GestureMade, HuntOpened, Outcome, RoundEnded, SignSettled
from bot.game.phase import Phase
from bot.game.views import GestureInfo, SeatView

SEATS: Final = 4
TEAMS: Final = 2
_TRUE_KEMS: Final = (Outcome.KEMS, Outcome.DOUBLE)


class Lesson(StrEnum):
    """What is taught."""

    AGREE = "agree"
    """The team agrees on a sign."""
    DEAL = "deal"
    """Four cards in the hand, four in the middle; the dealer opens the hunt."""
    PUT = "put"
    TAKE = "take"
    SWEEP = "sweep"
    SIGN = "sign"
    """The learner holds a Kem's, makes the sign, and the partner calls."""
    KEMS = "kems"
    """The partner makes the sign, and the learner calls."""
    BLUFF = "bluff"
    COUNTER = "counter"
    THREE_ALIKE = "three_alike"
    END = "end"
    """The coach steps back, after the last round that taught."""


@dataclass(frozen=True, slots=True)
class LessonPlan:
    """When a lesson `applies` to the learner's view, and whether an event `ends` it, by the learner's seat."""

    applies: Callable[[SeatView], bool]
    ends: Callable[[Event, int], bool]


def partner_of(seat: int) -> int:
    return (seat + TEAMS) % SEATS


def hand_of(view: SeatView) -> tuple[Card, ...]:
    return tuple(card for card in view.hand if card is not None)


def holds_kems(view: SeatView) -> bool:
    return is_kems(hand_of(view))


def gestures_of_opponents(view: SeatView) -> Iterator[GestureInfo]:
    seats = view.table.seats
    return (made for made in reversed(view.table.gestures) if seats[made.seat].team != view.team)


def _is_hunting(view: SeatView) -> bool:
    return view.table.phase is Phase.HUNT


def _may_exchange(view: SeatView) -> bool:
    return _is_hunting(view) and not view.owes and not holds_kems(view)


def _is_stuck(view: SeatView) -> bool:
    three = alike_groups(hand_of(view), HAND_SIZE - 1)
    return _may_exchange(view) and bool(three) and three.isdisjoint(card.group for card in view.table.pool if card)


def _has_sign_to_answer(view: SeatView) -> bool:
    made = (item for item in view.table.gestures if item.seat in view.partners)
    return _is_hunting(view) and any(view.sign_made(item.seat, item.kind, item.text) is not None for item in made)


def _sees_gesture(view: SeatView) -> bool:
    return _is_hunting(view) and not view.owes and any(gestures_of_opponents(view))


def _may_counter(view: SeatView) -> bool:
    return _sees_gesture(view) and view.table.seats[view.seat].can_counter


def _is_called(event: Event, outcomes: tuple[Outcome, ...], caller: int) -> bool:
    return isinstance(event, RoundEnded) and event.outcome in outcomes and event.caller == caller


def _is_of(event: Event, kind: type[CardPutDown | CardTaken | GestureMade], seat: int) -> bool:
    return isinstance(event, kind) and event.seat == seat


LESSONS: Final[Mapping[Lesson, LessonPlan]] = {
    Lesson.AGREE: LessonPlan(
        lambda view: view.table.phase is Phase.SIGNS and view.plan is None,
        lambda event, seat: isinstance(event, SignSettled) and event.team == seat % TEAMS,
    ),
    Lesson.DEAL: LessonPlan(
        lambda view: view.table.phase is Phase.READY, lambda event, _seat: isinstance(event, HuntOpened)
    ),
    Lesson.SIGN: LessonPlan(
        lambda view: _is_hunting(view) and holds_kems(view),
        lambda event, seat: _is_called(event, _TRUE_KEMS, partner_of(seat)),
    ),
    Lesson.KEMS: LessonPlan(_has_sign_to_answer, lambda event, seat: _is_called(event, _TRUE_KEMS, seat)),
    Lesson.TAKE: LessonPlan(
        lambda view: _is_hunting(view) and view.owes > 0, lambda event, seat: _is_of(event, CardTaken, seat)
    ),
    Lesson.COUNTER: LessonPlan(_may_counter, lambda event, seat: _is_called(event, (Outcome.COUNTER,), seat)),
    Lesson.BLUFF: LessonPlan(_sees_gesture, lambda event, seat: _is_of(event, GestureMade, seat)),
    Lesson.THREE_ALIKE: LessonPlan(
        lambda view: _may_exchange(view) and bool(view.third_alike),
        lambda event, seat: _is_of(event, CardPutDown, seat),
    ),
    Lesson.SWEEP: LessonPlan(_is_stuck, lambda event, _seat: isinstance(event, RoundEnded)),
    Lesson.PUT: LessonPlan(_may_exchange, lambda event, seat: _is_of(event, CardPutDown, seat)),
}
"""In the order in which they are tried: the more urgent one comes first. `END` follows from the others."""
