"""The bot's machine has a wrong clock: panels follow, countdowns are right, and a restart finds the panels again."""

import re
import time
from pathlib import Path

import pytest

from bot.ui.table.verbs import TableVerb
from tests.rig.players import Group, Player, offers
from tests.rig.rig import running
from tests.rig.test_interrupted import PACE, PEOPLE, hunting

SLACK_S = 5


def countdowns(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"<t:(\d+):R>", text)]


async def put_down(group: Group, player: Player) -> None:
    """Put a card down; all panels show it, though nobody else presses anything."""
    chosen = offers(player.panel(), group.table_id)[TableVerb.PUT][0]

    def is_on_all_panels() -> bool:
        return all(f":take:{chosen.press.arg}" in str(member.panel()) for member in group.members)

    await group.remote.insist(lambda: player.press(chosen), is_on_all_panels, "the card on all panels")


@pytest.mark.slow
@pytest.mark.parametrize("ahead_s", [-3600, pytest.param(600, marks=pytest.mark.long)])
async def test_nothing_depends_on_the_clock_of_the_bots_machine(tmp_path: Path, ahead_s: int) -> None:
    async with running(tmp_path, PEOPLE, ahead_ms=ahead_s * 1000, **PACE) as rig:
        began = time.time() + ahead_s
        group = await hunting(rig)
        shown = [at for change in rig.remote.messages.values() for at in countdowns(change.text)]
        assert all(began - SLACK_S <= at for at in shown)
        for member in group.members:
            await member.open_hand()
        await put_down(group, group.members[0])
        await rig.stop()
        await rig.start()
        await put_down(group, group.members[1])
        assert len(rig.logged("clock.wrong")) == 2
        assert (rig.remote.missed, rig.remote.air.invalid) == ([], {})
