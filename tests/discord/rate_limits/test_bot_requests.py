"""The pace of table messages against the limits of the rig's Discord, in virtual time."""

import asyncio
import itertools
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import discord
import yarl
from structlog.testing import capture_logs

from bot.discord.api.components import layout, text
from bot.discord.messages.posted_message import LiveContext
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.illustrations import Illustrated
from bot.discord.rate_limits.bot_requests import EDIT_INTERVAL, BotRequests
from bot.discord.rate_limits.responses import RateLimit
from bot.tables.lobby.table_channel import TableChannel
from bot.ui.table.messages.table_message import TableMessage
from tests.rig.limits import OLD_MS, RateLimits
from tests.tables.virtual import EPOCH, LoopClock, in_virtual_time
from tests.ui.walk import words

TAKES_S = 0.1
FREE = RateLimit()


def message_id(age_ms: int) -> int:
    """The id of a message that is so old when the loop begins."""
    return (EPOCH - age_ms - discord.utils.DISCORD_EPOCH) << 22


class Screen:
    """Shows a number that counts up."""

    is_closed = is_final = False
    round = 0

    def __init__(self) -> None:
        self.state = 0

    def changed(self, _table: object) -> None:
        self.state += 1

    def has_moved_on(self, number: int) -> bool:
        return self.round != number

    def look(self, _number: int) -> Illustrated:
        return Illustrated(layout(text(str(self.state))))


@dataclass
class FakeDiscord:
    """Takes edits and posts, and counts those that the limits refuse."""

    now: Any
    edits: dict[int, list[tuple[float, str]]] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.limits = RateLimits(self.now)
        self.guild = SimpleNamespace(unavailable=False, get_channel_or_thread=lambda _id: None)
        self.posts = itertools.count()

    def get_guild(self, _guild_id: int) -> Any:
        return self.guild

    def get_partial_messageable(self, channel_id: int, guild_id: int) -> Any:
        async def send(view: Any, **_options: object) -> Any:
            self.count("POST", f"/channels/{channel_id}/messages")
            return SimpleNamespace(id=message_id(-1 - next(self.posts)))

        return SimpleNamespace(send=send)

    @property
    def http(self) -> Any:
        return self

    def count(self, method: str, path: str) -> None:
        verdict = self.limits.spend(method, path)
        self.refused["global" if verdict.is_global else "channel"] += verdict.retry_after is not None

    async def edit_message(self, channel_id: int, number: int, *, params: Any) -> None:
        await asyncio.sleep(TAKES_S / 2)
        self.count("PATCH", f"/channels/{channel_id}/messages/{number}")
        made_at = (number >> 22) + discord.utils.DISCORD_EPOCH
        if LoopClock().now() - made_at >= OLD_MS:
            self.refused["old"] += self.limits.spend_old_edit(channel_id) is not None
        self.edits.setdefault(number, []).append((self.now(), words(params.payload["components"])))
        await asyncio.sleep(TAKES_S / 2)


async def moved(_table_id: int, _place: TableChannel) -> None:
    """Nothing is saved here."""


class Tables:
    """Public messages over one fake Discord."""

    def __init__(self) -> None:
        self.discord = FakeDiscord(asyncio.get_running_loop().time)
        self.requests = BotRequests(LoopClock())
        self.opened: list[tuple[TableMessage, Screen]] = []

    def open(self, channel_id: int, age_ms: int = 0) -> int:
        """Returns the id of the message of a new table; all messages have different ages."""
        table_id = len(self.opened) + 1
        client, unused = self.discord, None  # type: Any, Any
        place = TableChannel(1, channel_id, message_id(age_ms + table_id))
        lobby: Any = SimpleNamespace(id=table_id, place=place, opened_at=EPOCH, locale="en")
        screen: Any = Screen()
        message = TableMessage(
            LiveContext(client, LoopClock(), self.requests, CustomEmojis(client, LoopClock()), unused, print),
            SimpleNamespace(move=moved, open_lobby=lambda _: None),  # type: ignore[arg-type]  # nothing else is asked
            lobby,
            screen,
            outage_changed=print,
            posted=print,
            may_already_be_posted=False,
        )
        self.opened.append((message, screen))
        assert place.message_id is not None
        return place.message_id

    async def play(self, seconds: float) -> None:
        """Let something happen at all tables, five times a second."""
        until = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < until:
            for message, _ in self.opened:
                message.changed(None)  # type: ignore[arg-type]  # the screen does not look at it
            await asyncio.sleep(0.2)

    async def settle(self) -> None:
        await asyncio.sleep(60)
        for message, screen in self.opened:
            assert message.place.message_id is not None
            assert self.discord.edits[message.place.message_id][-1][1] == str(screen.state), "the last state is shown"


@in_virtual_time
async def test_an_old_message_is_edited_more_slowly() -> None:
    tables = Tables()
    old = tables.open(channel_id=7, age_ms=OLD_MS)
    young = tables.open(channel_id=8)
    await tables.play(60)
    await tables.settle()
    assert not tables.discord.refused.total()
    assert 25 <= len(tables.discord.edits[old]) <= 31, "but no more slowly than it has to be"
    assert len(tables.discord.edits[young]) >= 45


@in_virtual_time
async def test_a_message_slows_down_before_it_is_an_hour_old() -> None:
    tables = Tables()
    tables.open(channel_id=7, age_ms=OLD_MS - 30_000)
    await tables.play(60)
    await tables.settle()
    assert not tables.discord.refused.total()


@in_virtual_time
async def test_old_messages_of_a_channel_share_its_limit() -> None:
    tables = Tables()
    old = [tables.open(channel_id=7, age_ms=OLD_MS) for _ in range(4)]
    await tables.play(60)
    await tables.settle()
    assert not tables.discord.refused.total()
    assert all(len(tables.discord.edits[number]) >= 5 for number in old), "none is left out"


@in_virtual_time
async def test_young_messages_of_a_channel_share_its_limit() -> None:
    tables = Tables()
    for _ in range(6):
        tables.open(channel_id=7)
    await tables.play(60)
    await tables.settle()
    assert not tables.discord.refused.total()
    assert sum(map(len, tables.discord.edits.values())) >= 55


@in_virtual_time
async def test_the_edit_interval_grows_with_the_number_of_busy_tables() -> None:
    for count, gap in ((10, 1.25), (80, 2.0), (200, 5.0)):
        tables = Tables()
        for number in range(count):
            tables.open(channel_id=number)
        await tables.play(40)
        busiest = tables.discord.edits.values()
        gaps = [later[0] - earlier[0] for edits in busiest for earlier, later in pairwise(edits[3:])]
        assert gap - 0.01 <= sum(gaps) / len(gaps) <= gap + 0.3, count
        await tables.settle()
        assert not tables.discord.refused.total(), count


@in_virtual_time
async def test_a_table_that_is_quiet_is_not_busy() -> None:
    tables = Tables()
    for number in range(200):
        tables.open(channel_id=number)
    await tables.play(10)
    assert tables.requests.edit_interval(None) == 5.0
    assert tables.requests.edit_interval(None, is_urgent=True) == EDIT_INTERVAL
    await tables.settle()
    assert tables.requests.edit_interval(None) == EDIT_INTERVAL


@in_virtual_time
async def test_results_are_sent_before_other_changes() -> None:
    tables = Tables()
    for number in range(300):
        tables.open(channel_id=number)
    await tables.play(20)
    message, screen = tables.opened[7]
    message.changed(None, is_urgent=True)  # type: ignore[arg-type]  # the screen does not look at it
    result, ended_at = str(screen.state), asyncio.get_running_loop().time()
    await tables.play(10)
    assert message.place.message_id is not None
    edits = tables.discord.edits[message.place.message_id]
    shown_at = next(at for at, state in edits if int(state) >= int(result))
    assert shown_at - ended_at <= EDIT_INTERVAL + 0.2, "others wait seven seconds"
    assert not tables.discord.refused.total()


@in_virtual_time
async def test_a_global_429_delays_all_requests_and_a_channels_429_only_that_channel() -> None:
    requests = BotRequests(LoopClock())
    loop = asyncio.get_running_loop()

    async def answered(channel_id: int | None, limit: RateLimit = FREE) -> float:
        async with requests.permit(channel_id) as permit:
            permit.record_sent()
            permit.answered(limit)
            return loop.time()

    with capture_logs() as logs:
        await answered(7, RateLimit(2.0, is_refused=True))
        assert await answered(8) == 0.0
        assert await answered(7) == 2.0
        await answered(8, RateLimit(3.0, is_refused=True, is_global=True))
        assert await answered(9) == 5.0
    assert [line["times"] for line in logs] == [1, 2]
    assert requests.refused == 2


@in_virtual_time
async def test_a_channel_waits_when_its_headers_say_so_and_its_threads_do_not() -> None:
    requests = BotRequests(LoopClock())
    for channel_id, wait_s in ((7, 4.0), (None, 300.0)):
        async with requests.permit(channel_id) as permit:
            permit.record_sent()
            permit.answered(RateLimit(wait_s))
    async with requests.permit(8):
        assert asyncio.get_running_loop().time() == 0.0
    async with requests.permit(7):
        assert asyncio.get_running_loop().time() == 4.0


@in_virtual_time
async def test_all_tables_may_deal_at_the_same_moment() -> None:
    tables = Tables()
    for number in range(200):
        tables.open(channel_id=number)
    await tables.play(5)
    for message, screen in tables.opened:
        message.written(message_id(-1), by_person=True)
        screen.round = 1
        message.changed(None, is_urgent=True)  # type: ignore[arg-type]  # the screen does not look at it
    await asyncio.sleep(20)
    assert all(message.place.round == 1 for message, _ in tables.opened), "each was posted again"
    assert next(tables.discord.posts) == 200
    assert not tables.discord.refused.total()


@in_virtual_time
async def test_a_write_that_waits_for_a_token_delays_no_move() -> None:
    tables = Tables()
    tables.open(channel_id=7)
    ((message, screen),) = tables.opened
    async with tables.requests.permit(7) as permit:
        for _ in range(5):
            permit.record_sent()
    screen.round = 1
    message.changed(None, is_urgent=True)  # type: ignore[arg-type]  # the screen does not look at it
    await asyncio.sleep(1)
    began = asyncio.get_running_loop().time()
    await message.move(8)
    assert asyncio.get_running_loop().time() == began
    await asyncio.sleep(60)


def answer(method: str, path: str, *, token: bool = True, status: int = 200, **headers: str) -> Any:
    """An answer of Discord to a request that no slot encloses."""
    sent = {"Authorization": "Bot token"} if token else {}
    url = yarl.URL("https://discord.com/api/v10" + path)
    return SimpleNamespace(
        method=method, url=url, status=status, headers=headers, request_info=SimpleNamespace(headers=sent)
    )


@in_virtual_time
async def test_a_request_without_a_slot_counts_by_its_method_and_path() -> None:
    requests, loop = BotRequests(LoopClock()), asyncio.get_running_loop()
    before = requests.free
    for _ in range(4):
        requests.on_answer(answer("PATCH", "/channels/7/messages/1"))
    requests.on_answer(answer("POST", "/channels/7/messages"))
    requests.on_answer(answer("PUT", "/guilds/1/members/2/roles/3"))
    requests.on_answer(answer("POST", "/interactions/1/secret/callback", token=False))
    assert requests.free == before - 6, "an answer to a press carries no token of the bot"
    async with requests.permit(8):
        assert loop.time() == 0.0
    async with requests.permit(7):
        assert loop.time() == 5.0, "five posts and edits stand in this channel already"
    assert requests.free == before


@in_virtual_time
async def test_a_request_counts_once_within_its_slot_and_by_itself_outside() -> None:
    requests = BotRequests(LoopClock())
    before = requests.free
    begins = asyncio.Event()

    async def later() -> None:
        await begins.wait()
        requests.on_answer(answer("PATCH", "/channels/7/messages/1"))

    async with requests.permit(7) as permit:
        permit.record_sent()
        requests.on_answer(answer("PATCH", "/channels/7/messages/1"))
        task = asyncio.create_task(later())
    assert requests.free == before - 1
    begins.set()
    await task
    assert requests.free == before - 2


@in_virtual_time
async def test_a_refused_request_without_a_slot_delays_all_others() -> None:
    requests = BotRequests(LoopClock())
    limited = {"X-RateLimit-Global": "true", "Retry-After": "2"}
    requests.on_answer(answer("PUT", "/guilds/1/members/2/roles/3", status=429, **limited))
    async with requests.permit(7):
        assert asyncio.get_running_loop().time() == 2.0
    assert requests.refused == 1
