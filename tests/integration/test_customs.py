"""What a server has chosen holds for the tables that are opened in it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.store.engine.database import Database
from bot.store.tables.servers import SqlServerStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.options import Absence
from bot.tables.server_settings import ServerSettings
from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import kems, settings_for


@asynccontextmanager
async def database_of(folder: Path) -> AsyncIterator[Database]:
    database = Database(settings_for(folder).database_url)
    try:
        yield database
    finally:
        await database.close()


async def choose(folder: Path, harness: Harness, **changes: Any) -> ServerSettings:
    async with database_of(folder) as database:
        return await SqlServerStore(database).change(harness.guild.id, lambda before: replace(before, **changes))


@pytest.mark.parametrize("locale", ["fr", "en-US"])
async def test_tables_are_opened_in_the_chosen_channels_alone(tmp_path: Path, locale: str) -> None:
    not_here, join, gone = {
        "fr": ("On n'ouvre pas de table ici : c'est par là, <#{}>.", "Rejoindre", "n'existent plus"),
        "en-US": ("No table may be opened here: go to <#{}>.", "Join", "are gone"),
    }[locale]
    async with kems(tmp_path, table_threads=True, locale=locale, people=(*PEOPLE, "Emil")) as harness:
        played, elsewhere = harness.channel, harness.guild.create_text_channel("autre")
        await choose(tmp_path, harness, table_channels=(played.id, 1))
        harness.channel = elsewhere
        await harness["Léa"].slash("kems start")
        refused = harness["Léa"].last()
        assert refused.text == not_here.format(played.id)
        assert refused.ephemeral
        harness.channel = played
        await harness["Léa"].slash("kems start")
        assert harness["Bruno"].last().channel_id == played.id
        for name in ("Bruno", "Chloé", "Dora"):
            await harness[name].click(join)
        await harness["Léa"].click({"fr": "Commencer", "en-US": "Start"}[locale])
        await harness.advance(2.6)
        (harness.channel,) = played.threads
        await harness["Emil"].slash("kems start")
        assert harness["Chloé"].last().control(join) is not None, "a thread belongs to its channel"
        await choose(tmp_path, harness, table_channels=(1,))
        harness.channel = played
        await harness["Léa"].slash("kems start")
        assert gone in harness["Léa"].last().text


async def test_nor_is_there_another_way_to_open_one(tmp_path: Path) -> None:
    """By the quick start, by bringing a table here, or by opening one anew that nobody started."""
    async with kems(tmp_path, lobby_minutes=1) as harness:
        await harness["Léa"].slash("kems start")
        message = harness["Léa"].last(ephemeral=False)
        elsewhere = harness.guild.create_text_channel("ailleurs")
        await choose(tmp_path, harness, table_channels=(elsewhere.id,))
        refused = f"On n'ouvre pas de table ici : c'est par là, <#{elsewhere.id}>."
        assert await harness["Bruno"].forge("k1:0:quick", message) == refused
        await harness["Léa"].slash("kems move", table=1)
        assert harness["Léa"].last(ephemeral=True).text == refused
        await harness.advance(61)
        assert await harness["Bruno"].forge("k1:1:reopen", message) == refused
        await choose(tmp_path, harness, table_channels=())
        opened = f"La nouvelle table est dans <#{harness.channel.id}>."
        assert await harness["Bruno"].forge("k1:1:reopen", message) == opened


async def test_a_server_speaks_the_language_that_it_chose(tmp_path: Path, harness: Harness) -> None:
    await choose(tmp_path, harness, language="en")
    await harness["Léa"].slash("kems start")
    lobby = harness["Bruno"].last()
    assert (lobby.ephemeral, lobby.control("Join") is not None) == (False, True)
    await harness["Bruno"].slash("kems hand")
    assert "Vous n'êtes" in harness["Bruno"].last().text, "in private everybody is answered in their own"


async def test_a_table_waits_for_people_as_its_server_chose_unless_its_host_does(tmp_path: Path) -> None:
    async with kems(tmp_path) as harness, database_of(tmp_path) as database:
        await choose(tmp_path, harness, absence=Absence.WAIT, afk_seconds=120)
        await harness["Léa"].slash("kems start")
        await harness.advance(6)
        await harness["Léa"].slash("kems start", absence="end")
        saved = [await SqlTableStore(database).load(number) for number in (1, 2)]
        assert [lobby and (lobby.absence, lobby.afk_seconds) for lobby in saved] == [
            (Absence.WAIT, 120),
            (Absence.END, 120),
        ]
