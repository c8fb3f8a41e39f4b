"""Carries out the duties of an ended season: its podium, the role for the best, and corrections of both.

The role is given and taken as far as the server lets the bot. A champion is stored before the role is given, and
removed after it is taken: after a crash both are done again.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from json import dumps
from typing import Final

import discord
import structlog

from bot.background import Tasks
from bot.errors import StoreError
from bot.ladder.seasons import Board, DutyProblem, DutyReport, Progress, Season, Task, digest_of
from bot.records.history import BoardPage, Boards
from bot.records.seasons import Champion, ChampionStore
from bot.tables.hub import Hub, SeasonChanged
from bot.tables.season_ends import SeasonDutyStore
from bot.tables.server_settings import ServerSettings
from bot.ui.kit.interactions import FAILED, facts
from bot.ui.kit.picture_words import rows_words
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import best_of, over_title, podium, podium_picture, season_name
from bot.ui.live.illustrations import Illustrated
from bot.ui.live.live_message import LiveContext, LiveMessage, Spot
from bot.ui.live.live_messages import LiveMessages
from bot.ui.live.outage import Reason
from bot.ui.lobby.places import ServerDefaults

# https://discord.com/developers/docs/topics/opcodes-and-status-codes#json-json-error-codes
_TWO_FACTOR: Final = 60003

_NOTHING: Final = DutyReport(Progress.NOTHING)
_NONCE_MS: Final = 2 * 60_000  # Discord knows a nonce for "the past few minutes"
_PROBLEMS: Final = {Reason.CHANNEL_GONE: DutyProblem.NO_CHANNEL, Reason.FORBIDDEN: DutyProblem.MAY_NOT_POST}

_PASSES: Final = (Reason.FORBIDDEN, Reason.CLOSED)

_log = structlog.get_logger(__name__)


class ChampionRole:
    """Every method raises StoreError when the champions cannot be read or saved."""

    def __init__(self, client: discord.Client, champions: ChampionStore) -> None:
        self._client = client
        self._champions = champions

    async def hand_over(
        self, guild: discord.Guild, role_id: int, best: Collection[int], reason: str, *, of_night: bool = False
    ) -> DutyProblem | None:
        """Give the role to these people of a server and take it from the former champions. Returns what failed.

        `of_night`: to the winners of a night, from those of the one before. People who have left the server are passed
        over; a role that is for both stays with who has it by the other.
        """
        if (problem := in_the_way(guild, role_id)) is not None:
            return problem
        known = await self._champions.of_server(guild.id)
        for champion in known:
            if champion.of_night is not of_night or (champion.role_id == role_id and champion.user_id in best):
                continue
            if replace(champion, of_night=not of_night) in known:
                await self._champions.remove(champion)
            else:
                problem = await self._take(guild, champion, reason) or problem
        for user_id in best:
            problem = await self._give(guild, Champion(guild.id, user_id, role_id, of_night), reason) or problem
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


class Podium(LiveMessage):
    """The podium of one season. Between two duties it comes back by itself where it was deleted."""

    def __init__(
        self, context: LiveContext, task: Task, channel_id: int, texts: Texts, lost: Callable[["Podium"], object]
    ) -> None:
        """`lost` is called when it cannot be shown any more where it stood: its duty goes on."""
        ended_at = task.season.ends_at
        assert ended_at is not None, "it is over"
        is_forgotten = context.clock.now() >= ended_at + _NONCE_MS
        about = {"guild": task.guild_id, "season": task.season.number}
        spot = Spot(task.guild_id, channel_id, task.message_id)
        super().__init__(context, about, texts, spot, is_restored=is_forgotten)
        self._may_be_posted = bool(task.asked)
        self._nonce = task.nonce
        self._title = over_title(task.season, texts)
        self._lost = lost
        self._ended_at = ended_at
        self.digest: str | None = None
        self.shown: Illustrated | None = None
        self.save: Callable[[], Awaitable[None]] | None = None

    @property
    def nonce(self) -> str:
        return self._nonce if self.spot.message_id is None else str(self.spot.message_id)

    @property
    def found_after(self) -> int:
        return (self._ended_at - discord.utils.DISCORD_EPOCH) << 22

    def look(self) -> Illustrated | None:
        return self.shown

    def recognises(self, components: Sequence[object]) -> bool:
        return dumps(self._title)[1:-1] in dumps(components)

    async def note(self, message_id: int, *, is_found: bool) -> None:
        await super().note(message_id, is_found=is_found)
        if self.save is not None:  # else the report of the duty saves it
            await self.save()

    def outage_changed(self) -> None:
        if self.save is not None and self.outage is not None and self.outage.reason in _PASSES:
            self._lost(self)


@dataclass(frozen=True, eq=False)
class PodiumPost:
    """Implements `SeasonAnnouncer`."""

    _live: LiveMessages
    _hub: Hub
    _defaults: ServerDefaults
    _boards: Boards
    _reader: LadderReader
    _duties: SeasonDutyStore
    _champion_role: ChampionRole
    _podiums: dict[tuple[int, int], Podium] = field(default_factory=dict, init=False)
    _tasks: Tasks = field(default_factory=Tasks, init=False)

    async def announce(self, task: Task) -> DutyReport:
        settings = await self._defaults.read(task.guild_id)
        tops = await self._reader.tops(task.guild_id, task.season)
        digest = podium_digest(tops)
        has_lines = any(page.lines for page in tops.values())
        wanted_in = settings.podium_channel if has_lines else None
        place = task.channel_id if task.is_correction else wanted_in
        if place is None:
            return _NOTHING
        if digest == task.digest:
            return DutyReport(Progress.DONE, None, place, task.message_id, digest)
        guild = self._live.context.client.get_guild(task.guild_id)
        if guild is None:
            return DutyReport(Progress.DUE, DutyProblem.NO_CHANNEL)
        texts = self._texts(settings, guild)
        podium = self._podium(task, place, texts)
        corrected_at = self._live.context.clock.now() if task.is_correction and digest != podium.digest else None
        podium.shown = podium_message(task.season, tops, await self._reader.zone(guild.id), texts, corrected_at)
        podium.save = None
        try:
            await podium.write_now()
            if podium.outage is None and podium.is_due:  # found, or known by its nonce: it may show what was before
                await podium.write_now()
        except FAILED as error:
            _log.warning("podium.refused", guild=guild.id, **facts(error))
            return DutyReport(Progress.DUE, DutyProblem.REFUSED)
        if podium.outage is not None:
            problem = _PROBLEMS.get(podium.outage.reason, DutyProblem.REFUSED)
            is_over = task.is_correction and problem is DutyProblem.NO_CHANNEL
            return _NOTHING if is_over else DutyReport(Progress.DUE, problem)
        if podium.spot.message_id is None:
            return DutyReport(Progress.DUE, DutyProblem.REFUSED)
        podium.digest, podium.save = digest, partial(self._save, task, podium, digest)
        return DutyReport(Progress.DONE, None, place, podium.spot.message_id, digest)

    def _podium(self, task: Task, channel_id: int, texts: Texts) -> Podium:
        """The message of a season: the same while it stands in the same channel. Those of older seasons are let go."""
        key = (task.guild_id, task.season.number)
        known = self._podiums.get(key)
        if known is not None and known.spot.channel_id == channel_id:
            return known
        for other in [other for other in self._podiums if other[0] == task.guild_id and other[1] <= task.season.number]:
            self._live.drop(self._podiums.pop(other))
        made = Podium(
            self._live.context, task, channel_id, texts, lambda lost: self._tasks.begin(self._ask_again(task, lost))
        )
        self._podiums[key] = made
        self._live.add(made)
        return made

    async def _save(self, task: Task, podium: Podium, digest: str | None) -> None:
        """A podium stands elsewhere than its duty has noted, or cannot be shown any more ("")."""
        report = DutyReport(Progress.DONE, None, podium.spot.channel_id, podium.spot.message_id, digest)
        await self._duties.posted(task.guild_id, task.season.number, report)

    async def _ask_again(self, task: Task, podium: Podium) -> None:
        """A podium was deleted and cannot be posted again: its duty says why, and tries it again."""
        try:
            await self._save(task, podium, "")
        except StoreError as error:
            _log.warning("podium.not_saved", guild=task.guild_id, problem=str(error))
        self._hub.publish(SeasonChanged())

    async def give_role(self, task: Task) -> DutyReport:
        settings = await self._defaults.read(task.guild_id)
        board = await self._boards.board(task.guild_id, task.season, Board.RATING, self._live.context.clock.now())
        users = {user_id for line in board.lines if line.place == 1 for user_id in line.user_ids}
        digest = digest_of(*sorted(users))
        if not task.is_correction and (settings.champion_role is None or not users):
            return _NOTHING
        if digest == task.digest or settings.champion_role is None:  # without a role nobody is to have another
            return DutyReport(Progress.DONE, digest=task.digest)
        guild = self._live.context.client.get_guild(task.guild_id)
        if guild is None:
            return DutyReport(Progress.DUE, DutyProblem.NO_ROLE)
        texts = self._texts(settings, guild)
        reason = texts.t("Champion: {season}", season=season_name(task.season, texts))
        problem = await self._champion_role.hand_over(guild, settings.champion_role, users, reason)
        if problem is not None:
            return DutyReport(Progress.DUE, problem)
        return DutyReport(Progress.DONE, digest=digest) if users else _NOTHING

    def _texts(self, settings: ServerSettings, guild: discord.Guild) -> Texts:
        return texts_for(self._defaults.language(settings, guild))


def podium_message(
    season: Season, tops: Mapping[Board, BoardPage], zone: str, texts: Texts, corrected_at: int | None = None
) -> Illustrated:
    layout = podium(season, tops, zone, texts, corrected_at)
    picture = podium_picture(season, tops[Board.RATING].lines, zone, texts)
    return Illustrated(layout, picture, rows_words(picture), replaces=1)


def podium_digest(tops: Mapping[Board, BoardPage]) -> str:
    """A digest of what a podium shows; names and language are left out, since their change needs no correction."""
    best, leaders = best_of(tops)
    return digest_of(
        *((line.place, line.value, line.user_ids, line.matches) for line in best),
        *((board.value, line.value, line.user_ids) for board, line in leaders.items()),
    )
