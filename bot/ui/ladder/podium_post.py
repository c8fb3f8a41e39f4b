"""Carries out the duties of an ended season: its podium, the role for the best, and corrections of both."""

from collections.abc import Mapping
from json import dumps
from typing import Final

import discord
import structlog

from bot.ladder.boards import Board
from bot.ladder.season_duties import DutyProblem, DutyReport, Progress, Task, digest
from bot.ladder.seasons import Season
from bot.records.history import BoardPage, Boards
from bot.tables.clock import Clock
from bot.tables.server_settings import ServerSettings
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.permissions import may_attach
from bot.ui.kit.picture_words import rows_words
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import best_of, over_title, podium, season_name
from bot.ui.ladder.pictures import podium_picture
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.illustrations import Illustrated, Illustrator

_NOTHING: Final = DutyReport(Progress.NOTHING)
_NONCE_MS: Final = 2 * 60_000  # Discord knows a nonce for "the past few minutes"
_LOOKED_AT: Final = 100  # messages of the channel since the season's end

_log = structlog.get_logger(__name__)


class PodiumPost:
    """Implements `SeasonAnnouncer`."""

    def __init__(
        self,
        client: discord.Client,
        clock: Clock,
        defaults: ServerDefaults,
        boards: Boards,
        reader: LadderReader,
        illustrator: Illustrator,
        champion_role: ChampionRole,
    ) -> None:
        self._client = client
        self._clock = clock
        self._defaults = defaults
        self._boards = boards
        self._reader = reader
        self._illustrator = illustrator
        self._champion_role = champion_role

    async def announce(self, task: Task) -> DutyReport:
        settings = await self._defaults.read(task.guild_id)
        tops = await self._reader.tops(task.guild_id, task.season)
        told = told_of(tops)
        has_lines = any(page.lines for page in tops.values())
        wanted_in = settings.podium_channel if has_lines else None
        place = task.channel_id if task.is_correction else wanted_in
        if place is None:
            return _NOTHING
        if told == task.told:
            return DutyReport(Progress.DONE, None, place, task.message_id, told)
        guild = self._client.get_guild(task.guild_id)
        if guild is None:
            return DutyReport(Progress.DUE, DutyProblem.NO_CHANNEL)
        channel = self._client.get_partial_messageable(place, guild_id=guild.id)
        corrected_at = self._clock.now() if task.is_correction else None
        zone, texts = await self._reader.zone(guild.id), self._texts(settings, guild)
        message = podium_message(task.season, tops, zone, texts, corrected_at)
        try:
            message_id = task.message_id or await self._posted(channel, task.season, over_title(task.season, texts))
            message_id = await self._shown(task, message_id, channel, guild, message)
            return DutyReport(Progress.DONE, None, place, message_id, told)
        except discord.NotFound:
            return _NOTHING if task.is_correction else DutyReport(Progress.DUE, DutyProblem.NO_CHANNEL)
        except discord.Forbidden:
            return DutyReport(Progress.DUE, DutyProblem.MAY_NOT_POST)
        except FAILED as error:
            _log.warning("podium.refused", guild=guild.id, **facts(error))
            return DutyReport(Progress.DUE, DutyProblem.REFUSED)

    async def give_role(self, task: Task) -> DutyReport:
        settings = await self._defaults.read(task.guild_id)
        board = await self._boards.board(task.guild_id, task.season, Board.RATING, self._clock.now())
        users = {user_id for line in board.lines if line.place == 1 for user_id in line.user_ids}
        told = digest(*sorted(users))
        if not task.is_correction and (settings.champion_role is None or not users):
            return _NOTHING
        if told == task.told or settings.champion_role is None:  # without a role nobody is to have another
            return DutyReport(Progress.DONE, told=task.told)
        guild = self._client.get_guild(task.guild_id)
        if guild is None:
            return DutyReport(Progress.DUE, DutyProblem.NO_ROLE)
        texts = self._texts(settings, guild)
        reason = texts.t("Champion: {season}", season=season_name(task.season, texts))
        problem = await self._champion_role.hand_over(guild, settings.champion_role, users, reason)
        if problem is not None:
            return DutyReport(Progress.DUE, problem)
        return DutyReport(Progress.DONE, told=told) if users else _NOTHING

    async def _shown(
        self,
        task: Task,
        message_id: int | None,
        channel: discord.PartialMessageable,
        guild: discord.Guild,
        podium: Illustrated,
    ) -> int:
        """Post or correct a podium. Returns the id of its message."""
        is_wanted = may_attach(guild, channel.id)
        if message_id is None:
            view, files = await self._illustrator.ready(podium, may_attach=is_wanted)
            message_id = (await channel.send(view=view, files=files, nonce=task.nonce)).id
        if task.asked:  # a message that stands, or that Discord knows by the nonce, may show what was before
            view, files = await self._illustrator.ready(podium, may_attach=is_wanted)
            await channel.get_partial_message(message_id).edit(view=view, attachments=files)
        return message_id

    async def _posted(self, channel: discord.PartialMessageable, season: Season, title: str) -> int | None:
        """Looks for a podium of this title that was posted and not noted, after Discord has forgotten its nonce."""
        assert season.ends_at is not None, "it is over"
        if self._clock.now() < season.ends_at + _NONCE_MS:
            return None
        ended = discord.Object((season.ends_at - discord.utils.DISCORD_EPOCH) << 22)
        try:
            async for message in channel.history(limit=_LOOKED_AT, after=ended, oldest_first=True):
                is_ours = self._client.user is not None and message.author.id == self._client.user.id
                if is_ours and dumps(title)[1:-1] in dumps([part.to_dict() for part in message.components]):
                    return message.id
        except discord.Forbidden:
            pass  # the bot may not read the channel
        return None

    def _texts(self, settings: ServerSettings, guild: discord.Guild) -> Texts:
        return texts_for(self._defaults.public_language(settings, str(guild.preferred_locale)))


def podium_message(
    season: Season, tops: Mapping[Board, BoardPage], zone: str, texts: Texts, corrected_at: int | None = None
) -> Illustrated:
    layout = podium(season, tops, zone, texts, corrected_at)
    picture = podium_picture(season, tops[Board.RATING].lines, zone, texts)
    return Illustrated(layout) if picture is None else Illustrated(layout, picture, rows_words(picture))


def told_of(tops: Mapping[Board, BoardPage]) -> str:
    """A digest of what a podium shows; names and language are left out, since their change needs no correction."""
    best, leaders = best_of(tops)
    return digest(
        *((line.place, line.value, line.user_ids, line.matches) for line in best),
        *((board.value, line.value, line.user_ids) for board, line in leaders.items()),
    )
