"""What should stand after a season is compared with what stands: in time, after failures and crashes, in no hurry."""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain, repeat
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bot.base.errors import StoreError
from bot.base.times import DAY_MS, HOUR_MS, MINUTE_MS
from bot.base.worker import LONGEST_MS
from bot.discord.text.texts import texts_for
from bot.ladder.columns import Board
from bot.ladder.seasons import FRESH_MS, GRACE_MS, Season
from bot.records.history import BoardLine, BoardPage
from bot.records.seasons import EndedSeason
from bot.tables.hub import SeasonChanged, SettingsChanged
from bot.tables.servers.settings import ServerSettings
from bot.ui.ladder.podiums import LONGEST_RETRY_MS, LOOK_S, RETRY_MS, Podiums
from tests.discord.fakes import refused
from tests.discord.messages.test_live_message import GUILD, Channel, place
from tests.examples import examples
from tests.tables.virtual import EPOCH, LoopClock, in_virtual_time

PODIUMS = 5


class MemorySeasons:
    """Implements what `Podiums` asks of a `SeasonStore`; it may be out of order."""

    def __init__(self, *ends: tuple[int, int], may_die: Callable[[], None] = lambda: None) -> None:
        """Ends by server, in milliseconds from the start; seasons of a server are numbered from 1."""
        self.rows: dict[tuple[int, int], tuple[EndedSeason, int | None]] = {}
        self.is_broken = False
        self.looks: list[int] = []
        self._may_die = may_die
        for guild_id, end in ends:
            self.add(guild_id, end)

    def add(self, guild_id: int, end: int) -> None:
        number = 1 + sum(key[0] == guild_id for key in self.rows)
        self.rows[guild_id, number] = EndedSeason(guild_id, Season(number, EPOCH - DAY_MS, EPOCH + end)), None

    def change(self, guild_id: int, number: int) -> None:
        ended, shown = self.rows[guild_id, number]
        self.rows[guild_id, number] = replace(ended, changes=ended.changes + 1), shown

    def _over(self, guild_id: int | None, by: int) -> list[tuple[EndedSeason, int | None]]:
        rows = [self.rows[key] for key in sorted(self.rows) if guild_id in (None, key[0])]
        return [row for row in rows if (row[0].season.ends_at or 0) <= by]

    async def due_servers(self, ended_by: int) -> Mapping[int, int]:
        self.looks.append(LoopClock().now() - EPOCH)
        if self.is_broken:
            raise StoreError("It is gone.")
        due = [ended for ended, shown in self._over(None, ended_by) if shown != ended.changes]
        return {one.guild_id: sum(e.changes + 1 for e in due if e.guild_id == one.guild_id) for one in due}

    async def seasons_to_show(self, guild_id: int, ended_by: int) -> tuple[EndedSeason, ...]:
        over = self._over(guild_id, ended_by)
        return tuple(row[0] for row in over if row[1] != row[0].changes or row is over[-1])

    async def last_ended(self, guild_id: int, at: int) -> EndedSeason | None:
        return self._over(guild_id, at)[-1][0]

    async def list_all(self, guild_id: int) -> tuple[Season, ...]:
        return tuple(ended.season for ended, _ in reversed(self._over(guild_id, 1 << 60)))

    async def save_podium(self, ended: EndedSeason, *, is_shown: bool) -> None:
        self._may_die()
        key = (ended.guild_id, ended.season.number)
        present = self.rows[key][0]
        self.rows[key] = replace(ended, changes=present.changes), ended.changes if is_shown else None
        self._may_die()

    async def next_end(self, after: int) -> int | None:
        ends = [ended.season.ends_at or 0 for ended, _ in self.rows.values()]
        return min((end for end in ends if end > after), default=None)


class Looks(Podiums):
    """Notes when (milliseconds from the start) it looked at which server; `comes` is what comes of it."""

    def __init__(self, seasons: MemorySeasons) -> None:
        super().__init__(Mock(clock=LoopClock(), store=Mock(seasons=seasons)), Mock(), Mock())
        self.looked: list[tuple[int, int]] = []
        self.comes: dict[int, bool | Exception] = {}
        self.takes = 0.0
        self.hangs = set[int]()

    async def _compare(self, guild_id: int, ended_by: int) -> bool:
        self.looked.append((LoopClock().now() - EPOCH, guild_id))
        await asyncio.sleep(300 if guild_id in self.hangs else self.takes)  # as discord.py waits after a 429
        come = self.comes.get(guild_id, True)
        if isinstance(come, Exception):
            raise come
        for ended in await self._store.seasons.seasons_to_show(guild_id, ended_by):
            await self._store.seasons.save_podium(ended, is_shown=come)
        return come


def made(*ends: tuple[int, int]) -> tuple[Looks, MemorySeasons]:
    seasons = MemorySeasons(*ends)
    return Looks(seasons), seasons


async def until_then(milliseconds: int) -> None:
    await asyncio.sleep((milliseconds + 1) / 1000 - asyncio.get_running_loop().time())


@in_virtual_time
async def test_every_season_is_checked_after_its_end() -> None:
    podiums, seasons = made((1, HOUR_MS), (2, 40 * DAY_MS), (3, HOUR_MS), (4, HOUR_MS + 5))
    await until_then(10)
    assert seasons.looks == [], "nobody can be reached yet"
    podiums.start()
    podiums.start()
    await until_then(50 * DAY_MS)
    first = HOUR_MS + GRACE_MS
    assert podiums.looked == [(first, 1), (first, 3), (first + 5, 4), (40 * DAY_MS + GRACE_MS, 2)]
    assert len(seasons.looks) < 6 + 50 * DAY_MS / LONGEST_MS, "it does not look all the time"
    await podiums.stop()


@in_virtual_time
async def test_a_failing_database_is_retried_and_nothing_is_lost() -> None:
    podiums, seasons = made((1, HOUR_MS))
    seasons.is_broken = True
    podiums.start()
    await until_then(HOUR_MS + 10 * RETRY_MS)
    assert len(seasons.looks) == (HOUR_MS + 10 * RETRY_MS) // RETRY_MS + 1
    seasons.is_broken = False
    await until_then(HOUR_MS + 11 * RETRY_MS)
    assert [guild_id for _, guild_id in podiums.looked] == [1]
    await podiums.stop()


@in_virtual_time
async def test_a_failing_server_delays_no_other_and_is_retried_with_backoff() -> None:
    podiums, _ = made((1, 0), (2, 0), (3, 0))
    podiums.comes = {1: False, 2: RuntimeError("a bug")}
    with capture_logs() as logs:
        podiums.start()
        await until_then(7 * DAY_MS)
    assert {entry["guild"] for entry in logs if "exc_info" in entry} == {2}
    for guild_id in (1, 2):
        tries = [at for at, server in podiums.looked if server == guild_id]
        assert tries[:4] == [GRACE_MS, GRACE_MS + MINUTE_MS, GRACE_MS + 3 * MINUTE_MS, GRACE_MS + 7 * MINUTE_MS]
        assert len(tries) < 10 + 7 * DAY_MS / LONGEST_RETRY_MS
    assert [guild_id for _, guild_id in podiums.looked].count(3) == 1
    podiums.comes.clear()
    await until_then(7 * DAY_MS + LONGEST_RETRY_MS)
    podiums.looked.clear()
    await until_then(9 * DAY_MS)
    assert podiums.looked == []
    await podiums.stop()


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_a_server_that_the_database_refuses_does_not_delay_others(failing: int) -> None:
    @in_virtual_time
    async def run() -> None:
        podiums, _ = made((1, HOUR_MS), (2, HOUR_MS), (3, HOUR_MS))
        podiums.comes[failing] = StoreError("canceling statement due to statement timeout")
        podiums.start()
        await until_then(HOUR_MS + GRACE_MS + 5)
        assert [guild_id for _, guild_id in podiums.looked] == [1, 2, 3]
        await until_then(HOUR_MS + GRACE_MS + RETRY_MS + 5)
        assert [guild_id for _, guild_id in podiums.looked] == [1, 2, 3, failing]
        await podiums.stop()

    run()


@in_virtual_time
async def test_a_server_that_discord_delays_does_not_delay_others() -> None:
    podiums, seasons = made((10, 0), (11, 0))
    podiums.hangs = {10}
    podiums.start()
    await until_then(GRACE_MS + 1000)
    seasons.add(1, GRACE_MS)
    ended = seasons.rows[1, 1][0]
    async with asyncio.timeout(1):
        assert await podiums.ended(1, ended.season, 7) == replace(ended, channel_id=7)
    await until_then(GRACE_MS + 1000 * LOOK_S + 5)
    assert [guild_id for _, guild_id in podiums.looked] == [10, 1, 11]
    podiums.hangs.clear()
    await until_then(GRACE_MS + 1000 * LOOK_S + RETRY_MS + 5)
    assert [guild_id for _, guild_id in podiums.looked] == [10, 1, 11, 10]
    await podiums.stop()


@in_virtual_time
async def test_a_change_of_a_server_is_checked_at_once_even_after_a_failure() -> None:
    podiums, seasons = made((1, 0), (2, 0))
    podiums.comes = {1: False, 2: False}
    podiums.start()
    await until_then(DAY_MS)
    for change in (lambda: podiums.server_changed(SettingsChanged(1)), lambda: seasons.change(1, 1)):
        podiums.looked.clear()
        change()
        podiums.season_changed(SeasonChanged())
        await until_then(LoopClock().now() - EPOCH + 5)
        assert [guild_id for _, guild_id in podiums.looked] == [1]
    await podiums.stop()


@in_virtual_time
async def test_a_change_during_a_check_is_checked_too() -> None:
    podiums, _ = made((1, 0))
    podiums.takes = 5.0
    podiums.start()
    await until_then(GRACE_MS + 1000)
    podiums.server_changed(SettingsChanged(1))
    await until_then(DAY_MS)
    assert [guild_id for _, guild_id in podiums.looked] == [1, 1]
    await podiums.stop()


@in_virtual_time
async def test_an_earlier_end_is_noticed_when_it_is_announced() -> None:
    podiums, seasons = made((1, 30 * DAY_MS))
    podiums.start()
    await until_then(HOUR_MS)
    seasons.add(2, HOUR_MS + 500)
    podiums.season_changed(SeasonChanged())
    await until_then(2 * HOUR_MS)
    assert podiums.looked == [(HOUR_MS + 500 + GRACE_MS, 2)]
    await podiums.stop()


@in_virtual_time
async def test_a_season_that_is_ended_by_hand_does_not_wait_for_others() -> None:
    podiums, seasons = made(*((guild_id, 0) for guild_id in range(10, 20)))
    podiums.takes = 5.0
    podiums.start()
    await until_then(GRACE_MS + 1000)
    seasons.add(1, GRACE_MS)
    ended = seasons.rows[1, 1][0]
    assert await podiums.ended(1, ended.season, 7) == replace(ended, channel_id=7)
    assert [guild_id for _, guild_id in podiums.looked] == [10, 1, 11]
    await podiums.stop()
    assert [guild_id for _, guild_id in podiums.looked] == [10, 1, 11], "the bot stops after what it has begun"
    podiums.start()
    await until_then(HOUR_MS)
    assert [guild_id for _, guild_id in podiums.looked] == [10, 1, *range(11, 20)]
    await podiums.stop()


@in_virtual_time
async def test_no_season_is_checked_after_the_stop() -> None:
    podiums, seasons = made((1, HOUR_MS))
    podiums.start()
    await until_then(5)
    await podiums.stop()
    podiums.season_changed(SeasonChanged())
    await until_then(2 * HOUR_MS)
    assert (len(seasons.looks), podiums.looked) == (1, [])


class _CrashError(BaseException):
    """The process is gone."""


class Nonces(Channel):
    """A channel of Discord, which knows nonces for two minutes; the process may die before and after each request."""

    def __init__(self, may_die: Callable[[], None]) -> None:
        super().__init__()
        self.shown: dict[int, Any] = {}
        self._nonces: dict[str, tuple[int, int]] = {}
        self._may_die = may_die

    async def send(self, **sent: Any) -> Any:
        self._may_die()
        known_at, message_id = self._nonces.get(sent["nonce"], (0, 0))
        now = LoopClock().now()
        if now - known_at > 2 * MINUTE_MS:
            message_id = (await super().send(**sent)).id + ((now - 1_420_070_400_000) << 22)
            self._nonces[sent["nonce"]] = now, message_id
            self.shown[message_id] = sent["view"].to_components()
        self._may_die()
        return type("Sent", (), {"id": message_id})

    async def request(self, *_: object, **__: object) -> list[dict[str, Any]]:
        self._may_die()
        return [
            {"id": str(number), "author": {"id": "3"}, "components": shown} for number, shown in self.shown.items()
        ][::-1]

    async def edit_message(self, _channel_id: int, message_id: int, *, params: Any) -> None:
        self._may_die()
        assert message_id in self.shown
        self._may_die()


class Ladder:
    """The boards, the settings and the role of one server."""

    def __init__(self, may_die: Callable[[], None]) -> None:
        self.best: dict[int, int | None] = {1: 11, 2: 12}
        self.role: Collection[int] = ()
        self.reason = ""
        self._may_die = may_die

    async def read(self, _guild_id: int) -> ServerSettings:
        return replace(ServerSettings(), podium_channel=PODIUMS, champion_role=6)

    def language(self, *_: object) -> str:
        return "en"

    async def zone(self, _guild_id: int) -> str:
        return "Europe/Paris"

    async def board(self, _guild_id: int, season: Season, board: Board, _at: int) -> BoardPage:
        user_id = self.best[season.number]
        if user_id is None:
            return BoardPage((), False, False)
        return BoardPage((BoardLine(1, 1200, (user_id,), (f"player {user_id}",), 12, 7),), False, False)

    async def tops(self, guild_id: int, season: Season) -> dict[Board, BoardPage]:
        return {board: await self.board(guild_id, season, board, 0) for board in Board}

    async def hand_over(self, _guild: object, _role: int, best: Collection[int], reason: str, season: int) -> None:
        self._may_die()
        self.role, self.reason = best, f"{season}: {reason}"
        self._may_die()


@settings(max_examples=examples(40))
@given(st.lists(st.integers(0, 12), max_size=5), st.sampled_from([0, 90, 3600]))
def test_each_podium_is_posted_once_wherever_the_bot_dies(lives: list[int], away_s: int) -> None:
    """Of two seasons; each life takes so many steps. The boards of the last one change after the deaths."""

    @in_virtual_time
    async def play() -> None:
        steps = chain.from_iterable((*repeat(False, life), True) for life in lives)
        channel, seasons, ladder = dead(steps)
        await until_then(0)
        for champion in (12, 13):
            ladder.best[2] = champion
            for _ in range(len(lives) + 1):
                with suppress(_CrashError):
                    await look(channel, seasons, ladder)
                await asyncio.sleep(away_s)
            assert not await seasons.due_servers(LoopClock().now())
            assert {ended.message_id for ended, _ in seasons.rows.values()} == set(channel.shown)
            assert (len(channel.shown), ladder.role) == (2, {champion})
            seasons.change(GUILD, 2)

    play()


def dead(dying: Iterator[bool]) -> tuple[Nonces, MemorySeasons, Ladder]:
    bot = asyncio.current_task()

    def may_die() -> None:
        if asyncio.current_task() is bot and next(dying, False):
            raise _CrashError

    seasons = MemorySeasons((GUILD, -2 * HOUR_MS), (GUILD, 0), may_die=may_die)
    return Nonces(may_die), seasons, Ladder(may_die)


async def look(channel: Nonces, seasons: MemorySeasons, ladder: Ladder) -> Podiums:
    """A bot begins, and looks at the server."""
    at, any_ladder = place(channel=channel), cast(Any, ladder)

    async def undrawn(_picture: object) -> None:
        return None

    cast(Any, at.context.illustrator).drawn = undrawn
    guild = cast(Any, at.context.client).get_guild(GUILD)
    guild.id, guild.me.is_timed_out = GUILD, lambda: False
    store = SimpleNamespace(seasons=seasons, boards=ladder)
    rooms = SimpleNamespace(clock=at.context.clock, live=at.live, defaults=ladder, store=store)
    podiums = Podiums(cast(Any, rooms), any_ladder, any_ladder)
    await podiums._look(GUILD, LoopClock().now())
    return podiums


@in_virtual_time
async def test_a_podium_is_not_posted_a_week_late_but_the_role_is_given() -> None:
    channel, seasons, ladder = dead(iter(()))
    await until_then(FRESH_MS - HOUR_MS)
    await look(channel, seasons, ladder)
    assert len(channel.shown) == 1, "that of the second season"
    assert ladder.role == {12}
    assert await seasons.due_servers(LoopClock().now()) == {}


@in_virtual_time
async def test_after_a_season_without_a_champion_the_previous_one_keeps_the_role() -> None:
    channel, seasons, ladder = dead(iter(()))
    ladder.best[2] = None
    await look(channel, seasons, ladder)
    assert (ladder.role, ladder.reason) == ({11}, "1: Champion: Season 1")


@in_virtual_time
async def test_a_refused_podium_is_reported_and_saved() -> None:
    channel, seasons, ladder = dead(iter(()))
    channel.fails = [refused(403, 50013)] * 2
    podiums = await look(channel, seasons, ladder)
    lines = podiums.problems(GUILD, texts_for("en"))
    assert [line.startswith(f"🏁 Season {n} · ⚠️ **I ") for n, line in enumerate(lines, 1)] == [True, True]
    assert await seasons.due_servers(LoopClock().now()) == {GUILD: 2}, "a restart forgets nothing"
    await look(channel, seasons, ladder)
    assert len(channel.shown) == 2
