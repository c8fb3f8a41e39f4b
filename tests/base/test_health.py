"""The container's health check asks where the bot of its environment answers."""

import asyncio
import os
import subprocess
import sys

import pytest

from bot.base.health import address
from bot.operating.status import serving
from tests.operating.test_startup import because, state


@pytest.mark.parametrize(
    ("status_address", "asked"),
    [
        ("", "http://127.0.0.1:9464/healthz"),
        ("0.0.0.0:9000", "http://127.0.0.1:9000/healthz"),
        ("[::]:9000", "http://[::1]:9000/healthz"),
        ("10.0.0.7:9000", "http://10.0.0.7:9000/healthz"),
    ],
)
def test_the_health_check_uses_status_address(status_address: str, asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATUS_ADDRESS", status_address)
    assert address() == asked


def check(port: int) -> tuple[int, str]:
    told = os.environ | {"STATUS_ADDRESS": f"0.0.0.0:{port}"}
    program = [sys.executable, "-m", "bot.base.health"]
    done = subprocess.run(program, env=told, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


async def test_the_check_fails_when_no_bot_answers() -> None:
    async with serving("127.0.0.1:0", state, because("Discord is not connected.")) as port:
        assert await asyncio.to_thread(check, port) == (0, "")
    status, problem = await asyncio.to_thread(check, port)
    assert status == 1
    assert problem.startswith(f"The bot does not answer at http://127.0.0.1:{port}/healthz: ")
