"""A night as a calendar file (iCalendar, RFC 5545), which calendars on phones and computers open.

Nothing here needs more of the format than one event in UTC, so it is written by hand.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

_MOST_OCTETS: Final = 75  # of a line, without its end: RFC 5545, section 3.1


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """What a calendar shows. `number` and `bot_id` make the event's id: a newer file replaces an older one.

    `version` grows with each change. Instants in milliseconds.
    """

    number: int
    bot_id: int
    version: int
    title: str
    about: str
    link: str
    starts_at: int
    ends_at: int
    made_at: int
    is_cancelled: bool = False


def calendar_file(event: CalendarEvent) -> bytes:
    """The file, in UTF-8."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Kem's bot//Game nights//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:kems-night-{event.number}@{event.bot_id}",
        f"SEQUENCE:{event.version}",
        f"DTSTAMP:{_instant(event.made_at)}",
        f"DTSTART:{_instant(event.starts_at)}",
        f"DTEND:{_instant(event.ends_at)}",
        f"SUMMARY:{_escaped(event.title)}",
        f"DESCRIPTION:{_escaped(event.about)}",
        f"LOCATION:{_escaped('Discord')}",
        f"URL:{event.link}",
        f"STATUS:{'CANCELLED' if event.is_cancelled else 'CONFIRMED'}",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return b"".join(_folded(line) + b"\r\n" for line in lines)


def _instant(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(words: str) -> str:
    """A text value: RFC 5545, section 3.3.11."""
    for char in ("\\", ";", ","):
        words = words.replace(char, "\\" + char)
    return "\\n".join(words.splitlines())


def _folded(line: str) -> bytes:
    """A content line in pieces of at most 75 octets, none of which ends inside a letter."""
    pieces, piece = list[bytes](), b""
    for char in line:
        written = char.encode()
        if len(piece) + len(written) > _MOST_OCTETS:
            pieces.append(piece)
            piece = b" "
        piece += written
    return b"\r\n".join((*pieces, piece))
