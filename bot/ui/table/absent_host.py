"""A lobby whose host is gone: somebody else who sits there goes on with it.

No event tells that a member has left, for the bot does not ask for the privileged intent: it asks Discord once somebody
wants to do what is the host's.
"""

import discord
import structlog

from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Status
from bot.ui.admission.patience import or_later
from bot.ui.admission.rights import may_decide
from bot.ui.kit.interactions import FAILED, facts, made_at

_log = structlog.get_logger(__name__)


async def replace_absent_host(interaction: discord.Interaction, directory: TableDirectory, table_id: int) -> None:
    """The presser becomes the host of their lobby where its host has left the server, is banned or in a timeout.

    A host who has left gives up the seat as well. Raises StoreError: it was not saved.
    """
    lobby, user_id, guild = directory.lobby(table_id), interaction.user.id, interaction.guild
    if lobby is None or guild is None or lobby.status is not Status.OPEN or lobby.seat_of(user_id) is None:
        return
    host_id = lobby.host_id
    if may_decide(interaction, lobby):
        return
    try:
        member = await guild.fetch_member(host_id)
    except discord.NotFound:
        has_left = True
    except FAILED as error:
        _log.warning("host.unknown", table=table_id, **facts(error))
        return
    else:
        has_left = False
        until = member.timed_out_until
        if until is None or until.timestamp() * 1000 <= made_at(interaction):
            return
    await or_later(directory.lobbies.update(table_id, lambda now: now.hosted_by(user_id, host_id, has_left=has_left)))
