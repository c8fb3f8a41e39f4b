"""Words on pictures and beside them: without markdown, and of the length that Discord takes."""

import re
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_interval

from bot.ui.kit.texts import Texts

MAX_ALT: Final = 1024  # Discord's limit for the description of a file
_CUSTOM: Final = re.compile(r"<a?:\w+:\d+>")
_MARKS: Final = re.compile(r"\\(.)|[*_`\u200b\u2068\u2069\ufe0e]|^#+ ")


def plain(line: str) -> str:
    """Message text without its markdown."""
    return " ".join(_MARKS.sub(r"\1", _CUSTOM.sub("", line)).split())


def alt(words: str) -> str:
    """What a picture shows, for those who do not see it, cut to what Discord takes."""
    return words if len(words) <= MAX_ALT else words[: MAX_ALT - 1] + "…"


def day(at: int, zone: str, texts: Texts) -> str:
    """The date of an instant in a time zone, such as `21 nov. 2026`."""
    return format_date(_date(at, zone), "medium", texts.locale)


def days(first: int, last: int, zone: str, texts: Texts) -> str:
    """The dates of two instants in a time zone, such as `1–30 nov. 2026`."""
    return " ".join(format_interval(_date(first, zone), _date(last, zone), "yMMMd", locale=texts.locale).split())


def _date(at: int, zone: str) -> date:
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).date()
