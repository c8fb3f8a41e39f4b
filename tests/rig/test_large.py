"""The short form of the simulated large install: `python -m tests.rig.large` measures the long one."""

from pathlib import Path

import pytest

from tests.rig.large import large


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.usefixtures("postgres")
async def test_live_tables_of_many_servers_answer_after_a_restart(tmp_path: Path) -> None:
    report = await large(tmp_path, servers=60, tables=20, shards=2, seconds=2.0, busy=4)
    print(report)
    assert report.presses > 0
    assert len(report.memory_mib) == 2
    logged = "".join(log.read_text("utf-8") for log in tmp_path.glob("*.log"))
    assert "event.unreadable" not in logged
    assert "table.unreadable" not in logged
