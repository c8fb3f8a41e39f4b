"""House and database together: a match that is stopped and started goes on, and its end is recorded."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from sqlalchemy import text

from bot.game.actions import CallKems, MakeGesture, OpenHunt, ProposeSign
from bot.game.refusals import Refusal
from bot.game.sign_plans import one_sign
from bot.game.signs import GestureKind, emoji_sign
from bot.live.house import House
from bot.live.lobby import Lobby, Status
from bot.live.people import Player
from bot.live.table import Table
from bot.store.database import Database
from bot.store.event_store import EventStore
from bot.store.history import History
from bot.store.tables import Tables
from tests.live.fakes import Recorder, idle_robot
from tests.store.conftest import opened
from tests.store.matches import BIG, PLACE, rules

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
    house: House = field(init=False)

    def __post_init__(self) -> None:
        self.house = House(
            clock=self.clock,
            store=Tables(self.database),
            journal=EventStore(self.database),
            rng=Random(1),
            watcher=Recorder(),
            robots=idle_robot,
        )

    async def hunting(self) -> Table:
        """Two people, two teams of one, target 1, the hunt open."""
        lobby = await self.house.open_lobby(
            place=PLACE, host=PEOPLE[0], rules=rules(target=1), size=2, locale="fr", random_teams=False
        )
        await self.house.update(lobby.id, lambda current: current.join(PEOPLE[1]))
        table = await self.house.start(lobby.id)
        assert isinstance(table, Table)
        signs = [ProposeSign(seat, one_sign(emoji_sign("🍀👀"[seat]))) for seat in (0, 1)]
        for action in (*signs, OpenHunt(0), OpenHunt(1)):
            if not isinstance(action, OpenHunt) or action.seat == table.table_view().dealer:
                assert not isinstance(await table.submit(action), Refusal)
        return table


async def test_the_same_round_goes_on_after_a_restart(address: str) -> None:
    gesture = MakeGesture(0, GestureKind.POST, "🍀🍀")
    async with opened(address) as database:
        run = Run(database)
        table = await run.hunting()
        waiting = await run.house.open_lobby(place=PLACE, host=PEOPLE[0], rules=rules(), size=4, locale="en")
        assert len(await table.submit(gesture, press_id=BIG) or ()) == 1  # type: ignore[arg-type]  # no refusal
        run.clock.time += 60_000  # past the quiet time, so that the same moves are legal before and after
        views = [table.seat_view(seat) for seat in (0, 1)]
        await run.house.close()
    async with opened(address) as database:
        house = Run(database, run.clock).house
        await house.restore()
        assert house.all_damaged() == ()
        again = house.table(table.id)
        assert again is not None
        assert [again.seat_view(seat) for seat in (0, 1)] == views
        assert (again.lobby, again.seq) == (table.lobby, table.seq)
        assert house.lobbies() == (waiting,)
        assert await again.submit(gesture, press_id=BIG) == ()
        await house.close()


async def test_an_end_is_recorded_and_played_again(address: str) -> None:
    async with opened(address) as database:
        run = Run(database)
        table = await run.hunting()
        await table.submit(MakeGesture(0, GestureKind.REACT, "🍀"))
        run.clock.time += 5000  # in a duel the sign has to be given some time before the call
        assert not isinstance(await table.submit(CallKems(0)), Refusal)
        assert table.lobby.status is Status.OVER
        match = await History(database).match(table.id)
        assert match is not None
        assert match.result is not None
        assert (match.result.winner, match.result.scores, match.result.rounds) == (1, (0, 1), 1)
        await run.house.close()
    async with opened(address) as database:
        house = Run(database).house
        await house.restore()
        assert house.all_damaged() == ()
        (over,) = house.tables()  # its message does not say so yet
        assert over.is_over
        await house.move(over.id, replace(over.lobby.place, is_final=True))
        rematch = await house.rematch(table.id, PEOPLE[0].user_id or 0)
        assert isinstance(rematch, Lobby)
        assert (list(rematch.players), rematch.rematch_of) == (PEOPLE, table.id)
        await house.close()
    async with opened(address) as database:
        house = Run(database).house
        await house.restore()
        assert house.all_damaged() == ()
        assert house.tables() == ()


async def test_a_gap_is_told_and_the_other_table_is_back(address: str) -> None:
    async with opened(address) as database:
        run = Run(database)
        bad, good = await run.hunting(), await run.hunting()
        await run.house.close()
        async with database.transaction() as session:
            await session.execute(text("DELETE FROM events WHERE seq = 2 AND table_id = :id"), {"id": bad.id})
    async with opened(address) as database:
        house = Run(database).house
        await house.restore()
        (damaged,) = house.all_damaged()
        assert str(damaged.problem) == f"The log of table {bad.id} has a gap: its event 2 is missing."
        assert (damaged.id, damaged.place, damaged.host_id) == (bad.id, bad.lobby.place, bad.lobby.host_id)
        assert [table.id for table in house.tables()] == [good.id]
        await house.give_up(bad.id)
        await house.give_up(good.id)  # nothing is wrong with it
        assert house.damaged(bad.id) is None
        await house.close()
    async with opened(address) as database:
        house = Run(database).house
        await house.restore()
        assert house.all_damaged() == ()
        assert [table.id for table in house.tables()] == [good.id]
        await house.close()
