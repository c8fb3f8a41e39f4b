"""The one way to give a role, and to take it."""

from typing import Final

import discord

from bot.discord.api.error_codes import Asked, ErrorCode
from bot.discord.places.refusals import Refusal, attempted

ROLE_S: Final = 10.0
"""How long Discord may take to give a role, or to take it: others wait for their turn meanwhile."""
NO_ROLE: Final = Refusal(Asked.ROLE, ErrorCode.UNKNOWN_ROLE)
MAY_NOT_GIVE: Final = Refusal(Asked.ROLE, ErrorCode.MISSING_PERMISSIONS)
NOBODY_HAS_IT: Final = frozenset({ErrorCode.UNKNOWN_ROLE, ErrorCode.UNKNOWN_SERVER, ErrorCode.MISSING_ACCESS})
"""Codes for a role that nobody has any more: it is gone, or the bot was removed from the server."""
_LEFT: Final = frozenset({ErrorCode.UNKNOWN_MEMBER, ErrorCode.UNKNOWN_USER})


def in_the_way(guild: discord.Guild, role_id: int) -> Refusal | None:
    """Why the bot can give a role to nobody, as far as it knows."""
    role = guild.get_role(role_id)
    if role is None:
        return NO_ROLE
    may_give = guild.me.guild_permissions.manage_roles and role.is_assignable()
    return None if may_give else MAY_NOT_GIVE


async def change_role(
    client: discord.Client, guild_id: int, user_id: int, role_id: int, reason: str | None, *, is_given: bool
) -> Refusal | None:
    """Give a role to a person, or take it, in a server of any process. Nothing is refused of a person who has left."""

    async def change() -> None:
        member = await client.http.get_member(guild_id, user_id)
        if (str(role_id) in member["roles"]) is not is_given:
            await (client.http.add_role if is_given else client.http.remove_role)(
                guild_id, user_id, role_id, reason=reason
            )

    refusal = await attempted(Asked.ROLE, change(), ROLE_S, guild=guild_id)
    return None if refusal is not None and refusal.code in _LEFT else refusal
