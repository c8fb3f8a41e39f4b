"""The ladder's benchmark in small: it runs, and no query of a page walks through a table."""

from __future__ import annotations

import re

import pytest

from bot.ladder.boards import Board
from tests.bench.ladder import bench_ladder

QUERIES = 3 * len(Board) + 10
BOARDS = ("shown", "wins", "kems", "counters", "baits", "duos")


def test_pages_and_upkeep_find_their_rows_by_an_index(capsys: pytest.CaptureFixture[str]) -> None:
    bench_ladder(600, rounds=2)
    out = capsys.readouterr().out
    assert len(re.findall(r"^  .{26} +\d+\.\d\d ms in the database, .* x the reference$", out, re.MULTILINE)) == QUERIES
    assert "600 finished matches" in out
    plans = out[out.index("plan of") :]
    assert plans.count("plan of") == QUERIES
    assert plans.count("SEARCH") >= 60
    assert not re.search(r"SCAN (?!anon_1|\(subquery)", plans), "a whole table is read"
    for index in (
        *(f"ix_board_{name}" for name in BOARDS),
        "ix_plays_guild_id",
        "ix_results_guild_id",
        "ix_tables_ended",
        "ix_board_fresh",
    ):
        assert index in plans
