"""A live message where Discord or the store fails: what is written, and how often."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from discord.http import Route

from bot.base.errors import StoreError
from bot.discord.api.components import layout, text
from bot.discord.api.error_codes import ErrorCode, OutageReason
from bot.discord.api.requests import KeptFile
from bot.discord.messages.live_message import LONGEST_S, LiveMessage
from bot.discord.messages.live_messages import LiveMessages
from bot.discord.messages.posted_message import LiveContext, MessageAddress
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.illustrations import Illustrated
from bot.discord.rate_limits.throttling import RateLimitWindow, RequestPermit
from bot.discord.text.texts import texts_for
from bot.nights.night import Night
from bot.records.pictures import PictureFile
from bot.tables.nights.live_nights import LiveNights
from bot.ui.night.messages.night_messages import NightMessage
from tests.discord.fakes import refused
from tests.nights.evenings import PLAN
from tests.tables.virtual import LoopClock, in_virtual_time

GUILD, CHANNEL, ME = 1, 2, 3


class Channel:
    """A channel of Discord. `fails` are raised by the next requests, in order; None lets one through."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails: list[Exception | None] = []
        self.standing: list[int] = []
        self.unreadable: list[dict[str, Any]] = []
        self.takes_s = 0.0
        self.files = 0

    async def _request(self, what: str) -> None:
        self.asked.append(what)
        await asyncio.sleep(self.takes_s)
        if self.fails and (error := self.fails.pop(0)) is not None:
            raise error

    async def send(self, **sent: Any) -> Any:
        await self._request("post")
        self.files = len(sent["files"])
        self.standing.append(100 + len(self.asked))
        return SimpleNamespace(id=self.standing[-1])

    async def request(self, _route: Route, *, params: dict[str, int], **_: object) -> list[dict[str, Any]]:
        await self._request("look")
        newest = reversed(self.standing[-params["limit"] :])
        return [*self.unreadable, *({"id": str(one), "author": {"id": str(ME)}, "components": []} for one in newest)]

    async def edit_message(self, _channel_id: int, message_id: int, *, params: Any) -> None:
        await self._request("edit")
        self.files = len(params.files or ())
        if message_id not in self.standing:
            raise refused(404, 10008)


class Sample(LiveMessage):
    def __init__(self, context: LiveContext, message_id: int | None = None, *, is_restored: bool = False) -> None:
        super().__init__(
            context, {}, texts_for("en"), MessageAddress(GUILD, CHANNEL, message_id), may_already_be_posted=is_restored
        )
        self.shown = "first"
        self.picture: PictureFile | None = None

    @property
    def nonce(self) -> str:
        return "sample"

    def look(self) -> Illustrated:
        return Illustrated(layout(text(self.shown)), self.picture)

    def recognises(self, _components: object) -> bool:
        return True


@dataclass
class Place:
    channel: Channel
    live: LiveMessages
    budget: RateLimitWindow

    @property
    def context(self) -> LiveContext:
        return self.live.context


def place(room: int = 5, seconds: float = 5.0, channel: Channel | None = None) -> Place:
    channel, budget, clock = channel or Channel(), RateLimitWindow(room, seconds), LoopClock()
    rights = SimpleNamespace(guild_permissions=SimpleNamespace(attach_files=True), is_timed_out=lambda: False)
    guild = SimpleNamespace(unavailable=False, me=rights, get_channel_or_thread=lambda _id: None)
    client = cast(
        Any,
        SimpleNamespace(
            user=SimpleNamespace(id=ME, mention="@kems"),
            http=channel,
            get_guild=lambda _id: guild,
            get_partial_messageable=lambda *_, **__: channel,
        ),
    )

    async def drawn(picture: object) -> object:
        return picture

    requests = SimpleNamespace(permit=lambda *_, **__: RequestPermit(budget), edit_interval=lambda *_, **__: 1.0)
    illustrator = cast(Any, SimpleNamespace(drawn=drawn, keeps_files=True))
    illustrator.keep_none = lambda: setattr(illustrator, "keeps_files", False)
    return Place(
        channel, LiveMessages(client, clock, cast(Any, requests), CustomEmojis(client, clock), illustrator), budget
    )


@in_virtual_time
async def test_an_unsaved_message_is_searched_for_until_discord_answers() -> None:
    at = place()
    at.channel.standing, at.channel.fails = [7], [refused(503)]
    message = Sample(at.context, is_restored=True)
    message.request_update()
    await asyncio.sleep(60)
    assert at.channel.asked == ["look", "look", "edit"]
    assert message.address.message_id == 7


@in_virtual_time
async def test_messages_that_cannot_be_read_are_skipped_in_the_history() -> None:
    at = place()
    author = {"id": str(ME)}
    at.channel.standing = [7]
    at.channel.unreadable = [
        {},
        {"id": "9"},
        {"id": "9", "author": author},
        {"id": "9", "author": {}, "components": []},
    ]
    message = Sample(at.context, is_restored=True)
    message.request_update()
    await asyncio.sleep(1)
    assert message.address.message_id == 7


@in_virtual_time
async def test_an_edit_of_several_requests_waits_for_that_many_tokens() -> None:
    at = place(room=1, seconds=10.0)
    message = Sample(at.context, 7)
    message.request_update()
    await asyncio.sleep(9)
    assert at.channel.asked == ["edit"], "it is gone"
    await asyncio.sleep(2)
    assert at.channel.asked == ["edit", "post"]


@in_virtual_time
async def test_two_writers_of_a_message_do_not_deadlock() -> None:
    at = place(room=1, seconds=1.0)
    at.channel.takes_s = 0.1
    message = Sample(at.context, 7)
    async with asyncio.timeout(20):
        await asyncio.gather(message.write_now(), message.write_now())
    assert at.channel.asked == ["edit", "post"]


@in_virtual_time
async def test_a_deleted_message_is_not_edited_any_more() -> None:
    at = place()
    message = Sample(at.context)
    await message.write_now()
    message.lose(OutageReason.FORBIDDEN)
    message.deleted()
    await asyncio.sleep(5)
    assert at.channel.asked == ["post"]


@in_virtual_time
async def test_a_refused_picture_comes_back_when_the_permission_is_given() -> None:
    at = place()
    at.channel.fails = [refused(403, 50013)]
    message = Sample(at.context)
    message.picture = PictureFile(b"png", "png")
    await message.write_now()
    assert (at.channel.asked, at.channel.files) == (["post", "post"], 0)
    message.retry_if_allowed()
    await asyncio.sleep(5)
    assert (at.channel.asked, at.channel.files) == (["post", "post", "edit"], 1)
    message.retry_if_allowed()
    await asyncio.sleep(5)
    assert len(at.channel.asked) == 3, "it is shown already"


@in_virtual_time
async def test_a_picture_stays_when_discord_accepts_its_message_a_little_later() -> None:
    at = place()
    at.channel.fails = [refused(400, ErrorCode.OVERLOADED)]
    message = Sample(at.context)
    message.picture = PictureFile(b"png", "png")
    message.request_update()
    await asyncio.sleep(60)
    assert (at.channel.asked[:2], at.channel.files) == (["post", "post"], 1)


@in_virtual_time
async def test_no_file_is_kept_when_the_outcome_of_an_answer_is_unknown() -> None:
    at, sent = place(), list[list[Any]]()

    async def post(**_sent: Any) -> Any:
        media = {"attachment_id": "5", "url": "https://discord.example/kems.png"}
        return SimpleNamespace(id=7, components=[{"media": media}])

    async def answer(*, attachments: list[Any], **_more: Any) -> None:
        sent.append(attachments)
        if len(sent) == 2:
            raise TimeoutError

    at.channel.send = post  # type: ignore[method-assign]
    message = Sample(at.context)
    message.picture = PictureFile(b"png", "png")
    await message.write_now()
    press: Any = SimpleNamespace(message=SimpleNamespace(id=7), response=SimpleNamespace(edit_message=answer))
    await message.answer(press)
    with pytest.raises(TimeoutError):
        await message.answer(press)
    await message.answer(press)
    assert [isinstance(files[0], KeptFile) for files in sent] == [True, True, False]


@in_virtual_time
async def test_a_request_starts_again_when_discord_delays_it_for_minutes() -> None:
    at = place()
    at.channel.takes_s = 300
    message = Sample(at.context)
    with pytest.raises(TimeoutError):
        await message.write_now()
    assert asyncio.get_running_loop().time() == LONGEST_S
    at.channel.takes_s = 0
    message.request_update()
    await asyncio.sleep(5)
    assert at.channel.asked[:2] == ["post", "post"]


class Nights:
    """Saves nights, or does not."""

    def __init__(self, night: Night) -> None:
        self.night = night
        self.is_out_of_order = True

    async def update(self, _night_id: int, change: Callable[[Night], Any]) -> Any:
        if self.is_out_of_order:
            raise StoreError("full")
        self.night = change(self.night)
        return self.night


@in_virtual_time
async def test_a_posted_night_that_was_not_saved_is_saved_later_and_not_posted_again() -> None:
    night = Night(1, GUILD, CHANNEL, 4, "fr", PLAN, seed=11)
    at, nights, published = place(), Nights(night), list[int | None]()

    async def read(_night: Night) -> Illustrated:
        return Illustrated(layout(text("night")))

    def posted(saved: Night) -> None:
        published.append(saved.message_id)

    message = NightMessage(at.context, cast(LiveNights, nights), night, read, posted)
    message.request_update()
    await asyncio.sleep(300)
    assert at.channel.asked.count("post") == 1
    assert published == []
    nights.is_out_of_order = False
    message.show(night)
    await asyncio.sleep(5)
    assert at.channel.asked.count("post") == 1
    assert nights.night.message_id == at.channel.standing[0]
    assert published == [nights.night.message_id]


@in_virtual_time
async def test_a_sign_up_leads_to_the_board_although_discord_fails_once() -> None:
    night = replace(Night(1, GUILD, CHANNEL, 4, "fr", PLAN, seed=11), sign_up_id=50, message_id=51)
    at, nights = place(), Nights(night)
    nights.is_out_of_order = False
    at.channel.standing, at.channel.fails = [50, 51], [None, refused(500, 0)]

    async def read(_night: Night) -> Illustrated:
        return Illustrated(layout(text("night")))

    NightMessage(at.context, cast(LiveNights, nights), night, read, lambda _night: None).request_update()
    await asyncio.sleep(300)
    assert at.channel.asked == ["edit"] * 3, "of the board, and twice of the sign-up"
    assert nights.night.sign_up_id is None


@in_virtual_time
async def test_a_server_that_is_reached_again_sees_its_messages_at_once() -> None:
    at = place()
    message = Sample(at.context)
    at.live.add(message)
    await message.write_now()
    at.channel.fails = [refused(503), refused(503)]
    message.shown = "second"
    message.request_update()
    await asyncio.sleep(8)  # after two refusals it waits for sixteen seconds
    assert at.channel.fails == []
    asked = len(at.channel.asked)
    at.live.served({GUILD})
    await asyncio.sleep(0.1)
    assert at.channel.asked[asked:] == ["edit"]
    assert not message.is_due
