"""The channel in whose threads the tables of a night are played: whether it will do."""

import discord

from bot.discord.api.interactions import RefusedError, reader
from bot.discord.places.permissions import (
    IN_CHANNEL,
    IN_THREAD,
    can_hold_threads,
    check_not_timed_out,
    missing,
    permission_names,
)
from bot.tables.server_settings import ServerSettings


def check_place(
    interaction: discord.Interaction, channel_id: int | None, announced_in: int | None, settings: ServerSettings
) -> discord.TextChannel:
    """The channel, in which tables may stand; the night's message stands in `announced_in`. Raises RefusedError."""
    texts, guild = reader(interaction), interaction.guild
    t = texts.t
    if not settings.allows_table_in(channel_id):
        known = " ".join(f"<#{one}>" for one in settings.table_channels)
        raise RefusedError(t("No table may be opened there: choose {channels}.", channels=known))
    check_not_timed_out(guild, texts)
    channel = None if guild is None or channel_id is None else guild.get_channel(channel_id)
    if not can_hold_threads(channel):
        raise RefusedError(t("Choose a text channel: the tables open in threads there."))
    announced = channel.guild.get_channel(announced_in or 0) or channel
    for one, wanted in ((channel, (*IN_CHANNEL, *IN_THREAD)), (announced, IN_CHANNEL)):
        if lacks := missing(one.permissions_for(one.guild.me), wanted):
            names, where = permission_names(lacks, texts), one.mention
            raise RefusedError(t("I lack these permissions in {channel}: {names}.", channel=where, names=names))
    return channel
