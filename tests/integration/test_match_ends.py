"""The end of a match: its picture, what stood out, and how the same people play again."""

import asyncio
from functools import partial

import pytest

from bot.art.drawing_queue import DrawingQueue
from bot.base.background import RETRY_S
from bot.base.errors import StoreError
from bot.records.archive import PastMatch
from bot.records.pictures import Picture, PictureFile
from bot.store.records.history import SqlArchive
from bot.tables.lobby.lobby import Status
from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table
from tests.integration.test_story import begun, end_round, posted


async def ended(harness: Harness) -> Table:
    """A match that the first false Kem's has ended."""
    table = await begun(harness, target=1)
    await end_round(table)
    await harness.advance(3)
    return table


def table_of(harness: Harness, name: str) -> int:
    """The number of the table at which a member plays just now."""
    (playing,) = (one for one in harness.bot.rooms.directory.alive_of(harness[name].id) if one.status is Status.PLAYING)
    return playing.id


@pytest.mark.drawn
async def test_the_result_has_its_picture_and_a_rematch_begins_at_once_when_all_have_pressed(
    harness: Harness,
) -> None:
    table = await ended(harness)
    (result,) = posted(table)
    assert "🏆 Équipe 2 gagne la partie : Bruno et Dora\nÉquipe 1 · **0 — 1** · Équipe 2" in result.text
    assert len(result.pictures) == 1
    assert "Équipe 2 (Bruno, Dora): 1 🏆" in result.pictures[0] or "Équipe 2" in result.pictures[0]
    first, second = ["🔁 Revanche", "🎲 Mélanger", "♠ Jouer"], ["🎬 Film pas à pas", "🔎 Mes erreurs", "📤 Partager"]
    assert [c.label for c in result.controls] == [*first, *second]
    assert "manche 1" in await harness["Bruno"].press("🎬 Film pas à pas", result)
    assert "Je n'ai pas vu d'erreur" in await harness["Bruno"].press("🔎 Mes erreurs", result)
    for name in ("Léa", "Léa", "Bruno"):
        await harness[name].click("🔁 Revanche", result)
    await table.settle()
    (shown,) = posted(table)
    assert "🔁 Revanche : Léa et Bruno ✓ · on attend Chloé et Dora" in shown.text
    assert len(shown.pictures) == 1, "the picture stays"
    await harness["Chloé"].click("🔁 Revanche", result)
    await table.after(harness["Dora"].click("🔁 Revanche", result))
    former, new = posted(table)
    assert former.id == result.id
    assert "① Léa · ② Bruno · ① Chloé · ② Dora" in new.text
    panel = harness["Dora"].last(ephemeral=True)
    assert panel.id > new.id
    assert panel.control("Autre…") is not None, "the last one to press sees the sign's panel"
    await table.after(harness["Bruno"].click("🔁 Revanche", former))
    assert len(posted(table)) == 2, "it leads to the rematch"


async def test_a_result_is_complete_although_the_database_refuses_once(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, tries = SqlArchive.read, list[int]()

    async def once(archive: SqlArchive, match_id: int) -> PastMatch | None:
        tries.append(match_id)
        if len(tries) == 1:
            raise StoreError("full")
        return await read(archive, match_id)

    monkeypatch.setattr(SqlArchive, "read", once)
    table = await ended(harness)
    await harness.advance(RETRY_S + 5)
    (result,) = posted(table)
    assert len(result.pictures) == 1


async def test_shuffle_opens_one_lobby_with_random_teams(harness: Harness) -> None:
    table = await ended(harness)
    (result,) = posted(table)
    for name in ("Léa", "Léa", "Bruno"):
        await harness[name].click("🎲 Mélanger", result)
    await table.settle()
    _, lobby = posted(table)
    assert lobby.control("Commencer") is not None
    assert all(name in lobby.text for name in PEOPLE)
    for name in PEOPLE:
        await harness[name].click("🔁 Revanche", result)
    await table.settle()
    assert len(posted(table)) == 2, "the lobby is where they play again"


class Easel:
    """Draws a picture at once, or holds it back until `may_go`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, is_quick: bool) -> None:
        self.may_go = asyncio.Event()
        if is_quick:
            self.may_go.set()

        async def draw(_queue: DrawingQueue, _picture: Picture) -> PictureFile:
            await self.may_go.wait()
            return PictureFile(b"drawn", "png")

        monkeypatch.setattr(DrawingQueue, "draw", draw)


@pytest.mark.parametrize("is_drawn", [True, False], ids=["drawn", "drawn-after"])
@pytest.mark.parametrize("crash", [pytest.param(False, marks=pytest.mark.long), True])
async def test_requests_for_a_rematch_are_known_after_a_restart(
    crash: bool, is_drawn: bool, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    easel = Easel(monkeypatch, is_quick=is_drawn)
    table = await ended(harness)
    (result,) = posted(table)
    assert len(result.pictures) == is_drawn
    for name in PEOPLE[:2]:
        await harness[name].click("🔁 Revanche", result)
    await table.settle()
    await table.after(harness.restart(crash=crash))
    assert "🔁 Revanche : Léa et Bruno ✓ · on attend Chloé et Dora" in posted(table)[0].text
    told = await harness["Chloé"].press("🔁 Revanche", result)
    if is_drawn:
        assert told == "Noté. On attend Dora.", "a result that is complete is not redrawn"
    else:
        assert "🔁 Revanche : Léa, Bruno et Chloé ✓ · on attend Dora" in posted(table)[0].text
        easel.may_go.set()
        await table.settle()
        assert len(posted(table)[0].pictures) == 1
    await table.after(harness["Dora"].click("🔁 Revanche", result))
    assert "① Léa · ② Bruno · ① Chloé · ② Dora" in posted(table)[-1].text


async def test_a_rematch_leaves_out_players_who_play_elsewhere_and_names_them(harness: Harness) -> None:
    table = await ended(harness)
    (result,) = posted(table)
    dora = harness["Dora"]
    await dora.click("🔁 Revanche", result)
    await dora.slash("kems start", rules="classic")
    await dora.click("🤖 Compléter et commencer", dora.last(ephemeral=False))
    await table.settle()
    assert [*harness.bot.rooms.directory.alive_of(dora.id)] != []
    for name in PEOPLE[:3]:
        await harness[name].click("🔁 Revanche", result)
    await table.settle()
    shown = next(seen for seen in posted(table) if seen.id == result.id).text
    (line,) = (line for line in shown.splitlines() if line.startswith("🔁 Revanche"))
    assert line == "🔁 Revanche : Léa, Bruno et Chloé ✓ · on attend Dora, dans une autre partie"
    assert harness["Chloé"].told.startswith("Sans Dora : la revanche est ouverte, avec une place libre.")
    opened = posted(table)[-1]
    assert "① Léa · ② Bruno · ① Chloé · ② ▢" in opened.text or "Chloé" in opened.text
    await table.after(harness["Léa"].click("🤖 Compléter et commencer", opened))
    assert table_of(harness, "Chloé") == table_of(harness, "Léa") != table_of(harness, "Dora")
    await harness.advance(5)
    assert "on attend" not in next(seen for seen in posted(table) if seen.id == result.id).text, "it has begun"


@pytest.mark.parametrize("has_asked", [True, False])
async def test_a_rematch_leaves_out_players_who_have_left_the_server(harness: Harness, *, has_asked: bool) -> None:
    table = await ended(harness)
    (result,) = posted(table)
    if has_asked:
        await harness["Dora"].click("🔁 Revanche", result)
    harness.env.backend.remove_member(harness.guild.id, harness["Dora"].id)
    await harness.advance(61)
    for name in PEOPLE[:3]:
        await harness[name].click("🔁 Revanche", result)
    await table.settle()
    shown = next(seen for seen in posted(table) if seen.id == result.id).text
    assert "🔁 Revanche : Léa, Bruno et Chloé ✓ · sans Dora" in shown
    assert harness["Chloé"].told.startswith("Sans Dora :")
    assert posted(table)[-1].control("🤖 Compléter et commencer") is not None


async def test_a_rematch_waits_until_everybody_present_has_asked(harness: Harness) -> None:
    table = await ended(harness)
    (result,) = posted(table)
    await harness["Dora"].slash("kems start", rules="classic")
    await harness["Dora"].click("🤖 Compléter et commencer", harness["Dora"].last(ephemeral=False))
    for name in PEOPLE[:2]:
        await harness[name].click("🔁 Revanche", result)
    await table.settle()
    shown = next(seen for seen in posted(table) if seen.id == result.id).text
    assert "🔁 Revanche : Léa et Bruno ✓ · on attend Chloé · on attend Dora, dans une autre partie" in shown
    assert not harness.bot.rooms.directory.open_lobbies()


async def test_one_rematch_begins_when_everybody_presses_twice_at_one_instant(harness: Harness) -> None:
    table = await ended(harness)
    (result,) = posted(table)
    await harness.together(*(partial(harness[name].click, "🔁 Revanche", result) for name in PEOPLE for _ in range(2)))
    await table.settle()
    assert len(posted(table)) == 2
