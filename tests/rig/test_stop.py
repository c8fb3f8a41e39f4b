"""The bot is stopped while somebody's press is under way: it is answered and kept, and nothing goes wrong."""

import asyncio
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bot.discord.gateway import client
from bot.operating import run as running_bot
from bot.ui.table.verbs import TableVerb
from tests.rig import bot_process
from tests.rig.air import Weather
from tests.rig.evidence import read_copy
from tests.rig.players import Player, offers
from tests.rig.rig import running
from tests.rig.test_interrupted import PACE, PEOPLE, hunting, kinds

LEAVING_S = 2.5
"""Of the eight seconds of a bot that Docker stops."""
BEHIND_A_SHELL = """
import multiprocessing, os, signal
from tests.rig.processes import _run
ours, theirs = multiprocessing.Pipe()
try:
    _run(theirs, None, False, lambda _: os.kill(os.getpid(), signal.SIGINT), ())
except KeyboardInterrupt:
    print("heard")
"""


def can_play(member: Player) -> bool:
    return TableVerb.PUT in offers(member.panel(), member.table_id)


async def test_pending_presses_are_answered_before_the_bot_stops(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, **PACE) as rig:
        group = await hunting(rig)
        await asyncio.gather(*(member.open_hand() for member in group.members))
        await rig.remote.until(lambda: all(can_play(member) for member in group.members), "hands that can be played")
        rig.remote.air.change(Weather(rest=(0.6, 0.6)))  # an answer takes this long
        asking = asyncio.create_task(rig.remote.slash(group.host.user, "kems records history"))
        putting = [asyncio.create_task(member.press_first(TableVerb.PUT)) for member in group.members]
        async with asyncio.timeout(60):
            while kinds(rig).count("CardPutDown") < len(putting):
                await asyncio.sleep(0.02)
        await rig.stop()
        outcomes = [*await asyncio.gather(*putting), await asking]
        assert all(outcome is not None and outcome.is_answered for outcome in outcomes)
        (table,) = read_copy(rig.database).values()
        logged = {entry.press_id for entry in table.log}
        assert {outcome.id for outcome in outcomes[:-1] if outcome is not None} <= logged
        for trouble in ("Traceback", "Session is closed", "failed", "not_saved"):
            assert not rig.logged(trouble), trouble


def impatient(line: Connection, address: str, fields: dict[str, Any]) -> None:
    """The process of a bot that gives up sooner what cannot be finished."""
    running_bot.LEAVING_S, client.LEAVE_S = LEAVING_S, LEAVING_S - 1  # type: ignore[misc]
    bot_process.hasty(line, address, fields)


async def test_a_stop_while_the_database_is_locked_has_one_deadline(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, main=impatient, **PACE) as rig:
        group = await hunting(rig)
        await asyncio.gather(*(member.open_hand() for member in group.members))
        await rig.remote.until(lambda: all(can_play(member) for member in group.members), "hands that can be played")
        with closing(sqlite3.connect(rig.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            putting = [asyncio.create_task(member.press_first(TableVerb.PUT)) for member in group.members]
            await asyncio.sleep(0.5)
            began = time.monotonic()
            await rig.stop()
            assert time.monotonic() - began < LEAVING_S + 3
            await asyncio.gather(*putting)
        assert not rig.logged("Traceback")


def test_a_process_in_the_background_stops_at_ctrl_c_too() -> None:
    command = ["/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh", sys.executable, "-c", BEHIND_A_SHELL]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], check=True, timeout=90, capture_output=True)
    assert done.stdout == b"heard\n"
