"""Another process with the bot's token is noticed by its posts, or by presses that it answers first."""

import asyncio
from collections.abc import Collection
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from structlog.testing import capture_logs

from bot.base.times import MINUTE_MS
from bot.discord.messages.rivals import RIVAL, Rivals
from bot.tables.cluster import NONCE_MS, NonceTags

HOUR_MS = 60 * MINUTE_MS


class Bot:
    """One run of the bot, which hears posts and presses at the instants of `now` (milliseconds)."""

    def __init__(self, tags: NonceTags | None = None) -> None:
        self.now = HOUR_MS
        self.store = AsyncMock()
        self.store.draw.return_value = tags or NonceTags.first(0)
        client: Any = SimpleNamespace(user=SimpleNamespace(id=7))
        self.rivals = Rivals(client, SimpleNamespace(now=lambda: self.now), self.store)

    async def start(self) -> "Bot":
        await self.rivals.restore(lambda _guild_id: True)
        return self

    def hears(self, nonce: object, author: int = 7) -> bool:
        """Whether a post with that nonce makes it say that it has a rival."""
        self.rivals.hear_post({"nonce": nonce, "author": {"id": str(author)}})
        return self.rivals.notice is not None

    def after_presses(self, seconds: Collection[float], presses: int = 99) -> bool:
        """Whether presses that were answered elsewhere, heard in turn, make it say so."""
        start = self.now
        for number, second in enumerate(seconds):
            self.now = start + round(second * 1000)
            self.rivals.hear_press(number % presses)
        return self.rivals.notice is not None


async def test_two_bots_notice_each_other_by_a_post() -> None:
    old, new = await Bot().start(), await Bot().start()
    assert not old.hears(old.rivals.nonce_of("table 1"))
    assert old.hears(new.rivals.nonce_of("table 1"))
    assert new.hears(old.rivals.nonce_of("table 1"))
    await asyncio.sleep(0)
    old.store.save_rival.assert_called_with(old.now)


@pytest.mark.parametrize("nonce", [None, 123456789012345678, "123456789012345678", "once", "told1234567890"])
async def test_a_post_without_a_tag_reveals_no_rival(nonce: object) -> None:
    """Answers to presses and system messages have no nonce, and Discord may hide those of posts."""
    assert not (await Bot().start()).hears(nonce)


async def test_a_post_of_another_user_reveals_no_rival() -> None:
    bot, other = await Bot().start(), await Bot().start()
    assert not bot.hears(other.rivals.nonce_of("x"), author=8)


async def test_a_repeated_post_keeps_its_first_nonce() -> None:
    bot = await Bot(NonceTags("aaaa", "bbbb", HOUR_MS - NONCE_MS + 1)).start()
    first = bot.rivals.nonce_of("night 1")
    assert (first[:4], len(first)) == ("bbbb", 25)
    bot.now += 1000
    assert bot.rivals.nonce_of("night 1") == first
    assert bot.rivals.nonce_of("night 2")[:4] == "aaaa"
    assert not bot.hears(first)


async def test_the_next_run_posts_again_under_the_nonce_of_the_run_that_was_killed() -> None:
    tags = NonceTags.first(0)
    killed = await Bot(tags).start()
    after = await Bot(tags.renewed(HOUR_MS)).start()
    assert after.rivals.nonce_of("podium") == killed.rivals.nonce_of("podium")


async def test_a_bot_on_a_copy_of_the_database_is_noticed_after_a_while() -> None:
    tags = NonceTags.first(0)
    old, new = await Bot(tags).start(), await Bot(tags.renewed(HOUR_MS)).start()
    assert not old.hears(new.rivals.nonce_of("1"))
    assert not new.hears(old.rivals.nonce_of("1"))
    for bot in (old, new):
        bot.now += 3 * NONCE_MS
    assert old.hears(new.rivals.nonce_of("2"))
    assert new.hears(old.rivals.nonce_of("2"))


def test_a_post_of_our_own_that_is_repeated_and_reported_late_is_no_rival() -> None:
    tags = NonceTags("aaaa", "bbbb", 0)
    used = [now for now in range(0, 4 * NONCE_MS, 1000) if tags.of(now) == "bbbb"]
    assert tags.has("bbbb", used[-1] + NONCE_MS + MINUTE_MS)
    assert not tags.has("bbbb", 3 * NONCE_MS)


def test_a_bot_that_dies_within_five_minutes_leaves_the_tag_that_it_used() -> None:
    tags = NonceTags("aaaa", "bbbb", 0)
    assert tags.renewed(NONCE_MS - 1).former == "bbbb"
    assert tags.renewed(NONCE_MS).former == "aaaa"


async def test_three_presses_answered_elsewhere_in_a_minute_show_another_process() -> None:
    with capture_logs() as logs:
        assert (await Bot().start()).after_presses((0, 30, 59))
    assert [(line["event"], line["problem"]) for line in logs] == [("token.used_twice", RIVAL)]


async def test_fewer_such_presses_reveal_no_other_process() -> None:
    assert not (await Bot().start()).after_presses((0, 30))
    assert not (await Bot().start()).after_presses((0, 50, 100, 150))


async def test_a_press_that_is_delivered_twice_counts_once() -> None:
    assert not (await Bot().start()).after_presses((0, 1, 2, 3), presses=1)
    assert not (await Bot().start()).after_presses((0, 1, 2, 3, 4), presses=2)


async def test_ten_minutes_after_its_last_sign_a_rival_is_gone() -> None:
    bot = await Bot().start()
    assert bot.after_presses((0, 0, 0))
    bot.now += 599_000
    bot.rivals.hear_press(50)
    bot.now += 600_000
    assert bot.rivals.notice == RIVAL
    bot.now += 1_000
    assert bot.rivals.notice is None
    bot.rivals.hear_press(51)
    assert bot.rivals.notice is None
