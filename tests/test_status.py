"""The state over HTTP, asked as Prometheus and a supervisor ask it."""

import socket
from collections.abc import Awaitable, Callable

import aiohttp
import pytest

from bot import metrics
from bot.errors import KemsError
from bot.status import serving


def _state() -> dict[str, dict[str, float]]:
    return {"kems_tables": {"playing": 3, "lobby": 1}, "kems_people": {"": 13}}


def _because(trouble: str | None) -> Callable[[], Awaitable[str | None]]:
    async def troubles() -> str | None:
        return trouble

    return troubles


async def _asked(port: int, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, await answer.text()


async def test_prometheus_reads_what_was_counted_and_what_is_now() -> None:
    metrics.PRESSES.labels("put", "answered").inc()
    async with serving("127.0.0.1:0", _state, _because(None)) as port:
        status, text = await _asked(port, "/metrics")
    lines = text.splitlines()
    assert status == 200
    assert 'kems_tables{state="playing"} 3.0' in lines
    assert "kems_people 13.0" in lines
    assert any(line.startswith('kems_presses_total{outcome="answered",what="put"}') for line in lines)
    assert "# TYPE kems_commit_seconds histogram" in lines


async def test_it_is_healthy_while_it_runs_and_ready_without_trouble() -> None:
    async with serving("127.0.0.1:0", _state, _because("Discord is not connected.")) as port:
        assert await _asked(port, "/healthz") == (200, "The bot runs.\n")
        assert await _asked(port, "/readyz") == (503, "Discord is not connected.\n")
    async with serving("127.0.0.1:0", _state, _because(None)) as port:
        assert await _asked(port, "/readyz") == (200, "The bot is ready.\n")


async def test_an_address_that_is_taken_is_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(KemsError, match=f"STATUS_ADDRESS {address} cannot be used .*choose another port"):
            async with serving(address, _state, _because(None)):
                pass
    async with serving("127.0.0.1:0", _state, _because(None)):  # what failed is registered no longer
        pass
