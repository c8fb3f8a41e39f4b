"""Each answer is heard before the caller has it; a request that may not be made is not sent."""

from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.ui.live.answers import ListeningConnector, RateLimit, limit_of


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


async def test_every_answer_is_heard_before_its_caller_has_it(asked: tuple[TestServer, list[str]]) -> None:
    server, _ = asked
    heard: list[tuple[str, int, str]] = []

    def hear(answer: aiohttp.ClientResponse) -> None:
        heard.append((answer.url.path, answer.status, answer.headers["Retry-After"]))

    async with aiohttp.ClientSession(connector=ListeningConnector(hear, hear)) as session:
        for path in ("/first", "/late", "/first"):
            async with session.get(server.make_url(path)) as answer:
                assert heard[-2:] == [(path, answer.status, "3")] * 2
    assert [status for _, status, _ in heard[::2]] == [200, 429, 200]


async def test_what_may_not_be_asked_is_not_sent(asked: tuple[TestServer, list[str]]) -> None:
    server, paths = asked

    def refuse() -> None:
        raise aiohttp.ClientConnectionError("not now")

    async with aiohttp.ClientSession(connector=ListeningConnector(before=refuse)) as session:
        with pytest.raises(aiohttp.ClientConnectionError, match="not now"):
            await session.get(server.make_url("/first"))
    assert paths == []


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
def test_headers(status: int, headers: dict[str, str], told: RateLimit) -> None:
    assert limit_of(status, headers) == told
