"""Texts on pictures and alternative texts: without markdown, and within Discord's limits."""

import re
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_interval, format_time, get_timezone_location

from bot.discord.text.text_width import truncate
from bot.discord.text.texts import Texts
from bot.records.pictures import BoardPicture

MAX_ALT: Final = 1024  # Discord's limit for the description of a file
_CUSTOM: Final = re.compile(r"<a?(:\w+:)\d+>")
_MARKS: Final = re.compile(r"\\(.)|\*(?!\ufe0f?\u20e3)|[_`\u200b\ufe0e]|^#+ ")


def plain(line: str) -> str:
    """Return message text without its markdown; a custom emoji becomes its name, such as `:clover:`."""
    return " ".join(_MARKS.sub(r"\1", _CUSTOM.sub(r"\1", line)).split())


def alt(words: str) -> str:
    """Return words as an alternative text, truncated to Discord's limit."""
    return truncate(words, MAX_ALT)


def rows_words(picture: BoardPicture | None) -> str:
    """Return a picture's alternative text: `Podium of the season, Season 3. 1. Ana — 1200 (12 matches) · 2. …`."""
    if picture is None:
        return ""
    rows = (
        f"{f'{row.place}. ' if row.place else ''}{row.name} — {row.value}{f' ({row.note})' if row.note else ''}"
        for row in picture.rows
    )
    return alt(f"{picture.title}, {picture.subtitle}. {' · '.join(rows)}")


def day(at: int, zone: str, texts: Texts) -> str:
    """Return the date of a time (Unix milliseconds) in a time zone, such as `21 nov. 2026`."""
    return texts.date(format_date(_there(at, zone), "medium", texts.locale))


def days(first: int, last: int, zone: str, texts: Texts) -> str:
    """Return the dates of two times (Unix milliseconds) in a time zone, such as `1–30 nov. 2026`."""
    between = format_interval(_there(first, zone).date(), _there(last, zone).date(), "yMMMd", locale=texts.locale)
    return texts.date(" ".join(between.split()))


def moment(at: int, zone: str, texts: Texts) -> str:
    """Return the date, the time and the zone's city, such as `21 nov. 2026, 23:40 (Paris)`."""
    there = _there(at, zone)
    city = get_timezone_location(zone, texts.locale, return_city=True) if "/" in zone else zone
    return f"{day(at, zone, texts)}, {format_time(there, 'short', locale=texts.locale)} ({city})"


def _there(at: int, zone: str) -> datetime:
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
