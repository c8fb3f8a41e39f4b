"""The rate limits of the rig's Discord with an unmodified discord.py."""

import asyncio
import time

import aiohttp
import discord
import pytest

from bot.discord.rate_limits.responses import ask_gateway, shut_out_s
from bot.operating import startup
from tests.rig.air import Weather
from tests.rig.assumptions import Assumptions
from tests.rig.limits import BUCKETS, RateLimits
from tests.rig.small_client import TOKEN, connected


async def test_discord_py_waits_when_the_headers_tell_it_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUCKETS, "channel", (5, 2.0))
    async with connected() as stage:
        began = time.monotonic()
        await asyncio.gather(*(stage.channel.send(str(number)) for number in range(6)))
        assert time.monotonic() - began > 1.5
        assert stage.remote.air.limited == []


async def test_a_429_names_its_bucket_its_scope_and_how_long_to_wait() -> None:
    async with connected() as stage, aiohttp.ClientSession(f"http://{stage.discord.address}") as session:
        url = f"/api/v10/channels/{stage.channel_id}/messages"
        buckets = set()
        for _ in range(6):
            async with session.post(url, json={"content": "x"}, headers=TOKEN) as answer:
                buckets.add(answer.headers["X-RateLimit-Bucket"])
                told = await answer.json()
        assert answer.status == 429
        assert (answer.headers["X-RateLimit-Scope"], answer.headers["X-RateLimit-Remaining"]) == ("user", "0")
        assert 0 < told["retry_after"] <= 5
        assert not told["global"]
        assert len(buckets) == 1
        assert stage.remote.air.limited == [f"POST /channels/{stage.channel_id}/messages"]


def test_requests_with_an_interaction_token_are_not_counted_for_the_bot() -> None:
    limits = RateLimits(lambda: 0.0)
    free = [limits.spend("PATCH", f"/webhooks/1/token{number}/messages/@original") for number in range(200)]
    free += [limits.spend("POST", f"/interactions/{number}/token/callback") for number in range(200)]
    counted = [limits.spend("PATCH", f"/channels/{number}/messages/1") for number in range(51)]
    assert [verdict.retry_after for verdict in free] == [None] * 400
    assert [verdict.is_global for verdict in counted] == [False] * 50 + [True]
    of_one = [limits.spend("PATCH", "/webhooks/1/token/messages/@original") for _ in range(6)]
    assert [verdict.retry_after for verdict in of_one] == [None] * 5 + [2.0]
    assert not of_one[5].is_global


@pytest.mark.parametrize("counts_answers", [False, True])
def test_an_address_may_have_a_limit_for_all_tokens(counts_answers: bool) -> None:
    limits = RateLimits(lambda: 0.0, Assumptions(of_address=50, counts_answers=counts_answers))
    answers = [limits.spend("POST", f"/interactions/{number}/token/callback") for number in range(20)]
    edits = [limits.spend("PATCH", f"/webhooks/1/token{number}/messages/@original") for number in range(60)]
    assert [verdict.is_global for verdict in answers] == [False] * 20
    assert [verdict.is_global for verdict in edits].index(True) == (30 if counts_answers else 50)
    assert limits.spend("PATCH", "/channels/1/messages/1").retry_after is None


def test_too_many_invalid_requests_block_the_address() -> None:
    now = 0.0
    limits = RateLimits(lambda: now, most_invalid=3)
    for status, scope in ((403, None), (429, "shared"), (404, None), (401, None), (200, None), (429, "user")):
        assert limits.spend("GET", "/users/@me").retry_after is None
        limits.answered(status, scope)
    refused = limits.spend("POST", "/interactions/1/token/callback")
    assert (refused.retry_after, refused.is_page, refused.headers) == (600, True, {})
    now += 600
    assert limits.spend("GET", "/users/@me").retry_after is None


def test_posts_and_edits_of_a_channel_share_a_window() -> None:
    now = 100.0
    limits = RateLimits(lambda: now)
    asked = [("PATCH", "/channels/1/messages/5")] * 3 + [("POST", "/channels/1/messages")] * 3
    asked.append(("PATCH", "/channels/2/messages/5"))
    assert [limits.spend(*one).retry_after for one in asked] == [None] * 5 + [5.0, None]
    now += 4.9
    assert limits.spend("PATCH", "/channels/1/messages/5").retry_after
    now += 0.1
    assert limits.spend("PATCH", "/channels/1/messages/5").retry_after is None


async def test_a_blocked_address_gets_a_page_until_the_block_ends() -> None:
    async with connected() as stage:
        stage.remote.air.rate_limits.shut_out()
        with pytest.raises(discord.HTTPException) as refused:
            await stage.channel.send("nobody takes it")
        assert isinstance(refused.value.response, aiohttp.ClientResponse)
        assert shut_out_s(refused.value.response) == 0, "it does not say for how long"
        with pytest.raises(startup.ShutOutError), startup.asking_discord():
            raise refused.value
        assert await ask_gateway() == 0
        stage.remote.air.rate_limits.let_in()
        assert await ask_gateway() is None
        assert stage.remote.discord.recorder.violations == []


async def test_random_requests_may_be_refused_with_a_shared_limit() -> None:
    async with connected() as stage:
        weather = Weather(limits=False, errors=1, status=429, where="/messages", retry_after=0.3, scope="shared")
        stage.remote.air.change(weather)
        began = time.monotonic()
        await stage.channel.send("waits")
        assert time.monotonic() - began >= 0.3
