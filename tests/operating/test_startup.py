"""A start that waits for a network, a Discord and a database; and the state over HTTP, as Prometheus asks it."""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route
from structlog.testing import capture_logs

from bot.base import metrics
from bot.base.errors import KemsError
from bot.base.settings import Settings, SettingsError, load
from bot.discord.gateway.client import KemsClient
from bot.operating import operations, startup
from bot.operating.operations import watched
from bot.operating.status import WAITING, serving
from bot.store.engine.failures import UnreachedError
from tests.waiting import until

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "_PAUSES_S", (0.0, 0.0))


async def test_a_start_retries_until_it_is_answered_and_logs_why_it_waits() -> None:
    failures = [socket.gaierror(-3, "x"), ConnectionRefusedError(), TimeoutError(), UnreachedError("DB")]

    async def attempt() -> None:
        if failures:
            raise failures.pop(0)

    with capture_logs() as logs:
        await startup.until_reached(attempt)
    assert [line["problem"] for line in logs] == [
        "Discord cannot be reached (its name is not found): is this machine online?",
        "Discord cannot be reached (nobody answers): is this machine online?",
        "Discord cannot be reached (nobody answers): is this machine online?",
        "DB",
    ]


async def test_a_start_waits_for_the_network_and_then_logs_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:  # bound and not listening: a connection is refused
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{port}/api/v10")
        began: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def play(_client: KemsClient, _token: str) -> None:
            began.set_result(None)

        monkeypatch.setattr(operations, "_play", play)
        settings = Settings(_env_file=None, database_url=f"sqlite:///{tmp_path}/kems.db", discord_token=TOKEN)  # type: ignore[arg-type]  # pydantic reads it
        with capture_logs() as logs:
            running = asyncio.create_task(operations.run_bot(settings))
            await until(lambda: any(line["event"] == "start.waiting" for line in logs))
            assert not began.done()
            server = await asyncio.start_server(lambda _reader, writer: writer.close(), sock=taken)
            async with server:
                await running
    assert began.done()


async def test_starts_that_fail_again_and_again_wait_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async def start(error: type[BaseException]) -> None:
        with suppress(error):
            async with startup.spaced_starts(tmp_path, lambda: False):
                raise error

    monkeypatch.setattr(asyncio, "sleep", sleep)
    for _ in range(12):
        await start(KemsError)
    assert waited == [4, 8, 16, 32, 64, 128, 256, 512, 600]
    (file,) = tmp_path.iterdir()
    os.utime(file, (0, 0))
    await start(KemsError)
    assert len(waited) == 9, "that was long ago"
    for _ in range(5):
        await start(asyncio.CancelledError)
    assert len(waited) == 9, "who stops it has not failed"


@pytest.mark.parametrize("written", ["1001", "99999999", "9" * 5000, "-7", "\x00"])
async def test_a_malformed_count_of_starts_counts_as_zero(
    written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sleep(_seconds: float) -> None:
        raise AssertionError("nothing is waited for")

    file = tmp_path / "kems-starts"
    file.write_text(written)
    with monkeypatch.context() as patch, suppress(KemsError):
        patch.setattr(asyncio, "sleep", sleep)
        async with startup.spaced_starts(tmp_path, lambda: False):
            raise KemsError("Discord closed the connection.")
    assert file.read_text() == "1"


async def test_starts_are_counted_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    file = tmp_path / "kems-starts"
    file.write_text(str(startup.MOST_STARTS))
    with monkeypatch.context() as patch, suppress(KemsError):
        patch.setattr(asyncio, "sleep", sleep)
        async with startup.spaced_starts(tmp_path, lambda: False):
            raise KemsError("Discord closed the connection.")
    assert waited == [600]
    assert file.read_text() == str(startup.MOST_STARTS)


async def test_a_start_counts_as_a_success_when_the_bot_served_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(startup, "SERVED_S", 0.3)
    monkeypatch.setattr(startup, "LOOK_S", 0.05)
    for serves, is_failed in ((False, True), (True, False)):
        with suppress(KemsError):
            async with startup.spaced_starts(tmp_path, lambda serves=serves: serves):
                await asyncio.sleep(0.6)
                raise KemsError("Discord closed the connection.")
        assert any(tmp_path.iterdir()) is is_failed


async def test_a_start_from_a_blocked_address_waits_before_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def until_let_in(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(startup, "until_let_in", until_let_in)
    with pytest.raises(startup.ShutOutError, match="Discord has shut this machine's address out"):
        async with startup.waiting_while_shut_out():
            raise startup.ShutOutError(90)
    assert waited == [90]


def test_requests_go_to_the_configured_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    before = Route.BASE
    startup.use_proxy(Settings(_env_file=None))
    assert before == Route.BASE
    startup.use_proxy(Settings(_env_file=None, discord_api="http://proxy:8080/"))
    assert Route("GET", "/users/@me").url == "http://proxy:8080/api/v10/users/@me"


@pytest.mark.parametrize("address", ["proxy:8080", "ftp://proxy", "http://proxy/api", "http://name:secret@proxy"])
def test_an_unusable_proxy_address_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_API", address)
    with pytest.raises(SettingsError, match="DISCORD_API cannot be used: it must be http:// or https:// and a host"):
        load(None)


def state() -> dict[str, dict[str, float]]:
    return {"kems_tables": {"playing": 3, "lobby": 1}, "kems_people": {"": 13}}


def because(trouble: str | None) -> Callable[[], Awaitable[str | None]]:
    async def troubles() -> str | None:
        return trouble

    return troubles


async def _asked(port: int, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, await answer.text()


async def test_prometheus_reads_counters_and_gauges() -> None:
    metrics.PRESSES.labels("put", "answered").inc()
    async with serving("127.0.0.1:0", state, because(None)) as port:
        status, text = await _asked(port, "/metrics")
    lines = text.splitlines()
    assert status == 200
    assert {'kems_tables{state="playing"} 3.0', "kems_ready 1.0"} <= {*lines}
    assert "kems_people 13.0" in lines
    assert any(line.startswith('kems_presses_total{outcome="answered",what="put"}') for line in lines)
    assert "# TYPE kems_commit_seconds histogram" in lines


async def test_the_bot_is_healthy_while_it_runs_and_ready_while_nothing_is_wrong() -> None:
    async with serving("127.0.0.1:0", state, because("Discord is not connected.")) as port:
        assert await _asked(port, "/healthz") == (200, "The bot runs.\n")
        assert await _asked(port, "/readyz") == (503, "Discord is not connected.\n")
        assert "\nkems_ready 0.0\n" in (await _asked(port, "/metrics"))[1]
    async with serving("127.0.0.1:0", state, because(WAITING)) as port:
        assert await _asked(port, "/readyz") == (503, f"{WAITING}\n")
        assert "\nkems_ready 1.0\n" in (await _asked(port, "/metrics"))[1], "it is not broken"
    async with serving("127.0.0.1:0", state, because(None)) as port:
        assert await _asked(port, "/readyz") == (200, "The bot is ready.\n")


async def test_a_taken_status_address_is_reported_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(KemsError, match=f"STATUS_ADDRESS {address} cannot be used .*choose another port"):
            async with serving(address, state, because(None)):
                pass
    async with serving("127.0.0.1:0", state, because(None)):  # what failed is registered no longer
        pass


RELEASE = {"tag_name": "v99.1.0", "html_url": "https://example.org/changes"}


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (web.json_response(RELEASE), {"event": "update.available", "changes": "https://example.org/changes"}),
        (web.json_response({**RELEASE, "tag_name": "v0.0.9"}), None),
        (web.json_response({**RELEASE, "tag_name": f"v{version('kems-bot')}rc1"}), None),
        (web.json_response([RELEASE]), {"event": "update.not_known", "problem": "ValidationError"}),
        (web.Response(text="<html>"), {"event": "update.not_known", "problem": "DecodeError"}),
        (web.Response(status=404), {"event": "update.not_known", "problem": "ClientResponseError"}),
        (web.json_response(RELEASE | {"body": "a" * 2**20}), {"event": "update.not_known", "problem": "ValueError"}),
        (web.Response(text='{"a":' + "[" * 900_000), {"event": "update.not_known", "problem": "RecursionError"}),
        (
            web.json_response(RELEASE | {"tag_name": "9" * 6_000}),
            {"event": "update.not_known", "problem": "ValidationError"},
        ),
        (
            web.json_response(RELEASE | {"tag_name": "v99.1.0\n[error] a line"}),
            {"event": "update.not_known", "problem": "ValidationError"},
        ),
        (
            web.json_response(RELEASE | {"html_url": "https://example.org/\x1b[31m"}),
            {"event": "update.not_known", "problem": "ValidationError"},
        ),
    ],
    ids=["newer", "older", "candidate", "other", "page", "none", "endless", "deep", "huge", "lines", "escapes"],
)
async def test_a_newer_version_is_logged_once_and_a_failed_check_is_silent(
    answer: web.Response, told: dict[str, str] | None
) -> None:
    asked = asyncio.Event()

    async def latest(_request: web.Request) -> web.Response:
        asked.set()
        return answer

    app = web.Application()
    app.router.add_get("/releases/latest", latest)
    async with TestServer(app) as server:
        with capture_logs() as logs:
            async with watched(str(server.make_url("/releases/latest"))):
                await asked.wait()
                while told is not None and not logs:
                    await asyncio.sleep(0.01)
    assert [line["log_level"] for line in logs] == ([] if told is None else ["info"])
    assert told is None or logs[0].items() >= told.items()
