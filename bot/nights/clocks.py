"""Wall-clock time in a time zone: times of a night keep their hour across daylight saving changes."""

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.base.times import WEEK_MS

MONDAY, FRIDAY, SATURDAY = 0, 4, 5
_MORNING: Final = 10  # o'clock


def local_time(at: int, zone: str) -> datetime:
    """Return the local time of an instant (milliseconds), without its zone."""
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).replace(tzinfo=None)


def to_instant(clock: datetime, zone: str) -> int:
    """Return the instant (milliseconds) of a local time; the earlier one if that time occurs twice.

    A local time that is skipped when summer time begins is moved later by the length of the gap.
    """
    return int(clock.replace(tzinfo=ZoneInfo(zone)).timestamp()) * 1000


def minute_of_day(at: int, zone: str) -> int:
    """Return the minute of the day of an instant, on the clocks of a zone."""
    clock = local_time(at, zone)
    return clock.hour * 60 + clock.minute


def at_minute(at: int, minute: int, zone: str) -> datetime:
    """Return the local time of a minute (counted from midnight) on the day of the instant `at`."""
    midnight = local_time(at, zone).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(minutes=minute)


def next_morning(at: int, zone: str, weekday: int | None = None) -> int:
    """Return the first ten o'clock after an instant, on a `weekday` (0: Monday) if given."""
    clock = local_time(at, zone)
    morning = clock.replace(hour=_MORNING, minute=0, second=0, microsecond=0)
    morning += timedelta(morning <= clock)
    return to_instant(morning + timedelta(0 if weekday is None else (weekday - morning.weekday()) % 7), zone)


def next_week(at: int, zone: str, now: int) -> int:
    """Return the first instant after `now` with the weekday and local time of `at`."""
    begins, weeks = datetime.fromtimestamp(at / 1000, ZoneInfo(zone)), max(0, (now - at) // WEEK_MS)
    while (moved := int((begins + timedelta(weeks=weeks)).timestamp()) * 1000) <= now:
        weeks += 1
    return moved
