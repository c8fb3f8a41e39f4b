"""A night as a calendar file (iCalendar, RFC 5545), and among the events of its server."""

from datetime import UTC, datetime
from typing import Any, Final

import discord
import structlog

from bot.nights.length import ends_at
from bot.nights.night import Night, NightStatus
from bot.ui.kit.components import link_to
from bot.ui.kit.interactions import FAILED, facts, noting
from bot.ui.kit.names import inert
from bot.ui.kit.texts import Texts
from bot.ui.night.words import MAX_TITLE, how_line, plain_title

_MOST_PLACE: Final = 100  # Discord's limit, which the name of a channel may have without the #
_MOST_OCTETS: Final = 75  # of a line, without its end: RFC 5545, section 3.1
_STARTS: Final = "scheduled_start_time"
_STATUS: Final = {
    NightStatus.RUNNING: discord.EventStatus.active.value,
    NightStatus.OVER: discord.EventStatus.completed.value,
}


_log = structlog.get_logger(__name__)


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


def may_make_events(guild: discord.Guild | None) -> bool:
    """Managing events is not enough: https://github.com/discord/discord-api-docs/pull/8002."""
    return guild is not None and guild.me.guild_permissions.create_events


async def make_event(client: discord.Client, night: Night, texts: Texts) -> int | None:
    """List a night; returns the event's id, None where Discord refuses."""
    guild = client.get_guild(night.guild_id)
    if guild is None or not may_make_events(guild):
        return None
    shown = _shown(guild, night, texts) | {
        "privacy_level": discord.PrivacyLevel.guild_only.value,
        "entity_type": discord.EntityType.external.value,
    }
    try:
        return int((await client.http.create_guild_scheduled_event(guild.id, **shown))["id"])
    except FAILED as error:
        _log.warning("night.event_refused", night=night.id, **facts(error))
        return None


async def keep_event(client: discord.Client, former: Night, night: Night, texts: Texts) -> None:
    """Bring the event up to date with a night that has changed: its plan, its end, that it runs, is over or cancelled.

    Discord begins an event at its time by itself, and refuses to begin it twice; the beginning of one that runs stays:
    https://discord.com/developers/docs/resources/guild-scheduled-event
    """
    guild = client.get_guild(night.guild_id)
    if guild is None or night.event_id is None or not may_make_events(guild):
        return
    edits: list[dict[str, Any]] = [] if night.status is former.status else [{"status": _STATUS.get(night.status)}]
    shown = _shown(guild, night, texts)
    if not night.is_finished and shown != _shown(guild, former, texts):
        is_fixed = night.status is NightStatus.RUNNING
        edits.append({name: value for name, value in shown.items() if not (is_fixed and name == _STARTS)})
    for changes in edits:
        with noting(_log.info, "night.event_not_kept", night=night.id):  # deleted by somebody, most likely
            if night.status is NightStatus.CANCELLED:
                await client.http.delete_scheduled_event(guild.id, night.event_id)
            else:
                await client.http.edit_scheduled_event(guild.id, night.event_id, **changes)


def _shown(guild: discord.Guild, night: Night, texts: Texts) -> dict[str, Any]:
    plan, channel = night.plan, guild.get_channel(night.plan.channel_id)
    link = link_to(night.guild_id, plan.announced_in, night.message_id)
    where = texts.t("Sign-up, tables and standings: {link}", link=link)
    times = plan.starts_at, ends_at(night)
    starts, ends = (datetime.fromtimestamp(at / 1000, UTC).isoformat() for at in times)
    return {
        "name": inert(plan.title, MAX_TITLE) or "Kem's",
        "description": f"{how_line(plan, texts)}\n{where}",
        _STARTS: starts,
        "scheduled_end_time": ends,
        "entity_metadata": {"location": "#kems" if channel is None else f"#{channel.name}"[:_MOST_PLACE]},
    }
