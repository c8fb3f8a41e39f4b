"""Reconciles the podiums of finished seasons, and the role of the champions, with the boards.

A season is checked when it ends and when its boards change; its server also when its settings change. The desired state
is compared with the actual one, so after a failure, or a crash anywhere, the same is done again.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from json import dumps
from typing import Final

import discord
import structlog

from bot.base.background import Backoff, Locks
from bot.base.errors import StoreError
from bot.base.times import HOUR_MS, MINUTE_MS
from bot.base.worker import LONGEST_MS, Worker
from bot.discord.api.error_codes import OutageReason
from bot.discord.interactions.rooms import Rooms
from bot.discord.messages.live_message import LiveMessage
from bot.discord.messages.posted_message import LiveContext, MessageAddress
from bot.discord.pictures.illustrations import Illustrated
from bot.discord.places.outage import OutageWords
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.text.picture_words import rows_words
from bot.discord.text.texts import Texts, mark, texts_for
from bot.ladder.columns import Board
from bot.ladder.seasons import FRESH_MS, GRACE_MS, Season
from bot.records.history import BoardPage
from bot.records.seasons import EndedSeason
from bot.tables.cluster import ShardResource
from bot.tables.hub import RightsChanged, SeasonChanged, SettingsChanged
from bot.tables.table_store import ServerFilter
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import best_of, over_title, podium, podium_picture, season_name

RETRY_MS: Final = MINUTE_MS
"""Wait after the first failure; it doubles with each further one, up to `LONGEST_RETRY_MS`."""
LONGEST_RETRY_MS: Final = 6 * HOUR_MS
LOOK_S: Final = 30.0
"""Longest time for which one server delays others: a request to Discord may sleep for minutes."""
_NONCE_MS: Final = 2 * MINUTE_MS  # Discord knows a nonce for "the past few minutes"

OF_PODIUM: Final = OutageWords(
    reasons={
        OutageReason.CHANNEL_GONE: mark("The channel of the podium was deleted."),
        OutageReason.FORBIDDEN: mark("I may not show the podium in {channel}."),
        OutageReason.CLOSED: mark("The thread of the podium, {channel}, is archived or locked."),
        OutageReason.REMOVED: mark("I was removed from this server."),
        OutageReason.DELETED: mark("The podium is deleted again and again in {channel}."),
        OutageReason.REFUSED: mark("Discord does not take the podium in {channel}."),
    },
    lacking=mark("I can't show the podium in {channel}. Missing permissions there: {names}."),
    outside=mark("I may not show the podium in {channel}: in a private thread, mention {bot} to add me."),
    waiting=mark("That has been so since {when}."),
    elsewhere=mark("Choose another with {/config}."),
    later=mark("The podium appears by itself then."),
    remedy=mark("The podium appears by itself once that is put right."),
    refused=mark("The podium appears by itself once that is put right."),
)

_log = structlog.get_logger(__name__)


class Podium(LiveMessage):
    """The podium of one season."""

    shows = "podium"
    outage_words = OF_PODIUM

    def __init__(
        self, context: LiveContext, ended: EndedSeason, channel_id: int, texts: Texts, changed: Callable[[], None]
    ) -> None:
        """Prepare the podium.

        `changed` is called when it moves, can no longer be shown, or can be shown again.
        """
        ended_at = ended.season.ends_at
        assert ended_at is not None, "it is over"
        is_forgotten = context.clock.now() >= ended_at + _NONCE_MS
        about = {"guild": ended.guild_id, "season": ended.season.number}
        address = MessageAddress(ended.guild_id, channel_id, ended.message_id)
        super().__init__(context, about, texts, address, may_already_be_posted=is_forgotten)
        self.season = ended.season
        self.digest: str | None = None
        self.screen: Illustrated | None = None
        self._ended_at = ended_at
        self._changed = changed

    @property
    def nonce(self) -> str:
        message_id = self.address.message_id
        return f"{self.address.channel_id}.{self.season.number}" if message_id is None else str(message_id)

    @property
    def search_after(self) -> int:
        return (self._ended_at - discord.utils.DISCORD_EPOCH) << 22

    def look(self) -> Illustrated | None:
        return self.screen

    def recognises(self, components: Sequence[object]) -> bool:
        return dumps(over_title(self.season, self.texts))[1:-1] in dumps(components)

    async def save_id(self, message_id: int, *, is_found: bool) -> None:
        await super().save_id(message_id, is_found=is_found)
        self._changed()

    def outage_changed(self) -> None:
        self._changed()

    def problem_line(self, texts: Texts) -> str | None:
        line = super().problem_line(texts)
        return None if line is None else f"🏁 {season_name(self.season, texts)} · {line}"


@dataclass(frozen=True, slots=True)
class _Wait:
    """The backoff of a server that failed; it ends early if its seasons ask for more (`SeasonStore.due_servers`)."""

    until: int
    backoff: Backoff
    asks: int | None


class Podiums(Worker, ShardResource):
    """Checks one server after the other. A server that fails delays no other."""

    def __init__(self, rooms: Rooms, reader: LadderReader, role: ChampionRole) -> None:
        super().__init__(rooms.clock, "season", self._settle, retry_ms=RETRY_MS)
        self._live, self._store, self._defaults = rooms.live, rooms.store, rooms.defaults
        self._reader, self._role = reader, role
        self._podiums: dict[tuple[int, int], Podium] = {}
        self._role_problems: dict[int, tuple[Season, DiscordRefusal]] = {}
        self._asked: set[int] = set()
        self._waits: dict[int, _Wait] = {}
        self._turns = Locks()
        self._looked_at = set[int]()

    def start(self) -> None:
        """Start checking; a further call checks servers that have become reachable."""
        super().start()
        self.wake()

    def season_changed(self, _changed: SeasonChanged) -> None:
        """Check again which seasons have ended or changed."""
        self.wake()

    def server_changed(self, changed: SettingsChanged | RightsChanged) -> None:
        """Check a server whose settings or rights have changed; a podium itself notices changed rights."""
        if isinstance(changed, SettingsChanged) or changed.guild_id in self._role_problems:
            self._ask(changed.guild_id)

    async def release(self, servers: ServerFilter) -> None:
        """Forget these servers, which another process takes over."""
        for key in [key for key in self._podiums if servers(key[0])]:
            del self._podiums[key]
        for guild_id in [guild_id for guild_id in self._waits if servers(guild_id)]:
            del self._waits[guild_id]

    async def ended(self, guild_id: int, season: Season, channel_id: int) -> EndedSeason:
        """Post the podium of a season that was ended by hand, and return where it is.

        It goes to the server's podium channel, or to `channel_id` if there is none.

        Raises:
            StoreError: The podium follows later.
        """
        at_channel = EndedSeason(guild_id, season, channel_id=channel_id)
        await self._store.seasons.save_podium(at_channel, is_shown=False)
        await self._look(guild_id, self._clock.now())
        self.wake()
        return await self._store.seasons.last_ended(guild_id, self._clock.now()) or at_channel

    def problems(self, guild_id: int, texts: Texts) -> list[str]:
        """Return lines on why podiums or the champion's role are not up to date."""
        podiums = (self._podiums[key] for key in sorted(self._podiums) if key[0] == guild_id)
        lines = [line for podium in podiums if (line := podium.problem_line(texts)) is not None]
        return lines + self.role_problems(guild_id, texts)

    def role_problems(self, guild_id: int, texts: Texts) -> list[str]:
        """Return a line on why the champion's role was not handed over; none if it was."""
        if guild_id not in self._role_problems:
            return []
        return [role_line(self._live.context.client.get_guild(guild_id), *self._role_problems[guild_id], texts)]

    def _ask(self, guild_id: int) -> None:
        self._asked.add(guild_id)
        self.wake()

    def _podium_changed(self, guild_id: int) -> None:
        if guild_id not in self._looked_at:  # else `_look` saves the change
            self._ask(guild_id)

    async def _settle(self) -> int:
        now = self._clock.now()
        due = await self._store.seasons.due_servers(now - GRACE_MS)
        waiting = {
            guild_id for guild_id, wait in self._waits.items() if wait.until > now and wait.asks == due.get(guild_id)
        }
        for guild_id in [*({*due, *self._waits} - waiting), *self._asked]:
            if self.is_stopped:
                break
            self._asked.discard(guild_id)
            await self._look(guild_id, now - GRACE_MS, due.get(guild_id))
        now = self._clock.now()
        end = await self._store.seasons.next_end(now - GRACE_MS)
        waits = [wait.until for wait in self._waits.values()]
        return min([*waits, now + LONGEST_MS] + ([] if end is None else [end + GRACE_MS]))

    async def _look(self, guild_id: int, ended_by: int, asks: int | None = None) -> None:
        """Reconcile a server; after a failure it waits for the next try."""
        is_done = False
        async with self._turns.of(guild_id):
            self._looked_at.add(guild_id)
            try:
                async with asyncio.timeout(LOOK_S):
                    is_done = await self._compare(guild_id, ended_by)
            except (StoreError, TimeoutError) as error:
                _log.warning("season.not_settled", guild=guild_id, problem=str(error) or "out of time")
            except Exception:  # noqa: BLE001 - one server's problem is not the others'
                _log.exception("season.failed", guild=guild_id)
            finally:
                self._looked_at.discard(guild_id)
        before = self._waits.pop(guild_id, None)
        if not is_done:
            backoff = Backoff(RETRY_MS, LONGEST_RETRY_MS) if before is None else before.backoff
            self._waits[guild_id] = _Wait(self._clock.now() + round(backoff.next_delay()), backoff, asks)

    async def _compare(self, guild_id: int, ended_by: int) -> bool:
        guild = self._live.context.client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return True  # `start` comes again when it is reached
        settings = await self._defaults.read(guild_id)
        texts = texts_for(self._defaults.language(settings, guild))
        seasons = await self._store.seasons.seasons_to_show(guild_id, ended_by)
        stand = [await self._keep_podium(ended, settings.podium_channel, texts) for ended in seasons]
        is_given = await self._keep_role(guild, settings.champion_role, ended_by, texts)
        for ended, is_shown in stand:
            await self._store.seasons.save_podium(ended, is_shown=is_shown and is_given)
        self._let_go(guild_id)
        return is_given and all(is_shown for _, is_shown in stand)

    async def _keep_podium(self, ended: EndedSeason, channel_id: int | None, texts: Texts) -> tuple[EndedSeason, bool]:
        """Reconcile a podium. Return its actual state, and whether that is the desired one."""
        guild_id, season, now = ended.guild_id, ended.season, self._clock.now()
        key = (guild_id, season.number)
        is_fresh = season.ends_at is not None and now < season.ends_at + FRESH_MS
        wanted = (channel_id or ended.channel_id) if is_fresh else None
        place = wanted if ended.message_id is None else ended.channel_id
        podium = self._podiums.get(key)
        if podium is not None and podium.address.channel_id != place:
            self._live.drop(self._podiums.pop(key))
            podium = None
        if place is None:
            return ended, True
        tops = await self._reader.tops(guild_id, season)
        digest = podium_digest(tops)
        if ended.message_id is None and not any(page.lines for page in tops.values()):
            return ended, True
        if digest == ended.podium_digest and (podium is None or podium.outage is None):
            return ended if podium is None else _standing(ended, podium), True
        if podium is None:
            podium = Podium(self._live.context, ended, place, texts, partial(self._podium_changed, guild_id))
            self._podiums[key] = podium
            self._live.add(podium)
        if podium.digest != digest:
            corrected_at = None if ended.podium_digest in (None, digest) else now
            podium.screen = podium_message(season, tops, await self._reader.zone(guild_id), texts, corrected_at)
            podium.digest = digest
        is_written = await podium.try_write()
        if is_written and podium.outage is None and podium.is_due:  # found, or known by its nonce: it may be older
            is_written = await podium.try_write()
        if not is_written:
            return _standing(ended, podium), False
        if podium.outage is not None and podium.outage.reason is OutageReason.CHANNEL_GONE:
            return replace(ended, channel_id=None, message_id=None, podium_digest=None), False
        is_shown = podium.outage is None and podium.address.message_id is not None
        return replace(_standing(ended, podium), podium_digest=digest if is_shown else ended.podium_digest), is_shown

    async def _keep_role(self, guild: discord.Guild, role_id: int | None, ended_by: int, texts: Texts) -> bool:
        """Give the role to the champions of the last season that has any. Return whether they have it."""
        self._role_problems.pop(guild.id, None)
        over = [season for season in await self._store.seasons.list_all(guild.id) if season.ends_at is not None]
        over = [season for season in over if (season.ends_at or 0) <= ended_by]
        if role_id is None or not over:
            return True
        last, best = over[0], frozenset[int]()
        for last in over:
            board = await self._store.boards.board(guild.id, last, Board.RATING, self._clock.now())
            best = frozenset(user_id for line in board.lines if line.place == 1 for user_id in line.user_ids)
            if best:
                break
        reason = texts.t("Champion: {season}", season=season_name(last, texts))
        problem = await self._role.hand_over(guild, role_id, best, reason, last.number)
        if problem is not None:
            self._role_problems[guild.id] = last, problem
        return problem is None

    def _let_go(self, guild_id: int) -> None:
        """Stop following the podiums of a server, except the last one and those that cannot be seen."""
        kept = sorted(key for key in self._podiums if key[0] == guild_id)
        for key in kept[:-1]:
            if self._podiums[key].outage is None:
                self._live.drop(self._podiums.pop(key))


def _standing(ended: EndedSeason, podium: Podium) -> EndedSeason:
    address = podium.address
    return (
        ended
        if address.message_id is None
        else replace(ended, channel_id=address.channel_id, message_id=address.message_id)
    )


def podium_message(
    season: Season, tops: Mapping[Board, BoardPage], zone: str, texts: Texts, corrected_at: int | None = None
) -> Illustrated:
    """Return a podium as a picture and as text; for the arguments see `podium`."""
    layout = podium(season, tops, zone, texts, corrected_at)
    picture = podium_picture(season, tops[Board.RATING].lines, zone, texts)
    return Illustrated(layout, picture, rows_words(picture), replaces=1)


def role_line(guild: discord.Guild | None, season: Season, problem: DiscordRefusal, texts: Texts) -> str:
    """Return the line on why the champion's role was not handed over."""
    name = season_name(season, texts)
    failed = texts.t("⚠️ The champion's role could not be handed over after {season}.", season=name)
    again = texts.t("I will try again.")
    return " ".join(filter(None, (failed, problem.words(guild, texts), again)))


def podium_digest(tops: Mapping[Board, BoardPage]) -> str:
    """Return a digest of a podium in 32 characters. It ignores names and language, which need no correction."""
    best, leaders = best_of(tops)
    fields = (
        *((line.place, line.value, line.user_ids, line.matches) for line in best),
        *((board.value, line.value, line.user_ids) for board, line in leaders.items()),
    )
    return sha256(repr(fields).encode()).hexdigest()[:32]
