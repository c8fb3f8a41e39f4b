"""How long a night lasts, and how many rounds are advised: one reckoning for all that tell it."""

from dataclasses import replace
from typing import Final

from bot.base.times import MINUTE_MS
from bot.nights.formats import FORMATS, format_of
from bot.nights.night import Night
from bot.nights.plan import NightPlan

_EXPECTED: Final = 16
_LARGER: Final = 6
AFTER_BELL_MINUTES: Final = 1
"""How long tables go on after the bell, as simulated evenings did: each plays its running round to the end."""
_FEWEST: Final = 5  # four play, and nobody rests


def expected(plan: NightPlan, signed_up: int) -> int:
    """Returns how many people to reckon with before a night."""
    return max(signed_up, min(_EXPECTED, plan.most or _EXPECTED))


def sides_of(plan: NightPlan, people: int) -> int:
    """Returns how many play for points of their own: pairs or people."""
    return -(-people // 2) if plan.format.has_pairs else people


def resting(plan: NightPlan, people: int) -> int:
    """Returns how many of so many people have no table in each round; 0 where nobody has to rest by turns."""
    form, has_robots = plan.format, plan.fills_with_robots
    if form.is_open or form.eliminates or people < _FEWEST:
        return 0
    if not form.has_pairs:
        return 0 if has_robots else people % (4 if plan.size == 4 else 2)
    alone = 0 if has_robots else people % 2
    pairs = sides_of(plan, people - alone)
    return alone + (2 if plan.size == 4 and pairs % 2 else 0)


def first_byes(plan: NightPlan, people: int) -> int:
    """Returns how many pairs of so many people go straight into the second round of a knock-out."""
    pairs = people // 2 if not plan.fills_with_robots else sides_of(plan, people)
    return FORMATS[plan.format.name].first_byes(plan, pairs) if plan.format.eliminates and pairs > 1 else 0


def ways_to_rest_less(plan: NightPlan, people: int) -> tuple[int | None, bool]:
    """Returns the size of tables at which fewer of so many people rest, None where none is offered; and whether robots
    make it fewer.
    """
    now = resting(plan, people)
    size = _LARGER if plan.size < _LARGER and resting(replace(plan, size=_LARGER), people) < now else None
    return size, resting(replace(plan, fills_with_robots=True), people) < now


def advised_rounds(plan: NightPlan, people: int) -> int:
    """Returns in how many rounds only one of so many can win all; with fewer the first place hangs on tie-breaks."""
    return max(1, (sides_of(plan, people) - 1).bit_length())


def turn_ms(plan: NightPlan) -> int:
    """Return how long a round takes with what is still played after the bell, and with its break (milliseconds)."""
    return (plan.round_minutes + AFTER_BELL_MINUTES + plan.break_minutes) * MINUTE_MS


def length_ms(plan: NightPlan, people: int) -> int:
    form = FORMATS[plan.format.name]
    return plan.open_ms if form.is_open else form.rounds_of(plan, sides_of(plan, people)) * turn_ms(plan)


def ends_at(night: Night) -> int:
    """Returns when a night is over by its plan and by what has been played (milliseconds)."""
    plan, last = night.plan, night.round
    if last is None or plan.format.is_open:
        return plan.starts_at + length_ms(plan, expected(plan, len(night.present)))
    left = 0 if night.is_closing else format_of(night).round_count(night) - len(night.rounds)
    began_at = last.began_at if last.ends_at is None else last.ends_at - plan.round_minutes * MINUTE_MS
    return (night.next_at or began_at + turn_ms(plan)) + left * turn_ms(plan)
