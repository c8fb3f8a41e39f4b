"""A bot with many running tables beside an empty one: its memory, its start, and the restoring of the tables.

Each bot is a new process, connected to a Discord in this one. The tables are written into the database by the stores,
in the middle of a hunt; then the bot shows them, and everybody opens their hand.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from bot.sandbox.discord.objects import PUBLIC_THREAD
from bot.ui.table.verbs import TableVerb
from tests.bench.core import MOVES
from tests.bench.figures import Figure, Part, at_most, told
from tests.databases import migrated
from tests.rig.crowd import SEATS, Crowd, Place, crowd, verbs
from tests.rig.large import store_tables
from tests.rig.processes import resident_kib
from tests.rig.runs import in_folder

TABLES: Final = 1_000
SETTLE_S: Final = 3.0
_PATIENCE_S: Final = 120.0
_LOOKS_S: Final = 0.005
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
    some_kib: float = 0.0
    full_kib: float = 0.0


def bench_memory(rounds: int = 3, tables: int = TABLES, settle_s: float = SETTLE_S) -> Part:
    """Starts are measured in turn; the last round also opens all hands."""
    measured = in_folder(_measure, rounds, tables, settle_s)
    part = Part(
        "Memory and starts",
        f"A bot with {tables} running tables of four, each in a thread of its own with {MOVES} moves in its log, and"
        " one without any, both in new processes. A start lasts from the process's first instruction until the bot is"
        " connected to Discord; restoring is what it lasts longer with the tables. Memory is resident memory: what a"
        " table adds when it is restored, and when its four hands are opened after those of a tenth of the tables.",
    )
    restoring = tuple(seconds - median(measured.empty_s) for seconds in measured.full_s)
    of_a_table = (measured.restored_kib - measured.empty_kib) / tables
    of_its_hands = (measured.full_kib - measured.some_kib) / (tables - _some(tables))
    part.figures += [
        Figure("memory of a bot without a table", "MiB", (measured.empty_kib / 1024,), target=at_most(128)),
        Figure("memory of a live table", "KiB", (of_a_table + of_its_hands,), target=at_most(128)),
        Figure(f"restoring {tables} tables", "s", restoring, target=at_most(3)),
        Figure("start without a table", "s", tuple(measured.empty_s), target=at_most(2)),
    ]
    part.answers |= answers(tables, *part.figures)
    part.notes += [
        f"{tables} tables restored, nobody looks yet: {measured.restored_kib / 1024:.0f} MiB",
        f"hands of {_some(tables)} tables open: {measured.some_kib / 1024:.0f} MiB",
        f"{tables} tables shown, {SEATS * tables} hands open: {measured.full_kib / 1024:.0f} MiB",
    ]
    return part


def answers(tables: int, empty: Figure, table: Figure, restoring: Figure, start: Figure) -> dict[str, str]:
    """What starts and memory mean for an operator."""
    return {
        "How long does a start take?": f"{told(start.value)} s until the bot is connected, and {told(restoring.value)}"
        f" s more with {tables:,} running tables: an update interrupts play for seconds, and matches go on.",
        "How much memory does it need?": f"{told(empty.value)} MiB without a table and {told(table.value)} KiB for each"
        f" live one with its hands open, {told(tables * table.value / 1024)} MiB for {tables:,}: a machine with 512 MiB"
        " has room for more tables than a core can serve.",
    }


async def _measure(folder: Path, rounds: int, tables: int, settle_s: float) -> Measured:
    measured = Measured()
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
                    await busy.take_up(places[: _some(tables)])
                    await asyncio.sleep(settle_s)
                    measured.some_kib = resident_kib(pid)
                    await busy.take_up(places[_some(tables) :])
                    await asyncio.sleep(settle_s)
                    measured.full_kib = resident_kib(pid)
    return measured


def _some(tables: int) -> int:
    """So many tables load what the first panels load."""
    return -(-tables // 10)


@asynccontextmanager
async def _bot(crowd: Crowd, database_url: str, seconds: list[float] | None) -> AsyncIterator[int]:
    """The id of a new process of the bot, connected; adds how long that took. Killed in the end."""
    loopback = crowd.discord
    while loopback.is_connected:  # the last one, which was killed
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
            while not loopback.is_connected:
                if process.returncode is not None:
                    raise AssertionError("the bot ended by itself")
                await asyncio.sleep(_LOOKS_S)
        if seconds is not None:
            seconds.append(time.perf_counter() - began)
        yield process.pid
    finally:
        process.kill()
        await process.wait()


# ---------------------------------------------------------------------- tables


async def _fill(crowd: Crowd, database_url: str, tables: int) -> list[Place]:
    """Write so many running tables, each with a message in a thread of its own."""
    world, channel, places = crowd.discord.world, crowd.discord.channels[0], []
    for number in range(tables):
        users = [user.id for user in crowd.discord.users[SEATS * number : SEATS * (number + 1)]]
        thread = world.open_thread(channel, f"Table {number}", PUBLIC_THREAD, world.bot.id)
        places.append(Place(number, users, number + 1, world.post(thread, world.bot.id)))
    await store_tables(world, database_url, places)
    return places


def _is_shown(place: Place) -> bool:
    return place.board is not None and TableVerb.HAND in verbs(place.board)
