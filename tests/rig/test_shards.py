"""One process with two shards: while one is cut off, the tables of its servers wait, and all others are played."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.game.events import MatchPaused, MatchResumed
from bot.ui.table.verbs import TableVerb
from tests.rig.evidence import TableRecord, read_running
from tests.rig.players import groups
from tests.rig.rig import Rig, running
from tests.rig.wire import Weather

OUTAGE_S = 4.0


def pauses(table: TableRecord) -> list[str]:
    return [type(entry.event).__name__ for entry in table.log if isinstance(entry.event, MatchPaused | MatchResumed)]


async def until_paused(rig: Rig, table_id: int) -> None:
    async with asyncio.timeout(30):
        while not pauses(read_running(rig.database)[table_id]):
            await asyncio.sleep(0.1)


async def test_an_outage_of_one_shard_holds_its_own_tables_alone(tmp_path: Path) -> None:
    people = [f"P{number}" for number in range(8)]
    async with running(tmp_path, people, guilds=2, shards=2, auto_open=2, auto_next=2, sign_deadline=10) as rig:
        await rig.start()
        served = rig.remote.served
        here, there = groups(rig.remote, [4, 4], 1)
        # Discord says nothing of numbers of shards in a channel; the ids of servers do.
        channels = {(guild >> 22) % 2: channel for guild, channel in served.channels.items()}
        here.channel, there.channel = channels[0], channels[1]
        await asyncio.gather(here.sit_down(), there.sit_down())
        await here.play_until(TableVerb.HAND)
        await there.play_until(TableVerb.HAND)
        await rig.remote.weather(Weather(away=True))
        await rig.remote.drop_shard(1)
        before = {key: len(table.log) for key, table in read_running(rig.database).items()}
        players = [asyncio.create_task(player.play((0.1, 0.3))) for player in (*here.members, *there.members)]
        await asyncio.sleep(OUTAGE_S)
        during = {key: len(table.log) for key, table in read_running(rig.database).items()}
        assert during[here.table_id] > before[here.table_id] + 3
        assert during[there.table_id] <= before[there.table_id] + 1, "a move may have been under way"
        await rig.remote.weather(Weather())
        await until_paused(rig, there.table_id)
        for task in players:
            task.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        tables = read_running(rig.database)
        assert pauses(tables[there.table_id]) == ["MatchPaused", "MatchResumed"]
        assert pauses(tables[here.table_id]) == []
        assert [line for line in rig.logged("shards.entered") if "shards=2" in line]
