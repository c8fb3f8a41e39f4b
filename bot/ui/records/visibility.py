"""Who may look at a finished match: its players, and members who can see the channel it was played in."""

import asyncio
from collections.abc import Iterable

import discord

from bot.records.archive import PastPlace


async def visible(interaction: discord.Interaction, places: Iterable[PastPlace]) -> frozenset[int]:
    """The tables that the presser may look at; each channel is looked up once, all at the same time."""
    asked = tuple(places)
    own = {place.table_id for place in asked if interaction.user.id in place.user_ids}
    channel_ids = tuple({place.channel_id for place in asked if place.table_id not in own})
    seen = await asyncio.gather(*(_may_view(interaction, channel_id) for channel_id in channel_ids))
    open_ids = {channel_id for channel_id, is_seen in zip(channel_ids, seen, strict=True) if is_seen}
    return frozenset(own.union(place.table_id for place in asked if place.channel_id in open_ids))


async def may_look(interaction: discord.Interaction, place: PastPlace) -> bool:
    return bool(await visible(interaction, [place]))


async def _may_view(interaction: discord.Interaction, channel_id: int) -> bool:
    """Whether the presser can see a channel or thread of this server that still exists."""
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        return False
    if channel_id == interaction.channel_id:
        return True
    channel = guild.get_channel_or_thread(channel_id)
    if channel is None:  # Discord tells of no archived thread until it is asked
        try:
            channel = await guild.fetch_channel(channel_id)
        except (discord.NotFound, discord.Forbidden, discord.InvalidData):
            return False
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return False
    permissions = channel.permissions_for(member)
    if not permissions.view_channel:
        return False
    if isinstance(channel, discord.Thread) and channel.is_private() and not permissions.manage_threads:
        try:
            await channel.fetch_member(member.id)
        except discord.NotFound:
            return False
    return True
