"""A lobby whose host is gone: somebody else who sits there goes on with it."""

import discord

from bot.discord.api.patience import or_later
from bot.discord.interactions.admission.rights import may_decide
from bot.discord.places.members import Members, Standing
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Status


async def replace_absent_host(
    interaction: discord.Interaction, directory: TableDirectory, members: Members, table_id: int
) -> None:
    """The presser becomes the host of their lobby where its host has left the server, is banned or in a timeout.

    A host who has left gives up the seat as well. Raises StoreError: it was not saved.
    """
    lobby, user_id, guild = directory.lobby(table_id), interaction.user.id, interaction.guild
    if lobby is None or guild is None or lobby.status is not Status.OPEN or lobby.seat_of(user_id) is None:
        return
    host_id = lobby.host_id
    if may_decide(interaction, lobby):
        return
    standing = (await members.look_up(guild.id, (host_id,))).get(host_id, Standing.HERE)
    if standing is not Standing.HERE:
        has_left = standing is Standing.GONE
        hosted = directory.lobbies.update(table_id, lambda now: now.hosted_by(user_id, host_id, has_left=has_left))
        await or_later(hosted)
