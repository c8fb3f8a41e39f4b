"""Nights as a calendar file (iCalendar, RFC 5545): one night for a phone, or all planned nights as a feed."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from bot.discord.api.components import link_to
from bot.discord.text.texts import Texts
from bot.nights.night import Night, NightStatus
from bot.nights.planning.length import ends_at
from bot.ui.night.words import entry_line, how_line, plain_title

_MOST_OCTETS: Final = 75  # of a line, without its end: RFC 5545, section 3.1


def calendar_file(night: Night, bot_id: int, now: int, texts: Texts) -> bytes:
    """Return a night as a calendar file in UTF-8.

    Args:
        night: The night.
        bot_id: A part of the event's id: a newer file replaces an older one of the same bot.
        now: The instant (milliseconds).
        texts: The reader's texts.
    """
    link = link_to(night.guild_id, night.plan.post_channel, night.message_id)
    return _calendar(_event(night, str(bot_id), now, texts, link))


def calendar_feed(nights: Iterable[Night], title: str, now: int, texts: Texts) -> str:
    """Return all these nights as one calendar; `now` is in milliseconds.

    It has no links or ids of Discord, since everybody with its address can read it.
    """
    events = (line for night in nights for line in _event(night, "kems", now, texts, None))
    return _calendar((f"X-WR-CALNAME:{_escaped(title)}", *events)).decode()


def _calendar(lines: Iterable[str]) -> bytes:
    head = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kem's bot//Game nights//EN", "METHOD:PUBLISH")
    return b"".join(_folded(line) + b"\r\n" for line in (*head, *lines, "END:VCALENDAR"))


def _event(night: Night, source: str, now: int, texts: Texts, link: str | None) -> Iterator[str]:
    plan, entry = night.plan, entry_line(night.plan, texts, texts.t("a role of the server"))
    about = "\n".join(filter(None, (how_line(plan, texts), entry)))
    if link is not None:
        about += f"\n{link}"
    yield "BEGIN:VEVENT"
    yield f"UID:kems-night-{night.id}@{source}"
    yield f"SEQUENCE:{night.version}"
    yield f"DTSTAMP:{_instant(now)}"
    yield f"DTSTART:{_instant(plan.starts_at)}"
    yield f"DTEND:{_instant(ends_at(night))}"
    yield f"SUMMARY:{_escaped(plain_title(plan))}"
    yield f"DESCRIPTION:{_escaped(about)}"
    yield f"LOCATION:{_escaped('Discord')}"
    if link is not None:
        yield f"URL:{link}"
    yield f"STATUS:{'CANCELLED' if night.status is NightStatus.CANCELLED else 'CONFIRMED'}"
    yield "END:VEVENT"


def _instant(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(words: str) -> str:
    """Return a text value by RFC 5545, section 3.3.11."""
    for char in ("\\", ";", ","):
        words = words.replace(char, "\\" + char)
    return "\\n".join(words.splitlines())


def _folded(line: str) -> bytes:
    """Return a content line in pieces of at most 75 octets; no piece ends inside a letter."""
    pieces, piece = list[bytes](), b""
    for char in line:
        written = char.encode()
        if len(piece) + len(written) > _MOST_OCTETS:
            pieces.append(piece)
            piece = b" "
        piece += written
    return b"\r\n".join((*pieces, piece))
