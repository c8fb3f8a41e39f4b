"""A night whose bot is killed before it begins, while tables open, in play, as time is called, and at its end.

On PostgreSQL another process goes on with it.
"""

from pathlib import Path

import pytest

from tests.databases import migrated
from tests.rig.evidence import postgres_database
from tests.rig.nights import PEOPLE, play, play_with_two
from tests.rig.rig import running


@pytest.mark.slow
async def test_a_night_survives_a_kill_in_each_of_its_phases(tmp_path: Path) -> None:
    migrated(tmp_path)
    async with running(tmp_path, PEOPLE) as rig:
        night = await play(tmp_path, rig)
        await night.check()


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.usefixtures("postgres")
async def test_another_process_goes_on_with_a_night_in_the_middle_of_a_round(tmp_path: Path) -> None:
    async with postgres_database() as dsn, running(tmp_path, PEOPLE, database_url=dsn) as rig:
        night = await play_with_two(rig, dsn)
        await night.check()
