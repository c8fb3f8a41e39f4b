"""A result carries the film of the match's best moment: by itself, without a wait, once, and never at others' cost."""

import asyncio
from dataclasses import replace

import pytest

from bot.art.drawing_queue import DrawingQueue
from bot.records.pictures import Picture, PictureFile, RoundAnimation
from bot.store.engine.database import Database
from bot.store.tables.servers import SqlServerStore
from bot.ui.records import match_ends
from tests.integration.gathering import gather_at_once
from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table
from tests.integration.test_story import begun, posted
from tests.seen import Seen

pytestmark = pytest.mark.kems(seed=2)
"""With these deals a Kem's comes together in a few exchanges."""

FILM = "🎞 **1.** KEM'S ! Bruno · "


async def called(harness: Harness) -> Table:
    """A match that a true Kem's of Bruno's has ended."""
    table = await begun(harness, target=1)
    await gather_at_once(table, "Dora")
    await table.act("Bruno", "kems")
    return table


def is_filmed(result: Seen) -> bool:
    return FILM in result.text and len(result.pictures) == 2


class Studio:
    """Lets a film wait, or fail, while every other picture is drawn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.at_once, self.most = 0, 0, 0
        self.may_go = asyncio.Event()
        self.fails = False
        drawn = DrawingQueue.draw

        async def draw(queue: DrawingQueue, picture: Picture) -> PictureFile:
            if isinstance(picture, RoundAnimation):
                self.begun, self.at_once = self.begun + 1, self.at_once + 1
                self.most = max(self.most, self.at_once)
                try:
                    await self.may_go.wait()
                finally:
                    self.at_once -= 1
                if self.fails:
                    raise RuntimeError("no ink")
            return await drawn(queue, picture)

        monkeypatch.setattr(DrawingQueue, "draw", draw)


@pytest.fixture
def studio(monkeypatch: pytest.MonkeyPatch) -> Studio:
    return Studio(monkeypatch)


async def test_no_film_is_made_without_a_true_call_or_the_setting_or_while_many_matches_run(
    harness: Harness, database: Database, monkeypatch: pytest.MonkeyPatch, studio: Studio
) -> None:
    table = await begun(harness, target=1)
    await table.act("Léa", "kems")
    (result,) = posted(table)
    assert len(result.pictures) == 1
    assert "🎞" not in result.text

    servers = SqlServerStore(database)
    await servers.change(harness.guild.id, lambda before: replace(before, has_result_film=False))
    harness.enter("deux")
    *_, result = posted(await called(harness))
    assert len(result.pictures) == 1
    await servers.change(harness.guild.id, lambda before: replace(before, has_result_film=True))
    monkeypatch.setattr(match_ends, "MOST_RUNNING", -1)
    harness.enter("trois")
    *_, result = posted(await called(harness))
    assert len(result.pictures) == 1
    assert studio.begun == 0


async def test_the_result_waits_for_no_film(harness: Harness, studio: Studio) -> None:
    table = await called(harness)
    (result,) = posted(table)
    assert studio.at_once == 1
    assert len(result.pictures) == 1, "its own picture stands while the film is drawn"
    for name in PEOPLE[:2]:
        await harness[name].click("🔁 Revanche", result)
    await table.settle()
    assert "on attend Chloé et Dora" in posted(table)[0].text
    studio.may_go.set()
    await table.settle()
    (shown,) = posted(table)
    assert shown.id == result.id
    assert is_filmed(shown)
    assert "Dora — " in shown.pictures[1], "its words are for who does not see it"
    await harness["Chloé"].click("🔁 Revanche", shown)
    await table.settle()
    (shown,) = posted(table)
    assert "on attend Dora" in shown.text
    assert is_filmed(shown), "it is kept"


async def test_a_film_that_fails_is_left_out_silently(harness: Harness, studio: Studio) -> None:
    studio.fails = True
    studio.may_go.set()
    table = await called(harness)
    (before,) = posted(table)
    assert len(before.pictures) == 1
    assert "🎞" not in before.text
    await table.after(harness.restart())
    assert studio.begun == 1, "the result is complete: the next start reads nothing of it"


@pytest.mark.parametrize("crash", [pytest.param(False, marks=pytest.mark.long), True])
async def test_a_restart_while_a_film_is_drawn_loses_nothing(crash: bool, harness: Harness, studio: Studio) -> None:
    table = await called(harness)
    (before,) = posted(table)
    await harness.restart(crash=crash)
    studio.may_go.set()
    await table.settle()
    (shown,) = posted(table)
    assert shown.id == before.id
    assert is_filmed(shown)
    begun = studio.begun
    await table.after(harness.restart(crash=crash))
    assert [one.id for one in posted(table)] == [before.id]
    assert is_filmed(posted(table)[0])
    assert studio.begun == begun, "it is not drawn again"


async def test_films_are_drawn_one_after_the_other(harness: Harness, studio: Studio) -> None:
    first = await called(harness)
    harness.enter("deux")
    second = await called(harness)
    assert studio.at_once == 1
    assert len(posted(second)[0].pictures) == 1, "its picture does not wait for the other film"
    studio.may_go.set()
    await first.settle()
    assert studio.begun == 2
    assert studio.most == 1
