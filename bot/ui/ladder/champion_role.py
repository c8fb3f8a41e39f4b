"""Gives the role for the best of a season, and takes it, as far as the server lets the bot.

A champion is stored before the role is given, and removed after it is taken: after a crash both are done again.
"""

from collections.abc import Collection
from typing import Final

import discord
import structlog

from bot.ladder.season_duties import DutyProblem
from bot.records.seasons import Champion, ChampionStore
from bot.ui.kit.interactions import FAILED, facts

# https://discord.com/developers/docs/topics/opcodes-and-status-codes#json-json-error-codes
_TWO_FACTOR: Final = 60003

_log = structlog.get_logger(__name__)


class ChampionRole:
    """Every method raises StoreError when the champions cannot be read or saved."""

    def __init__(self, client: discord.Client, champions: ChampionStore) -> None:
        self._client = client
        self._champions = champions

    async def hand_over(
        self, guild: discord.Guild, role_id: int, best: Collection[int], reason: str
    ) -> DutyProblem | None:
        """Give the role to these people of a server and take it from the former champions. Returns what failed.

        People who have left the server are passed over.
        """
        if (problem := in_the_way(guild, role_id)) is not None:
            return problem
        for champion in await self._champions.of_server(guild.id):
            if champion.role_id != role_id or champion.user_id not in best:
                problem = await self._take(guild, champion, reason) or problem
        for user_id in best:
            problem = await self._give(guild, Champion(guild.id, user_id, role_id), reason) or problem
        return problem

    async def held(self, user_id: int) -> tuple[Champion, ...]:
        """The roles that the bot gave to somebody, in all servers."""
        return await self._champions.of_person(user_id)

    async def take(self, held: Collection[Champion]) -> None:
        """Take these roles back where the bot can."""
        for champion in held:
            guild = self._client.get_guild(champion.guild_id)
            problem = DutyProblem.REFUSED if guild is None else await self._take(guild, champion, None)
            if problem is not None:
                _log.warning("champion_role.not_taken", guild=champion.guild_id, problem=problem.value)

    async def _take(self, guild: discord.Guild, champion: Champion, reason: str | None) -> DutyProblem | None:
        problem = in_the_way(guild, champion.role_id) or await _change(guild, champion, reason, is_given=False)
        if problem in (None, DutyProblem.NO_ROLE):
            await self._champions.remove(champion)
            return None
        return problem

    async def _give(self, guild: discord.Guild, champion: Champion, reason: str) -> DutyProblem | None:
        if not await self._champions.add(champion):
            return None
        return await _change(guild, champion, reason, is_given=True)


def in_the_way(guild: discord.Guild, role_id: int) -> DutyProblem | None:
    role = guild.get_role(role_id)
    if role is None:
        return DutyProblem.NO_ROLE
    may_give = guild.me.guild_permissions.manage_roles and role.is_assignable()
    return None if may_give else DutyProblem.MAY_NOT_GIVE


async def _change(
    guild: discord.Guild, champion: Champion, reason: str | None, *, is_given: bool
) -> DutyProblem | None:
    try:
        try:
            member = await guild.fetch_member(champion.user_id)
        except discord.NotFound:
            return None  # has left the server, and the role with it
        if (member.get_role(champion.role_id) is not None) is not is_given:
            change = member.add_roles if is_given else member.remove_roles
            await change(discord.Object(champion.role_id), reason=reason)
    except discord.NotFound:
        return DutyProblem.NO_ROLE
    except discord.Forbidden as error:
        return DutyProblem.TWO_FACTOR if error.code == _TWO_FACTOR else DutyProblem.MAY_NOT_GIVE
    except FAILED as error:
        _log.warning("champion_role.refused", guild=guild.id, **facts(error))
        return DutyProblem.REFUSED
    return None
