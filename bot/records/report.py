"""Thirty days of a server in figures, for those who run it. They count everybody and name nobody."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.base.times import DAY_MS
from bot.nights.night import Night, NightStatus
from bot.nights.results.history import turnout
from bot.records.history import Activity

DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class Report:
    """A server's activity from `since` to `until` (milliseconds).

    - `new`: players in their first match; `back`: players who had played before, but not in the `DAYS` before `since`.
    - `daily`: matches of each day, oldest first.
    - `nights`: nights that took place; `attendance`: their mean; `missing`: people who signed up for one and did not
      come.
    - `hour`: the hour in which most matches began, `matches_then` of them; None without matches.
    """

    since: int
    until: int
    players: int
    new: int
    back: int
    matches: int
    daily: tuple[int, ...]
    nights: int
    attendance: float
    missing: int
    hour: int | None
    matches_then: int


def report_of(activity: Activity, nights: Sequence[Night], until: int, zone: str) -> Report:
    """Return the report on the last `DAYS` days before `until`.

    Args:
        activity: The matches of that period.
        nights: Those that began in that period.
        until: Its end (milliseconds).
        zone: The time zone of the busiest hour; of equally busy ones, the earliest counts.
    """
    since, length = until - DAYS * DAY_MS, DAYS * DAY_MS
    turnouts = [turnout(night) for night in nights if night.status is NightStatus.OVER and night.rounds]
    hours = Counter(datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).hour for at in activity.starts)
    hour = min(hours, key=lambda hour_: (-hours[hour_], hour_), default=None)
    days = Counter(min(max(0, at - since) // DAY_MS, DAYS - 1) for at in activity.starts)
    return Report(
        since=since,
        until=until,
        players=len(activity.before),
        new=activity.before.count(None),
        back=sum(before is not None and before <= since - length for before in activity.before),
        matches=len(activity.starts),
        daily=tuple(days[day] for day in range(DAYS)),
        nights=len(turnouts),
        attendance=sum(len(came) for came, _ in turnouts) / max(len(turnouts), 1),
        missing=sum(len(missing) for _, missing in turnouts),
        hour=hour,
        matches_then=0 if hour is None else hours[hour],
    )
