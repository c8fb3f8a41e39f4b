"""Three processes of the bot on PostgreSQL, each behind a proxy: faults strike while people play.

`python -m tests.rig.faults [FAULTS] [SEED]` (`make crash`) for long, `tests/rig/test_faults.py` for the gate.

The database itself notes who writes for a table, whose lease covers it then, and whether the writing transaction holds
that lease's row, which a takeover waits for (`WATCH`). After each fault nobody presses anything until every match has
gone on by itself, by its robots and deadlines.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg

from bot.store.migrate import migrate
from bot.ui.lobby.verbs import LobbyVerb
from tests.rig import bot_process
from tests.rig.accounts import Accounts
from tests.rig.evidence import TableRecord, goes_on, postgres_database, read_postgres
from tests.rig.players import Group, groups, offers, playing
from tests.rig.rig import Bot, Rig, running
from tests.rig.runs import main
from tests.rig.several import PAUSE, held_by_each
from tests.store.conftest import opened
from tests.store.engine.proxy import CutAt, Proxy

NAMES = ("first", "second", "third")
SHARDS = 6
GOES_ON_S = 15.0
"""How long a match may take to go on once its database answers."""
SETTINGS: Any = {"main": bot_process.main, "auto_open": 2, "auto_next": 3, "sign_deadline": 10, "afk_seconds": 0}
RULES = "classic take_limit=5 quiet=2 sweep_vote=5"
"""By which three robots and a person who does nothing make a move every six seconds at least."""
_WATCHED = ("tables", "seats", "invitations", "departures", "events", "panels", "results", "plays")
WATCH = """
    CREATE TABLE seen_processes (id text, name text);
    CREATE TABLE seen_writes (what text, table_id bigint, writer text, owner text, epoch int, is_held boolean,
        at timestamptz DEFAULT clock_timestamp());
    CREATE FUNCTION is_held(locker xid) RETURNS boolean AS $$ BEGIN
        RETURN locker = pg_current_xact_id()::xid
            OR EXISTS (SELECT FROM pg_get_multixact_members(locker) WHERE xid = pg_current_xact_id()::xid);
    EXCEPTION WHEN others THEN RETURN false;  -- a single transaction, and another one
    END $$ LANGUAGE plpgsql;
    CREATE FUNCTION note_process() RETURNS trigger AS $$ BEGIN
        INSERT INTO seen_processes VALUES (NEW.id, current_setting('application_name')); RETURN NULL;
    END $$ LANGUAGE plpgsql;
    CREATE TRIGGER note AFTER INSERT ON processes FOR EACH ROW EXECUTE FUNCTION note_process();
    CREATE FUNCTION note_write() RETURNS trigger AS $$ BEGIN
        INSERT INTO seen_writes
        SELECT TG_TABLE_NAME, tables.id, current_setting('application_name'), owner, epoch, is_held(leases.xmax)
        FROM tables JOIN leases ON leases.id = (guild_id >> 22) % (SELECT count(*) FROM leases WHERE id >= 0)
        WHERE tables.id = (to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[0])::bigint;
        RETURN NULL;
    END $$ LANGUAGE plpgsql;
"""
NOTE = "CREATE TRIGGER note AFTER INSERT OR UPDATE {} ON {} FOR EACH ROW EXECUTE FUNCTION note_write('{}')"
UNCOVERED = """
    SELECT what, table_id, writer, name AS owner, epoch, is_held, at
    FROM seen_writes LEFT JOIN seen_processes ON id = owner WHERE name IS DISTINCT FROM writer OR NOT is_held
"""
_BREAK_OFF = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_STEAL = "UPDATE processes SET expires_at = 0 WHERE id = (SELECT owner FROM leases WHERE id = $1)"


@dataclass
class Tally:
    """What was done; ``back`` are the seconds after which all matches had gone on after a fault."""

    faults: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    comings: int = 0
    writes: int = 0
    back: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {name}" for name, count in sorted(self.faults.items()))
        return (
            f"{self.faults.total()} faults ({kinds}); {self.acknowledged} acknowledged presses, {self.comings} of them"
            f" in lobbies, all stored; {self.writes} writes for tables, all covered by a lease; matches went on after"
            f" {sorted(self.back)[len(self.back) // 2]:.1f} s (median), {max(self.back):.1f} s at most"
        )


class WithRobots(Group):
    """People who let robots take the free seats, so that their match goes on without a press."""

    def is_full(self) -> bool:
        board = self.board()
        return board is not None and all(member.name in board.text for member in self.members)


class Faults:
    """A match and a lobby on each shard, and three processes that share the shards."""

    def __init__(self, rig: Rig, dsn: str, proxies: list[Proxy], seed: int, patience: float) -> None:
        """``patience``: how many times the seconds that it may take are given to a busy machine."""
        self.rig, self.dsn, self.proxies, self.patience = rig, dsn, proxies, patience
        self.rng = random.Random(seed)
        self.bots: list[Bot] = [rig]
        self.bots += [rig.another(n, database_url=p.address) for n, p in zip(NAMES[1:], proxies[1:], strict=True)]
        sizes = [1] * SHARDS + [2] * SHARDS  # a robot whose partner is a person may wait for them
        people = groups(rig.remote, sizes, seed, WithRobots, players="4", target="5", rules=RULES)
        for number, group in enumerate(people):
            group.channel = [*rig.remote.channels.values()][number % SHARDS]
        self.groups, self.lobbies = people[:SHARDS], people[SHARDS:]
        self.accounts = Accounts(rig.remote)
        self.tally = Tally()

    async def run(self, faults: int) -> Tally:
        await self._begin()
        for number, (name, strike) in zip(range(faults), self._kinds(), strict=False):
            await self._strike(name, strike)
            print(f"{number + 1} of {faults}, {name}: on after {self.tally.back[-1]:.1f} s", flush=True)
        return self.tally

    async def _begin(self) -> None:
        async with opened(self.dsn) as database:
            await migrate(database)
        async with self._sql() as sql:
            await watch(sql)
        await self.rig.start()
        for bot in self.bots[1:]:
            await bot.launch()
        await self._shared()
        await asyncio.gather(*(group.sit_down() for group in self.groups))
        for group in self.lobbies:
            await self.rig.remote.slash(group.host.user, "kems start", group.channel, **group.options)
        await self.rig.remote.until(lambda: all(map(_is_open, self.lobbies)), "a lobby on each shard")

    def _kinds(self) -> Iterator[tuple[str, Callable[[], Awaitable[None]]]]:
        """Each kind of fault before any comes twice."""
        kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "kill": self._kill,
            "process stopped": lambda: self._stall(1),
            "all processes stopped": lambda: self._stall(len(self.bots)),
            "partition": lambda: self._partition(1),
            "partition of all": lambda: self._partition(len(self.bots)),
            "cut": self._cut,
            "forgotten connections": self._swallow,
            "cut before a commit": lambda: self._cut_at(CutAt.BEFORE_COMMIT),
            "cut after a commit": lambda: self._cut_at(CutAt.AFTER_COMMIT),
            "all connections ended": self._end_connections,
            "lease stolen": self._steal,
        }
        while True:
            yield from self.rng.sample([*kinds.items()], len(kinds))

    async def _strike(self, name: str, strike: Callable[[], Awaitable[None]]) -> None:
        """Let people play, with a fault among it; then nobody acts until all matches have gone on."""
        await self._play(self.rng.uniform(1, 3))
        async with playing(self.groups, PAUSE), asyncio.TaskGroup() as coming:
            tasks = [coming.create_task(self._come_and_go(group)) for group in self.lobbies]
            await asyncio.sleep(self.rng.uniform(0, 1))
            await strike()
            for task in tasks:
                task.cancel()
        self.tally.faults[name] += 1
        await self._all_go_on()
        await asyncio.sleep(3.5)  # until each press is answered, or is not any more
        await self._settle()
        for bot in self.bots:
            if bot.pid is None:
                await bot.launch()
        await self._shared()

    async def _play(self, seconds: float) -> None:
        """Play for some seconds, until there is a match at each table: a rematch has to be agreed upon."""
        async with playing(self.groups, PAUSE) as players, asyncio.timeout(60 * self.patience):
            await asyncio.sleep(seconds)
            while not all(self._is_playing(await self._tables())):
                await asyncio.sleep(0.2)
            for task in players:
                if task.done():
                    task.result()

    async def _come_and_go(self, group: Group) -> None:
        """A guest sits down in a lobby and leaves it, over and over."""
        _, guest = group.members
        while True:
            board = group.board()
            verb = LobbyVerb.JOIN if board is None or guest.name not in board.text else LobbyVerb.LEAVE
            for offer in offers(board, group.table_id).get(verb, ())[:1]:
                await guest.press(offer)
            await asyncio.sleep(self.rng.uniform(*PAUSE))

    # ------------------------------------------------------------------ faults

    async def _kill(self) -> None:
        await self.rng.choice(self.bots).kill()

    async def _stall(self, count: int) -> None:
        those = self.rng.sample(self.bots, count)
        for bot in those:
            bot.stall()
        await asyncio.sleep(self.rng.uniform(0.5, 9))
        for bot in those:
            bot.go_on()

    async def _partition(self, count: int) -> None:
        those = self.rng.sample(self.proxies, count)
        for proxy in those:
            proxy.freeze()
        await asyncio.sleep(self.rng.uniform(0.5, 9))
        for proxy in those:
            proxy.thaw()

    async def _cut(self) -> None:
        proxy = self.rng.choice(self.proxies)
        await proxy.cut()
        await asyncio.sleep(self.rng.uniform(0, 3))
        await proxy.mend()

    async def _swallow(self) -> None:
        self.rng.choice(self.proxies).swallow()

    async def _cut_at(self, where: CutAt) -> None:
        proxy = self.rng.choice(self.proxies)
        proxy.cut_at(where, self.rng.randint(1, 8))
        async with asyncio.timeout(10 * self.patience):  # its heartbeat alone commits every 1.2 s
            while not proxy.has_cut:
                await asyncio.sleep(0.05)

    async def _end_connections(self) -> None:
        async with self._sql() as sql:
            await sql.execute(_BREAK_OFF)

    async def _steal(self) -> None:
        async with self._sql() as sql:
            await sql.execute(_STEAL, self.rng.randrange(SHARDS))

    # ------------------------------------------------------------------ what must hold

    async def _all_go_on(self) -> None:
        """Every match makes moves again, by itself."""
        began, before = time.monotonic(), await self._tables()
        waiting = [group.table_id for group in self.groups if goes_on(before.get(group.table_id))]
        while waiting:
            now = await self._tables()
            waiting = [each for each in waiting if goes_on(now[each]) and len(now[each].log) == len(before[each].log)]
            took = time.monotonic() - began
            assert took < self.patience * GOES_ON_S, f"tables {waiting} do not go on: {self._state_of(waiting, now)}"
            await asyncio.sleep(0.1)
        self.tally.back.append(time.monotonic() - began)

    async def _settle(self) -> None:
        self.accounts.collect()
        self.accounts.settle(await self._tables())
        self.tally.acknowledged = self.accounts.acknowledged.total()
        self.tally.comings = sum(self.accounts.acknowledged[verb] for verb in (LobbyVerb.JOIN, LobbyVerb.LEAVE))
        async with self._sql() as sql:
            self.tally.writes = await sql.fetchval("SELECT count(*) FROM seen_writes")
            uncovered = await sql.fetch(UNCOVERED)
        assert not uncovered, "\n".join(map(str, uncovered))

    async def _shared(self) -> None:
        """Each process serves its share, and is connected."""
        held: list[int] = []
        try:
            async with asyncio.timeout(60 * self.patience):
                while (held := await held_by_each(self.dsn)) != [SHARDS // len(self.bots)] * len(self.bots):
                    await asyncio.sleep(0.2)
                while not await self.rig.remote.served(SHARDS):
                    await asyncio.sleep(0.2)
        except TimeoutError:
            connected = self.rig.remote.discord.connections
            raise AssertionError(
                f"shards are held as {held}, {connected} connected: {self._state_of([], {})}"
            ) from None

    def _is_playing(self, tables: dict[int, TableRecord]) -> list[bool]:
        return [goes_on(tables.get(group.table_id)) for group in self.groups]

    async def _tables(self) -> dict[int, TableRecord]:
        return await read_postgres(self.dsn)

    def _sql(self) -> Any:
        return asyncpg.create_pool(self.dsn, min_size=1, max_size=1)

    def _state_of(self, table_ids: list[int], tables: dict[int, TableRecord]) -> str:
        """The last lines of all processes, and the tables as their logs have them."""
        logs = [f"{bot.log.name}: {bot.log.read_text('utf-8')[-8000:]}" for bot in self.bots]
        return "\n".join([*logs, *(repr(tables[each].state()) for each in table_ids)])


async def watch(sql: Any) -> None:
    """Let the database note who writes for a table."""
    await sql.execute(WATCH)
    for table in _WATCHED:
        deletes = "" if table == "panels" else "OR DELETE"  # any process deletes panels that have expired
        await sql.execute(NOTE.format(deletes, table, "id" if table == "tables" else "table_id"))


def _is_open(group: Group) -> bool:
    group.look_around()
    return LobbyVerb.JOIN in offers(group.board(), group.table_id)


async def faults(folder: Path, count: int = 200, seed: int = 1, patience: float = 1.0) -> Tally:
    """The whole test in a folder and a database of its own."""
    people = [f"P{number:02}" for number in range(3 * SHARDS)]
    async with AsyncExitStack() as stack:
        dsn = await stack.enter_async_context(postgres_database())
        proxies = [await stack.enter_async_context(Proxy.to(f"{dsn}?application_name={name}")) for name in NAMES]
        settings = {**SETTINGS, "database_url": proxies[0].address}
        of_discord = {"guilds": SHARDS, "shards": SHARDS, "at_once": SHARDS}
        rig = await stack.enter_async_context(running(folder, people, **of_discord, **settings))
        rig.remote.discord.gateway.starts = 100 * count  # a day's 1,000 would not do: a bot keeps the last 50 of them
        return await Faults(rig, dsn, proxies, seed, patience).run(count)


if __name__ == "__main__":
    main("faults", faults)
