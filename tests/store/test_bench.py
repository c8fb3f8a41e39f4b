"""The ladder's benchmark in small: it runs, and no query of a page walks through a table."""

from __future__ import annotations

import re

import pytest

from tests.bench.ladder import bench_ladder


def test_pages_and_upkeep_find_their_rows_by_an_index(capsys: pytest.CaptureFixture[str]) -> None:
    bench_ladder(600, rounds=2)
    out = capsys.readouterr().out
    assert len(re.findall(r"^  .{26} +\d+\.\d\d ms in the database, .* x the reference$", out, re.MULTILINE)) == 10
    assert "600 finished matches" in out
    plans = out[out.index("plan of") :]
    assert plans.count("plan of") == 10
    assert plans.count("SEARCH") >= 25
    assert not re.search(r"SCAN (?!anon_1)", plans), "a whole table is read"
    for index in ("ix_board_shown", "ix_board_wins", "ix_board_duos", "ix_plays_guild_id", "ix_results_guild_id"):
        assert index in plans
