"""How long a night lasts and how many rounds to advise: one estimate for all who show it."""

from dataclasses import replace
from typing import Final

from bot.base.times import MINUTE_MS
from bot.nights.formats import FORMATS, format_of
from bot.nights.night import Night
from bot.nights.plan import NightPlan

_EXPECTED: Final = 16
_LARGER: Final = 6
AFTER_BELL_MINUTES: Final = 1
"""How long tables go on after time is called, measured in simulated nights."""
_FEWEST: Final = 5  # four play, and nobody rests


def expected_people(plan: NightPlan, signed_up: int) -> int:
    """Return how many people are expected before a night."""
    return max(signed_up, min(_EXPECTED, plan.most or _EXPECTED))


def side_count(plan: NightPlan, people: int) -> int:
    """Return how many sides there are in the standings: pairs or single people."""
    return -(-people // 2) if plan.format.has_pairs else people


def byes_per_round(plan: NightPlan, people: int) -> int:
    """Return how many of `people` sit out each round in turn; 0 if nobody has to."""
    form, has_robots = plan.format, plan.fills_with_robots
    if form.is_open or form.eliminates or people < _FEWEST:
        return 0
    if not form.has_pairs:
        return 0 if has_robots else people % (4 if plan.size == 4 else 2)
    alone = 0 if has_robots else people % 2
    pairs = side_count(plan, people - alone)
    return alone + (2 if plan.size == 4 and pairs % 2 else 0)


def first_byes(plan: NightPlan, people: int) -> int:
    """Return how many pairs skip the first round of a knock-out."""
    pairs = people // 2 if not plan.fills_with_robots else side_count(plan, people)
    return FORMATS[plan.format.name].first_byes(plan, pairs) if plan.format.eliminates and pairs > 1 else 0


def ways_to_reduce_byes(plan: NightPlan, people: int) -> tuple[int | None, bool]:
    """Return a table size that means fewer byes (None if there is none), and whether robots would reduce them."""
    now = byes_per_round(plan, people)
    size = _LARGER if plan.size < _LARGER and byes_per_round(replace(plan, size=_LARGER), people) < now else None
    return size, byes_per_round(replace(plan, fills_with_robots=True), people) < now


def advised_rounds(plan: NightPlan, people: int) -> int:
    """Return the fewest rounds after which at most one side has won all its tables; with fewer, tie-breaks decide."""
    return max(1, (side_count(plan, people) - 1).bit_length())


def round_length_ms(plan: NightPlan) -> int:
    """Return how long a round takes (milliseconds), including play after the bell and the break."""
    return (plan.round_minutes + AFTER_BELL_MINUTES + plan.break_minutes) * MINUTE_MS


def length_ms(plan: NightPlan, people: int) -> int:
    """Return how long a night takes (milliseconds)."""
    form = FORMATS[plan.format.name]
    return plan.open_ms if form.is_open else form.rounds_of(plan, side_count(plan, people)) * round_length_ms(plan)


def ends_at(night: Night) -> int:
    """Return the expected end of a night (milliseconds), from its plan and from what has been played."""
    plan, last = night.plan, night.round
    if last is None or plan.format.is_open:
        return plan.starts_at + length_ms(plan, expected_people(plan, len(night.present)))
    left = 0 if night.is_closing else format_of(night).round_count(night) - len(night.rounds)
    began_at = last.began_at if last.ends_at is None else last.ends_at - plan.round_minutes * MINUTE_MS
    return (night.next_at or began_at + round_length_ms(plan)) + left * round_length_ms(plan)
