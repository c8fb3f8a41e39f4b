"""Tells a server that a season is over: its podium in the channel for it, and the role for the best."""

from typing import Final

import discord
import structlog

from bot.ladder.boards import Board
from bot.ladder.endings import Problem, Progress, Report, Task
from bot.ladder.seasons import Season
from bot.live.books import Books
from bot.live.chronicle import BoardLine
from bot.live.ports import Servers
from bot.live.server import ServerSettings
from bot.ui.chronicles import Chronicles
from bot.ui.crown import Crown
from bot.ui.customs import public_language
from bot.ui.illustrations import Illustrator
from bot.ui.leaderboard_view import dates, season_name
from bot.ui.permissions import may_attach
from bot.ui.texts import Language, Texts, texts_for

_NOTHING: Final = Report(Progress.NOTHING)
_NONCE_MS: Final = 2 * 60_000  # Discord knows a nonce for "the past few minutes"
_LOOKED_AT: Final = 100  # messages of the channel since the season's end

_log = structlog.get_logger(__name__)


class Herald:
    """The `Herald` of `bot.live.season_ends`."""

    def __init__(
        self,
        client: discord.Client,
        servers: Servers,
        books: Books,
        chronicles: Chronicles,
        illustrator: Illustrator,
        crown: Crown,
        locale: Language,
    ) -> None:
        self._client = client
        self._servers = servers
        self._books = books
        self._chronicles = chronicles
        self._illustrator = illustrator
        self._crown = crown
        self._locale: Language = locale

    async def announce(self, task: Task) -> Report:
        """See `Herald.announce`."""
        settings = await self._servers.read(task.guild_id)
        if settings.podium_channel is None or not await self._best(task):
            return _NOTHING
        guild = self._client.get_guild(task.guild_id)
        if guild is None:
            return Report(Progress.DUE, Problem.NO_CHANNEL)
        channel = self._client.get_partial_messageable(settings.podium_channel, guild_id=guild.id)
        podium = await self._chronicles.podium(guild.id, task.season, self._texts(settings, guild))
        view, files = await self._illustrator.ready(podium, may_attach=may_attach(guild, channel.id))
        try:
            posted = await self._posted(channel, task.season)
            if posted is not None:
                return Report(Progress.DONE, channel_id=channel.id, message_id=posted)
            message = await channel.send(view=view, files=files, nonce=task.nonce)
        except discord.NotFound:
            return Report(Progress.DUE, Problem.NO_CHANNEL)
        except discord.Forbidden:
            return Report(Progress.DUE, Problem.MAY_NOT_POST)
        except discord.HTTPException as error:
            _log.warning("podium.refused", guild=guild.id, status=error.status, code=error.code)
            return Report(Progress.DUE, Problem.REFUSED)
        return Report(Progress.DONE, channel_id=settings.podium_channel, message_id=message.id)

    async def crown(self, task: Task) -> Report:
        """See `Herald.crown`."""
        settings = await self._servers.read(task.guild_id)
        best = await self._best(task)
        if settings.champion_role is None or not best:
            return _NOTHING
        guild = self._client.get_guild(task.guild_id)
        if guild is None:
            return Report(Progress.DUE, Problem.NO_ROLE)
        texts = self._texts(settings, guild)
        reason = texts.t("Champion: {season}", season=season_name(task.season, texts))
        users = {user_id for line in best if line.place == 1 for user_id in line.user_ids}
        problem = await self._crown.hand_over(guild, settings.champion_role, users, reason)
        return Report(Progress.DONE) if problem is None else Report(Progress.DUE, problem)

    async def _posted(self, channel: discord.PartialMessageable, season: Season) -> int | None:
        """The podium's message, if it was posted some time ago and nobody noted it: nonces are forgotten meanwhile.

        None where the bot may not read what is in the channel.
        """
        assert season.ends_at is not None, "it is over"
        if self._books.clock.now() < season.ends_at + _NONCE_MS:
            return None
        ended = discord.Object((season.ends_at - discord.utils.DISCORD_EPOCH) << 22)
        try:
            async for message in channel.history(limit=_LOOKED_AT, after=ended, oldest_first=True):
                is_ours = self._client.user is not None and message.author.id == self._client.user.id
                if is_ours and dates(season) in str([part.to_dict() for part in message.components]):
                    return message.id
        except discord.Forbidden:
            pass
        return None

    async def _best(self, task: Task) -> tuple[BoardLine, ...]:
        now = self._books.clock.now()
        return (await self._books.boards.board(task.guild_id, task.season, Board.RATING, now)).lines

    def _texts(self, settings: ServerSettings, guild: discord.Guild) -> Texts:
        return texts_for(public_language(settings, str(guild.preferred_locale), self._locale))
