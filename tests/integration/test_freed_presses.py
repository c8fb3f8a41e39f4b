"""A press is freed once it is answered: it does not wait for the collector of garbage."""

import gc
from pathlib import Path

import discord

from tests.integration.table import hunting, kems
from tests.rig.crowd import uncollected


def presses() -> int:
    """How many presses are in memory, whatever class they are of."""
    interactions = [one for one in gc.get_objects() if isinstance(one, discord.Interaction)]
    return sum(one.type is discord.InteractionType.component for one in interactions)


async def test_presses_leave_nothing_behind_in_memory(tmp_path: Path) -> None:
    with uncollected():
        async with kems(tmp_path) as harness:
            table = await hunting(harness, rules="classic", players=4)
            for name in table.people:
                await table.exchange_anything(name)  # answered with the presser's panel
            await harness["Léa"].click(f"k1:{table.id}:help")  # answered with a new message
            await table.settle()
            assert presses() == 0
