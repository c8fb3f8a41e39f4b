"""A night as a calendar file (iCalendar, RFC 5545)."""

from datetime import UTC, datetime
from typing import Final

from bot.nights.length import ends_at
from bot.nights.night import Night, NightStatus
from bot.ui.kit.components import link_to
from bot.ui.kit.texts import Texts
from bot.ui.night.words import how_line, plain_title

_MOST_OCTETS: Final = 75  # of a line, without its end: RFC 5545, section 3.1


def calendar_file(night: Night, bot_id: int, now: int, texts: Texts) -> bytes:
    """The file, in UTF-8. `bot_id` is a part of the event's id: a newer file replaces an older one."""
    plan, link = night.plan, link_to(night.guild_id, night.plan.announced_in, night.message_id)
    about = f"{how_line(plan, texts)}\n{link}"
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Kem's bot//Game nights//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:kems-night-{night.id}@{bot_id}",
        f"SEQUENCE:{night.version}",
        f"DTSTAMP:{_instant(now)}",
        f"DTSTART:{_instant(plan.starts_at)}",
        f"DTEND:{_instant(ends_at(night))}",
        f"SUMMARY:{_escaped(plain_title(plan))}",
        f"DESCRIPTION:{_escaped(about)}",
        f"LOCATION:{_escaped('Discord')}",
        f"URL:{link}",
        f"STATUS:{'CANCELLED' if night.status is NightStatus.CANCELLED else 'CONFIRMED'}",
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
    """A content line in pieces of at most 75 octets; no piece ends inside a letter."""
    pieces, piece = list[bytes](), b""
    for char in line:
        written = char.encode()
        if len(piece) + len(written) > _MOST_OCTETS:
            pieces.append(piece)
            piece = b" "
        piece += written
    return b"\r\n".join((*pieces, piece))
