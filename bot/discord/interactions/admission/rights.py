"""Rights of the user of an interaction: to decide about a table, to see a table or a night, to manage the server."""

from collections.abc import Collection
from typing import Final

import discord

from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.places.permissions import everyone_sees, known_channel
from bot.discord.places.server_defaults import ServerDefaults
from bot.discord.text.texts import mark
from bot.nights.night import Night
from bot.nights.plan import NightPlan
from bot.nights.rounds import Presence
from bot.tables.lobby.lobby import Lobby
from bot.tables.servers.settings import ServerSettings
from bot.tables.table_store import DamagedTable

NOT_MANAGING: Final = mark("Only admins of the server can set Kem's up.")


def may_decide(interaction: discord.Interaction, lobby: Lobby | DamagedTable) -> bool:
    """Return whether the user is the host of a table of this server, or moderates it."""
    if lobby.place.guild_id != interaction.guild_id:
        return False
    return interaction.user.id == lobby.host_id or moderates(interaction, lobby)


def may_kick(interaction: discord.Interaction, lobby: Lobby) -> bool:
    """Return whether the user may remove a player; at a ranked table only a moderator without a seat may."""
    if lobby.is_ranked:
        return lobby.seat_of(interaction.user.id) is None and moderates(interaction, lobby)
    return may_decide(interaction, lobby)


def moderates(interaction: discord.Interaction, lobby: Lobby | DamagedTable) -> bool:
    """Return whether the user may manage messages in the table's channel, or in the current one if that is unknown."""
    place = lobby.place
    if place.guild_id != interaction.guild_id:
        return False
    user, guild, is_here = interaction.user, interaction.guild, place.channel_id == interaction.channel_id
    channel = None if guild is None or is_here else known_channel(guild, place.channel_id)
    if channel is None or not isinstance(user, discord.Member):
        return interaction.permissions.manage_messages
    return channel.permissions_for(user).manage_messages


def may_see(interaction: discord.Interaction, lobby: Lobby | DamagedTable) -> bool:
    """Return whether a table is visible to the user.

    The table has to be in this server. The user has to be its host, a player or invited, or to see one of its channels.
    A channel that the bot does not know is visible to users that may manage messages in the current one.
    """
    place, user = lobby.place, interaction.user
    is_in_it = lobby.host_id == user.id
    if isinstance(lobby, Lobby):
        is_in_it = is_in_it or lobby.seat_of(user.id) is not None or user.id in lobby.invited
    channels = {place.channel_id, place.channel_id if place.post is None else place.post.channel_id}
    return place.guild_id == interaction.guild_id and (is_in_it or _sees_one(interaction, channels))


def may_see_night(interaction: discord.Interaction, night: Night) -> bool:
    """Return whether the user may see a night: as its host, as an entrant, or because they see one of its channels."""
    own = night.entrant_of(interaction.user.id)
    is_in_it = interaction.user.id == night.host_id or (own is not None and own.presence is not Presence.OUT)
    channels = {night.plan.post_channel, night.plan.channel_id}
    return night.guild_id == interaction.guild_id and (is_in_it or _sees_one(interaction, channels))


def is_public(guild: discord.Guild | None, plan: NightPlan, settings: ServerSettings) -> bool:
    """Return whether a night may be mentioned outside its channels.

    It may if @everyone sees both channels, or if the server's settings include hidden nights. A channel that the bot
    does not know is hidden.
    """
    channels = [None if guild is None else guild.get_channel(each) for each in (plan.channel_id, plan.post_channel)]
    return settings.counts_hidden_nights or all(each is not None and everyone_sees(each) for each in channels)


def _sees_one(interaction: discord.Interaction, channel_ids: Collection[int]) -> bool:
    """Return whether the interaction was made in one of these channels, or its user can see one."""
    user, guild = interaction.user, interaction.guild
    if interaction.channel_id in channel_ids:
        return True
    if guild is None or not isinstance(user, discord.Member):
        return False
    return any(_sees(user, known_channel(guild, each), interaction.permissions) for each in channel_ids)


def _sees(
    member: discord.Member, channel: discord.abc.GuildChannel | discord.Thread | None, permissions: discord.Permissions
) -> bool:
    if channel is None:
        return permissions.manage_messages
    granted = channel.permissions_for(member)
    is_private = isinstance(channel, discord.Thread) and channel.is_private()
    return granted.view_channel and (granted.manage_threads or not is_private)


def manages_server(interaction: discord.Interaction) -> bool:
    """Return whether the user may manage the server."""
    return interaction.permissions.manage_guild


def has_role(interaction: discord.Interaction, role_id: int | None) -> bool:
    """Return whether the user has a role; False if `role_id` is None."""
    user = interaction.user
    return role_id is not None and isinstance(user, discord.Member) and user.get_role(role_id) is not None


async def plans_nights(interaction: discord.Interaction, defaults: ServerDefaults) -> bool:
    """Return whether the user may plan a night: as a manager of the server, or by its role for hosts.

    Raises:
        StoreError: The server's settings could not be read.
    """
    return manages_server(interaction) or has_role(interaction, (await defaults.of(interaction)).hosts_role)


def check_manages_server(interaction: discord.Interaction) -> None:
    """Check that the user may manage the server.

    Raises:
        RefusedError: They may not.
    """
    if not manages_server(interaction):
        raise RefusedError(texts_of(interaction).t(NOT_MANAGING))
