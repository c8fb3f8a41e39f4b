"""The role for the best of a season or for the winners of a night. The bot gives it as far as the server allows.

A champion is saved before the role is given, and deleted after it is taken: after a crash both are repeated.
"""

from collections.abc import Collection
from dataclasses import replace

import discord

from bot.discord.places.members import NOBODY_HAS_IT, change_role, role_refusal
from bot.discord.places.refusals import DiscordRefusal
from bot.records.seasons import Champion, ChampionStore


class ChampionRole:
    """Gives and takes the role. Every coroutine raises StoreError if the champions cannot be read or saved."""

    def __init__(self, client: discord.Client, champions: ChampionStore) -> None:
        self._client = client
        self._champions = champions

    async def hand_over(
        self, guild: discord.Guild, role_id: int, best: Collection[int], reason: str | None, season: int | None
    ) -> DiscordRefusal | None:
        """Give the role to these people, take it from the former champions, and return what failed.

        People who already got it for the same season are skipped, so a moderator may take it from them; so are people
        who have left the server. If the same role is for seasons and for nights, people who have it for the other
        purpose keep it.

        Args:
            guild: The server.
            role_id: The role.
            best: The ids of the new champions.
            reason: What Discord's audit log shows.
            season: The number of the season; None for the winners of a night.
        """
        is_of_night, known = season is None, await self._champions.of_server(guild.id)
        ours = [champion for champion in known if champion.is_of_night is is_of_night]
        former = [champion for champion in ours if champion.role_id != role_id or champion.user_id not in best]
        kept = (
            ()
            if is_of_night
            else {champion.user_id for champion in ours if (champion.role_id, champion.season) == (role_id, season)}
        )
        new = [user_id for user_id in best if user_id not in kept]
        problem = role_refusal(guild, role_id) if former or new else None
        if problem is not None:
            return problem
        others = {(champion.user_id, champion.role_id) for champion in known if champion.is_of_night is not is_of_night}
        for champion in former:
            if (champion.user_id, champion.role_id) in others:
                await self._champions.remove(champion)
            else:
                problem = await self._take(guild, champion, reason) or problem
        for user_id in new:
            champion = Champion(guild.id, user_id, role_id, is_of_night, season)
            problem = await self._give(champion, reason) or problem
        return problem

    async def undo_step(self) -> None:
        """Take the roles from erased people, in other processes' servers too; retry later what fails."""
        for champion in await self._champions.of_erased():
            problem = await self._change(champion, None, is_given=False)
            if problem is None or problem.code in NOBODY_HAS_IT:
                await self._champions.remove(champion)

    async def _take(self, guild: discord.Guild, champion: Champion, reason: str | None) -> DiscordRefusal | None:
        problem = role_refusal(guild, champion.role_id) or await self._change(champion, reason, is_given=False)
        if problem is None or problem.code in NOBODY_HAS_IT:
            await self._champions.remove(champion)
            return None
        return problem

    async def _give(self, champion: Champion, reason: str | None) -> DiscordRefusal | None:
        if not await self._champions.add(replace(champion, season=None)):
            return None
        problem = await self._change(champion, reason, is_given=True)
        if problem is None and not await self._champions.add(champion):  # erased meanwhile
            return await self._change(champion, reason, is_given=False)
        return problem

    async def _change(self, champion: Champion, reason: str | None, *, is_given: bool) -> DiscordRefusal | None:
        server, user, role = champion.guild_id, champion.user_id, champion.role_id
        return await change_role(self._client, server, user, role, reason, is_given=is_given)
