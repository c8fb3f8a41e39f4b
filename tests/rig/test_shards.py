"""One process with two shards: while one is cut off, the tables of its servers wait, and all others are played."""

import asyncio
from pathlib import Path

from bot.game.events import MatchPaused, MatchResumed
from bot.ui.table.verbs import TableVerb
from tests.rig.air import Weather
from tests.rig.evidence import TableRecord, read_running
from tests.rig.players import Group, groups, playing
from tests.rig.rig import running

OUTAGE_S = 2.0
PAUSED = ("MatchPaused", "MatchResumed")


def pauses(table: TableRecord) -> list[str]:
    return [type(entry.event).__name__ for entry in table.log if isinstance(entry.event, MatchPaused | MatchResumed)]


async def test_an_outage_of_one_shard_pauses_only_its_own_tables(tmp_path: Path) -> None:
    people = [f"P{number}" for number in range(8)]
    async with running(tmp_path, people, guilds=2, shards=2, auto_open=2, auto_next=2, sign_deadline=10) as rig:
        await rig.start()
        here, there = groups(rig.remote, [4, 4], 1)
        # Discord says nothing of numbers of shards in a channel; the ids of servers do.
        channels = {(guild >> 22) % 2: channel for guild, channel in rig.remote.channels.items()}
        here.channel, there.channel = channels[0], channels[1]
        await asyncio.gather(here.sit_down(), there.sit_down())
        await here.play_until(TableVerb.HAND)
        await there.play_until(TableVerb.HAND)
        rig.remote.air.change(Weather(away=True))
        await rig.remote.discord.gateway.drop(shard=1)

        def moves(group: Group) -> int:
            return len(read_running(rig.database)[group.table_id].log)

        def paused(group: Group) -> tuple[str, ...]:
            return tuple(pauses(read_running(rig.database)[group.table_id]))

        before = moves(here), moves(there)
        async with playing((here, there), (0.1, 0.3)):
            await asyncio.sleep(OUTAGE_S)
            await rig.remote.until(lambda: moves(here) > before[0] + 3, "moves at the table of the other shard")
            assert moves(there) <= before[1] + 1, "a move may have been under way"
            rig.remote.air.change(Weather())
            await rig.remote.until(lambda: paused(there) == PAUSED, "a match that goes on after a pause", 30)
        assert paused(here) == ()
        assert [line for line in rig.logged("shards.entered") if "shards=2" in line]
