"""Words wait a glance for their picture; the newest state is drawn, and former ones stand for a while only."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import pytest

from bot.discord.api.components import layout, text
from bot.discord.pictures.illustrations import Illustrated
from bot.discord.pictures.newest_picture import BEHIND_S, GLANCE_S, RESTS_S, NewestPicture
from bot.records.pictures import Picture, PictureFile, RunningTable, Theme
from tests.discord.messages.test_live_message import Sample, place
from tests.discord.pictures.test_kept_files import Wall
from tests.tables.virtual import in_virtual_time

WORDS: Final = layout(text("all in words"))
CAPTION: Final = layout(text("two lines"))


def state(number: int, series: int = 1) -> Illustrated:
    picture = RunningTable(Theme.FRENCH, (), (), (), (str(number),))
    return Illustrated(WORDS, picture, f"state {number}", caption=CAPTION, series=series)


class Studio:
    """Draws a state in so many seconds, one after the other; None: it cannot."""

    def __init__(self, takes_s: float = 0.01) -> None:
        self.takes_s: float | None = takes_s
        self.begun: list[str] = []
        self.keeps_files = True
        self._turn = asyncio.Lock()

    async def drawn(self, picture: Picture | PictureFile | None) -> PictureFile | None:
        if picture is None or isinstance(picture, PictureFile):
            return picture
        assert isinstance(picture, RunningTable)
        async with self._turn:
            self.begun.append(picture.scores[0])
            if self.takes_s is None:
                return None
            await asyncio.sleep(self.takes_s)
            return PictureFile(picture.scores[0].encode(), "png")

    def keep_none(self) -> None:
        self.keeps_files = False


@pytest.fixture
def asked() -> list[float]:
    return []


def following(studio: Studio, asked: list[float]) -> Callable[..., Any]:
    illustrator: Any = studio
    newest = NewestPicture(illustrator, lambda: asked.append(asyncio.get_running_loop().time()))

    async def shown(look: Illustrated) -> str:
        ready = await newest.ready(look)
        if ready.picture is None:
            return "words"
        assert isinstance(ready.picture, PictureFile)
        assert ready.alt == f"state {ready.picture.data.decode()}", "the words of the picture that stands there"
        return ready.picture.data.decode()

    return shown


@in_virtual_time
async def test_a_quickly_drawn_picture_is_sent_with_the_words(asked: list[float]) -> None:
    studio = Studio()
    shown = following(studio, asked)
    assert [await shown(state(number)) for number in (1, 2, 2, 3)] == ["1", "2", "2", "3"]
    assert studio.begun == ["1", "2", "3"]
    assert asked == []


@in_virtual_time
async def test_a_round_begins_with_words_only_until_its_picture_is_drawn(asked: list[float]) -> None:
    studio = Studio(takes_s=0.3)
    shown = following(studio, asked)
    assert await shown(state(1)) == "words"
    await asyncio.sleep(0.5)
    assert len(asked) == 1
    assert await shown(state(1)) == "1"
    assert await shown(state(2, series=2)) == "words", "no picture of another round"


@in_virtual_time
async def test_the_previous_picture_is_shown_until_the_newest_one_is_drawn(asked: list[float]) -> None:
    studio = Studio()
    shown = following(studio, asked)
    await shown(state(1))
    studio.takes_s = 0.4
    assert [await shown(state(number)) for number in (2, 3, 4)] == ["1", "1", "1"]
    await asyncio.sleep(1)
    assert studio.begun == ["1", "2", "4"], "what lies between is left out"
    assert await shown(state(4)) == "4"


@in_virtual_time
async def test_the_words_appear_alone_when_drawing_falls_behind(asked: list[float]) -> None:
    studio = Studio()
    shown = following(studio, asked)
    await shown(state(1))
    studio.takes_s = 2 * BEHIND_S
    told, clock = [], asyncio.get_running_loop().time
    for number in range(2, 6):
        told.append(await shown(state(number)))
        await asyncio.sleep(BEHIND_S / 3)
    assert told == ["1", "1", "1", "words"]
    began = clock()
    assert await shown(state(9)) == "words"
    assert clock() - began < GLANCE_S
    await asyncio.sleep(5 * BEHIND_S)
    assert await shown(state(9)) == "9"


@in_virtual_time
async def test_pictures_are_shown_even_when_they_are_always_a_little_late(asked: list[float]) -> None:
    studio = Studio(takes_s=0.2)
    shown = following(studio, asked)
    told = []
    for number in range(8):
        told.append(await shown(state(number)))
        await asyncio.sleep(1)
    assert told == ["words", *map(str, range(7))]


@in_virtual_time
async def test_after_a_failed_picture_none_is_drawn_for_a_while(asked: list[float]) -> None:
    studio = Studio()
    studio.takes_s = None
    shown = following(studio, asked)
    assert [await shown(state(number)) for number in (1, 2, 3)] == ["words"] * 3
    assert studio.begun == ["1"]
    studio.takes_s = 0.01
    await asyncio.sleep(RESTS_S)
    assert await shown(state(4)) == "4"


@in_virtual_time
async def test_a_phase_without_a_picture_drops_the_previous_one(asked: list[float]) -> None:
    studio = Studio()
    shown = following(studio, asked)
    await shown(state(1))
    assert await shown(Illustrated(WORDS)) == "words"
    studio.takes_s = 1.0
    assert await shown(state(2)) == "words"


class Shown(Sample):
    """A live message whose states have a number."""

    number, words = 1, CAPTION

    def look(self) -> Illustrated:
        return Illustrated(WORDS, state(self.number).picture, f"state {self.number}", caption=self.words, series=1)


@in_virtual_time
async def test_a_change_of_words_under_a_late_drawing_uploads_nothing_and_ends_with_the_newest() -> None:
    wall, studio = Wall(), Studio()
    at = place(channel=wall, room=1000)
    wall.standing = [7]
    object.__setattr__(at.live.context, "illustrator", studio)
    message = Shown(at.context, 7)
    message.request_update()
    await asyncio.sleep(5)
    assert (wall.said, wall.uploads) == (["two lines"], [["kems.png"]])
    studio.takes_s = 0.5
    message.number, message.words = 2, layout(text("two other lines"))
    message.request_update()
    await asyncio.sleep(0.3)
    assert (wall.said[1:], wall.uploads[1:]) == (["two other lines"], [[]]), "the words do not wait"
    await asyncio.sleep(5)
    assert wall.uploads[2:] == [["kems.png"]]
    for number in range(3, 30):
        message.number = number
        message.request_update()
        await asyncio.sleep(0.2)
    await asyncio.sleep(5)
    assert studio.begun[-1] == "29"
    assert len(wall.files_here) == 1
    assert len(studio.begun) < 20


@in_virtual_time
async def test_the_words_appear_alone_when_discord_keeps_no_file() -> None:
    wall, studio = Wall(), Studio()
    at = place(channel=wall, room=1000)
    wall.standing, wall.keeps = [7], False
    object.__setattr__(at.live.context, "illustrator", studio)
    message = Shown(at.context, 7)
    message.request_update()
    await asyncio.sleep(5)
    message.words = layout(text("two other lines"))
    message.request_update()
    await asyncio.sleep(5)
    assert not studio.keeps_files
    message.number = 2
    message.request_update()
    await asyncio.sleep(5)
    assert wall.said[-1] == "all in words"
    assert wall.files_here == {}
