"""The role for the best of a season, or for the winners of a night; given and taken as far as the server lets the bot.

A champion is saved before the role is given, and deleted after it is taken: after a crash both are done again.
"""

import asyncio
from collections.abc import Collection
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.discord.api.requests import FAILED, facts
from bot.discord.places.permissions import FOR_ROLES, permission_names
from bot.discord.text.texts import Texts
from bot.game.value import Worded
from bot.records.seasons import Champion, ChampionStore

CHANGE_S: Final = 10.0
"""How long Discord may take to give a role, or to take it: others wait for their turn meanwhile."""
# https://discord.com/developers/docs/topics/opcodes-and-status-codes#json-json-error-codes
_TWO_FACTOR: Final = 60003

_log = structlog.get_logger(__name__)


class RoleProblem(Worded):
    NO_ROLE = "no_role", "The role is gone: choose another with {/config}."
    MAY_NOT_GIVE = "may_not_give", "I need {permissions}, and my role must stand above it in the server's list."
    TWO_FACTOR = (
        "two_factor",
        "This server wants two-factor authentication: the person who runs me switches it on for their account.",
    )
    REFUSED = "refused", "Discord refused it."


def problem_words(problem: RoleProblem, texts: Texts) -> str:
    return texts.t(problem.words, permissions=permission_names(FOR_ROLES, texts))


class ChampionRole:
    """Every method raises StoreError when the champions cannot be read or saved."""

    def __init__(self, client: discord.Client, champions: ChampionStore) -> None:
        self._client = client
        self._champions = champions

    async def hand_over(
        self, guild: discord.Guild, role_id: int, best: Collection[int], reason: str | None, season: int | None
    ) -> RoleProblem | None:
        """Give the role to these people of a server and take it from the former champions. Returns what failed.

        People who got it for the same season are passed over, so a moderator may take it from them. Without a season it
        goes to the winners of a night. People who have left the server are passed over; a role that is for both stays
        with who has it by the other.
        """
        of_night, known = season is None, await self._champions.of_server(guild.id)
        ours = [one for one in known if one.of_night is of_night]
        former = [one for one in ours if one.role_id != role_id or one.user_id not in best]
        kept = () if of_night else {one.user_id for one in ours if (one.role_id, one.season) == (role_id, season)}
        new = [user_id for user_id in best if user_id not in kept]
        problem = in_the_way(guild, role_id) if former or new else None
        if problem is not None:
            return problem
        by_the_other = {(one.user_id, one.role_id) for one in known if one.of_night is not of_night}
        for champion in former:
            if (champion.user_id, champion.role_id) in by_the_other:
                await self._champions.remove(champion)
            else:
                problem = await self._take(guild, champion, reason) or problem
        for user_id in new:
            champion = Champion(guild.id, user_id, role_id, of_night, season)
            problem = await self._give(guild, champion, reason) or problem
        return problem

    async def take_back(self) -> None:
        """Take the roles of erased people back, in the servers of other processes too; what fails stays noted."""
        for champion in await self._champions.of_erased():
            problem = await self._taken_back(champion)
            if problem in (None, RoleProblem.NO_ROLE):
                await self._champions.remove(champion)
            else:
                _log.warning("champion_role.not_taken", guild=champion.guild_id, problem=problem.value)

    async def _taken_back(self, champion: Champion) -> RoleProblem | None:
        guild = self._client.get_guild(champion.guild_id)
        try:
            async with asyncio.timeout(CHANGE_S):
                guild = guild or await self._client.fetch_guild(champion.guild_id, with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            return RoleProblem.NO_ROLE  # the bot was removed from the server
        except FAILED as error:
            _log.warning("champion_role.refused", guild=champion.guild_id, **facts(error))
            return RoleProblem.REFUSED
        return await _change(guild, champion, None, is_given=False)

    async def _take(self, guild: discord.Guild, champion: Champion, reason: str | None) -> RoleProblem | None:
        problem = in_the_way(guild, champion.role_id) or await _change(guild, champion, reason, is_given=False)
        if problem in (None, RoleProblem.NO_ROLE):
            await self._champions.remove(champion)
            return None
        return problem

    async def _give(self, guild: discord.Guild, champion: Champion, reason: str | None) -> RoleProblem | None:
        if not await self._champions.add(replace(champion, season=None)):
            return None
        problem = await _change(guild, champion, reason, is_given=True)
        if problem is None and not await self._champions.add(champion):  # erased meanwhile
            return await _change(guild, champion, reason, is_given=False)
        return problem


def in_the_way(guild: discord.Guild, role_id: int) -> RoleProblem | None:
    role = guild.get_role(role_id)
    if role is None:
        return RoleProblem.NO_ROLE
    may_give = guild.me.guild_permissions.manage_roles and role.is_assignable()
    return None if may_give else RoleProblem.MAY_NOT_GIVE


async def _change(
    guild: discord.Guild, champion: Champion, reason: str | None, *, is_given: bool
) -> RoleProblem | None:
    try:
        async with asyncio.timeout(CHANGE_S):
            try:
                member = await guild.fetch_member(champion.user_id)
            except discord.NotFound:
                return None  # has left the server, and the role with it
            if (member.get_role(champion.role_id) is not None) is not is_given:
                change = member.add_roles if is_given else member.remove_roles
                await change(discord.Object(champion.role_id), reason=reason)
    except discord.NotFound:
        return RoleProblem.NO_ROLE
    except discord.Forbidden as error:
        return RoleProblem.TWO_FACTOR if error.code == _TWO_FACTOR else RoleProblem.MAY_NOT_GIVE
    except FAILED as error:
        _log.warning("champion_role.refused", guild=guild.id, **facts(error))
        return RoleProblem.REFUSED
    return None
