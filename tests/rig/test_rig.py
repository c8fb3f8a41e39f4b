"""The rig itself: its Discord keeps Discord's deadlines, limits and promises, and the bot meets them unmodified."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.sandbox.discord.limits import RateLimits
from bot.sandbox.discord.people import Refused
from bot.ui.table.verbs import TableVerb
from tests.rig.air import Weather
from tests.rig.players import Group, groups, offers
from tests.rig.rig import Rig, running

PEOPLE = ("Léa", "Bruno", "Chloé", "Dora")
TOKEN = {"Authorization": "Bot rig"}


@asynccontextmanager
async def lobby(folder: Path) -> AsyncIterator[tuple[Rig, Group]]:
    """A running bot, and Léa's open lobby."""
    async with running(folder, PEOPLE) as rig:
        await rig.start()
        (group,) = groups(rig.remote, [4], seed=1)
        await rig.remote.slash(group.host.user, "kems start")

        def is_there() -> bool:
            group.look_around()
            return group.board() is not None

        await rig.remote.until(is_there, "the lobby")
        yield rig, group


async def press(rig: Rig, group: Group, name: str, verb: str) -> str:
    """Press a button of the table's message; how it was answered."""
    board = group.board()
    assert board is not None
    outcome = await rig.remote.press(rig.remote.served.users[name], board, f"k1:{group.table_id}:{verb}")
    return outcome.kind


async def test_members_press_and_see(tmp_path: Path) -> None:
    async with lobby(tmp_path) as (rig, group):
        assert await press(rig, group, "Bruno", "join") == "update"
        board = group.board()
        assert board is not None
        assert "Bruno" in board.text
        assert await press(rig, group, "Chloé", "help") == "message"
        private = [m for m in rig.remote.messages.values() if m.ephemeral]
        assert [m.viewer_id for m in private] == [rig.remote.served.users["Chloé"]]
        assert private[0] not in rig.remote.seen_by(rig.remote.served.users["Dora"])
        with pytest.raises(Refused, match="no longer there"):
            await rig.remote.press(rig.remote.served.users["Dora"], private[0], f"k1:{group.table_id}:join")
        counts = await rig.remote.counts()
        assert (counts.limited, counts.missed, counts.invalid) == ((), (), {})


async def test_three_seconds_to_answer(tmp_path: Path) -> None:
    async with lobby(tmp_path) as (rig, group):
        await rig.remote.weather(Weather(gateway=(3.3, 3.3)))
        assert await press(rig, group, "Bruno", "join") == ""
        await asyncio.sleep(1)
        counts = await rig.remote.counts()
        assert counts.missed == (f"k1:{group.table_id}:join",)
        assert "404/10062" in counts.invalid  # unknown interaction: the answer came too late


async def test_a_dropped_gateway_resumes_and_hears_what_it_missed(tmp_path: Path) -> None:
    async with lobby(tmp_path) as (rig, group):
        await rig.remote.drop()
        assert await press(rig, group, "Bruno", "join") == "update"
        assert (await rig.remote.counts()).resumes == 1
        await rig.remote.drop(forget=True)
        while not await rig.remote.connected():  # discord.py waits five seconds before it identifies anew
            assert rig.pid
        assert await press(rig, group, "Chloé", "join") == "update"
        assert (await rig.remote.counts()).resumes == 1


async def test_a_server_error_is_tried_again(tmp_path: Path) -> None:
    async with lobby(tmp_path) as (rig, group):
        await rig.remote.weather(Weather(errors=1, status=502, where="/callback"))
        assert await press(rig, group, "Bruno", "join") == "update"
        await rig.remote.weather(Weather(rest=(0.2, 0.3)))
        outcome = await rig.remote.slash(rig.remote.served.users["Dora"], "kems hand")
        assert outcome.kind == "message"
        assert outcome.took_ms >= 100


async def test_tokens_expire_with_401(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, auto_open=0) as rig:
        await rig.start()
        (group,) = groups(rig.remote, [4], seed=1)
        for member in group.members:
            member.opens_hunts = False
        await group.sit_down()
        async with asyncio.timeout(15):
            while TableVerb.HAND not in offers(group.board(), group.table_id):
                await asyncio.gather(*(member.step() for member in group.members))
                await asyncio.sleep(0.3)  # nobody presses too fast
        for member in group.members:
            await member.open_hand()
        await rig.remote.expire()
        for member in group.members:
            for opening in offers(member.panel(), group.table_id).get(TableVerb.OPEN, []):
                await member.press(opening)  # the dealer's, which all panels have to show
        async with asyncio.timeout(5):
            while "401/50027" not in (await rig.remote.counts()).invalid:
                await asyncio.sleep(0.1)


async def test_429_with_headers_and_nonces(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as rig, aiohttp.ClientSession(headers=TOKEN) as session:
        served = rig.remote.served
        url = f"http://{served.address}/api/v10/channels/{served.channel_id}/messages"
        twice = {"content": "once", "nonce": "7", "enforce_nonce": True}
        ids = set()
        for left in (4, 3):
            async with session.post(url, json=twice) as answer:
                ids.add((await answer.json())["id"])
                assert answer.headers["X-RateLimit-Remaining"] == str(left)
        assert len(ids) == 1
        statuses = []
        for _ in range(4):
            async with session.post(url, json={"content": "more"}) as answer:
                statuses.append(answer.status)
        assert statuses == [200, 200, 200, 429]
        assert 3 < float(answer.headers["Retry-After"]) <= 5
        assert len(answer.headers["X-RateLimit-Bucket"]) == 32
        counts = await rig.remote.counts()
        assert counts.limited == (f"POST /channels/{served.channel_id}/messages",)


async def post_what_discord_refuses(folder: Path) -> None:
    async with running(folder, PEOPLE) as rig, aiohttp.ClientSession(headers=TOKEN) as session:
        url = f"http://{rig.remote.served.address}/api/v10/channels/{rig.remote.served.channel_id}/messages"
        async with session.post(url, json={"content": "x", "nonce": "x" * 26}) as answer:
            assert answer.status == 400


async def test_what_discord_would_refuse_comes_out_at_the_end(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"POST channels/\*/messages: nonce"):
        await post_what_discord_refuses(tmp_path)


def test_the_buckets() -> None:
    now = 100.0
    limits = RateLimits(lambda: now)

    def refused(method: str, path: str, times: int) -> list[bool]:
        return [limits.spend(method, path).retry_after is not None for _ in range(times)]

    assert refused("PATCH", "/channels/1/messages/5", 3) == [False] * 3
    assert refused("POST", "/channels/1/messages", 3) == [False, False, True]  # posts and edits share
    assert refused("PATCH", "/channels/2/messages/5", 1) == [False]
    assert refused("PATCH", "/webhooks/9/token/messages/@original", 6) == [False] * 5 + [True]
    assert refused("POST", "/interactions/4/token/callback", 200) == [False] * 200  # answers are free
    now += 2.1
    assert refused("PATCH", "/webhooks/9/token/messages/@original", 1) == [False]
    assert refused("PATCH", "/channels/1/messages/5", 1) == [True]
    assert refused("GET", "/gateway/bot", 60).count(False) == 49  # 50 a second with the bot's token
    assert limits.spend("GET", "/users/@me").is_global
