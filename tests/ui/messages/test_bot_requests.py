"""The pace of table messages against the limits of the rig's Discord, in virtual time."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import discord

from bot.tables.place import Place
from bot.ui.kit.components import Layout, layout, text
from bot.ui.messages.bot_requests import BotRequests
from bot.ui.messages.card_emojis import CardEmojis
from bot.ui.messages.table_message import TableMessage
from tests.rig.discord.limits import OLD_MS, RateLimits
from tests.tables.virtual import EPOCH, LoopClock, in_virtual_time
from tests.ui.walk import words

TAKES_S = 0.1


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

    def layout(self, _number: int) -> Layout:
        return layout(text(str(self.state)))


@dataclass
class FakeDiscord:
    """Takes edits and posts, and counts those that the limits refuse."""

    now: Any
    edits: dict[int, list[tuple[float, str]]] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.limits = RateLimits(self.now)
        self.guild = SimpleNamespace(unavailable=False)

    def get_guild(self, _guild_id: int) -> Any:
        return self.guild

    def get_partial_messageable(self, channel_id: int, guild_id: int) -> Any:
        return SimpleNamespace(get_partial_message=lambda number: self.message(channel_id, number))

    def message(self, channel_id: int, number: int) -> Any:
        async def edit(view: Any, allowed_mentions: Any) -> None:
            await asyncio.sleep(TAKES_S / 2)
            verdict = self.limits.spend("PATCH", f"/channels/{channel_id}/messages/{number}")
            self.refused["global" if verdict.is_global else "channel"] += verdict.retry_after is not None
            made_at = (number >> 22) + discord.utils.DISCORD_EPOCH
            if LoopClock().now() - made_at >= OLD_MS:
                self.refused["old"] += self.limits.spend_old_edit(channel_id) is not None
            shown = words(view.to_components())
            self.edits.setdefault(number, []).append((self.now(), shown))
            await asyncio.sleep(TAKES_S / 2)

        return SimpleNamespace(edit=edit)


class Tables:
    """Public messages over one fake Discord."""

    def __init__(self) -> None:
        self.discord = FakeDiscord(asyncio.get_running_loop().time)
        self.requests = BotRequests(LoopClock())
        self.opened: list[tuple[TableMessage, Screen]] = []

    def open(self, channel_id: int, age_ms: int = 0) -> int:
        """Returns the id of the message of a new table; all messages have different ages."""
        table_id = len(self.opened) + 1
        client: Any = self.discord
        place = Place(1, channel_id, message_id(age_ms + table_id))
        lobby: Any = SimpleNamespace(id=table_id, place=place, opened_at=EPOCH, locale="en")
        screen: Any = Screen()
        message = TableMessage(
            client,
            SimpleNamespace(),  # type: ignore[arg-type]  # nothing is posted, so no place is saved
            lobby,
            screen,
            clock=LoopClock(),
            requests=self.requests,
            emojis=CardEmojis(client),
            sight_changed=lambda _: None,
            is_restored=False,
        )
        self.opened.append((message, screen))
        assert place.message_id is not None
        return place.message_id

    async def play(self, seconds: float, *, every: float = 0.2) -> None:
        """Let something happen at all tables so often."""
        until = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < until:
            for message, _ in self.opened:
                message.changed(None)  # type: ignore[arg-type]  # the screen does not look at it
            await asyncio.sleep(every)

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
