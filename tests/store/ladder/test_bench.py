"""The ladder's benchmark in small: it runs, and no query of a page walks through a table."""

import re
from pathlib import Path

from bot.ladder.seasons import Board
from tests.bench.archive import build
from tests.bench.ladder import measured, plans

QUERIES = 3 * len(Board) + 10
BOARDS = ("shown", "wins", "kems", "counters", "baits", "duos")


def test_pages_and_upkeep_find_their_rows_by_an_index(tmp_path: Path) -> None:
    archive = tmp_path / "archive.db"
    build(archive, 600)
    timings = measured(archive, rounds=2)
    assert len(timings) == QUERIES
    for timing in timings.values():
        assert len(timing.in_database) == len(timing.in_all) == len(timing.reference) == 2
    found = [plans(archive, timing) for timing in timings.values()]
    assert all(found)
    told = "\n".join(line for lines in found for line in lines)
    assert told.count("SEARCH") >= 60
    assert not re.search(r"SCAN (?!anon_1|\(subquery)", told), "a whole table is read"
    for index in (
        *(f"ix_board_{name}" for name in BOARDS),
        "ix_plays_guild_id",
        "ix_results_guild_id",
        "ix_tables_ended",
        "ix_board_fresh",
    ):
        assert index in told
