"""What clocks on a wall show: times of a night that keep their hour when clocks are set."""

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.base.times import WEEK_MS

MONDAY, FRIDAY, SATURDAY = 0, 4, 5
_MORNING: Final = 10  # o'clock


def shown(at: int, zone: str) -> datetime:
    """What the clocks of a zone show at an instant (milliseconds), without the zone."""
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).replace(tzinfo=None)


def instant(clock: datetime, zone: str) -> int:
    """The instant (milliseconds) at which the clocks of a zone show that: the first of two.

    Of a time that is skipped when clocks are set, the instant as far behind the change as that time is.
    """
    return int(clock.replace(tzinfo=ZoneInfo(zone)).timestamp()) * 1000


def minute_of_day(at: int, zone: str) -> int:
    clock = shown(at, zone)
    return clock.hour * 60 + clock.minute


def on_day_of(at: int, minute: int, zone: str) -> datetime:
    """That minute of the day of an instant, on the clocks of a zone."""
    midnight = shown(at, zone).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(minutes=minute)


def next_morning(at: int, zone: str, weekday: int | None = None) -> int:
    """The first ten o'clock after an instant, of that `weekday` (0: Monday) where one is named."""
    clock = shown(at, zone)
    morning = clock.replace(hour=_MORNING, minute=0, second=0, microsecond=0)
    morning += timedelta(morning <= clock)
    return instant(morning + timedelta(0 if weekday is None else (weekday - morning.weekday()) % 7), zone)


def next_week(at: int, zone: str, now: int) -> int:
    """The first instant after `now` at the same time of the same weekday as `at`, by the clocks of a time zone."""
    begins, weeks = datetime.fromtimestamp(at / 1000, ZoneInfo(zone)), max(0, (now - at) // WEEK_MS)
    while (moved := int((begins + timedelta(weeks=weeks)).timestamp()) * 1000) <= now:
        weeks += 1
    return moved
