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


async def test_the_end_of_a_lobby_is_shown_after_a_restart(tmp_path: Path, harness: Harness) -> None:
    for host in ("Léa", "Bruno"):
        await harness[host].slash("kems start")
    messages = public(harness)
    await harness.bot.close()
    for number, status in enumerate(("expired", "cancelled"), 1):
        change(tmp_path, f"UPDATE tables SET status = '{status}' WHERE id = {number}")  # noqa: S608 - our own words
    await harness.restart(crash=True)  # it is closed already
    await harness.advance(2)
    ended = public(harness)
    assert [one.id for one in ended] == [one.id for one in messages]
    for one, said in zip(ended, ("Rouvrir", "fermée avant la fin"), strict=True):
        assert one.control("Rejoindre") is None
        assert said in str(one)
    assert stored(tmp_path, "is_message_final") == [(1,), (1,)]
    await harness.restart()
    assert harness.bot.rooms.directory.closed_before == ()


@pytest.mark.kems(lobby_minutes=0)
async def test_a_lobby_that_was_posted_but_not_saved_is_not_posted_twice(tmp_path: Path, harness: Harness) -> None:
    """Nor where the bot's clock, when the table was opened, was ahead of that which Discord numbers messages by."""
    for channel, host in (("ici", "Léa"), ("ailleurs", "Bruno")):
        harness.enter(channel)
        await harness[host].slash("kems start")
        await harness["Fatou"].say("On joue ?")
    messages = [one.id for one in public(harness) if one.controls]
    assert len(messages) == 2
    await harness.bot.close()
    change(tmp_path, "UPDATE tables SET message_id = NULL, opened_at = opened_at + (id - 1) * 2900")
    await harness.advance(3600)  # so long that Discord has forgotten who posted what
    await harness.restart(crash=True)
    await harness.advance(2)
    assert [one.id for one in public(harness) if one.controls] == messages
    assert stored(tmp_path, "message_id") == [(message,) for message in messages]
    for message in [one for one in public(harness) if one.controls]:
        await harness["Chloé"].click("Rejoindre", message)
    await harness.advance(2)
    assert all("Chloé" in one.text for one in public(harness) if one.controls)


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
    assert stored(tmp_path, "status, is_message_final") == [("cancelled", 1), ("open", 0)]
    await harness.restart()
    await harness.advance(2)
    assert next(one for one in public(harness) if one.id == board.id) == closed
