"""Seasons of a server: consecutive periods, by the calendar of its time zone or by hand.

Instants are milliseconds since the Unix epoch; a season contains its start and not its end. `RankedRules` are what a
server requires of a ranked table; `eligibility` says whether a table is ranked. Time zones are found by the names that
people write: "Europe/Paris", "europe/paris", "Paris", "Montréal".
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from bot.base.times import MINUTE_MS, WEEK_MS
from bot.conditions import EVERYBODY, EntryRules
from bot.game.cards import DeckKind
from bot.game.rules.house_rules import core_changes, options_taken
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.rules.rules import EndsAt, Rules
from bot.game.value import Sentence, Worded

MAX_NAME: Final = 40
"""Characters of a season's name."""

GRACE_MS: Final = MINUTE_MS
"""How long after the end of a season its podium is made: results being saved are in by then."""
FRESH_MS: Final = WEEK_MS
"""How long a podium is news after the season's end."""

# What a table may change and still play its preset, by axis, None for any value: the sheets offer both plain decks, the
# deadline is only a clock, and `sign_required` has a gate of its own.
_FREE: Final[dict[str, tuple[str, ...] | None]] = {
    "deck": (DeckKind.D32.value, DeckKind.D52.value),
    "sign_deadline": None,
    "sign_required": None,
}


SHORT_TARGET: Final = "5"
"""The points of a short match, in which the classic preset is ranked, too."""


class SeasonLength(Worded):
    """How long a season lasts."""

    MONTH = "month", "a season every month, time zone {zone}"
    QUARTER = "quarter", "a season every quarter, time zone {zone}"
    HAND = "hand", "seasons by hand"


@dataclass(frozen=True, slots=True)
class Schedule:
    """When seasons start. `zone` is a name of the tz database, such as Europe/Paris."""

    every: SeasonLength = SeasonLength.MONTH
    zone: str = "Europe/Paris"


@dataclass(frozen=True, slots=True)
class Season:
    """A season. `number` counts from 1 in each server; `ends_at` is None while it is not known."""

    number: int
    starts_at: int
    ends_at: int | None
    name: str | None = None

    def contains(self, at: int) -> bool:
        """Return whether an instant is in the season."""
        return self.starts_at <= at and (self.ends_at is None or at < self.ends_at)


def period(schedule: Schedule, at: int) -> tuple[int, int] | None:
    """Return start and end of the month or quarter that contains an instant; None if seasons are started by hand.

    A period starts at the first instant whose date in the schedule's zone is in it, even if clocks change at midnight.
    """
    if schedule.every is SeasonLength.HAND:
        return None
    zone = ZoneInfo(schedule.zone)
    local = datetime.fromtimestamp(at / 1000, zone)
    months = 1 if schedule.every is SeasonLength.MONTH else 3
    first = (local.month - 1) // months * months
    start = _midnight(local.year, first, zone)
    return start, _midnight(local.year + (first + months) // 12, (first + months) % 12, zone)


def next_boundary(schedules: Iterable[Schedule], at: int) -> int | None:
    """Return the first instant after `at` at which a schedule starts a season; None if all are by hand."""
    stretches = (period(schedule, at) for schedule in schedules)
    return min((stretch[1] for stretch in stretches if stretch is not None), default=None)


def season_at(last: Season | None, schedule: Schedule, at: int) -> Season | None:
    """Return the season that contains an instant: the server's latest one (`last`), or the next by the calendar.

    None if the instant is before `last`, or between seasons that are started by hand.
    """
    if last is not None and (last.contains(at) or at < last.starts_at):
        return last if last.contains(at) else None
    stretch = period(schedule, at)
    if stretch is None:
        return None
    starts_at, ends_at = stretch
    if last is not None and last.ends_at is not None:
        starts_at = max(starts_at, last.ends_at)  # a season that was ended by hand during a month
    return Season(1 if last is None else last.number + 1, starts_at, ends_at)


def start(last: Season | None, schedule: Schedule, at: int, name: str | None = None) -> Season | None:
    """Return a new season that starts at `at`; None while one is running."""
    if season_at(last, schedule, at) is not None:
        return None
    return Season(1 if last is None else last.number + 1, at, None, name)


def reschedule(season: Season, schedule: Schedule, at: int) -> Season:
    """Return the running season under another schedule: it ends when that schedule's next period begins."""
    stretch = period(schedule, at)
    return replace(season, ends_at=None if stretch is None else stretch[1])


def _midnight(year: int, month: int, zone: ZoneInfo) -> int:
    """Return the first instant of a month (from 0) that clocks of the zone show."""
    local = datetime(year, month + 1, 1, tzinfo=zone)
    return int((local - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) * 1000


@cache
def zones() -> tuple[str, ...]:
    """Return the names of all time zones, those of places first."""
    return tuple(sorted(available_timezones(), key=lambda name: ("/" not in name or name.startswith("Etc/"), name)))


def find_zone(written: str) -> str | None:
    """Return the time zone with this name in any spelling, or of this city if only one zone has it; else None."""
    wanted = _plain(written)
    named = [name for name in zones() if _plain(name) == wanted]
    named = named or [name for name in zones() if _city(name) == wanted]
    return named[0] if len(named) == 1 else None


def near_zones(written: str) -> tuple[str, ...]:
    """Return three time zones whose names contain the text, or else resemble it."""
    wanted = _plain(written)
    if not wanted:
        return ()
    holding = [name for name in zones() if wanted in _plain(name)]
    if holding:
        return tuple(holding[:3])
    by_city = {_city(name): name for name in reversed(zones())}
    return tuple(by_city[city] for city in get_close_matches(wanted.rpartition("/")[2], by_city, 3))


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFD", name.strip().casefold())
    return "".join(char for char in letters if not unicodedata.combining(char)).replace(" ", "_")


def _city(name: str) -> str:
    return _plain(name).rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class RankedRules:
    """What a server requires of a ranked table.

    - `presets`: one of these.
    - `sign_required`: whether a call needs a sign.
    - `entry`: the conditions for each person.
    """

    presets: tuple[str, ...] = tuple(PRESETS)
    sign_required: bool = False
    entry: EntryRules = EVERYBODY


class Eligibility(Sentence):
    """Whether a table is ranked, or the first reason why it is friendly, in words."""

    RANKED = "ranked"
    NO_SEASON = "friendly (between seasons)"
    PRESET = "friendly (these rules are not ranked here)"
    HOUSE_RULES = "friendly"
    OPTIONS = "friendly (ranked tables play without options)"
    SIGN_NOT_REQUIRED = "friendly (ranked tables require the sign)"
    SIGN_REQUIRED = "friendly (ranked tables do not require the sign)"
    NO_PARTNERS = "friendly (nobody has a partner)"
    ENTRY = "friendly (a condition is not met)"
    ROBOTS = "friendly (robots)"


def eligibility(
    ranked_rules: RankedRules | None, rules: Rules, *, size: int, robots: int, is_entry_met: bool = True
) -> Eligibility:
    """Return whether a table is ranked.

    Args:
        ranked_rules: What the server requires; None if no season is running.
        rules: The rules of the table.
        size: Its number of seats.
        robots: How many of them robots have taken.
        is_entry_met: Whether all its people meet the conditions of `ranked_rules.entry`.
    """
    if ranked_rules is None:
        return Eligibility.NO_SEASON
    if rules.preset not in ranked_rules.presets:
        return Eligibility.PRESET
    if changed := unranked_axes(rules):
        return Eligibility.OPTIONS if changed <= options_taken(rules).keys() else Eligibility.HOUSE_RULES
    if rules.signs.sign_required != ranked_rules.sign_required:
        return Eligibility.SIGN_NOT_REQUIRED if ranked_rules.sign_required else Eligibility.SIGN_REQUIRED
    if size == 2:  # two players are two teams of one, without a partner to sign to
        return Eligibility.NO_PARTNERS
    if not is_entry_met:
        return Eligibility.ENTRY
    return Eligibility.ROBOTS if robots else Eligibility.RANKED


def match_weight(rules: Rules) -> float:
    """Return the weight of a ranked match: 1, or less for a match to fewer points than its preset has."""
    whole = PRESETS[rules.preset].end.target
    return rules.end.target / whole if rules.end.ends_at is EndsAt.TARGET else 1.0


def unranked_axes(rules: Rules) -> set[str]:
    """Return the axes whose values no ranked match has."""
    changed = core_changes(rules)
    if rules.preset == CLASSIC.preset and changed.get("target") == SHORT_TARGET:
        del changed["target"]
    return {axis for axis, value in changed.items() if (free := _FREE.get(axis, ())) is not None and value not in free}


@dataclass(frozen=True, slots=True)
class LadderSetup:
    """What a server has chosen for its ladder."""

    ranked_rules: RankedRules = field(default_factory=RankedRules)
    schedule: Schedule = field(default_factory=Schedule)
