"""Pictures in messages: with words for those who do not see them, later than the text or not at all where need be."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot import compose
from bot.art.drawing_queue import DrawingQueue
from bot.discord.pictures.illustrations import GLANCE_S
from bot.records.pictures import Picture, PictureFile
from bot.store.engine.database import Database
from bot.store.tables.servers import SqlServerStore
from tests.integration.harness import BOTH, LEA, Harness
from tests.integration.mishaps import forbid
from tests.integration.seasons import past
from tests.integration.table import end_season, kems
from tests.integration.test_replays import a_finished_match
from tests.integration.test_storage import stalled
from tests.store.counted_matches import SURE, Match, play_all


@BOTH
async def test_the_end_of_a_season_is_announced_with_its_podium(
    harness: Harness, database: Database, locale: str
) -> None:
    await past(harness, database, days=2)
    await SqlServerStore(database).change(harness.guild.id, lambda before: replace(before, language=locale[:2]))
    lea = harness[LEA]
    lea.locale = "en-US" if locale == "fr" else "fr"  # what everybody sees is in the server's language
    await end_season(lea)
    told = lea.last(ephemeral=False)
    (shown,) = told.pictures
    title, first, second = {
        "fr": ("Podium de la saison, Saison 1 · ", " (2 parties) · 1. ", " (2 parties)"),
        "en-US": ("Podium of the season, Season 1 · ", " (2 matches) · 1. ", " (2 matches)"),
    }[locale]
    assert shown.startswith(title)
    assert first in shown
    assert second in shown
    assert "🥇" not in told.text, "it is told once"


async def test_the_podium_is_words_when_the_bot_may_not_attach_files(harness: Harness, database: Database) -> None:
    await past(harness, database, days=1)
    await forbid(harness, harness.channel.id, "attach_files")
    await end_season(harness[LEA])
    told = harness[LEA].last(ephemeral=False)
    assert "🥇" in told.text
    assert told.pictures == ()


STALLED = {"fr": "Pas encore fait", "en-US": "Not done yet"}
WORDS = {
"fr": ("Cote, Saison 1. 1. ", "(2 parties)", "Léa, Toutes les saisons. Cote — ", "Léa, Saison 1. Cote — "),
"en-US": ("Rating, Season 1. 1. ", "(2 matches)", "Léa, All seasons. Rating — ", "Léa, Season 1. Rating — "),
}  # fmt: skip


@BOTH
async def test_boards_and_figures_are_pictures_in_the_readers_language(
    harness: Harness, database: Database, locale: str
) -> None:
    board, played, figures, of_season = WORDS[locale]
    await past(harness, database, days=2)
    lea = harness[LEA]
    await lea.slash("kems leaderboard")
    shown = lea.last(ephemeral=True)
    (alt,) = shown.pictures
    assert alt.startswith(board)
    assert alt.count(played) == 2, "the others have won nothing"
    assert "**1.**" not in shown.text, "it is told once"
    await lea.slash("kems leaderboard", board="wins")
    (alt,) = lea.last(ephemeral=True).pictures
    assert alt.count(played) == 2
    await lea.slash("kems records stats")
    (alt,) = lea.last(ephemeral=True).pictures
    assert alt.startswith(figures)
    assert re.search(r"(De|From) \d+ ", alt), "two matches make a curve"
    await lea.slash("kems records stats", season=1)
    (alt,) = lea.last(ephemeral=True).pictures
    assert alt.startswith(of_season)

    # A stalled database is told within a second.
    await lea.slash("kems leaderboard")
    board = lea.last(ephemeral=True)
    with stalled():
        await lea.slash("kems records stats")
        await harness.advance(0.95)
        assert STALLED[locale] in lea.told
        await lea.choose("k1:0:boards:1", "wins", message=board)
        await harness.advance(0.95)
        assert STALLED[locale] in lea.told
    await harness.advance(1)


MATCH = {
    "fr": ("Kem's · partie 1, ", "Équipe 2 (Bruno, Dora) — 1 🏆", "Manche par manche : 0 — 1."),
    "en-US": ("Kem's · match 1, ", "Team 2 (Bruno, Dora) — 1 🏆", "Round by round: 0 — 1."),
}


@BOTH
async def test_a_match_is_summarised_as_a_picture(tmp_path: Path, locale: str) -> None:
    async with kems(tmp_path, locale="fr") as harness:
        table = await a_finished_match(harness)
        harness[LEA].locale = locale
        await harness[LEA].slash("kems records match", number=table.id)
        shown = harness[LEA].last(ephemeral=True)
        (alt,) = shown.pictures
        for part in MATCH[locale]:
            assert part in alt
        assert "**1.**" in shown.text


class Slow:
    """A studio that is busy until it is told otherwise, or has burnt down."""

    def __init__(self) -> None:
        self.drawn: list[Picture] = []
        self.free = asyncio.Event()
        self.fails = False

    async def draw(self, picture: Picture) -> PictureFile:
        await self.free.wait()
        if self.fails:
            raise OSError("no font")
        self.drawn.append(picture)
        return await DrawingQueue().draw(picture)


@pytest.fixture
def studio(monkeypatch: pytest.MonkeyPatch) -> Slow:
    """The studio of the bot that starts after this."""
    made = Slow()
    monkeypatch.setattr(compose, "DrawingQueue", lambda: made)
    return made


async def test_words_come_first_while_the_queue_is_busy_and_rapid_presses_are_drawn_once(
    studio: Slow, harness: Harness, database: Database
) -> None:
    await past(harness, database, days=2)
    lea = harness[LEA]
    asked = await lea.slash("kems leaderboard")
    await harness.advance(GLANCE_S)
    assert asked.response is not None
    for board in ("wins", "kems", "duos"):
        await lea.choose("k1:0:boards:1", board, message=lea.last(ephemeral=True))
        await harness.advance(GLANCE_S)
    shown = lea.last(ephemeral=True)
    assert "Duos" in shown.text
    assert shown.pictures == ()
    studio.free.set()
    await harness.settle()
    (alt,) = lea.last(ephemeral=True).pictures
    assert alt.startswith("Duos, Saison 1. 1. ")
    assert len(studio.drawn) == 1
    await lea.choose("k1:0:boards:1", "counters", message=lea.last(ephemeral=True))
    assert lea.last(ephemeral=True).pictures == (), "nobody is on that board: the former picture is gone"


@BOTH
async def test_the_words_stay_when_drawing_fails(
    studio: Slow, harness: Harness, database: Database, locale: str
) -> None:
    studio.fails = True
    studio.free.set()
    await past(harness, database, days=2)
    lea = harness[LEA]
    for command in ("leaderboard", "records stats"):
        await lea.slash(f"kems {command}")
        shown = lea.last(ephemeral=True)
        assert "Léa" in shown.text
        assert shown.pictures == ()
    await end_season(lea)
    assert "🥇" in lea.last(ephemeral=False).text
    assert lea.last(ephemeral=False).pictures == ()


async def test_pages_of_a_board_turn_with_their_pictures(database: Database, harness: Harness) -> None:
    people = tuple(f"P{number:02}" for number in range(1, 17))
    now = int(harness.now().timestamp() * 1000)
    for start in range(0, 16, 4):
        seats, users = people[start : start + 4], tuple(range(1000 + start, 1004 + start))
        for _ in range(1 + start // 4):
            await play_all(database, [Match(users, at=now, guild=harness.guild.id, names=seats)], formula=SURE)
    lea = harness[LEA]
    await lea.slash("kems leaderboard", board="kems")
    first = lea.last(ephemeral=True)
    await lea.click("▶")
    second = lea.last(ephemeral=True)
    assert second.pictures != first.pictures
    shown = [re.findall(r"P\d\d", page.pictures[0]) for page in (first, second)]
    assert [len(names) for names in shown] == [10, 2]
    assert not set(shown[0]) & set(shown[1])
    await lea.click("◀")
    assert lea.last(ephemeral=True).pictures == first.pictures
