"""A night among the server's scheduled events, where the bot may make them."""

from datetime import UTC, datetime
from typing import Final

import discord
import structlog

from bot.nights.night import Night, NightStatus
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.links import link_to
from bot.ui.kit.names import inert
from bot.ui.kit.texts import Texts
from bot.ui.night.words import MAX_TITLE, how_line, length_ms

_MINUTE_MS: Final = 60_000

_log = structlog.get_logger(__name__)


def may_make_events(guild: discord.Guild | None) -> bool:
    if guild is None:
        return False
    may = guild.me.guild_permissions
    return may.create_events or may.manage_events


async def make_event(client: discord.Client, night: Night, texts: Texts) -> int | None:
    """List a night; returns the event's id, None where Discord refuses."""
    guild = client.get_guild(night.guild_id)
    if guild is None or not may_make_events(guild):
        return None
    try:
        event = await guild.create_scheduled_event(
            name=inert(night.plan.title, MAX_TITLE) or "Kem's",
            description=_about(night, texts),
            start_time=_moment(night.plan.starts_at),
            end_time=_moment(_end(night)),
            privacy_level=discord.PrivacyLevel.guild_only,
            entity_type=discord.EntityType.external,
            location=_place(guild, night),
        )
    except (*FAILED, ValueError) as error:  # ValueError: it begins in the past by now
        _log.warning("night.event_refused", night=night.id, **facts(error))
        return None
    return event.id


async def keep_event(client: discord.Client, night: Night, texts: Texts) -> None:
    """Bring the event up to date with a night that was changed or cancelled before it began."""
    guild = client.get_guild(night.guild_id)
    if guild is None or night.event_id is None or not may_make_events(guild):
        return
    try:
        if night.status is NightStatus.CANCELLED:
            await client.http.delete_scheduled_event(guild.id, night.event_id)
            return
        await client.http.edit_scheduled_event(
            guild.id,
            night.event_id,
            name=inert(night.plan.title, MAX_TITLE) or "Kem's",
            description=_about(night, texts),
            scheduled_start_time=_moment(night.plan.starts_at).isoformat(),
            scheduled_end_time=_moment(_end(night)).isoformat(),
            entity_metadata={"location": _place(guild, night)},
        )
    except FAILED as error:  # deleted by somebody, most likely
        _log.info("night.event_not_kept", night=night.id, **facts(error))


def _about(night: Night, texts: Texts) -> str:
    link = link_to(night.guild_id, night.plan.channel_id, night.message_id)
    invitation = texts.t("Sign up here: {link}", link=link)
    return f"{how_line(night.plan, texts)}\n{invitation}"


def _place(guild: discord.Guild, night: Night) -> str:
    channel = guild.get_channel(night.plan.channel_id)
    return "#kems" if channel is None else f"#{channel.name}"


def _end(night: Night) -> int:
    return night.plan.starts_at + max(length_ms(night.plan), _MINUTE_MS)


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)
