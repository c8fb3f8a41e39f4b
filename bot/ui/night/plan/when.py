"""Reads when something begins as people write it: "samedi 21:00", "21h", "2026-12-05 21:00", "tomorrow 9 pm".

Names of days and months are those of the bot's languages, from the Unicode data that Babel carries.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import get_day_names, get_month_names

from bot.ui.kit.texts import LANGUAGES

_LONGEST: Final = 80
_IN_DAYS: Final = {
    "today": 0, "tonight": 0, "aujourd'hui": 0, "ce soir": 0,
    "tomorrow": 1, "demain": 1,
    "apres-demain": 2,
}  # fmt: skip
_HALF_DAY: Final = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?m\b\.?")
_CLOCK: Final = re.compile(r"\b(\d{1,2})\s*(?:h(?:eures?)?|:)\s*(\d{2})?\b")
_ISO: Final = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})t?")
_NUMBERS: Final = re.compile(r"\b(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}|\d{2}))?\b")
_DAY_MONTH: Final = re.compile(r"\b(\d{1,2})(?:er|st|nd|rd|th)?\s+([a-z]{3,})\.?(?:\s+(\d{4}))?")
_MONTH_DAY: Final = re.compile(r"\b([a-z]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4}))?")


def read_when(written: str, zone: str, now: int) -> int | None:
    """The instant that was meant, on the clocks of a time zone; None where the text names none.

    Without a date it is the next such time; without a year the next such date. Instants in milliseconds.
    """
    line, clock = _plain(written), ZoneInfo(zone)
    here = datetime.fromtimestamp(now / 1000, clock)
    line, written_date = _written_date(line)
    time = _time(line)
    if time is None:
        return None
    try:
        if written_date is not None:
            return _at(_dated(written_date, time, here), time, clock)
        return _at(_named(line, time, here), time, clock)
    except ValueError:  # 31 February, 25 o'clock
        return None


def _plain(written: str) -> str:
    letters = unicodedata.normalize("NFD", written[:_LONGEST].replace("\u2019", "'").casefold())
    return " ".join("".join(char for char in letters if not unicodedata.combining(char)).split())


def _time(line: str) -> tuple[int, int] | None:
    if (found := _HALF_DAY.search(line)) is not None:
        hour = int(found[1]) % 12 + (12 if found[3] == "p" else 0)
        return hour, int(found[2] or 0)
    if (found := _CLOCK.search(line)) is not None:
        return int(found[1]), int(found[2] or 0)
    return None


def _written_date(line: str) -> tuple[str, tuple[int | None, int, int] | None]:
    """The line without its date, and the date: year, month, day. Of two numbers the day is the first."""
    if (found := _ISO.search(line)) is not None:
        return _ISO.sub(" ", line, 1), (int(found[1]), int(found[2]), int(found[3]))
    if (found := _NUMBERS.search(line)) is not None and not _HALF_DAY.match(line, found.start()):
        year = int(found[3]) if found[3] else None
        return _NUMBERS.sub(" ", line, 1), (year + 2000 if year and year < 100 else year, int(found[2]), int(found[1]))
    months = _names(get_month_names)
    for pattern, month, day in ((_DAY_MONTH, 2, 1), (_MONTH_DAY, 1, 2)):
        for found in pattern.finditer(line):
            if found[month] in months:
                year = int(found[3]) if found[3] else None
                return line[: found.start()] + " " + line[found.end() :], (year, months[found[month]], int(found[day]))
    return line, None


def _dated(written: tuple[int | None, int, int], time: tuple[int, int], here: datetime) -> date:
    year, month, day = written
    if year is not None:
        return date(year, month, day)
    soon = date(here.year, month, day)
    is_past = (soon, time) < (here.date(), (here.hour, here.minute))
    return date(here.year + 1, month, day) if is_past else soon


def _named(line: str, time: tuple[int, int], here: datetime) -> date:
    for words, days in sorted(_IN_DAYS.items(), key=lambda item: -len(item[0])):
        if words in line:
            return here.date() + timedelta(days)
    is_past = time <= (here.hour, here.minute)
    weekday = next((day for word, day in _names(get_day_names).items() if re.search(rf"\b{word}\b", line)), None)
    if weekday is None:
        return here.date() + timedelta(1 if is_past else 0)
    ahead = (weekday - here.weekday()) % 7
    return here.date() + timedelta(7 if ahead == 0 and is_past else ahead)


def _at(day: date, time: tuple[int, int], clock: ZoneInfo) -> int:
    return int(datetime(day.year, day.month, day.day, *time, tzinfo=clock).timestamp()) * 1000


def _names(of: Callable[..., Mapping[int, str]]) -> dict[str, int]:
    """The days, from Monday (0), or the months, from January (1), by their names in every language."""
    return {
        _plain(name).rstrip("."): number
        for width in ("wide", "abbreviated")
        for language in LANGUAGES
        for number, name in of(width, locale=language).items()
    }
