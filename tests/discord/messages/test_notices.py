"""Messages that everything goes on without: what the room says of a post, of a deletion, and of an answer."""

import asyncio
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.discord.api.error_codes import may_pass
from bot.discord.api.requests import undo_if_refused
from bot.discord.messages.live_message import NOT_NOW
from bot.discord.messages.notices import delete_message, post_once
from bot.discord.messages.posted_message import ALL_MENTIONED, MessageAddress, Recipients
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.text.texts import texts_for
from tests.discord.fakes import refused
from tests.discord.messages.test_live_message import CHANNEL, GUILD, Channel, Place, place
from tests.tables.virtual import in_virtual_time


class Room(Channel):
    """Keeps what was sent; deletions are told from one another."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[dict[str, Any]] = []

    async def send(self, **sent: Any) -> Any:
        self.sent.append(sent)
        return await super().send(**sent)

    def get_partial_message(self, message_id: int) -> Any:
        async def delete() -> None:
            await self._request(f"delete {message_id}")
            self.asked.append(f"deleted {message_id}")

        return SimpleNamespace(delete=delete)


async def post(at: Place, **options: Any) -> DiscordRefusal | None:
    return await post_once(
        at.context, MessageAddress(GUILD, CHANNEL), "Hello", "once", texts_for("en"), guild=GUILD, **options
    )


@in_virtual_time
async def test_a_post_has_a_nonce_and_mentions_nobody() -> None:
    room = Room()
    assert await post(place(channel=room), is_silent=True) is None
    (sent,) = room.sent
    assert (sent["content"], sent["nonce"], sent["silent"]) == ("Hello", "once", True)
    assert not any(sent["allowed_mentions"].to_dict().values())


@in_virtual_time
@pytest.mark.parametrize(
    ("recipients", "expected"),
    [
        (Recipients([1], [2]), {"parse": [], "users": [1], "roles": [2]}),
        (ALL_MENTIONED, {"parse": ["users", "roles"]}),
    ],
)
async def test_a_post_notifies_only_its_recipients(recipients: Recipients, expected: dict[str, object]) -> None:
    room = Room()
    assert await post(place(channel=room), recipients=recipients) is None
    assert room.sent[-1]["allowed_mentions"].to_dict() == expected


@in_virtual_time
@pytest.mark.parametrize(
    ("error", "code", "passes"),
    [
        (refused(403, 50013), 50013, False),
        (refused(404, 10003), 10003, False),
        (refused(400, 200000), 200000, False),
        (refused(429, 20016), 20016, True),
        (refused(503), 0, True),
        (refused(429), 0, True),
        (aiohttp.ClientConnectionError(), 0, True),
    ],
)
async def test_a_post_is_refused_or_may_come_later(error: Exception, code: int, passes: bool) -> None:
    room = Room()
    at = place(channel=room)
    room.fails = [error]
    refusal = await post(at)
    assert refusal is not None
    assert (refusal.code, refusal.may_pass) == (code, passes)
    assert room.asked == ["post"]
    lost = [] if code in (0, 10003) else [f"<#{CHANNEL}>"]
    assert [line.split(" · ")[0].removeprefix("⚠️ ") for line in at.live.problems(GUILD, texts_for("en"))] == lost
    assert await post(at) is None
    assert at.live.problems(GUILD, texts_for("en")) == []


@in_virtual_time
async def test_a_post_waits_for_its_turn_and_no_longer_than_it_may() -> None:
    room, began = Room(), asyncio.get_running_loop().time()
    at = place(room=1, seconds=5.0, channel=room)
    assert [await post(at), await post(at, within_s=2.0), await post(at)] == [None, NOT_NOW, None]
    assert room.asked == ["post", "post"]
    assert asyncio.get_running_loop().time() - began == pytest.approx(5.0)


@in_virtual_time
async def test_messages_of_a_channel_are_deleted_one_by_one_and_stay_when_discord_refuses() -> None:
    room = Room()
    room.takes_s, room.fails = 1.0, [None, refused(404, 10008)]
    context = place(channel=room).context
    await asyncio.gather(*(delete_message(context, CHANNEL, number) for number in (1, 2, 3)))
    assert room.asked == ["delete 1", "deleted 1", "delete 2", "delete 3", "deleted 3"]
    room.fails = [refused(503)]
    with pytest.raises(discord.HTTPException):
        await delete_message(context, CHANNEL, 4)


@pytest.mark.parametrize(("status", "passes", "is_undone"), [(403, False, True), (429, True, True), (503, True, False)])
async def test_a_change_is_undone_when_discord_has_refused_it(status: int, passes: bool, is_undone: bool) -> None:
    undone: list[int] = []

    async def undo() -> None:
        undone.append(status)

    with pytest.raises(discord.HTTPException) as error:
        async with undo_if_refused(undo):
            raise refused(status)
    assert (may_pass(error.value), bool(undone)) == (passes, is_undone)
