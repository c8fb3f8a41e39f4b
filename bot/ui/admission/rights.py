"""Who may decide about a table, and who may manage the server; each right holds in its own server alone."""

import discord

from bot.tables.lobby.lobby import Lobby
from bot.tables.table_store import Damaged
from bot.ui.kit.failures import SentenceError
from bot.ui.kit.interactions import reader
from bot.ui.kit.permissions import known_channel
from bot.ui.kit.texts import Texts


def may_decide(interaction: discord.Interaction, lobby: Lobby | Damaged) -> bool:
    """Whether the presser is the host of a table, or moderates it; never at a table of another server."""
    if lobby.place.guild_id != interaction.guild_id:
        return False
    return interaction.user.id == lobby.host_id or moderates(interaction, lobby)


def may_kick(interaction: discord.Interaction, lobby: Lobby) -> bool:
    """Whether the presser may remove a player: in a ranked match only as a moderator without a seat."""
    if lobby.is_ranked:
        return lobby.seat_of(interaction.user.id) is None and moderates(interaction, lobby)
    return may_decide(interaction, lobby)


def moderates(interaction: discord.Interaction, lobby: Lobby | Damaged) -> bool:
    """Whether the presser may manage messages where the table is; here, if that place is gone."""
    place = lobby.place
    if place.guild_id != interaction.guild_id:
        return False
    user, guild, is_here = interaction.user, interaction.guild, place.channel_id == interaction.channel_id
    channel = None if guild is None or is_here else known_channel(guild, place.channel_id)
    if channel is None or not isinstance(user, discord.Member):
        return interaction.permissions.manage_messages
    return channel.permissions_for(user).manage_messages


def manages_server(interaction: discord.Interaction) -> bool:
    return interaction.permissions.manage_guild


def check_manages_server(interaction: discord.Interaction) -> None:
    if not manages_server(interaction):
        raise SentenceError(not_managing_text(reader(interaction)))


def not_managing_text(texts: Texts) -> str:
    return texts.t("Only admins of the server can set Kem's up.")
