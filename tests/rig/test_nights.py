"""A night whose bot is killed before it begins, while tables open, in play, as time is called, and at its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.databases import migrated
from tests.rig.nights import PEOPLE, play
from tests.rig.rig import running


@pytest.mark.slow
async def test_a_night_survives_a_kill_in_each_of_its_phases(tmp_path: Path) -> None:
    migrated(tmp_path)
    async with running(tmp_path, PEOPLE) as rig:
        night = await play(tmp_path, rig)
        await night.check()
