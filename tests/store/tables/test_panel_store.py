"""How private panels are reached is remembered, encrypted, and for no longer than it is good for something."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.store.engine.database import Database
from bot.store.schema.tables import PanelRow
from bot.store.tables.panel_store import Cipher, SqlPanelStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.table_store import OpenPanel
from tests.store.conftest import scalars
from tests.store.matches import BIG, lobby

NOW = 1_800_000_000_000
TOKEN = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTA"
CIPHER = Cipher("a bot's token")


@pytest.fixture
async def panel(database: Database) -> OpenPanel:
    """A panel at a table that is there."""
    table_id = await SqlTableStore(database).create(lobby())
    return OpenPanel(table_id, BIG + 10, 1, "sign", "fr", 1, NOW, BIG + 20, TOKEN)


async def stored(database: Database) -> list[PanelRow]:
    return await scalars(database, select(PanelRow))


async def test_a_panel_is_saved_as_it_was_last(database: Database, panel: OpenPanel) -> None:
    panels = SqlPanelStore(database, CIPHER)
    other = replace(panel, user_id=panel.user_id + 2, seat=0)
    await panels.save([panel, other], [], since=0)
    newer = replace(panel, made_at=NOW + 5, page="hand", token="another-one")
    await panels.save([newer], [], since=0)
    assert await panels.load(NOW, (panel.table_id,)) == (other, newer)
    await panels.save([], [other.key], since=0)
    assert await panels.load(NOW, (panel.table_id,)) == (newer,)


async def test_expired_panels_are_deleted(database: Database, panel: OpenPanel) -> None:
    panels = SqlPanelStore(database, CIPHER)
    other = replace(panel, user_id=panel.user_id + 2, made_at=NOW + 2)
    await panels.save([panel, other], [], since=0)
    assert await panels.load(NOW + 1, (panel.table_id,)) == (other,)
    await panels.save([], [], since=NOW + 3)
    assert await stored(database) == []


async def test_a_deleted_table_deletes_only_its_own_panels(database: Database, panel: OpenPanel) -> None:
    panels = SqlPanelStore(database, CIPHER)
    await panels.save([replace(panel, table_id=panel.table_id + 1), panel], [], since=0)
    assert await panels.load(NOW, (panel.table_id,)) == (panel,)


async def test_a_panel_is_not_saved_when_its_player_has_left_the_table(database: Database, panel: OpenPanel) -> None:
    await SqlPanelStore(database, CIPHER).save([replace(panel, user_id=BIG + 99), panel], [], since=0)
    assert {row.user_id for row in await stored(database)} == {panel.user_id}


async def test_a_bot_with_another_token_reads_and_keeps_no_panels(database: Database, panel: OpenPanel) -> None:
    await SqlPanelStore(database, CIPHER).save([panel], [], since=0)
    assert await SqlPanelStore(database, Cipher("another bot's token")).load(NOW, (panel.table_id,)) == ()
    assert await stored(database) == []


async def test_the_database_does_not_hold_the_token(database: Database, panel: OpenPanel, tmp_path: Path) -> None:
    await SqlPanelStore(database, CIPHER).save([panel], [], since=0)
    (row,) = await stored(database)
    assert TOKEN not in row.token
    assert CIPHER.decrypt(row.token) == TOKEN
    files = [file.read_bytes() for file in tmp_path.iterdir()]
    assert all(TOKEN.encode() not in content for content in files)
    if database.file is not None:
        assert any(row.token.encode() in content for content in files), "it is looked for where it would be"


def test_encrypted_text_can_be_neither_read_nor_changed() -> None:
    encrypted = CIPHER.encrypt(TOKEN)
    assert CIPHER.encrypt(TOKEN) != encrypted
    assert Cipher("a bot's token").decrypt(encrypted) == TOKEN
    assert Cipher("a bot's tokeN").decrypt(encrypted) is None
    assert CIPHER.decrypt(encrypted[:-6] + "AAAA==") is None
    assert CIPHER.decrypt("é") is None


def test_no_text_of_a_panel_shows_its_token() -> None:
    assert TOKEN not in repr(OpenPanel(1, 2, 3, "hand", "fr", 1, NOW, 4, TOKEN))
