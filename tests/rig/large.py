"""A large install: thousands of servers on many shards, two processes on PostgreSQL, live tables, presses.

`python -m tests.rig.large [SERVERS] [TABLES] [SHARDS]` measures for the page on operating; `tests/rig/test_large.py` is
its short form. The servers are as Discord describes them to a bot: channels with overwrites, roles, emojis. They are in
this process, with their members; the processes of the bot are their own.
"""

import asyncio
import os
import re
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, Final

import aiohttp
from sqlalchemy import insert, text

from bot.discord.api.components import button, layout, row
from bot.discord.api.custom_ids import RoundCustomIds
from bot.game.rules.presets import CLASSIC
from bot.sandbox.discord.objects import CATEGORY, COMPONENTS_V2, TEXT, VOICE, Channel, Emoji, Guild, Role
from bot.sandbox.discord.serving import served
from bot.sandbox.discord.world import World
from bot.store.engine.database import Database
from bot.store.migrate import migrate
from bot.store.schema.codec import event_rows
from bot.store.schema.tables import EventRow, SeatRow, TableRow
from bot.store.tables.table_store import table_columns
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.table_channel import TableChannel
from bot.ui.table.verbs import TableVerb
from tests.bench.core import hunt_log
from tests.rig import bot_process
from tests.rig.air import Air, Weather
from tests.rig.crowd import SEATS, Answers, Crowd, Place, Tape, uncollected
from tests.rig.evidence import postgres_database
from tests.rig.processes import Running, processor_time, resident_kib
from tests.rig.remote import built
from tests.rig.rig_discord import RigDiscord
from tests.rig.runs import main

PROCESSES: Final = 2
PRESSES_A_SECOND: Final = 100.0
BUSY: Final = 100
"""Tables at which people press."""
LOGS: Final = 20
"""Matches of so many kinds lie in the logs of the tables."""
SETTINGS: Final = {"auto_open": 0, "auto_next": 0, "afk_seconds": 0, "status_address": "127.0.0.1:0"}
_PATIENCE_S: Final = 900.0
_AT_ONCE: Final = 100
_KINDS: Final = (TEXT, TEXT, TEXT, TEXT, VOICE, CATEGORY)


@dataclass
class Report:
    """What came of it. Seconds, MiB and milliseconds."""

    servers: int
    tables: int
    shards: int
    load: float = field(default_factory=lambda: os.getloadavg()[0])
    start_s: float = 0.0
    identifies_s: float = 0.0
    restored_s: float = 0.0
    after_identifies_s: float = 0.0
    all_shown_s: float = 0.0
    memory_mib: list[float] = field(default_factory=list)
    presses: int = 0
    presses_s: float = 0.0
    answers_ms: tuple[float, float] = (0.0, 0.0)
    missed: int = 0
    cpu_ms: float = 0.0
    metrics: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        memory = ", ".join(f"{one:.0f}" for one in self.memory_mib)
        rate = self.presses / self.presses_s if self.presses_s else 0.0
        return "\n".join((
            f"{self.servers:,} servers on {self.shards} shards, {PROCESSES} processes, {self.tables:,} live tables"
            f" (load of the machine at the start {self.load:.1f})",
            f"  connected after {self.start_s:.0f} s, of which {self.identifies_s:.0f} s from the first identify to the"
            " last",
            f"  tables read and replayed: {self.restored_s:.1f} s of the busier process",
            f"  every table goes on {self.after_identifies_s:.1f} s after the last identify; every message is drawn"
            f" again {self.all_shown_s:.0f} s after it",
            f"  memory: {memory} MiB a process",
            f"  {rate:.0f} presses a second: median {self.answers_ms[0]:.0f} ms, 99th percentile"
            f" {self.answers_ms[1]:.0f} ms, {self.missed} missed; {self.cpu_ms:.1f} ms of processor time a press",
            *(f"  {line}" for line in self.metrics),
        ))  # fmt: skip


# ---------------------------------------------------------------------- the servers


def furnish(world: World, guild: Guild, rng: Random) -> None:
    """Channels, roles and emojis as a server has them that has grown for some years; a few are large."""
    for position in range(_number(rng, 14, 240)):
        role = Role(world.new_id(), f"role {position}", rng.getrandbits(40), position + 2)
        guild.roles[role.id] = role
    roles = [*guild.roles]
    for number in range(_number(rng, 20, 450)):
        channel = Channel(world.new_id(), guild.id, f"channel-{number}", rng.choice(_KINDS))
        denied = rng.sample(roles, k=min(len(roles), rng.randrange(4)))
        channel.overwrites = dict.fromkeys(denied, (0, 1 << 11))
        world.keep(guild, channel)
    for number in range(_number(rng, 12, 250)):
        emoji = Emoji(world.new_id(), f"emoji_{number}", guild.id)
        guild.emojis[emoji.id] = emoji


def _number(rng: Random, median: int, most: int) -> int:
    return min(most, max(1, round(median * rng.lognormvariate(0, 0.8))))


def _discord(servers: int, tables: int, shards: int) -> RigDiscord:
    """Servers with people at tables come first; the gateway does not tell about any while they are made."""
    discord = built([f"P{number:05}" for number in range(SEATS)], guilds=0, shards=shards)
    world, rng = discord.world, Random(1)
    world.listeners.clear()
    for number in range(servers):
        people = [world.add_user(f"T{number:05}-{seat}") for seat in range(SEATS)] if number < tables else discord.users
        guild = world.add_guild(f"Server {number}", people)
        discord.guilds.append(guild)
        discord.channels.append(world.add_channel(guild, "kems"))
        furnish(world, guild, rng)
    world.listeners.append(discord.gateway.hear)
    discord.recorder = Tape()
    return discord


async def _fill(discord: RigDiscord, dsn: str, tables: int) -> list[Place]:
    """One running table in each of the first servers, in the middle of a hunt; its message is of before."""
    world, places = discord.world, []
    for number, channel in enumerate(discord.channels[:tables]):
        users = [key for key in discord.guilds[number].members if key != world.bot.id]
        stale = layout(row(button("🃏", RoundCustomIds(number + 1, 1)(TableVerb.HAND))))
        board = world.post(channel, world.bot.id, components=stale, flags=COMPONENTS_V2)
        places.append(Place(number, users, number + 1, board))
    await store_tables(world, dsn, places)
    return places


async def store_tables(world: World, address: str, places: Sequence[Place]) -> None:
    """Write the matches of these tables into a database, in the middle of a hunt."""
    logs = [hunt_log(number, world.now()) for number in range(min(LOGS, len(places)))]
    database = Database(address)
    try:
        await migrate(database)
        for first in range(0, len(places), _AT_ONCE):
            some = places[first : first + _AT_ONCE]
            async with database.transaction() as session:
                await session.execute(insert(TableRow), [_table(world, place) for place in some])
                await session.execute(insert(SeatRow), [seat for place in some for seat in _seats(world, place)])
                events = [event_rows(place.table_id, 1, logs[place.number % LOGS], None) for place in some]
                await session.execute(insert(EventRow), [row for rows in events for row in rows])
        if address.startswith("postgresql"):
            async with database.transaction() as session:
                await session.execute(text(f"SELECT setval('tables_id_seq', {len(places)})"))
    finally:
        await database.close()


def _table(world: World, place: Place) -> dict[str, Any]:
    """The row of a running match; whatever is not named has its default."""
    channel, now = world.channels[place.board.channel_id], world.now()
    lobby = Lobby(
        id=place.table_id,
        place=TableChannel(channel.guild_id, channel.id, place.board.id, round=1),
        host_id=place.users[0],
        rules=CLASSIC,
        size=SEATS,
        players=(),
        has_random_teams=False,
        locale="fr",
        opened_at=now,
        status=Status.PLAYING,
    )
    return {"id": place.table_id, "started_at": now, "is_ranked": False, **table_columns(lobby)}


def _seats(world: World, place: Place) -> list[dict[str, Any]]:
    return [
        {"table_id": place.table_id, "seat": seat, "team": seat % 2, "user_id": user, "name": world.users[user].name}
        for seat, user in enumerate(place.users)
    ]


# ---------------------------------------------------------------------- the bots


class Large:
    """The town with its two bots."""

    def __init__(self, town: Crowd, places: Sequence[Place], folder: Path, dsn: str, report: Report) -> None:
        self.town = town
        self.places = places
        self.report = report
        self._logs = [folder / f"bot{number}.log" for number in range(PROCESSES)]
        self._fields: dict[str, Any] = {**SETTINGS, "database_url": dsn, "log_format": "console"}
        self._processes: list[Running] = []

    async def start(self) -> None:
        """Until every shard is connected, every table goes on, and every message is up to date."""
        gateway, began = self.town.discord.gateway, time.monotonic()
        for log in self._logs:
            bot = await Running.start(bot_process.main, self.town.discord.address, self._fields, errors=log)
            self._processes.append(bot)
        await self._until(lambda: len(gateway.identified) >= self.report.shards and self.town.discord.is_connected)
        last = gateway.identified[-1][0]
        self.report.start_s = last - began
        self.report.identifies_s = last - gateway.identified[0][0]
        while sum([await self._gauge(log, 'kems_tables{state="playing"}') for log in self._logs]) < self.report.tables:
            await asyncio.sleep(0.1)
        probes = {(place.number, self._shard(place)): place for place in self.places}
        by_shard = {shard: place for (_, shard), place in probes.items()}
        await asyncio.gather(*(self._goes_on(place) for place in by_shard.values()))
        self.report.after_identifies_s = time.monotonic() - last
        await self._until(lambda: all(self.town.board(place).edited_ms is not None for place in self.places))
        self.report.all_shown_s = time.monotonic() - last
        self.report.restored_s = max(_restoring_s(log.read_text("utf-8")) for log in self._logs)
        self.report.memory_mib = self._memory()

    async def press(self, seconds: float, rate: float, busy: int) -> None:
        """People at some tables press, so many times a second in all."""
        town, places, rng = self.town, self.places[:busy], Random(2)
        await town.take_up(places)
        town.answers = Answers()
        used, began, due = self._used(), time.monotonic(), time.monotonic()
        running: set[asyncio.Task[None]] = set()
        for place in cycle(places):
            due += rng.expovariate(rate)
            if due > began + seconds:
                break
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            task = asyncio.create_task(self._one(place, rng.choice(place.users)))
            running.add(task)
            task.add_done_callback(running.discard)
        await asyncio.gather(*running)
        answers = town.answers
        self.report.presses, self.report.presses_s = len(answers.seconds), time.monotonic() - began
        self.report.answers_ms = answers.percentile(0.5), answers.percentile(0.99)
        self.report.missed = answers.missed
        self.report.cpu_ms = 1000 * (self._used() - used) / max(1, len(answers.seconds))
        self.report.memory_mib = [max(pair) for pair in zip(self.report.memory_mib, self._memory(), strict=True)]
        for log in self._logs:
            self.report.metrics += await self._told(log)

    async def drain(self) -> float:
        began = time.monotonic()
        await self._processes.pop(0).stop(_PATIENCE_S)
        while await self._gauge(self._logs[1], 'kems_tables{state="playing"}') < self.report.tables:
            await asyncio.sleep(0.1)
        return time.monotonic() - began

    async def close(self) -> None:
        for process in self._processes:
            await process.kill()

    async def _one(self, place: Place, user: int) -> None:
        """What is offered: an exchange, or a look at the hand once the round is over."""
        chosen = self.town.choose(place, user)
        if chosen is not None:
            await self.town.press(user, place.panels[user], chosen)
        else:
            await self.town.press_verb(user, self.town.board(place), TableVerb.HAND)

    async def _goes_on(self, place: Place) -> None:
        await self._until(lambda: place.table_id in self.town._boards)
        while await self.town.press_verb(place.users[0], self.town.board(place), TableVerb.HAND) is None:
            await asyncio.sleep(0.05)

    def _shard(self, place: Place) -> int:
        return (self.town.discord.guilds[place.number].id >> 22) % self.report.shards

    async def _until(self, reached: Any) -> None:
        async with asyncio.timeout(_PATIENCE_S):
            while not reached():
                ended = [log for process, log in zip(self._processes, self._logs, strict=False) if process.has_ended]
                assert not ended, ended[0].read_text("utf-8")[-3000:]
                await asyncio.sleep(0.05)

    def _memory(self) -> list[float]:
        return [resident_kib(process.pid) / 1024 for process in self._processes]

    def _used(self) -> float:
        return sum(processor_time(process.pid) for process in self._processes)

    async def _metrics(self, log: Path) -> str:
        port = re.search(r"status.listening .*port=(\d+)", log.read_text("utf-8"))
        if port is None:
            return ""
        async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port[1]}/metrics") as answer:
            return await answer.text()

    async def _gauge(self, log: Path, name: str) -> float:
        found = re.search(rf"^{re.escape(name)} (\S+)$", await self._metrics(log), re.MULTILINE)
        return 0.0 if found is None else float(found[1])

    async def _told(self, log: Path) -> list[str]:
        shown = await self._metrics(log)
        wanted = r"^(kems_(?:tables|people|servers|moves_waiting|discord_budget_free|commit_\w+_(?:sum|count)|answer_seconds_(?:sum|count)|shown_age_seconds_(?:sum|count)).*|process_resident_memory_bytes .*)$"  # noqa: E501
        return [f"{log.stem}: {line}" for line in re.findall(wanted, shown, re.MULTILINE)]


def _restoring_s(log: str) -> float:
    """Seconds between entering or the shard before, and a shard's tables being there, summed up."""
    total, before = 0.0, 0.0
    for stamp, event in re.findall(r"^(\S+Z) \[\w+ *\] (\S+)", log, re.MULTILINE):
        at = time.mktime(time.strptime(stamp[:19], "%Y-%m-%dT%H:%M:%S")) + float(f"0{stamp[19:-1]}")
        if event == "tables.restored" and before:
            total += at - before
        before = at
    return total


async def large(
    folder: Path, servers: int = 10_000, tables: int = 2_000, shards: int = 16, seconds: float = 60.0, busy: int = BUSY
) -> Report:
    report = Report(servers, tables, shards)
    discord = _discord(servers, tables, shards)
    air = Air(discord)
    air.change(Weather(limits=False))
    async with AsyncExitStack() as stack:
        dsn = await stack.enter_async_context(postgres_database())
        around = {"around_rest": air.around_rest, "around_gateway": air.around_gateway}
        await stack.enter_async_context(served(discord, **around))
        places = await _fill(discord, dsn, tables)
        town = Crowd(discord, air)
        for place in places:
            assert place.board is not None
            town._boards[place.table_id] = place.board
        bots = Large(town, places, folder, dsn, report)
        stack.push_async_callback(bots.close)
        await bots.start()
        with uncollected():
            await bots.press(seconds, PRESSES_A_SECOND, busy)
        report.metrics.append(f"the other process serves every table {await bots.drain():.1f} s after SIGTERM")
    return report


if __name__ == "__main__":
    main("large", large)
