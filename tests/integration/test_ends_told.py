"""What a crash, or damage, kept a table's message from saying is said by the next run of the bot, once."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.integration.harness import Harness, Seen
from tests.integration.table import dealt


def change(folder: Path, statement: str) -> None:
    """In the database of a bot that is not running."""
    with closing(sqlite3.connect(folder / "kems.db")) as database, database:
        assert database.execute(statement).rowcount > 0


def stored(folder: Path, columns: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / "kems.db")) as database:
        return database.execute(f"SELECT {columns} FROM tables ORDER BY id").fetchall()  # noqa: S608 - our own words


def public(harness: Harness) -> list[Seen]:
    return [message for message in harness["Dora"].messages() if not message.ephemeral]


@pytest.mark.parametrize(("status", "said"), [("expired", "Rouvrir"), ("cancelled", "fermée avant la fin")])
async def test_a_lobby_whose_end_was_not_shown(tmp_path: Path, status: str, said: str, harness: Harness) -> None:
    await harness["Léa"].slash("kems start")
    (message,) = public(harness)
    await harness.bot.close()
    change(tmp_path, f"UPDATE tables SET status = '{status}'")  # noqa: S608 - our own words
    await harness.restart(crash=True)  # it is closed already
    await harness.advance(2)
    (ended,) = public(harness)
    assert ended.id == message.id
    assert ended.control("Rejoindre") is None
    assert said in str(ended)
    assert stored(tmp_path, "message_final") == [(1,)]
    await harness.restart()
    assert harness.bot.parts.directory.closed_before == ()


@pytest.mark.parametrize("ahead_ms", [0, 2900])
@pytest.mark.kems(lobby_minutes=0)
async def test_a_lobby_that_was_posted_and_not_noted_is_not_posted_again(
    tmp_path: Path, harness: Harness, ahead_ms: int
) -> None:
    """Nor where the bot's clock, when the table was opened, was ahead of that which Discord numbers messages by."""
    await harness["Léa"].slash("kems start")
    (message,) = public(harness)
    await harness["Bruno"].say("On joue ?")
    await harness.bot.close()
    change(tmp_path, f"UPDATE tables SET message_id = NULL, opened_at = opened_at + {ahead_ms}")  # noqa: S608
    await harness.advance(3600)  # so long that Discord has forgotten who posted what
    await harness.restart(crash=True)
    await harness.advance(2)
    assert [one.id for one in public(harness) if one.controls] == [message.id]
    assert stored(tmp_path, "message_id") == [(message.id,)]
    await harness["Chloé"].click("Rejoindre")
    await harness.advance(2)
    assert "Chloé" in public(harness)[0].text


async def test_a_damaged_table_says_so_and_is_closed(tmp_path: Path, harness: Harness) -> None:
    table = await dealt(harness)
    board = table.message()
    await harness.bot.close()
    change(tmp_path, "DELETE FROM events WHERE seq = 3")
    await harness.restart(crash=True)
    await harness.advance(2)
    damaged = next(one for one in public(harness) if one.id == board.id)
    assert "ne peut pas continuer" in damaged.text
    assert damaged.controls == ()
    # Another table opens beside it, and is not affected.
    await harness["Bruno"].slash("kems start")
    assert "Bruno" in public(harness)[-1].text
    assert public(harness)[-1].control("Rejoindre") is not None
    damaged = {"1 — endommagée": 1}
    assert await harness["Léa"].suggestions("kems table end", "number", "endo") == damaged
    assert list(await harness["Léa"].suggestions("kems table end", "number")) == ["1 — endommagée", "2 — Bruno"]
    assert 1 not in (await harness["Léa"].suggestions("kems table pause", "number")).values()
    assert await harness["Dora"].suggestions("kems table end", "number") == {}, "she may not close it"
    assert "Réservé à l'hôte" in await harness["Dora"].agree("kems table end", number=1)
    assert "fermée" in await harness["Léa"].agree("kems table end", number=1)
    await harness.advance(2)
    closed = next(one for one in public(harness) if one.id == board.id)
    assert "elle est fermée" in closed.text
    assert stored(tmp_path, "status, message_final") == [("cancelled", 1), ("open", 0)]
    await harness.restart()
    await harness.advance(2)
    assert next(one for one in public(harness) if one.id == board.id) == closed
