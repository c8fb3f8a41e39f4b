"""The gateway is away for two seconds: every match goes on by itself."""

import asyncio
from pathlib import Path

import pytest

from tests.rig.air import Weather
from tests.rig.evidence import read_running
from tests.rig.players import one_in_each_channel, playing
from tests.rig.rig import running
from tests.rig.test_shards import pauses

FLAP_S = 2.0


@pytest.mark.parametrize("forget", [False, True], ids=["resumed", "a new session"])
async def test_all_matches_go_on_after_a_flap_of_the_gateway(tmp_path: Path, forget: bool) -> None:
    people = [f"P{number}" for number in range(8)]
    async with running(tmp_path, people, guilds=2, shards=1, auto_open=2, auto_next=2, sign_deadline=10) as rig:
        await rig.start()
        tables = await one_in_each_channel(rig.remote)
        for _ in range(2):
            rig.remote.air.change(Weather(away=True))
            await rig.remote.discord.gateway.drop(forget=forget)
            await asyncio.sleep(FLAP_S)
            rig.remote.air.change(Weather())
            await asyncio.sleep(0.5)
        await asyncio.sleep(10)  # nobody presses, which would let a match go on as well
        for table in read_running(rig.database).values():
            assert pauses(table)[-2:] == ["MatchPaused", "MatchResumed"]
        async with playing(tables, (0.1, 0.3)):
            before = {key: len(table.log) for key, table in read_running(rig.database).items()}
            await asyncio.sleep(6)
            after = {key: len(table.log) for key, table in read_running(rig.database).items()}
        assert all(after[key] > before[key] for key in before), (before, after)
