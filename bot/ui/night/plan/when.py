"""Reads a start time as people write it: "samedi 21:00", "21h", "demain soir à 9h", "tomorrow 9 pm".

It also reads Discord's timestamps. Each pattern takes its words out of the text; a text with words left is refused,
because what was not understood is not guessed. Names of days and months are those of the bot's languages, from the
Unicode data in Babel. The library dateparser 1.5 reads 18 of the 75 French texts in `tests/ui/night/test_when.py` and
56 of the 63 English ones, and 31 of them wrongly.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import get_day_names, get_month_names

from bot.base.times import MINUTE_MS
from bot.discord.text.texts import LANGUAGES


@dataclass(frozen=True, slots=True)
class TimeWords:
    """The patterns of one language; an empty one matches nothing. Days and months have their names from Babel."""

    ahead: str
    """Before a length of time, as in "in 2 hours"; `single` and the units follow."""
    single: str
    hours: str
    minutes: str
    days: str
    weeks: str
    half: str
    """After an hour, means half an hour more."""
    noon: str
    midnight: str
    clock: str
    """Between hour and minute."""
    after_hour: Mapping[str, int]
    """The words after an hour, and how many minutes they mean."""
    today: str
    tomorrow: str
    day_after: str
    late: str
    """From noon on, if an hour up to 11 may be meant."""
    early: str
    fillers: str
    """Words without a meaning of their own."""
    at: str = ""
    """Before a number that is an hour without more words."""
    before_hour: Mapping[str, int] = field(default_factory=dict)
    ordinal: str = ""
    of: str = ""
    """Between a day and its month, or a month and its year."""
    after_day: Mapping[str, int] = field(default_factory=dict)
    """The words after the name of a day, and how many weeks later they mean; 0: not today."""
    joint: str = ""
    """One word that is two: "samstagabend"."""


WORDS: Final[Mapping[str, TimeWords]] = {
    "fr": TimeWords(
        ahead="dans",
        single="une?",
        hours="h|heures?",
        minutes="min|minutes?",
        days="jours?",
        weeks="semaines?",
        half="et demie",
        noon="midi",
        midnight="minuit",
        clock="h(?:eures?)?",
        after_hour={"et demie?": 30, "et quart": 15, "moins (?:le )?quart": -15},
        today="aujourd'hui|cet? (?=matin|apres-midi|soir)",
        tomorrow="demain",
        day_after="apres[- ]demain",
        late="(?:du |de l')?(?:soir|apres-midi)",
        early="(?:du )?matin",
        fillers="a|le|de|du|vers|ce",
        ordinal="er",
        after_day={"prochain": 0, "en huit": 1, "en quinze": 2},
    ),
    "en": TimeWords(
        ahead="in",
        single="an?",
        hours="hours?",
        minutes="min|minutes?",
        days="days?",
        weeks="weeks?",
        half="and a half",
        noon="noon",
        midnight="midnight",
        clock="hrs?",
        after_hour={},
        today="today|(?=tonight)|this (?=morn|after|even)",
        tomorrow="tomorrow",
        day_after="(?:the )?day after tomorrow",
        late="tonight|(?:in the |at )?(?:evening|afternoon|night)",
        early="(?:in the )?morning",
        fillers="at|the|on|of|this|o'clock",
        ordinal="st|nd|rd|th",
        of="of",
    ),
    "de": TimeWords(
        ahead="in",
        single="eine[rmn]?",
        hours="std|stunden?",
        minutes="min|minuten?",
        days="tag(?:en)?",
        weeks="wochen?",
        half="und eine halbe",
        noon="mittags?",
        midnight="mitternacht",
        clock="uhr",
        after_hour={},
        today="heute",
        tomorrow="(?<!heute )(?<!am )(?<!tag )(?<!och )morgen",
        day_after="ubermorgen",
        late="(?:am )?(?:abends?|nachmittags?)",
        early="(?:am )?(?:morgens?|vormittags?|fruh)",
        fillers="um|am|den|der|gegen|uhr|diesen",
        at="um|gegen",
        before_hour={"halb": -30, "viertel nach": 15, "viertel vor": -15},
        joint="(?<=tag|och)(?=abend|nachmittag|vormittag|morgen)",
    ),
    "es": TimeWords(
        ahead="en|dentro de",
        single="una?",
        hours="h|horas?",
        minutes="min|minutos?",
        days="dias?",
        weeks="semanas?",
        half="y media",
        noon="mediodia",
        midnight="medianoche",
        clock="h(?:oras?)?",
        after_hour={"y media": 30, "y cuarto": 15, "menos cuarto": -15},
        today="hoy|esta (?=manana|tarde|noche)",
        tomorrow="(?<!la )(?<!esta )manana",
        day_after="pasado manana",
        late="(?:(?:de|por|en) la )?(?:tarde|noche)",
        early="(?:(?:de|por|en) la )?manana",
        fillers="a|al|el|las?|de|del|este|sobre|hacia|h|horas",
        at="las?",
        of="del?",
        after_day={"que viene": 0},
    ),
}


def any_of(name: str) -> str:
    """Return the patterns of a field in all languages, as alternatives of one pattern."""
    return "|".join(filter(None, (getattr(words, name) for words in WORDS.values())))


def counted(name: str) -> dict[str, int]:
    """Return the patterns of numbers in a field of `WORDS`, in all languages, each with its number."""
    return {pattern: count for words in WORDS.values() for pattern, count in getattr(words, name).items()}


_LONGEST: Final = 80
_DISCORDS: Final = re.compile(r"<t:(\d{1,10})(?::[a-z])?>")
"""A timestamp of Discord (seconds): https://discord.com/developers/docs/reference#message-formatting-formats"""
_AHEAD: Final = rf"\b(?:{any_of('ahead')})\s+(\d+|{any_of('single')})\s*"
_AFTER: Final = re.compile(
    rf"{_AHEAD}(?:({any_of('hours')})(?:\s*(\d{{2}}))?|(?:{any_of('minutes')}))\b(\s+(?:{any_of('half')}))?"
)
_LATER: Final = re.compile(rf"{_AHEAD}(?:(?:{any_of('days')})|({any_of('weeks')}))\b")
_ISO: Final = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})t?")
_NUMBERS: Final = re.compile(r"\b(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}|\d{2}))?\b(?!\s*[ap]\.?\s?m\b)")
_DOTTED: Final = re.compile(rf"(?<=\d)\.(?=\d{{2}}\s*(?:{any_of('clock')})\b)")
_BARE: Final = re.compile(
    rf"\b(?:{any_of('at')}|{'|'.join(counted('before_hour'))})\s+\d{{1,2}}\b"
    rf"(?!\s*(?:{any_of('clock')}|:|\.\d|[ap]\.?\s?m\b))"
)
_JOINT: Final = re.compile(any_of("joint"))
_HALF_DAY: Final = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?\s?m\b\.?")
_CLOCK: Final = re.compile(
    rf"\b(?:({any_of('noon')})|({any_of('midnight')})"
    rf"|(?:({'|'.join(counted('before_hour'))})\s+)?(\d{{1,2}})\s*(?:{any_of('clock')}|:)(?:\s*(\d{{2}}))?)"
    rf"(?:\s+({'|'.join(counted('after_hour'))}))?\b"
)
_TODAY: Final = re.compile(rf"\b(?:{any_of('today')})")
_DAY_AFTER: Final = re.compile(rf"\b(?:{any_of('day_after')})\b")
_TOMORROW: Final = re.compile(rf"\b(?:{any_of('tomorrow')})\b")
_LATE: Final = re.compile(rf"\b(?:{any_of('late')})\b")
_EARLY: Final = re.compile(rf"\b(?:{any_of('early')})\b")
_ORDINAL: Final = rf"(?:{any_of('ordinal')}|\.)?"
_OF: Final = rf"(?:(?:{any_of('of')})\s+)?"
_DAY: Final = re.compile(rf"\b(\d{{1,2}})(?:{any_of('ordinal')})?\b")
_FILLERS: Final = re.compile(rf"\b(?:{any_of('fillers')})\b|[,.]")

_LATEST_MS: Final = 100 * 366 * 24 * 60 * MINUTE_MS
"""The latest time ahead that can be shown and compared; nobody means a later one."""
_Time = tuple[int, int]
_Date = tuple[int | None, int | None, int]


class NotReadError(Exception):
    """A text that names no instant. `words` are those that were not understood; empty if an hour is missing."""

    def __init__(self, words: str = "") -> None:
        super().__init__(words)
        self.words = words


class _Line:
    """The rest of a text: `take` returns what a pattern finds, and removes it."""

    def __init__(self, written: str) -> None:
        apart = _JOINT.sub(" ", _plain(written))
        self.left = _BARE.sub(r"\g<0>h", _DOTTED.sub(":", apart))

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.search(self.left)
        if found is not None:
            self.left = f"{self.left[: found.start()]} {self.left[found.end() :]}"
        return found


def read_when(written: str, zone: str, now: int, *, alone_after: int | None = None) -> int:
    """Return the instant that a text names, in milliseconds.

    Args:
        written: The text.
        zone: The time zone whose clocks it means.
        now: The current instant (milliseconds).
        alone_after: A time without a date means its next occurrence after this instant (milliseconds), by default after
            `now`.

    Raises:
        NotReadError: It names none, or one outside the calendar.
    """
    try:
        at = _read(written, zone, now, alone_after)
    except (ValueError, OverflowError):  # 31 February, 25 o'clock, in a billion days
        raise NotReadError(_plain(written)) from None
    if not 0 <= at <= now + _LATEST_MS:
        raise NotReadError(_plain(written))
    return at


def _read(written: str, zone: str, now: int, alone_after: int | None) -> int:
    """Return the named instant, on the clocks of a time zone. Instants in milliseconds.

    Without a date it is the next such time, after `alone_after` if that is given; without a month or a year, the next
    such date.

    Raises:
        NotReadError: The text names none, or has words that were not understood.
    """
    line, clock = _Line(written), ZoneInfo(zone)
    if (found := line.take(_DISCORDS)) is not None:
        _expect_nothing_more(line)
        return int(found[1]) * 1000
    found = line.take(_AFTER)
    if found is not None:
        count = int(found[1]) if found[1].isdigit() else 1
        minutes = 60 * count + int(found[3] or 0) + 30 * bool(found[4]) if found[2] else count
        _expect_nothing_more(line)
        return -(-(now + minutes * MINUTE_MS) // MINUTE_MS) * MINUTE_MS
    written_date = _written_date(line)
    days = _days_ahead(line)
    time, weekday = _time(line), line.take(_weekdays())
    if written_date is None and (found := line.take(_DAY)) is not None:
        written_date = None, None, int(found[1])
    _expect_nothing_more(line)
    if time is None:
        raise NotReadError
    if alone_after is not None and written_date is None and days is None and weekday is None:
        now = alone_after
    local_now = datetime.fromtimestamp(now / 1000, clock)
    if written_date is not None:
        day = _dated(written_date, time, local_now)
    elif weekday is not None:
        day = _next_weekday(weekday, time, local_now)
    else:
        is_past = time <= (local_now.hour, local_now.minute)
        day = local_now.date() + timedelta(days if days is not None else 1 if is_past else 0)
    if weekday is not None and day.weekday() != _names(get_day_names)[weekday[1]]:
        raise NotReadError(weekday[1])
    hour, minute = time
    begins = datetime(day.year, day.month, day.day, hour % 24, minute, tzinfo=clock) + timedelta(hour // 24)
    return int(begins.timestamp()) * 1000


def _plain(written: str) -> str:
    letters = unicodedata.normalize("NFD", written[:_LONGEST].replace("\u2019", "'").casefold())
    return " ".join("".join(char for char in letters if not unicodedata.combining(char)).split())


def _expect_nothing_more(line: _Line) -> None:
    left = " ".join(_FILLERS.sub(" ", line.left).split())
    if left:
        raise NotReadError(left)


def _time(line: _Line) -> _Time | None:
    """Return hour and minute; midnight is the end of a day. None if the text names no time.

    Raises:
        NotReadError: There is no such hour.
    """
    is_late, is_early = line.take(_LATE), line.take(_EARLY)
    if (found := line.take(_HALF_DAY)) is not None:
        return int(found[1]) % 12 + (12 if found[3] == "p" else 0), int(found[2] or 0)
    if (found := line.take(_CLOCK)) is None:
        return None
    hour = 12 if found[1] else 24 if found[2] else int(found[4])
    if hour > 24 or (found[4] and hour > 23) or (is_early and hour > 12):
        raise NotReadError(" ".join(found[0].split()))
    minutes = 60 * (hour + (12 if is_late and hour < 12 else 0)) + _count("before_hour", found[3])
    hour, minute = divmod(minutes + _count("after_hour", found[6]), 60)
    return hour, minute + int(found[5] or 0)


def _count(name: str, word: str | None) -> int:
    return next((count for pattern, count in counted(name).items() if word and re.fullmatch(pattern, word)), 0)


def _days_ahead(line: _Line) -> int | None:
    """Return in how many days, if the text counts them from today."""
    if (found := line.take(_LATER)) is not None:
        return (int(found[1]) if found[1].isdigit() else 1) * (7 if found[2] else 1)
    named = ((_DAY_AFTER, 2), (_TOMORROW, 1), (_TODAY, 0))
    return next((days for pattern, days in named if line.take(pattern) is not None), None)


def _written_date(line: _Line) -> _Date | None:
    """Return year, month and day. Of two numbers the day is the first."""
    if (found := line.take(_ISO)) is not None:
        return int(found[1]), int(found[2]), int(found[3])
    if (found := line.take(_NUMBERS)) is not None:
        year = int(found[3]) if found[3] else None
        return year + 2000 if year and year < 100 else year, int(found[2]), int(found[1])
    for pattern, month, day in _with_month():
        if (found := line.take(pattern)) is not None:
            return int(found[3]) if found[3] else None, _names(get_month_names)[found[month]], int(found[day])
    return None


def _dated(written: _Date, time: _Time, local_now: datetime) -> date:
    year, month, number = written
    if year is not None and month is not None:
        return date(year, month, number)
    for ahead in range(12 if month is None else 9 * 12):  # 29 February comes within eight years
        of_year, of_month = divmod(local_now.month - 1 + ahead, 12)
        if month is None or of_month + 1 == month:
            try:
                day = date(local_now.year + of_year, of_month + 1, number)
            except ValueError:
                continue
            if (day, time) >= (local_now.date(), (local_now.hour, local_now.minute)):
                return day
    raise ValueError("there is no such day")


def _next_weekday(found: re.Match[str], time: _Time, local_now: datetime) -> date:
    ahead = (_names(get_day_names)[found[1]] - local_now.weekday()) % 7
    weeks = _count("after_day", found[2])
    is_over = ahead == 0 and (time <= (local_now.hour, local_now.minute) or bool(found[2] and not weeks))
    return local_now.date() + timedelta(ahead + 7 * (is_over + weeks))


@cache
def _weekdays() -> re.Pattern[str]:
    after = "|".join(counted("after_day"))
    return re.compile(rf"\b({'|'.join(_names(get_day_names))})\b\.?(?:\s+({after})\b)?")


@cache
def _with_month() -> tuple[tuple[re.Pattern[str], int, int], ...]:
    """Return patterns of dates that name a month, and the groups of month and day in each."""
    months = "|".join(_names(get_month_names))
    return (
        (re.compile(rf"\b(\d{{1,2}}){_ORDINAL}\s+{_OF}({months})\b\.?(?:\s+{_OF}(\d{{4}}))?"), 2, 1),
        (re.compile(rf"\b({months})\b\.?\s+(\d{{1,2}}){_ORDINAL}\b(?!:)(?:,?\s+(\d{{4}}))?"), 1, 2),
    )


@cache
def _names(of: Callable[..., Mapping[int, str]]) -> dict[str, int]:
    """Return days, from Monday (0), or months, from January (1), by their names in all languages; long names first."""
    found = {
        _plain(name).rstrip("."): number
        for width in ("wide", "abbreviated")
        for language in LANGUAGES
        for number, name in of(width, locale=language).items()
    }
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))
