"""Seasons of a server: stretches of time one after the other, by its time zone's calendar or by hand; their boards.

Instants are milliseconds since the Unix epoch; a season holds its start and not its end.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

MAX_NAME: Final = 40
"""Characters of a season's name."""


class Every(StrEnum):
    MONTH = "month"
    QUARTER = "quarter"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Schedule:
    """`zone` is a name of the tz database, such as Europe/Paris."""

    every: Every = Every.MONTH
    zone: str = "Europe/Paris"


@dataclass(frozen=True, slots=True)
class Season:
    """A season. Numbers count from 1 in each server; `ends_at` is None while it is not known."""

    number: int
    starts_at: int
    ends_at: int | None
    name: str | None = None

    def holds(self, at: int) -> bool:
        return self.starts_at <= at and (self.ends_at is None or at < self.ends_at)


def period(schedule: Schedule, at: int) -> tuple[int, int] | None:
    """Returns start and end of the month or quarter that holds an instant, on the zone's clocks; None by hand.

    A period begins with the first instant whose local date is in it, also where clocks are set at midnight.
    """
    if schedule.every is Every.HAND:
        return None
    zone = ZoneInfo(schedule.zone)
    local = datetime.fromtimestamp(at / 1000, zone)
    months = 1 if schedule.every is Every.MONTH else 3
    first = (local.month - 1) // months * months
    start = _midnight(local.year, first, zone)
    return start, _midnight(local.year + (first + months) // 12, (first + months) % 12, zone)


def next_boundary(schedules: Iterable[Schedule], at: int) -> int | None:
    """Returns the first instant after `at` at which a schedule begins a season; None if all go by hand."""
    stretches = (period(schedule, at) for schedule in schedules)
    return min((stretch[1] for stretch in stretches if stretch is not None), default=None)


def season_at(last: Season | None, schedule: Schedule, at: int) -> Season | None:
    """Returns the season that holds an instant: `last`, the server's youngest so far, or the next by the calendar.

    None between seasons that are made by hand, and before `last`.
    """
    if last is not None and (last.holds(at) or at < last.starts_at):
        return last if last.holds(at) else None
    stretch = period(schedule, at)
    if stretch is None:
        return None
    starts_at, ends_at = stretch
    if last is not None and last.ends_at is not None:
        starts_at = max(starts_at, last.ends_at)  # a season that was ended by hand during a month
    return Season(1 if last is None else last.number + 1, starts_at, ends_at)


def start(last: Season | None, schedule: Schedule, at: int, name: str | None = None) -> Season | None:
    """Returns a new season that starts at `at`; None while one is running."""
    if season_at(last, schedule, at) is not None:
        return None
    return Season(1 if last is None else last.number + 1, at, None, name)


def rescheduled(season: Season, schedule: Schedule, at: int) -> Season:
    """Returns the running season under another schedule, with an end at its next boundary."""
    stretch = period(schedule, at)
    return replace(season, ends_at=None if stretch is None else stretch[1])


def _midnight(year: int, month: int, zone: ZoneInfo) -> int:
    """Returns the first instant of a month (counted from 0) that clocks of the zone show."""
    local = datetime(year, month + 1, 1, tzinfo=zone)
    return int((local - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) * 1000


class Board(StrEnum):
    RATING = "rating"
    WINS = "wins"
    KEMS = "kems"
    COUNTERS = "counters"
    DUOS = "duos"
    BLUFFERS = "bluffers"
