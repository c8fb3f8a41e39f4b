"""A running table is a picture and two lines: round and phase, who took what. It rests and ends in words."""

import asyncio
from dataclasses import replace

import pytest

from bot.art.drawing_queue import DrawingQueue
from bot.records.pictures import Picture, PictureFile, RunningTable
from bot.store.engine.database import Database
from bot.store.tables.servers import SqlServerStore
from tests.integration import simcord_patches
from tests.integration.harness import PEOPLE, Harness, Seen
from tests.integration.mishaps import forbid
from tests.integration.table import Table
from tests.integration.test_story import posted

pytestmark = pytest.mark.kems(table_pictures=1)


async def begun(harness: Harness, **options: object) -> Table:
    """The hunt of the first round."""
    table = Table(harness)
    await table.open(rules="classic", players=4, **options)
    await table.agree_at_once()
    await opened(table)
    return table


async def opened(table: Table) -> None:
    for name in PEOPLE:
        await table.press(name, "hand")
    dealer = next(name for name in PEOPLE if table.can_press(name, "open"))
    await table.press(dealer, "open")
    await table.settle()


def shown(table: Table) -> Seen:
    return posted(table)[-1]


def files(table: Table) -> list[str]:
    """The ids of the files at the newest public message."""
    harness = table.harness
    stored = simcord_patches.stored_messages(harness.env, shown(table).channel_id, harness["Léa"].id)
    return [file["id"] for message in stored if message.id == shown(table).id for file in message.attachments]


def middle(table: Table) -> str:
    (told,) = shown(table).pictures
    return told.removeprefix("Au milieu : ").partition(".")[0]


async def test_the_picture_shows_the_middle_the_people_and_the_score(harness: Harness) -> None:
    table = await begun(harness)
    message = shown(table)
    assert message.text.startswith("**Manche 1** · **La chasse est ouverte** · talon")
    assert message.text.count("\n") == 0, "nobody has taken anything"
    (told,) = message.pictures
    assert "Équipe 1 · 0 — 0 · Équipe 2" in told
    assert "① Léa · ② Bruno · ① Chloé · ② Dora" in told
    for words in ("Gestes", "Équipe 1", *PEOPLE):
        assert words not in message.text, "nothing is drawn and written"
    sign = table.offered("Bruno", "gesture")[0]
    await table.act("Bruno", f"gesture:{sign}")
    assert f"② Bruno {sign} ·" in shown(table).pictures[0]
    before = middle(table)
    put, take = table.hand("Léa")[0], table.offered("Léa", "take")[0]
    await table.press("Léa", f"put:{put}")
    await table.settle()
    assert "Léa (doit 1 carte)" in shown(table).pictures[0]
    await table.press("Léa", f"take:{take}")
    await table.settle()
    assert middle(table) != before
    assert shown(table).text.splitlines()[1].startswith("Léa ")

    # A table that rests says so in words, and a change of words keeps the file.
    await harness["Léa"].slash("kems table pause")
    await table.settle()
    assert "en pause" in shown(table).text
    assert "Gestes" in shown(table).text
    assert shown(table).pictures == ()
    await table.act("Léa", "resume")
    assert "Au milieu" in shown(table).pictures[0]
    (before,) = files(table)
    await table.later(30)
    await table.act("Bruno", "sweep")
    assert "balay" in shown(table).text
    assert files(table) == [before]


async def test_a_result_is_shown_in_words_and_the_next_round_as_a_picture(harness: Harness) -> None:
    table = await begun(harness, target=2)
    await table.act("Léa", "kems")
    assert "Faux Kem's" in shown(table).text
    assert shown(table).pictures == ()
    assert files(table) == []
    await table.act("Bruno", "next")
    assert "Équipe 1 · 0 — 1 · Équipe 2" in shown(table).pictures[0]
    await opened(table)
    await table.act("Léa", "kems")
    (told,) = shown(table).pictures
    assert "Au milieu" not in told, "the match has a picture of its own"


async def test_a_server_that_wants_words_gets_words(harness: Harness, database: Database) -> None:
    change = SqlServerStore(database).change
    await change(harness.guild.id, lambda before: replace(before, has_table_picture=False))
    table = await begun(harness, target=3)
    assert shown(table).pictures == ()
    assert "Gestes" in shown(table).text
    await change(harness.guild.id, lambda before: replace(before, has_table_picture=True))
    await table.act("Léa", "kems")
    await table.act("Bruno", "next")
    assert "Au milieu" in shown(table).pictures[0], "the next round is drawn"


async def test_tables_are_written_while_more_matches_run_than_may_be_drawn(harness: Harness) -> None:
    first = await begun(harness)
    harness.enter("deux")
    second = await begun(harness)
    assert shown(second).pictures == ()
    assert "Gestes" in shown(second).text
    await first.settle()


async def test_a_table_is_written_when_the_bot_may_not_attach_files(harness: Harness) -> None:
    await forbid(harness, harness.channel.id, "attach_files")
    table = await begun(harness)
    assert shown(table).pictures == ()
    assert "Gestes" in shown(table).text


async def test_words_do_not_wait_for_a_drawing(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go, drawn = asyncio.Event(), DrawingQueue.draw
    may_go.set()

    async def draw(queue: DrawingQueue, picture: Picture) -> PictureFile:
        if isinstance(picture, RunningTable):
            await may_go.wait()
        return await drawn(queue, picture)

    monkeypatch.setattr(DrawingQueue, "draw", draw)
    table = await begun(harness)
    before = middle(table)
    may_go.clear()
    await table.swap("Léa", table.hand("Léa")[0], table.offered("Léa", "take")[0])
    await table.later(1.5)
    assert shown(table).text.splitlines()[1].startswith("Léa ")
    assert middle(table) == before, "the former picture stands"
    may_go.set()
    await table.settle()
    assert middle(table) != before
