"""A bot with many running tables beside an empty one: its memory, its start, and the restoring of the tables.

Each bot is a new process, connected to a Discord in this one. The tables are written into the database by the stores,
in the middle of a hunt; then the bot shows them, and everybody opens their hand.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from bot.game import actions as a
from bot.game.decide import start_match
from bot.game.events import Event
from bot.game.evolve import evolve_all
from bot.game.legal import legal_moves
from bot.game.phase import Phase
from bot.game.rules.presets import CLASSIC
from bot.game.signs import HOUSE_SIGNS, emoji_sign, one_sign
from bot.records.player import Player
from bot.sandbox.discord.objects import PUBLIC_THREAD
from bot.store.engine.database import Database
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.place import Place as TablePlace
from bot.ui.table.verbs import TableVerb
from tests.bench.core import after
from tests.bench.figures import Figure, Part, Target
from tests.databases import migrated
from tests.rig.crowd import SEATS, Crowd, Place, crowd, verbs

TABLES: Final = 1_000
MOVES: Final = 40
"""Exchanges in the log of each table."""
SETTLE_S: Final = 3.0
_EXCHANGES: Final = (a.PutDown, a.Take)
_PATIENCE_S: Final = 120.0
_LOOKS_S: Final = 0.005
_AT_ONCE: Final = 8
_START: Final = """
import json, sys
from tests.rig.bot_process import main
main(None, sys.argv[1], json.loads(sys.argv[2]))
"""
_ROOT: Final = Path(__file__).parents[2]
_UNCOMPILED: Final = "PYTHONDONTWRITEBYTECODE"
"""Where it is set, Python compiles all modules again with each start, as no installed bot does."""


@dataclass
class Measured:
    """Seconds from the start of a process until the bot is connected, round by round; memory in KiB."""

    empty_s: list[float] = field(default_factory=list)
    full_s: list[float] = field(default_factory=list)
    empty_kib: float = 0.0
    restored_kib: float = 0.0
    full_kib: float = 0.0


def bench_memory(rounds: int = 3, tables: int = TABLES, settle_s: float = SETTLE_S) -> Part:
    """Starts are measured in turn; the last round also opens all hands."""
    measured = Measured()
    with tempfile.TemporaryDirectory(prefix="kems-bench-") as folder:
        asyncio.run(_measure(Path(folder), rounds, tables, settle_s, measured))
    part = Part(
        "Memory and starts",
        f"A bot with {tables} running tables of four, each in a thread of its own with {MOVES} moves in its log, and"
        " one without any, both in new processes. A start lasts from the process's first instruction until the bot is"
        " connected to Discord; restoring is what it lasts longer with the tables. Memory is resident memory once all"
        " tables are shown and everybody has opened their hand, without that of the empty bot.",
    )
    empty = median(measured.empty_s)
    part.figures += [
        Figure(
            "memory of a live table",
            "KiB",
            ((measured.full_kib - measured.empty_kib) / tables,),
            target=Target(most=64, is_absolute=True),
        ),
        Figure(
            f"restoring {tables} tables",
            "s",
            tuple(seconds - empty for seconds in measured.full_s),
            target=Target(most=3, is_absolute=True),
        ),
        Figure("start without a table", "s", tuple(measured.empty_s), target=Target(most=2, is_absolute=True)),
    ]
    part.notes += [
        f"an empty bot: {measured.empty_kib / 1024:.0f} MiB",
        f"{tables} tables restored, nobody looks yet: {measured.restored_kib / 1024:.0f} MiB",
        f"{tables} tables shown, {SEATS * tables} hands open: {measured.full_kib / 1024:.0f} MiB",
    ]
    return part


async def _measure(folder: Path, rounds: int, tables: int, settle_s: float, measured: Measured) -> None:
    async with crowd(1) as quiet, crowd(tables) as busy:
        for name in ("quiet", "busy"):
            folder.joinpath(name).mkdir()
        quiet_database, busy_database = migrated(folder / "quiet"), migrated(folder / "busy")
        async with _bot(quiet, quiet_database, None), _bot(busy, busy_database, None):
            # They register their commands, which later starts find unchanged.
            await quiet.until(lambda: 0 in quiet.discord.world.commands and 0 in busy.discord.world.commands)
        places = await _fill(busy, busy_database, tables)
        for number in range(rounds):
            async with _bot(quiet, quiet_database, measured.empty_s) as pid:
                await asyncio.sleep(settle_s)
                measured.empty_kib = resident_kib(pid)
            async with _bot(busy, busy_database, measured.full_s) as pid:
                measured.restored_kib = resident_kib(pid)
                if number == rounds - 1:
                    await busy.until(lambda: all(_is_shown(place) for place in places))
                    await _open_hands(busy, places)
                    await asyncio.sleep(settle_s)
                    measured.full_kib = resident_kib(pid)


@asynccontextmanager
async def _bot(crowd: Crowd, database_url: str, seconds: list[float] | None) -> AsyncIterator[int]:
    """The id of a new process of the bot, connected; adds how long that took. Killed in the end."""
    gateway = crowd.discord.gateway
    while gateway.is_connected:  # the last one, which was killed
        await asyncio.sleep(_LOOKS_S)
    fields = {"database_url": database_url, "afk_seconds": 0}
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _START, crowd.discord.address, json.dumps(fields)),
        cwd=_ROOT,
        env={name: value for name, value in os.environ.items() if name != _UNCOMPILED},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(_PATIENCE_S):
            while not gateway.is_connected:
                if process.returncode is not None:
                    raise AssertionError("the bot ended by itself")
                await asyncio.sleep(_LOOKS_S)
        if seconds is not None:
            seconds.append(time.perf_counter() - began)
        yield process.pid
    finally:
        process.kill()
        await process.wait()


def resident_kib(pid: int) -> float:
    asked = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)  # noqa: S607
    return float(asked.stdout)


# ---------------------------------------------------------------------- tables


async def _fill(crowd: Crowd, database_url: str, tables: int) -> list[Place]:
    world, users = crowd.discord.world, crowd.discord.users
    guild, channel = crowd.discord.guilds[0], crowd.discord.channels[0]
    database = Database(database_url)
    store = SqlTableStore(database)
    places = []
    try:
        for number in range(tables):
            seated = users[SEATS * number : SEATS * (number + 1)]
            thread = world.open_thread(channel, f"Table {number}", PUBLIC_THREAD, world.bot.id)
            message = world.post(thread, world.bot.id)
            log = hunt_log(number, world.now())
            opened = Lobby(
                id=0,
                place=TablePlace(guild.id, thread.id, message.id, round=1),
                host_id=seated[0].id,
                rules=CLASSIC,
                size=SEATS,
                players=tuple(Player(user.name, user.id) for user in seated),
                random_teams=False,
                locale="fr",
                opened_at=log[0].at,
            )
            playing = replace(opened, id=await store.create(opened), status=Status.PLAYING, is_ranked=False)
            await store.record_start(playing, log)
            places.append(Place(number, [user.id for user in seated], playing.id, message))
    finally:
        await database.close()
    return places


async def _open_hands(crowd: Crowd, places: list[Place]) -> None:
    gate = asyncio.Semaphore(_AT_ONCE)

    async def open_one(place: Place, user: int) -> None:
        async with gate:
            while await crowd.press_verb(user, crowd.board(place), TableVerb.HAND) is None:
                await asyncio.sleep(_LOOKS_S)

    await asyncio.gather(*(open_one(place, user) for place in places for user in place.users))


def _is_shown(place: Place) -> bool:
    return place.board is not None and TableVerb.HAND in verbs(place.board)


def hunt_log(seed: int, now: int) -> list[Event]:
    rng = Random(seed)
    plans = [one_sign(emoji_sign(sign)) for sign in HOUSE_SIGNS[:2]]
    first: list[a.Action] = [a.ProposeSign(seat, plans[seat]) for seat in (0, 1)]
    first += [*(a.AcceptSign(seat, plans[seat - 2]) for seat in (2, 3)), a.OpenHunt(3)]
    while True:
        events = list(start_match(CLASSIC, seats=SEATS, teams=2, dealer=3, now=now))
        state = evolve_all(None, events)
        for action in first:
            made, state = after(state, action, now, rng)
            events += made
        for _ in range(MOVES):
            legal = (each for seat in range(SEATS) for each in legal_moves(state, seat, now))
            exchanges = [each for each in legal if isinstance(each, _EXCHANGES)]
            if state.phase is not Phase.HUNT or not exchanges:
                break
            made, state = after(state, rng.choice(exchanges), now, rng)
            events += made
        if state.phase is Phase.HUNT:
            return events
