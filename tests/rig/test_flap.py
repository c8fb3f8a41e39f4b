"""The gateway is away for two seconds, again and again: every match goes on by itself."""

import asyncio
from pathlib import Path

from tests.rig.air import Weather
from tests.rig.evidence import read_running
from tests.rig.players import one_in_each_channel, playing
from tests.rig.rig import Rig, running
from tests.rig.test_shards import PAUSED, pauses

FLAP_S = 2.0


async def flap(rig: Rig, *, forget: bool) -> None:
    rig.remote.air.change(Weather(away=True))
    await rig.remote.discord.gateway.drop(forget=forget)
    await asyncio.sleep(FLAP_S)
    rig.remote.air.change(Weather())


async def test_all_matches_go_on_after_repeated_gateway_failures(tmp_path: Path) -> None:
    people = [f"P{number}" for number in range(8)]
    async with running(tmp_path, people, guilds=2, shards=1, auto_open=2, auto_next=2, sign_deadline=10) as rig:
        await rig.start()
        tables = await one_in_each_channel(rig.remote)

        def all_have_gone_on(pauses_before: int) -> bool:
            found = [pauses(table) for table in read_running(rig.database).values()]
            return all(len(one) > pauses_before and tuple(one[-2:]) == PAUSED for one in found)

        for forget in (False, True):  # the session is resumed, or is a new one
            before = max(len(pauses(table)) for table in read_running(rig.database).values())
            for _ in range(2):
                await flap(rig, forget=forget)
                await asyncio.sleep(0.5)
            # Nobody presses, which would let a match go on as well.
            await rig.remote.until(lambda: all_have_gone_on(before), "matches that go on by themselves", 40)  # noqa: B023
        logs = {key: len(table.log) for key, table in read_running(rig.database).items()}

        def all_play() -> bool:
            return all(len(table.log) > logs[key] for key, table in read_running(rig.database).items())

        async with playing(tables, (0.1, 0.3)):
            await rig.remote.until(all_play, "moves at all tables", 30)
