"""What people see when the bot's storage fails or dawdles: a line for whoever pressed, and one on the table."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.discord.places.threads import THREAD_S
from bot.store.engine.database import Database
from bot.store.engine.failures import UnavailableError
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Lobby
from bot.ui.lobby.places import SAME_PRESS_MS
from tests.integration.harness import Harness
from tests.integration.table import Table

OUT_OF_ORDER = "n'arrive plus à enregistrer"
LOOKS_S = 0.5
"""Virtual seconds until what waits looks again: a timer, which the harness, unlike an event, need not wait for."""


@contextmanager
def stalled() -> Iterator[None]:
    """Whatever is asked of the database waits."""
    is_over, operation = False, Database._operation

    @asynccontextmanager
    async def waiting(database: Database) -> AsyncIterator[None]:
        while not is_over:
            await asyncio.sleep(LOOKS_S)
        async with operation(database):
            yield

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "_operation", waiting)
        try:
            yield
        finally:
            is_over = True


@contextmanager
def slow_to_write() -> Iterator[None]:
    """New tables wait."""
    is_over, creating = asyncio.Event(), SqlTableStore.create

    async def waiting(store: SqlTableStore, lobby: Lobby) -> int:
        while not is_over.is_set():
            await asyncio.sleep(0.1)
        return await creating(store, lobby)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqlTableStore, "create", waiting)
        try:
            yield
        finally:
            is_over.set()


@contextmanager
def broken(folder: Path) -> Iterator[None]:
    """The database has lost its events."""
    with closing(sqlite3.connect(folder / "kems.db")) as other:
        other.execute("ALTER TABLE events RENAME TO gone")
        yield
        other.execute("ALTER TABLE gone RENAME TO events")


async def test_the_table_says_when_the_database_fails_and_goes_on_by_itself(
    tmp_path: Path, harness: Harness, table: Table
) -> None:
    hand, board = table.hand("Bruno"), table.board()
    with broken(tmp_path):
        assert "enregistré" in await table.press("Bruno", f"put:{hand[0]}")
        assert OUT_OF_ORDER in await table.settle()
        assert OUT_OF_ORDER in await table.later(5)
    await harness.advance(3)
    assert table.board() == board
    await table.press("Bruno", f"put:{hand[1]}")
    assert table.hand("Bruno") == [hand[0], *hand[2:]]
    await table.act("Bruno", f"take:{hand[1]}")

    # A stalled storage is told within a second.
    hand = table.hand("Bruno")
    with stalled():
        await table.press("Bruno", f"put:{hand[0]}")
        await table.press("Dora", "kems")
        await harness.advance(1)
        for name in ("Bruno", "Dora"):
            assert harness[name].told == "Un instant…"
        assert OUT_OF_ORDER in await table.settle()
    assert OUT_OF_ORDER not in await table.later(3)
    # Bruno's card was being saved and got through; Dora's call had not begun and never happened.
    assert hand[0] in table.pool()
    assert table.score() == (0, 0)


async def test_a_quick_start_saved_late_is_found_by_the_retry(harness: Harness) -> None:
    table, lea = Table(harness), harness["Léa"]
    await lea.slash("kems start")
    await lea.click("❔ Aide")
    await harness.advance(SAME_PRESS_MS / 1000)
    with slow_to_write():
        for presses in range(1, 4):
            await table.forge("Léa", "k1:0:play")
            await harness.advance(THREAD_S + 1)  # "thinking" is shown meanwhile
            assert sum("Pas encore fait" in message.text for message in lea.newest()) == presses
    await harness.advance(3)
    await table.forge("Léa", "k1:0:play")
    assert "Votre équipe : vous et 🤖" in table.panel("Léa").text
    assert len(harness.bot.rooms.directory.tables()) == len(harness.channel.threads) == 1
    await harness.advance(SAME_PRESS_MS / 1000)
    await table.forge("Léa", "k1:0:play")
    assert "Votre équipe : vous et 🤖" in table.panel("Léa").text
    assert len(harness.bot.rooms.directory.tables()) == 1, "who plays here is led to that match"


async def test_a_table_saved_late_is_found_by_the_retry_with_its_people(harness: Harness) -> None:
    lea = harness["Léa"]
    with stalled():  # the settings are read before the table is opened
        await lea.slash("kems start")
        await harness.advance(1)
    await harness.advance(3)
    assert len(harness.bot.rooms.directory.open_lobbies()) == 0
    with slow_to_write():
        for _ in range(3):
            await lea.slash("kems start")
            await harness.advance(1)
            assert "Pas encore fait" in lea.told
    await harness.advance(3)
    (lobby,) = harness.bot.rooms.directory.open_lobbies()
    await lea.slash("kems start", rules="yokai")
    link = f"https://discord.com/channels/{harness.guild.id}/{harness.channel.id}/{lobby.place.message_id}"
    assert lea.told == f"Votre table est déjà ouverte : {link}"
    assert harness.bot.rooms.directory.open_lobbies() == (lobby,)
    await harness.advance(SAME_PRESS_MS / 1000)
    await lea.slash("kems start", rules="yokai")
    assert len(harness.bot.rooms.directory.open_lobbies()) == 2, "that was a new wish"

    with stalled():
        await harness["Bruno"].click("Rejoindre")
        await harness.advance(1)
        assert "Pas encore fait" in harness["Bruno"].told
    await harness.advance(3)
    assert "Bruno" in harness["Léa"].last(ephemeral=False).text


async def test_a_person_who_asks_for_deletion_is_answered_at_once_and_at_its_end(
    tmp_path: Path, harness: Harness
) -> None:
    lea = harness["Léa"]
    await lea.slash("kems privacy delete")
    with stalled():
        await lea.click("k1:0:forget")
        await harness.advance(5)
        assert "en cours d'effacement" in lea.told
    await harness.advance(1)
    assert "Vos données sont effacées." in lea.told
    await harness.advance(3600)  # a person erases their data once an hour
    await lea.slash("kems privacy delete")
    with closing(sqlite3.connect(tmp_path / "kems.db")) as other:
        other.execute("ALTER TABLE voids RENAME TO gone")
        await lea.click("k1:0:forget")
        await harness.settle()
        assert "Tout n'est pas encore effacé" in lea.told
        other.execute("ALTER TABLE gone RENAME TO voids")


@contextmanager
def gone() -> Iterator[None]:
    """The database can be reached by nobody."""

    @asynccontextmanager
    async def refuse(_database: Database) -> AsyncIterator[None]:
        raise UnavailableError("The database is gone.")
        yield

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "_operation", refuse)
        yield


async def test_an_outage_is_logged_in_single_lines_whatever_people_do(harness: Harness, table: Table) -> None:
    shown, hand = table.message(), table.hand("Bruno")
    with capture_logs() as logs:
        with gone():
            await table.press("Bruno", f"put:{hand[0]}")
            await harness["Dora"].react("👀", shown)
            await harness["Léa"].say("🍀", reply_to=shown)
            await harness.advance(1)
            assert "n'a pas pu être enregistré" in table.panel("Léa").text
            for command in (
                "leave",
                "table pause",
                "table end",
                "hand",
                "records history",
                "records stats",
                "leaderboard",
                "start",
            ):
                await harness["Chloé"].slash(f"kems {command}")
            await harness["Léa"].slash("kems-admin rules list")
            await harness["Émile"].suggestions("kems start", "rules")
            await harness.advance(120)
        await harness.advance(30)
    assert [entry for entry in logs if "exc_info" in entry or entry["log_level"] in ("error", "critical")] == []
    events = {entry["event"] for entry in logs}
    assert events >= {"press.not_saved", "gesture.not_saved", "deadline.not_saved", "choices.not_read"}
    assert all("\n" not in str(value) for entry in logs for value in entry.values())
