"""Two processes of the bot with four shards on PostgreSQL: one is killed, the other stands still, people play on.

`python -m tests.rig.several [ROUNDS] [SEED]` (`make crash`) for long, `tests/rig/test_several.py` for the gate.
"""

import asyncio
import random
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg

from bot.store.engine.cluster import LEASE_S
from bot.tables.cluster import IDENTIFY_S
from tests.rig import bot_process
from tests.rig.accounts import Accounts
from tests.rig.evidence import TableRecord, goes_on, postgres_database, read_postgres
from tests.rig.players import Group, groups, playing
from tests.rig.rig import Bot, Rig, running
from tests.rig.runs import main

SHARDS = 4
SIZE = 4
PAUSE = (0.05, 0.3)
SETTINGS: Any = {"main": bot_process.main, "auto_open": 2, "auto_next": 3, "sign_deadline": 10}
"""With the pauses that a bot on Discord makes, which are part of what is measured."""
FIRST_BACK_S = 10.0
HANDED_OVER_S = 3.0
_LIVES_S = (1.0, 3.0)
_HOLDERS = "SELECT owner, count(*) FROM leases WHERE id >= 0 AND owner IN (SELECT id FROM processes) GROUP BY owner"


@dataclass
class Tally:
    """What was done; ``back`` are the seconds after which a dead or stalled process's tables went on elsewhere."""

    kills: int = 0
    stalls: int = 0
    back: list[float] = field(default_factory=list)
    acknowledged: int = 0

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.stalls} stalls; {self.acknowledged} acknowledged presses, all logged once; "
            f"tables went on elsewhere after {max(self.back):.1f} s at most"
        )


class SeveralProcesses:
    """A table on each shard, and two processes that share the shards."""

    def __init__(self, rig: Rig, dsn: str, seed: int, patience: float, shards: int = SHARDS) -> None:
        """``patience``: how many times the seconds that it may take are given to a busy machine."""
        self.shards = shards
        self.rig = rig
        self.dsn = dsn
        self.patience = patience
        self.rng = random.Random(seed)
        self.tally = Tally()
        self.groups = groups(rig.remote, [SIZE] * shards, seed, target="5")
        for group, channel in zip(self.groups, rig.remote.channels.values(), strict=True):
            group.channel = channel
        self.accounts = Accounts(rig.remote)
        self.bots = [rig, rig.another("second")]
        self._now: dict[int, TableRecord] = {}

    async def run(self, rounds: int) -> Tally:
        """Kill one process and stall the other, in turn, so many times each."""
        await self.start()
        async with playing(self.groups, PAUSE) as players:
            for number in range(rounds):
                dead, stalled = self.bots[number % 2], self.bots[1 - number % 2]
                await self.play(players)
                await self.kill(dead)
                await self.play(players)
                await self._stall(stalled)
                print(f"round {number + 1} of {rounds}: {self.tally}", flush=True)
            await self.play(players)
            await self._leave(self.bots[0])
        await asyncio.sleep(1)  # for what was pressed last
        await self.settle()
        assert not [line for bot in self.bots for line in bot.logged("token.used_twice")], "processes of one bot"
        return self.tally

    async def start(self) -> None:
        for bot in self.bots:
            await bot.launch()
        await self.shared()
        await asyncio.gather(*(group.sit_down() for group in self.groups))

    async def kill(self, bot: Bot) -> None:
        held = await self._held_by_each()
        await bot.kill()
        await self.all_go_on(max(held))
        self.tally.kills += 1
        await self.settle()
        await bot.launch()
        await self.shared()

    async def _stall(self, bot: Bot) -> None:
        held, began = await self._held_by_each(), time.monotonic()
        bot.stall()
        try:
            await self.all_go_on(max(held))
            await asyncio.sleep(max(0.0, began + LEASE_S + 2 - time.monotonic()))
        finally:
            bot.go_on()
        self.tally.stalls += 1
        await self._logged(bot, "shards.rejoined", self.tally.stalls)
        await self.shared()
        await self.settle()

    async def _leave(self, bot: Bot) -> None:
        """A process that is stopped politely hands its shards over at once."""
        await bot.stop()
        began = time.monotonic()
        while await self._held_by_each() != [self.shards]:
            assert time.monotonic() - began < self.patience * HANDED_OVER_S, "what it held is not taken up"
            await asyncio.sleep(0.1)

    async def all_go_on(self, moved: int) -> None:
        """Every table makes moves again, in 10 s and 5 s more for each further shard that has moved."""
        began = time.monotonic()
        before = self._now = await self._tables()
        patience = self.patience * (FIRST_BACK_S + IDENTIFY_S * (moved - 1))
        while waiting := [group.table_id for group in self.groups if not self._has_gone_on(group, before)]:
            assert time.monotonic() - began < patience, f"tables {waiting} do not go on: {self._state_of(waiting)}"
            await asyncio.sleep(0.2)
            self._now = await self._tables()
        self.tally.back.append(time.monotonic() - began)

    def _has_gone_on(self, group: Group, before: dict[int, TableRecord]) -> bool:
        was, table = before.get(group.table_id), self._now.get(group.table_id)
        if was is not None and not was.is_playing:
            return True  # its match had just ended: a rematch has to be agreed upon
        return table is not None and len(table.log) > (0 if was is None else len(was.log)) + 1

    async def play(self, players: Iterable[asyncio.Task[None]]) -> None:
        """Let them play for some seconds, until there is a match at each table: a rematch has to be agreed upon."""
        await asyncio.sleep(self.rng.uniform(*_LIVES_S))
        async with asyncio.timeout(60 * self.patience):
            while not all(map(goes_on, await self._present_tables())):
                await asyncio.sleep(0.2)
        for task in players:
            if task.done():
                task.result()

    async def shared(self) -> None:
        async with asyncio.timeout(60 * self.patience):
            while await self._held_by_each() != [self.shards // 2, self.shards // 2]:
                await asyncio.sleep(0.2)
            while not await self.rig.remote.served(self.shards):
                await asyncio.sleep(0.2)

    async def _logged(self, bot: Bot, word: str, times: int) -> None:
        """The stalls of both processes are counted together."""
        async with asyncio.timeout(20 * self.patience):
            while sum(one.log.read_text("utf-8").count(word) for one in self.bots) < times:
                await asyncio.sleep(0.1)

    async def settle(self) -> None:
        self.accounts.collect()
        self.accounts.settle(await self._tables())
        self.tally.acknowledged = self.accounts.acknowledged.total()

    async def _held_by_each(self) -> list[int]:
        return await held_by_each(self.dsn)

    async def _present_tables(self) -> list[TableRecord | None]:
        tables = await self._tables()
        return [tables.get(group.table_id) for group in self.groups]

    async def _tables(self) -> dict[int, TableRecord]:
        return await read_postgres(self.dsn)

    def _state_of(self, table_ids: Collection[int]) -> str:
        """The last lines of both processes; what the tables' people see, and the end of their logs."""
        logs = [f"{bot.log.name}: {bot.log.read_text('utf-8')[-1500:]}" for bot in self.bots]
        seen = [group.board() for group in self.groups if group.table_id in table_ids]
        seen += [member.panel() for group in self.groups if group.table_id in table_ids for member in group.members]
        entries = [entry for table_id in table_ids if table_id in self._now for entry in self._now[table_id].log[-8:]]
        return "\n".join([f"at {time.time():.3f}", *logs, *map(repr, seen), *map(repr, entries)])


async def held_by_each(dsn: str) -> list[int]:
    """How many shards each living process of a database serves, the smallest number first."""
    connection = await asyncpg.connect(dsn)
    try:
        return sorted(count for _, count in await connection.fetch(_HOLDERS))
    except asyncpg.UndefinedTableError:  # the first process is just making the tables
        return []
    finally:
        await connection.close()


async def several(folder: Path, rounds: int = 50, seed: int = 1, patience: float = 1.0, *, at_once: int = 1) -> Tally:
    """The whole test in a folder and a database of its own. ``at_once``: Discord's ``max_concurrency``."""
    people = [f"P{number:02}" for number in range(SHARDS * SIZE)]
    async with (
        postgres_database() as dsn,
        running(folder, people, guilds=SHARDS, shards=SHARDS, at_once=at_once, database_url=dsn, **SETTINGS) as rig,
    ):
        return await SeveralProcesses(rig, dsn, seed, patience).run(rounds)


if __name__ == "__main__":
    main("several processes", several)
