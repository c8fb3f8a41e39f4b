"""Each answer is heard before the caller has it; a request that may not be made is not sent."""

import asyncio
from collections.abc import AsyncIterator
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import orjson
import pytest
import yarl
from aiohttp import web
from aiohttp.test_utils import TestServer
from structlog.testing import capture_logs

from bot.base.settings import Settings
from bot.compose import build_client
from bot.discord.api.aiohttp_internals import ListeningConnector
from bot.discord.rate_limits import responses
from bot.discord.rate_limits.responses import (
    WORTH_SILENCE,
    InvalidRequests,
    RateLimit,
    bounded,
    limit_of,
    until_let_in,
)
from bot.discord.rate_limits.throttling import record_answer
from tests.tables.virtual import in_virtual_time


@pytest.fixture
async def asked() -> AsyncIterator[tuple[TestServer, list[str]]]:
    """A server, and the paths that it was asked for."""
    paths: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        paths.append(request.path)
        return web.Response(status=429 if request.path == "/late" else 200, headers={"Retry-After": "3"})

    app = web.Application()
    app.router.add_get("/{name}", answer)
    async with TestServer(app) as server:
        yield server, paths


async def test_every_response_is_heard_before_its_caller_receives_it(asked: tuple[TestServer, list[str]]) -> None:
    server, _ = asked
    heard: list[tuple[str, int, str]] = []

    def on_answer(answer: aiohttp.ClientResponse) -> None:
        heard.append((answer.url.path, answer.status, answer.headers["Retry-After"]))

    async with aiohttp.ClientSession(connector=ListeningConnector(on_answer, on_answer)) as session:
        for path in ("/first", "/late", "/first"):
            async with session.get(server.make_url(path)) as answer:
                assert heard[-2:] == [(path, answer.status, "3")] * 2
    assert [status for _, status, _ in heard[::2]] == [200, 429, 200]


async def test_a_caller_that_waits_after_a_429_learns_the_reason_at_once() -> None:
    said = {"message": "Slow mode", "code": 20016, "retry_after": 60}
    answers = {"/slow": orjson.dumps(said), "/page": b"<html>", "/plain": b'{"message": "Too many", "code": 0}'}

    async def answer(request: web.Request) -> web.Response:
        return web.Response(body=answers[request.path], status=429)

    app = web.Application()
    app.router.add_get("/{name}", answer)
    async with (
        TestServer(app) as server,
        aiohttp.ClientSession(connector=ListeningConnector(record_answer)) as session,
    ):
        heard: list[discord.HTTPException] = []

        async def ask(path: str) -> None:
            """As discord.py does: it reads the answer, and sleeps."""
            async with session.get(server.make_url(path)) as found:
                await found.text()
            await asyncio.sleep(1)

        async def waits(path: str) -> None:
            async with bounded(0.1, heard.append):
                await ask(path)

        with pytest.raises(discord.HTTPException, match="Slow mode") as refused:
            await waits("/slow")
        assert [error.code for error in heard] == [refused.value.code] == [20016]
        for path in ("/plain", "/page"):
            with pytest.raises(TimeoutError):
                await waits(path)
        with pytest.raises(TimeoutError):
            async with bounded(0.1, heard.append):
                await asyncio.create_task(ask("/slow"))
        assert len(heard) == 1, "what another task asks for is that one's"


async def test_a_request_is_not_sent_while_requests_are_forbidden(asked: tuple[TestServer, list[str]]) -> None:
    server, paths = asked

    def refuse(_url: yarl.URL) -> None:
        raise aiohttp.ClientConnectionError("not now")

    async with aiohttp.ClientSession(connector=ListeningConnector(before=refuse)) as session:
        with pytest.raises(aiohttp.ClientConnectionError, match="not now"):
            await session.get(server.make_url("/first"))
    assert paths == []


async def test_a_process_without_its_database_sends_nothing_but_connects_to_the_gateway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = build_client(Settings(_env_file=None, database_url=f"sqlite:///{tmp_path}/kems.db"))
    monkeypatch.setattr(client.rooms.store.cluster, "acts_until", 0.0)

    async def gateway(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        return socket

    app = web.Application()
    app.router.add_get("/", gateway)
    async with (
        TestServer(app) as server,
        aiohttp.ClientSession(connector=ListeningConnector(before=client._check_request)) as session,
    ):
        with pytest.raises(aiohttp.ClientConnectionError, match="lost touch with its database"):
            await session.get(server.make_url("/"))
        await session.ws_connect(server.make_url("/").with_scheme("ws"))


def answer(status: int, scope: str = "", *, carries_token: bool = False, page: str = "", **headers: str) -> Any:
    """`page` is the path of an answer that is a page."""
    asked = SimpleNamespace(headers={"Authorization": "Bot"} if carries_token else {})
    kind = "text/html" if page else "application/json"
    told = {"X-RateLimit-Scope": scope, **headers}
    return SimpleNamespace(status=status, headers=told, request_info=asked, content_type=kind, url=yarl.URL(page))


@in_virtual_time
@pytest.mark.parametrize(("headers", "first"), [({}, 60), ({"Retry-After": "90"}, 90), ({"Retry-After": "5"}, 60)])
async def test_while_the_address_is_blocked_only_a_probe_is_sent(
    headers: dict[str, str], first: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, asked, changes = asyncio.get_running_loop(), list[float](), list[bool]()
    began = loop.time()

    async def ask() -> float | None:
        asked.append(loop.time() - began)
        if len(asked) == 2:
            raise aiohttp.ClientConnectionError
        return 0.0 if len(asked) < 8 else None

    monkeypatch.setattr(responses, "ask_gateway", ask)
    invalid = InvalidRequests(changed=changes.append)
    for other in (answer(429, "user"), answer(403, page="/avatars/1.png"), answer(502, page="/api/v10/users/@me")):
        invalid.on_answer(other)
        assert not invalid.is_shut_out
    with capture_logs() as logs:
        for _ in range(3):
            invalid.on_answer(answer(403, page="/api/v10/users/@me", **headers))
        await asyncio.sleep(first - 1)
        with pytest.raises(aiohttp.ClientConnectionError, match="shut this address out"):
            invalid.check("/api/v10/interactions/1/token/callback")
        await asyncio.sleep(4 * 3600)
    waits = [first, 120, 240, 480, 960, 1800, 1800, 1800]
    assert asked == pytest.approx(list(accumulate(waits)))
    assert changes == [True, False]
    assert [line["again_in_s"] for line in logs if line["event"] == "address.shut_out"] == waits
    assert not invalid.is_shut_out
    invalid.check("/api/v10/channels/1/messages")


@in_virtual_time
async def test_no_request_is_made_before_the_retry_after_of_discord(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, asked, answers = asyncio.get_running_loop(), list[float](), [3600.0, None]
    began = loop.time()

    async def ask() -> float | None:
        asked.append(loop.time() - began)
        return answers.pop(0)

    monkeypatch.setattr(responses, "ask_gateway", ask)
    await until_let_in(0.0)
    assert asked == pytest.approx([60, 3660])


def test_after_too_many_invalid_requests_only_presses_are_answered_until_they_are_fewer() -> None:
    now = 0.0
    invalid = InvalidRequests(lambda: now)
    with capture_logs() as logs:
        for number in range(WORTH_SILENCE):
            invalid.check("/api/v10/channels/1/messages")
            invalid.on_answer(answer((401, 403, 429)[number % 3], "user"))
            invalid.on_answer(answer(429, "shared"))
            invalid.on_answer(answer(404))
            now += 0.01
    assert [(line["in_ten_minutes"], line["only_answers"]) for line in logs] == [(2000, False), (5000, True)]
    with pytest.raises(aiohttp.ClientConnectionError):
        invalid.check("/api/v10/channels/1/messages")
    invalid.check("/api/v10/interactions/1/token/callback")
    now = 600.005
    assert invalid.count == WORTH_SILENCE - 1
    invalid.check("/api/v10/channels/1/messages")


@pytest.mark.parametrize(("status", "headers", "told"), [
    (200, {}, RateLimit()),
    (200, {"X-RateLimit-Remaining": "1", "X-RateLimit-Reset-After": "2.5"}, RateLimit()),
    (200, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "2.5"}, RateLimit(2.5)),
    (200, {"X-RateLimit-Remaining": "0"}, RateLimit()),
    (429, {"Retry-After": "3", "X-RateLimit-Scope": "user"}, RateLimit(3.0, is_refused=True)),
    (429, {"Retry-After": "3", "X-RateLimit-Scope": "shared"}, RateLimit(3.0, is_refused=True, is_shared=True)),
    (429, {"Retry-After": "3", "X-RateLimit-Scope": "global"}, RateLimit(3.0, is_refused=True, is_global=True)),
    (429, {"Retry-After": "3", "X-RateLimit-Global": "true"}, RateLimit(3.0, is_refused=True, is_global=True)),
    (429, {"Retry-After": "soon"}, RateLimit(0.0, is_refused=True)),
])  # fmt: skip
def test_headers_are_read_into_limits(status: int, headers: dict[str, str], told: RateLimit) -> None:
    assert limit_of(status, headers) == told
