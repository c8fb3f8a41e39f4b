"""What was acknowledged is there after the worst: a killed process, a cut connection.

A match that is stopped and started goes on, and its end is recorded.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from sqlalchemy import text

from bot.base.errors import StoreError
from bot.game.actions import CallKems, MakeGesture, OpenHunt
from bot.game.checks.refusals import Refusal
from bot.game.events import HuntOpened
from bot.game.signs import GestureKind
from bot.records.player import Player
from bot.store.engine.database import Database
from bot.store.records.history import SqlHistory
from bot.store.tables.bans import SqlBanStore
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.directory import TableDirectory
from bot.tables.hub import Hub
from bot.tables.lobby.lobby import Status, new_lobby
from bot.tables.match.table import Table
from tests.store.conftest import execute, opened
from tests.store.matches import BIG, PLACE, lobby, rules
from tests.store.tables.appender import killed_while_appending
from tests.tables.fakes import idle_robot

PEOPLE = [Player(name, BIG + seat) for seat, name in enumerate("AB")]


@dataclass
class Clock:
    time: int = 1_800_000_000_000

    def now(self) -> int:
        self.time += 1000
        return self.time


@dataclass
class Run:
    """One run of the bot over a database."""

    database: Database
    clock: Clock = field(default_factory=Clock)
    directory: TableDirectory = field(init=False)

    def __post_init__(self) -> None:
        self.directory = TableDirectory(
            clock=self.clock,
            store=SqlTableStore(self.database),
            journal=SqlJournal(self.database),
            bans=SqlBanStore(self.database),
            rng=Random(1),
            hub=Hub(),
            robots=idle_robot,
        )

    async def hunting(self) -> Table:
        """Two people, two teams of one, target 1, the hunt open."""
        new = new_lobby(place=PLACE, host=PEOPLE[0], rules=rules(target=1), size=2, locale="fr")
        lobby = await self.directory.lobbies.open(replace(new, has_random_teams=False))
        await self.directory.lobbies.update(lobby.id, lambda current: current.join(PEOPLE[1]))
        table = await self.directory.start(lobby.id)
        assert not isinstance(await table.submit(OpenHunt(table.table_view().dealer)), Refusal)
        return table


@asynccontextmanager
async def restored(address: str, clock: Clock | None = None, *, damaged: int = 0) -> AsyncIterator[TableDirectory]:
    """The tables of another run of the bot."""
    async with opened(address) as database:
        directory = Run(database, clock or Clock()).directory
        await directory.restore()
        assert len(directory.all_damaged()) == damaged
        yield directory
        await directory.close()


async def test_the_same_round_goes_on_after_a_restart(address: str) -> None:
    gesture = MakeGesture(0, GestureKind.POST, "🍀🍀")
    async with opened(address) as database:
        run = Run(database)
        table = await run.hunting()
        new = new_lobby(place=PLACE, host=PEOPLE[0], rules=rules(), size=4, locale="en")
        waiting = await run.directory.lobbies.open(new)
        assert len(await table.submit(gesture, press_id=BIG) or ()) == 1  # type: ignore[arg-type]  # no refusal
        run.clock.time += 60_000  # past the quiet time, so that the same moves are legal before and after
        views = [table.seat_view(seat) for seat in (0, 1)]
        await run.directory.close()
    async with restored(address, run.clock) as directory:
        again = directory.table(table.id)
        assert [again.seat_view(seat) for seat in (0, 1)] == views
        assert (again.lobby, again.seq) == (table.lobby, table.seq)
        assert directory.open_lobbies() == (waiting,)
        assert await again.submit(gesture, press_id=BIG) == ()


async def test_an_end_is_recorded_and_played_again(address: str) -> None:
    async with opened(address) as database:
        run = Run(database)
        table = await run.hunting()
        await table.submit(MakeGesture(0, GestureKind.REACT, table.seat_view(0).signs[0].text))
        run.clock.time += 5000  # in a duel the sign has to be given some time before the call
        assert not isinstance(await table.submit(CallKems(0)), Refusal)
        assert table.lobby.status is Status.OVER
        match = await SqlHistory(database).match(table.id)
        assert (match.result.winner, match.result.scores, match.result.rounds) == (1, (0, 1), 1)
        await run.directory.close()
    async with restored(address) as directory:
        (over,) = directory.tables()  # its message does not say so yet
        assert over.is_over
        await directory.move(over.id, replace(over.lobby.place, is_final=True))
        rematch = await directory.rematches.shuffle(PLACE.guild_id, table.id, PEOPLE[0].user_id or 0)
        assert [player and player.user_id for player in rematch.players] == [player.user_id for player in PEOPLE]
        assert rematch.rematch_of == table.id
    async with restored(address) as directory:
        assert directory.tables() == ()


async def test_a_gap_in_a_log_is_reported_and_the_other_table_is_restored(address: str) -> None:
    async with opened(address) as database:
        run = Run(database)
        bad, good = await run.hunting(), await run.hunting()
        await run.directory.close()
        await execute(database, "DELETE FROM events WHERE seq = 2 AND table_id = :id", id=bad.id)
    async with restored(address, damaged=1) as directory:
        (damaged,) = directory.all_damaged()
        assert str(damaged.problem) == f"The log of table {bad.id} has a gap: its event 2 is missing."
        assert (damaged.id, damaged.place, damaged.host_id) == (bad.id, bad.lobby.place, bad.lobby.host_id)
        assert [table.id for table in directory.tables()] == [good.id]
        await directory.close_damaged(bad.id)
        await directory.close_damaged(good.id)  # nothing is wrong with it
        assert directory.damaged(bad.id) is None
    async with restored(address) as directory:
        assert [table.id for table in directory.tables()] == [good.id]


@pytest.mark.both_databases
@pytest.mark.parametrize("kills", [1, pytest.param(9, marks=pytest.mark.long)])
async def test_a_killed_process_loses_nothing_it_acknowledged(address: str, kills: int) -> None:
    for _ in range(kills):
        table_id, acknowledged = await killed_while_appending(address, 40)
        async with opened(address) as database:
            entries = await SqlJournal(database).read(table_id, 1)
        assert len(entries) in (acknowledged, acknowledged + 1)  # the last one may be durable and unacknowledged
        assert entries[-1].event == HuntOpened(len(entries))


@pytest.mark.postgres
@pytest.mark.parametrize("backend", ["postgres"])
async def test_a_cut_connection_costs_one_append_at_most(address: str) -> None:
    async with opened(address) as database:
        table_id = await SqlTableStore(database).create(replace(lobby(), status=Status.PLAYING))
        log = SqlJournal(database)
        async with opened(address) as other, other.transaction() as session:
            await session.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
        try:
            await log.append(table_id, 1, (HuntOpened(1),), None)
        except StoreError:
            await log.append(table_id, 1, (HuntOpened(1),), None)
        assert len(await log.read(table_id, 1)) == 1
