"""Words first, the picture when it is drawn; of a message that changes quickly, the newest state and no other."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import structlog
from aiohttp import ServerDisconnectedError
from discord import InteractionType

from bot.discord.api.components import GALLERY, TEXT, Layout, layout, text
from bot.discord.api.requests import PreparedView
from bot.discord.pictures import illustrations
from bot.discord.pictures.illustrations import Illustrated, Illustrator
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.records.pictures import BoardPicture, Picture, PictureFile
from tests.discord.fakes import refused
from tests.tables.virtual import LoopClock
from tests.ui.walk import walk, words


@pytest.fixture(autouse=True)
def _brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(illustrations, "GLANCE_S", 0.005)


class Easel:
    """Draws what it is told to, when it is told to."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._drawn: dict[str, asyncio.Event] = {}
        self.fails = False

    async def draw(self, picture: Picture) -> PictureFile:
        assert isinstance(picture, BoardPicture)
        self.begun.append(picture.title)
        await self._of(picture.title).wait()
        if self.fails:
            raise RuntimeError("no more paint")
        return PictureFile(picture.title.encode(), "png")

    def finish(self, *titles: str) -> None:
        for title in titles:
            self._of(title).set()

    def _of(self, title: str) -> asyncio.Event:
        return self._drawn.setdefault(title, asyncio.Event())


@dataclass
class Sent:
    """Something that Discord was asked: the words, and the pictures under their alternative texts."""

    kind: str
    words: str = ""
    pictures: tuple[tuple[str, bytes], ...] = ()
    is_private: bool | None = None


def layout_of(view: PreparedView) -> Layout:
    layout: Any = view.to_components()
    return layout


@dataclass
class FakeDiscord:
    """One message, and what was sent about it."""

    sent: list[Sent] = field(default_factory=list)
    layouts: list[Layout] = field(default_factory=list)
    refuses: Callable[[Sent], bool] = lambda _sent: False
    is_reached: bool = True
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    _count: int = 0

    def interaction(self, *, is_press: bool, may_attach: bool = True, is_promised: bool = False) -> Any:
        self._count += 1
        message = SimpleNamespace(id=77) if is_press else None

        async def answer(
            kind: str, view: PreparedView, files: list[discord.File], ephemeral: bool | None = None
        ) -> Any:
            return self._take(kind, view, files, ephemeral)

        async def edit_original(view: PreparedView, attachments: list[discord.File]) -> Any:
            await self.gate.wait()
            self._take("edit", view, attachments, None)
            return SimpleNamespace(id=77)

        async def defer() -> None:
            self.sent.append(Sent("defer"))

        return SimpleNamespace(
            id=self._count,
            message=message,
            type=InteractionType.component if is_press else InteractionType.application_command,
            app_permissions=discord.Permissions(attach_files=may_attach),
            response=SimpleNamespace(
                send_message=lambda view, files, ephemeral: answer("new", view, files, ephemeral),
                edit_message=lambda view, attachments: answer("turn", view, attachments),
                defer=defer,
                is_done=lambda: is_promised,
            ),
            edit_original_response=edit_original,
        )

    def _take(self, kind: str, view: PreparedView, files: list[discord.File], ephemeral: bool | None) -> Any:
        layout = layout_of(view)
        self.layouts.append(layout)
        galleries = [part for part in walk(layout) if part["type"] == GALLERY]
        names = [item["media"]["url"] for part in galleries for item in part["items"]]
        assert names == [f"attachment://{file.filename}" for file in files], "every file is shown, and no other"
        alts = [item["description"] for part in galleries for item in part["items"]]
        assert alts == [file.description for file in files]
        shown = tuple((alt, file.fp.read()) for alt, file in zip(alts, files, strict=True))
        sent = Sent(kind, words(layout), shown, ephemeral)
        if self.refuses(sent) and not self.is_reached:
            raise ServerDisconnectedError
        if self.refuses(sent):
            raise refused(403, 50013)
        self.sent.append(sent)
        return SimpleNamespace(message_id=77)


def page(title: str) -> Illustrated:
    return Illustrated(layout(text(f"## {title}"), text("words")), BoardPicture(title, "", ()), f"{title} drawn")


def shows(title: str) -> tuple[tuple[str, bytes], ...]:
    return ((f"{title} drawn", title.encode()),)


def bench() -> tuple[Easel, Illustrator, FakeDiscord]:
    easel, there = Easel(), FakeDiscord()
    there.gate.set()
    return easel, Illustrator(easel, BotRequests(LoopClock())), there


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_picture_comes_with_the_answer_when_it_is_ready() -> None:
    easel, illustrator, there = bench()
    easel.finish("A")
    await illustrator.answer(there.interaction(is_press=False), page("A"))
    assert there.sent == [Sent("new", "## A\nwords", shows("A"), is_private=True)]


async def test_a_late_picture_follows_the_words() -> None:
    easel, illustrator, there = bench()
    await illustrator.answer(there.interaction(is_press=False), page("A"))
    assert there.sent == [Sent("new", "## A\nwords", is_private=True)]
    easel.finish("A")
    await settle()
    assert there.sent[1:] == [Sent("edit", "## A\nwords", shows("A"))]


async def test_a_deferred_answer_is_edited_once_its_picture_is_drawn() -> None:
    easel, illustrator, there = bench()
    await illustrator.answer(there.interaction(is_press=False, is_promised=True), page("A"))
    easel.finish("A")
    await settle()
    assert there.sent == [Sent("edit", "## A\nwords"), Sent("edit", "## A\nwords", shows("A"))]


async def test_the_picture_is_placed_under_the_heading() -> None:
    easel, illustrator, there = bench()
    easel.finish("A")
    await illustrator.answer(there.interaction(is_press=False), page("A"))
    (container,) = there.layouts[-1]
    assert [part["type"] for part in container["components"]] == [TEXT, GALLERY, TEXT]


@pytest.mark.parametrize("is_late", [False, True])
async def test_the_words_stay_when_there_is_no_picture(is_late: bool, capsys: pytest.CaptureFixture[str]) -> None:
    easel, illustrator, there = bench()
    easel.fails = True
    if not is_late:
        easel.finish("A")
    await illustrator.answer(there.interaction(is_press=False), page("A"))
    easel.finish("A")
    await settle()
    assert there.sent == [Sent("new", "## A\nwords", is_private=True)]
    assert "picture.not_drawn" in capsys.readouterr().out


async def test_a_picture_that_takes_too_long_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(illustrations, "GIVEN_UP_S", 0.01)
    easel, illustrator, _there = bench()
    assert await illustrator.drawn(page("A").picture) is None
    assert easel.begun == ["A"]


async def test_rapid_presses_are_drawn_and_shown_once(monkeypatch: pytest.MonkeyPatch) -> None:
    easel, illustrator, there = bench()
    for title in "ABCDE":
        await illustrator.answer(there.interaction(is_press=True), page(title))
    easel.finish(*"ABCDE")
    await settle()
    assert [sent.kind for sent in there.sent] == ["turn"] * 5 + ["edit"]
    assert [sent.pictures for sent in there.sent[:5]] == [()] * 5, "the former picture goes with its page"
    assert there.sent[-1] == Sent("edit", "## E\nwords", shows("E"))


async def test_an_overtaken_press_changes_nothing() -> None:
    easel, illustrator, there = bench()
    early, late = there.interaction(is_press=True), there.interaction(is_press=True)
    waiting = asyncio.create_task(illustrator.answer(early, page("A")))
    await settle()
    easel.finish("B")
    await illustrator.answer(late, page("B"))
    await waiting
    easel.finish("A")
    await settle()
    assert there.sent == [Sent("defer"), Sent("turn", "## B\nwords", shows("B"))]


async def test_an_older_press_that_was_read_later_changes_nothing() -> None:
    easel, illustrator, there = bench()
    older, newer = there.interaction(is_press=True), there.interaction(is_press=True)
    await illustrator.answer(newer, page("B"))  # its picture is still being drawn
    await illustrator.answer(older, page("A"))
    easel.finish("A", "B")
    await settle()
    assert there.sent == [Sent("turn", "## B\nwords"), Sent("defer"), Sent("edit", "## B\nwords", shows("B"))]


async def test_a_message_is_corrected_when_a_late_edit_may_have_overwritten_it() -> None:
    easel, illustrator, there = bench()
    there.gate.clear()
    await illustrator.answer(there.interaction(is_press=False), page("A"))
    easel.finish("A", "B")
    await settle()  # the edit is under way
    await illustrator.answer(there.interaction(is_press=True), page("B"))
    there.gate.set()
    await settle()
    assert [(sent.kind, sent.pictures) for sent in there.sent] == [
        ("new", ()), ("turn", shows("B")), ("edit", shows("A")), ("edit", shows("B"))
    ]  # fmt: skip


async def test_pictures_that_discord_refuses_are_left_out() -> None:
    easel, illustrator, there = bench()
    easel.finish("A")
    there.refuses = lambda sent: bool(sent.pictures)
    await illustrator.answer(there.interaction(is_press=False), page("A"))
    assert there.sent == [Sent("new", "## A\nwords", is_private=True)]
    there.refuses = lambda _sent: True
    with pytest.raises(discord.Forbidden):
        await illustrator.answer(there.interaction(is_press=False), page("A"))


@pytest.mark.parametrize("is_reached", [False, True])
async def test_an_edit_that_fails_leaves_the_words(is_reached: bool) -> None:
    easel, illustrator, there = bench()
    there.refuses, there.is_reached = (lambda sent: sent.kind == "edit"), is_reached
    await illustrator.answer(there.interaction(is_press=False), page("A"))
    with structlog.testing.capture_logs() as logs:
        easel.finish("A")
        await settle()
    assert [entry["event"] for entry in logs] == ["picture.not_shown"]
    assert there.sent == [Sent("new", "## A\nwords", is_private=True)]


@pytest.mark.parametrize(("is_private", "pictures"), [(True, 1), (False, 0)])
async def test_only_private_answers_have_pictures_when_the_bot_may_not_attach_files(
    is_private: bool, pictures: int
) -> None:
    easel, illustrator, there = bench()
    easel.finish("A")
    asked = there.interaction(is_press=False, may_attach=False)
    await illustrator.answer(asked, page("A"), is_private=is_private)
    assert len(there.sent[0].pictures) == pictures


async def test_no_message_is_edited_once_the_bot_stops() -> None:
    easel, illustrator, there = bench()
    await illustrator.answer(there.interaction(is_press=False), page("A"))
    illustrator.stop()
    easel.finish("A")
    await settle()
    assert [sent.kind for sent in there.sent] == ["new"]
