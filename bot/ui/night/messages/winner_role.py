"""Gives the winners of a night the server's role for them, and takes it from the former winners."""

from dataclasses import dataclass
from typing import Final

from bot.base.times import HOUR_MS
from bot.discord.interactions.rooms import Rooms
from bot.discord.text.texts import Texts, texts_for
from bot.nights.night import Night
from bot.nights.results.standings import winners
from bot.tables.hub import ModerationDone
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.night.words import plain_title, title_of

PATIENCE_MS: Final = HOUR_MS
"""How long a role that Discord could not give is retried."""


@dataclass(frozen=True, slots=True)
class WinnerRole:
    """The server's role for the winners of a night."""

    _rooms: Rooms
    _role: ChampionRole

    async def hand_over(self, night: Night) -> bool:
        """Give the role to the winners of a night; if nobody has won, it stays where it is.

        Returns:
            Whether it is done. A refusal of the server counts as done; its log and its settings say why.

        Raises:
            StoreError: The role's owners could not be read or saved.
        """
        settings, guild = await self._rooms.defaults.read(night.guild_id), self._rooms.client.get_guild(night.guild_id)
        role_id, best = settings.winner_role, [night.entrants[number].user_id for number in winners(night)]
        users = [user_id for user_id in best if user_id is not None]
        if role_id is None or guild is None or not users:
            return True
        reason = texts_for(night.locale).t("Winner: {night}", night=plain_title(night.plan))
        problem = await self._role.hand_over(guild, role_id, users, reason, season=None)
        self._rooms.live.context.refusals.record(guild.id, f"<@&{role_id}>", problem)
        if problem is not None and problem.may_pass and self._rooms.clock.now() < (night.ended_at or 0) + PATIENCE_MS:
            return False
        if problem is not None:
            failed = {"role": f"<@&{role_id}>", "night": title_of(night.plan)}

            def line(texts: Texts) -> str:
                sentence = texts.t("⚠️ {role} did not go to the winner of “{night}”.", **failed)
                return f"{sentence} {problem.words(guild, texts)}"

            self._rooms.hub.publish(ModerationDone(guild.id, line))
        return True
