"""An edit uploads nothing that its message has; where Discord keeps or takes no file, the message shows what it can."""

import asyncio
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final

import discord
import pytest

from bot.discord.api.components import GALLERY, layout, text
from bot.discord.pictures.illustrations import Illustrated, PictureLine
from bot.discord.pictures.kept_files import KeptFiles, NamedFile
from bot.records.pictures import PictureFile
from tests.discord.fakes import refused
from tests.discord.messages.test_live_message import Channel, Place, Sample, place
from tests.tables.virtual import in_virtual_time
from tests.ui.walk import walk, words

DRAWN: Final = PictureFile(b"a felt", "png")
OTHER: Final = PictureFile(b"another felt", "png")
FILM: Final = PictureLine("The best moment", PictureFile(b"it moves", "webp"), "film.webp", "a film")


class Wall(Channel):
    """Holds the files of one message. Without `keeps` it refuses an edit that keeps one, silently if it `is_silent`."""

    def __init__(self) -> None:
        super().__init__()
        self.files_here: dict[str, int] = {}  # by name
        self.uploads: list[list[str]] = []
        self.said: list[str] = []
        self.keeps, self.takes, self.is_silent = True, True, False

    async def edit_message(self, channel_id: int, message_id: int, *, params: Any) -> Any:
        await super().edit_message(channel_id, message_id, params=params)
        payload = params.payload or json.loads(params.multipart[0]["value"])
        return self._shown(payload["components"], payload["attachments"], params.files or ())

    async def send(self, **sent: Any) -> Any:
        message = await super().send(**sent)
        self._shown(sent["view"].to_components(), [], sent["files"])
        return message

    def _shown(self, components: list[Any], attachments: list[Any], files: Any) -> Any:
        uploaded = [file.filename for file in files]
        former = {number: name for name, number in self.files_here.items()}
        kept = {former[one["id"]]: one["id"] for one in attachments if one["id"] in former}
        if (kept and not self.keeps and not self.is_silent) or (uploaded and not self.takes):
            raise refused(400, 50035, "components.0.items.0.media: no such file")
        self.files_here = dict(kept) if self.keeps else {}
        for name in uploaded:
            self.files_here[name] = 1000 + len(self.uploads) * 10 + len(self.files_here)
        self.uploads.append(uploaded)
        self.said.append(words(components))
        items = [
            {"media": {"url": f"https://cdn/1/{name}?ex=1", "attachment_id": str(number)}}
            for name, number in self.files_here.items()
        ]
        named = [item["media"]["url"] for part in walk(components) if part["type"] == GALLERY for item in part["items"]]
        assert {*named} == {f"attachment://{name}" for name in (*kept, *uploaded)}, "it shows its files, and no others"
        return {"id": "7", "attachments": [], "components": [{"type": 17, "components": [{"items": items}]}]}


class Poster(Sample):
    alt = "a table"
    film: PictureLine | None = None

    def look(self) -> Illustrated:
        return Illustrated(layout(text(self.shown)), self.picture, self.alt, film=self.film)


def hung(wall: Wall, message_id: int | None = 7) -> tuple[Place, Poster]:
    at = place(channel=wall, room=100)
    wall.standing = [7]
    return at, Poster(at.context, message_id)


async def written(message: Poster, **changes: object) -> None:
    for name, value in changes.items():
        setattr(message, name, value)
    message.request_update()
    await asyncio.sleep(5)


@in_virtual_time
async def test_a_change_of_words_uploads_nothing() -> None:
    wall = Wall()
    _, message = hung(wall)
    await written(message, picture=DRAWN, film=FILM)
    await written(message, shown="second")
    await written(message, shown="third")
    assert wall.uploads == [["kems.png", "film.webp"], [], []]
    assert [told.splitlines()[0] for told in wall.said] == ["first", "second", "third"]
    assert len(wall.files_here) == 2


@in_virtual_time
async def test_a_new_picture_replaces_only_the_previous_one() -> None:
    wall = Wall()
    _, message = hung(wall)
    await written(message, picture=DRAWN, film=FILM)
    before = wall.files_here["film.webp"]
    await written(message, picture=OTHER, alt="another table")
    assert wall.uploads[-1] == ["kems.png"]
    assert wall.files_here["film.webp"] == before


@in_virtual_time
async def test_a_message_that_loses_its_picture_keeps_no_file() -> None:
    wall = Wall()
    _, message = hung(wall)
    await written(message, picture=DRAWN)
    await written(message, picture=None)
    assert wall.files_here == {}


@in_virtual_time
async def test_after_a_failure_the_file_is_uploaded_again() -> None:
    wall = Wall()
    _, message = hung(wall)
    await written(message, picture=DRAWN)
    wall.fails = [refused(503)]
    await written(message, shown="second")
    await asyncio.sleep(60)
    assert wall.uploads[1:] == [["kems.png"]]


@in_virtual_time
@pytest.mark.parametrize("is_silent", [False, True])
async def test_a_file_is_uploaded_again_when_discord_does_not_keep_it(is_silent: bool) -> None:
    wall = Wall()
    at, message = hung(wall)
    wall.keeps, wall.is_silent = False, is_silent
    await written(message, picture=DRAWN)
    assert at.context.illustrator.keeps_files
    await written(message, shown="second")
    assert not at.context.illustrator.keeps_files
    assert list(wall.files_here) == ["kems.png"]
    assert wall.said[-1].splitlines()[0] == "second"


@in_virtual_time
@pytest.mark.parametrize("status", [400, 413, 403])
async def test_a_picture_that_discord_refuses_leaves_the_words(status: int) -> None:
    wall = Wall()
    at, message = hung(wall)
    wall.fails = [refused(status, 50035)]
    await written(message, picture=DRAWN)
    assert wall.said == ["first"]
    assert at.context.illustrator.keeps_files, "nothing was to be kept"
    await written(message, shown="second")
    assert wall.said == ["first", "second"], "and the next words come without a try"


@in_virtual_time
async def test_a_refusal_for_another_reason_takes_no_picture_away() -> None:
    wall = Wall()
    _, message = hung(wall)
    wall.takes = False
    wall.fails = [None, refused(400, 50035)]  # the words are refused as well
    message.picture = DRAWN
    message.request_update()
    await asyncio.sleep(1)
    wall.takes = True
    await asyncio.sleep(60)
    assert wall.uploads[-1] == ["kems.png"]


def test_discord_py_reads_the_ids_of_a_post() -> None:
    media = {"url": "https://cdn.discordapp.com/attachments/1/2/kems.png?ex=65d9", "attachment_id": "2"}
    gallery = {"type": 12, "items": [{"media": media, "description": "a table"}]}
    shown: Any = discord.components.Container({"type": 17, "components": [gallery]}, None)  # type: ignore[typeddict-item]
    kept, files = KeptFiles(), [NamedFile("kems.png", DRAWN, "a table")]
    assert kept.read_ids(files, SimpleNamespace(components=[shown]))
    assert [one.to_dict() for one in kept.attachments(files)] == [{"id": 2}]  # type: ignore[call-arg]
    assert not kept.are_kept([replace(files[0], file=OTHER)])


def test_an_answer_without_file_ids_is_reported() -> None:
    kept, files = KeptFiles(), [NamedFile("kems.png", DRAWN, "a table")]
    assert not kept.read_ids(files, {"components": [{"items": [{"media": {"url": "https://cdn/kems.png"}}]}]})
    assert not kept.are_kept(files)
