"""Discord's shield shuts the machine out in the middle of a match, with a page: clocks stand still, and all goes on."""

import asyncio
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from bot.discord.rate_limits import responses
from tests.rig import bot_process
from tests.rig.evidence import read_running
from tests.rig.players import one_in_each_channel, playing
from tests.rig.rig import running
from tests.rig.test_shards import PAUSED, pauses

FIRST_S = 0.5


def soon(line: Connection, address: str, fields: dict[str, Any]) -> None:
    """Asks sooner whether it is let in."""
    responses.FIRST_S = FIRST_S  # type: ignore[misc]
    bot_process.hasty(line, address, fields)


@pytest.mark.long
async def test_a_match_goes_on_once_the_address_is_no_longer_blocked(tmp_path: Path) -> None:
    people = [f"P{number}" for number in range(4)]
    async with running(tmp_path, people, auto_open=2, auto_next=2, sign_deadline=10, main=soon) as rig:
        await rig.start()
        remote = rig.remote
        tables = await one_in_each_channel(remote)
        async with playing(tables, (0.1, 0.3)):
            await asyncio.sleep(3)
        remote.air.rate_limits.shut_out()
        async with playing(tables, (0.1, 0.3)):
            await remote.until(lambda: bool(rig.logged("address.shut_out")), "the page")
        await asyncio.sleep(0.2)
        asked = remote.air.requests
        await asyncio.sleep(4)  # 0.5, 1 and 2 seconds
        assert remote.air.requests - asked <= 3, "nothing but the questions whether it is let in"
        remote.air.rate_limits.let_in()
        await remote.until(lambda: bool(rig.logged("address.let_in")), "the bot", 30)

        def has_gone_on() -> bool:
            return all(tuple(pauses(table)[-2:]) == PAUSED for table in read_running(rig.database).values())

        await remote.until(has_gone_on, "the clock", 20)
        logs = {key: len(table.log) for key, table in read_running(rig.database).items()}

        def all_play() -> bool:
            return all(len(table.log) > logs[key] for key, table in read_running(rig.database).items())

        async with playing(tables, (0.1, 0.3)):
            await remote.until(all_play, "moves", 30)
