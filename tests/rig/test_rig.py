"""The rig itself: the bot meets its Discord unmodified; what Discord would refuse comes out at the end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from tests.rig.air import Weather
from tests.rig.players import Group, groups
from tests.rig.rig import Rig, running
from tests.rig.small_client import PEOPLE, TOKEN


@asynccontextmanager
async def lobby(folder: Path, **options: str) -> AsyncIterator[tuple[Rig, Group]]:
    async with running(folder, PEOPLE) as rig:
        await rig.start()
        (group,) = groups(rig.remote, [4], seed=1)
        await rig.remote.slash(group.host.user, "kems start", **options)

        def is_there() -> bool:
            group.look_around()
            return group.board() is not None

        await rig.remote.until(is_there, "the lobby")
        yield rig, group


async def press(rig: Rig, group: Group, name: str, verb: str) -> str:
    """Press a button of the table's message; how it was answered."""
    board = group.board()
    assert board is not None
    outcome = await rig.remote.press(rig.remote.users[name], board, f"k1:{group.table_id}:{verb}")
    return outcome.kind


async def test_a_dropped_gateway_resumes_and_hears_what_it_missed(tmp_path: Path) -> None:
    async with lobby(tmp_path) as (rig, group):
        await rig.remote.discord.gateway.drop()
        assert await press(rig, group, "Bruno", "join") == "update"
        assert rig.remote.discord.gateway.resumes == 1
        await rig.remote.discord.gateway.drop(forget=True)
        while not await rig.remote.connected():  # discord.py waits five seconds before it identifies anew
            assert rig.pid
        assert await press(rig, group, "Chloé", "join") == "update"
        assert rig.remote.discord.gateway.resumes == 1


async def test_a_server_error_is_tried_again(tmp_path: Path) -> None:
    async with lobby(tmp_path) as (rig, group):
        rig.remote.air.change(Weather(errors=1, status=502, where="/callback"))
        assert await press(rig, group, "Bruno", "join") == "update"
        rig.remote.air.change(Weather(rest=(0.2, 0.3)))
        outcome = await rig.remote.slash(rig.remote.users["Dora"], "kems hand")
        assert outcome.kind == "message"
        assert outcome.took_ms >= 100


async def post_what_discord_refuses(folder: Path) -> None:
    async with running(folder, PEOPLE) as rig, aiohttp.ClientSession(headers=TOKEN) as session:
        url = f"http://{rig.remote.discord.address}/api/v10/channels/{rig.remote.channel_id}/messages"
        async with session.post(url, json={"content": "x", "nonce": "x" * 26}) as answer:
            assert answer.status == 400


async def test_a_request_that_discord_would_refuse_fails_the_test_at_its_end(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"POST channels/\*/messages: nonce"):
        await post_what_discord_refuses(tmp_path)
