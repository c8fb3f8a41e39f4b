"""A whole match by the `classic` rules: slash commands, presses, reactions and calls of four members, nothing else."""

import re
from pathlib import Path

import pytest

from bot.records.history import MatchRecord
from bot.store.engine.database import Database
from bot.store.records.history import SqlHistory
from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, begun, settings_for


@pytest.mark.parametrize("target", [4, pytest.param(10, marks=pytest.mark.long)])
async def test_a_classic_match_is_played_to_its_end(target: int, tmp_path: Path, harness: Harness) -> None:
    table = await begun(harness, rules="classic", players=4, target=target)
    await table.agree()
    await _round_with_all_that_can_happen(table)
    assert table.score() == (1, -1)

    await table.next_round("Bruno")
    await table.gather("Bruno")
    await table.after(table.counter("Léa", "Bruno"))
    assert "CONTRE" in table.board().upper()
    assert table.score() == (2, -1)

    for points in range(4, target + 1, 2):
        await table.next_round("Dora")
        await table.gather("Léa", "Chloé")
        await table.act("Léa", "double")
        assert table.score() == (points, -1)
    assert table.message().control("🔁 Revanche") is not None

    match = await _read_back(tmp_path, table.id)
    assert [seat.name for seat in match.seats] == list(PEOPLE)
    assert (match.result.winner, match.result.scores, match.result.rounds) == (0, (target, -1), 1 + target // 2)


async def _round_with_all_that_can_happen(table: Table) -> None:
    harness = table.harness
    await table.open_hunt()
    await _false_counter(table)
    await _refused_sweep(table)

    await table.gather("Léa")
    await harness["Bruno"].slash("kems sign", gesture="🍀🍀")
    await harness["Chloé"].say(f"<@{harness.bot.user.id}> ☕")
    assert "Bruno 🍀🍀" in await table.after(harness["Léa"].react("👀", table.message()))
    assert "Chloé ☕" in table.board()
    assert "Léa 👀" in table.board()
    await table.act("Chloé", "kems")
    told = table.board().replace("**", "")
    assert "KEM'S !" in told
    for name in PEOPLE:
        assert any(name in line and line.count(" ") >= 4 for line in told.splitlines()), "all hands are laid open"
    assert re.search(r"Gestes : Léa 👀 \d:", told), "the end of the match tells whether it was the sign"


def _can_counter(table: Table, name: str) -> bool:
    return any(table.can_press(name, f"counter_at:{seat}") for seat in range(len(PEOPLE)))


async def _false_counter(table: Table) -> None:
    """Bruno is wrong about Léa: his team loses a point, she shows two cards to him alone, he may counter no more."""
    await table.after(table.counter("Bruno", "Léa"))
    assert table.score() == (0, -1)
    await table.after(table.show("Léa"))
    await table.harness.advance(6)  # then the news of the counter is gone
    assert [name for name in PEOPLE if table.member(name).reads("montrées par Léa")] == ["Bruno"]
    assert [name for name in PEOPLE if not _can_counter(table, name)] == ["Bruno"]


async def _refused_sweep(table: Table) -> None:
    """Bruno refuses a sweep: nobody may ask again before he has exchanged a card. Then all agree."""
    before = table.pool()
    await table.harness.advance(6)
    await table.press("Léa", "sweep")
    await table.press("Bruno", "no")
    await table.harness.advance(6)
    assert all(not table.can_press(name, "sweep") for name in PEOPLE)
    assert "Bruno" in next(line for line in table.board().splitlines() if "doit échanger" in line)
    assert sorted(table.pool()) == sorted(before)
    await table.exchange_anything("Bruno")
    left = table.pool()
    await table.sweep()
    assert not set(left) & set(table.pool())


async def _read_back(folder: Path, table_id: int) -> MatchRecord:
    database = Database(settings_for(folder).database_url)
    try:
        match = await SqlHistory(database).match(table_id)
    finally:
        await database.close()
    assert isinstance(match, MatchRecord)
    return match
