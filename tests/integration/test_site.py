"""`kems site`: the pages of a server that has played, while its bot runs."""

import asyncio
import re
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.base.errors import KemsError, StoreError
from bot.operating import operations
from bot.store.engine.database import Database
from bot.tables.open_matches import RETRY_MS
from tests.browser.pages import PHONE, WIDE, launched
from tests.integration.evening import MINUTE, Evening
from tests.integration.harness import BRUNO, CHLOE, DORA, LEA, PEOPLE, Harness
from tests.integration.table import hunting, kems, settings_for
from tests.store.conftest import execute, opened, scalars

HOSTILE = "<script>x</script>"
WIDTH_OPENED = """() => {
    for (const each of document.querySelectorAll("details")) each.open = true;
    return document.documentElement.scrollWidth;
}"""


class Page(HTMLParser):
    """The words of a page, its links and its elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.links, self.tags = "", set[str](), set[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links.update(value or "" for name, value in attributes if name in ("href", "src"))

    def handle_data(self, data: str) -> None:
        self.text += data


class Written:
    """The database of a server that has played, and its site."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database = database
        self.folder = folder / "site"
        self._settings = settings_for(folder)

    async def write(self, **options: object) -> dict[str, Page]:
        chosen = {"server": None, "title": "Kem's", "language": None, "most": 200, **options}
        await operations.write_site(self._settings, self.folder, **chosen)  # type: ignore[arg-type]
        pages = {file.name: Page(file.read_text()) for file in self.folder.glob("*.html")}
        for page in pages.values():
            assert all((self.folder / link).exists() for link in page.links), page.links
            assert not page.tags & {"script", "img", "iframe"}
        return pages


async def match(harness: Harness) -> int:
    """The number of a match that Léa loses at once, in the channel where everybody is."""
    table = await hunting(harness, target=1)
    await harness[LEA].say("«tout va bien»")
    await table.act(LEA, "kems")
    assert "🏆" in table.board()
    await harness.advance(5)
    return table.id


async def play(folder: Path) -> None:
    """A match and a night in an open channel, a match in a hidden one, and one to practise in a private thread."""
    async with kems(folder) as harness, opened(settings_for(folder).database_url) as database:
        shown, everyone = harness.channel, harness.guild.default_role
        assert await match(harness) == 1
        seeing = discord.PermissionOverwrite(view_channel=True)
        hidden: dict[Any, Any] = {everyone: discord.PermissionOverwrite(view_channel=False)}
        hidden |= dict.fromkeys((harness.bot.user, *(harness[name].actor for name in PEOPLE)), seeing)
        harness.channel = harness.guild.create_text_channel("secret", overwrites=hidden)
        assert await match(harness) == 2
        harness.channel = shown
        evening = Evening(harness)
        await evening.begun(rounds="1")
        await evening.enter(1, "10-4")
        await evening.enter(2, "3 à 10")
        await harness.advance(5 * MINUTE)
        await harness[CHLOE].slash("kems privacy boards", shown=False)
        await harness[DORA].slash("kems privacy delete")
        await harness[DORA].press("Tout effacer")
        await harness[LEA].slash("kems practice")
        await execute(database, "UPDATE seats SET name = :name WHERE name = 'Bruno'", name=HOSTILE)
        await execute(database, "UPDATE nights SET title = :title", title=f"<b>Soirée</b> <@{harness[LEA].id}>")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("played")
    asyncio.run(play(folder))
    return (folder / "kems.db").read_bytes()


@pytest.fixture
async def written(tmp_path: Path, played: bytes) -> AsyncIterator[Written]:
    (tmp_path / "kems.db").write_bytes(played)
    async with opened(settings_for(tmp_path).database_url) as database:
        yield Written(database, tmp_path)


async def test_pages_show_what_everybody_may_see(written: Written) -> None:
    known = await scalars(written.database, "SELECT open_channel_id IS NOT NULL FROM tables ORDER BY id")
    assert known == [True, False, True, True, False], "a hidden channel, two threads of an open one, a private thread"
    pages = await written.write()
    assert {*pages} >= {"index.html", "matches.html", "season-1.html", "night-1.html", "match-1.html"}
    assert "match-2.html" not in pages
    match = pages["match-1.html"].text
    assert f"joueur, {LEA}" in match or f"{LEA}, joueur" in match, "she played with Chloé, who is off the boards"
    assert HOSTILE in match
    assert "tout va bien" not in match, "no gesture of the game"
    assert "Les cartes sont distribuées" in match
    assert "<b>Soirée</b>" in pages["night-1.html"].text
    assert LEA in pages["season-1.html"].text.partition("Championnat")[2]
    for name, page in pages.items():
        assert not re.search(r"\d{17}", name + page.text), "no id of Discord"
        assert CHLOE not in page.text
        assert DORA not in page.text
        assert "secret" not in page.text


async def test_planned_nights_of_open_channels_are_a_calendar(written: Written) -> None:
    await execute(written.database, "UPDATE nights SET status = 'planned', title = 'Soirée d''essai'")
    pages = await written.write()
    assert "Soirée d'essai" in pages["index.html"].text, "the next night"
    feed = (written.folder / "nights.ics").read_bytes()
    assert feed.startswith(b"BEGIN:VCALENDAR\r\n")
    assert feed.count(b"BEGIN:VEVENT") == 1
    assert b"SUMMARY:Soir\xc3\xa9e d'essai" in feed
    assert not re.search(rb"\d{17}", feed), "no id of Discord"
    await execute(written.database, "UPDATE tables SET open_channel_id = NULL")
    await written.write()
    assert b"VEVENT" not in (written.folder / "nights.ics").read_bytes(), "the channel is hidden now"


async def test_the_folder_keeps_files_that_do_not_belong_to_the_site(written: Written) -> None:
    await written.write(language="en")
    (written.folder / "CNAME").write_text("kems.example")
    await execute(written.database, "UPDATE tables SET open_channel_id = NULL")
    pages = await written.write(language="en")
    assert {*pages} == {"index.html", "matches.html", "season-1.html"}, "the channel is hidden now"
    assert "Season 1" in pages["index.html"].text
    assert (written.folder / "CNAME").read_text() == "kems.example"
    (written.folder / ".kems-site").write_text("")
    with pytest.raises(KemsError, match=r"style\.css was not written by `kems site`"):
        await written.write()
    (written.folder / ".kems-site").unlink()
    with pytest.raises(KemsError, match="holds files that `kems site` did not write"):
        await written.write()


async def test_a_channel_that_is_hidden_is_noticed_at_once_or_by_the_next_bot(
    harness: Harness, database: Database
) -> None:
    shown = "SELECT open_channel_id IS NOT NULL FROM tables ORDER BY id"
    hidden = Overwrite(
        harness.guild.default_role.id, OverwriteType.ROLE, deny=discord.Permissions(view_channel=True).value
    )
    await harness[LEA].slash("kems start")
    assert await scalars(database, shown) == [True]
    harness.env.backend.set_overwrite(harness.channel.id, hidden)
    await harness.settle()
    assert await scalars(database, shown) == [False]
    harness.enter("ailleurs")
    await harness[BRUNO].slash("kems start")
    await harness.bot.close()
    harness.env.backend.set_overwrite(harness.channel.id, hidden)
    assert await scalars(database, shown) == [False, True]
    await harness.restart()
    await harness.settle()
    assert await scalars(database, shown) == [False, False]


async def test_a_hidden_channel_is_hidden_although_the_database_refuses_once(
    harness: Harness, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await harness[LEA].slash("kems start")
    store, tries = harness.bot.rooms.directory._store, list[Any]()
    save_open_channels = store.save_open_channels

    async def once(*given: Any) -> None:
        tries.append(given)
        if len(tries) == 1:
            raise StoreError("full")
        await save_open_channels(*given)

    monkeypatch.setattr(store, "save_open_channels", once)
    everyone, deny = harness.guild.default_role.id, discord.Permissions(view_channel=True).value
    harness.env.backend.set_overwrite(harness.channel.id, Overwrite(everyone, OverwriteType.ROLE, deny=deny))
    await harness.settle()
    await harness.advance(RETRY_MS / 1000 + 1)
    assert len(tries) == 2
    assert await scalars(database, "SELECT open_channel_id FROM tables") == [None]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("languages", "widths"), [(["fr"], [PHONE]), pytest.param(["fr", "en"], [PHONE, WIDE], marks=pytest.mark.long)]
)
async def test_no_page_is_wider_than_the_screen(written: Written, languages: list[str], widths: list[int]) -> None:
    async with launched() as browser:
        for language in languages:
            pages = await written.write(language=language)
            for width in widths:
                page = await browser.new_page(viewport={"width": width, "height": 844})
                for name in pages:
                    await page.goto((written.folder / name).as_uri())
                    assert await page.evaluate(WIDTH_OPENED) <= width, (name, width)
                await page.close()
