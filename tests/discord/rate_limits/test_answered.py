"""Whatever becomes of an answer, nothing escapes and no trace of a program reaches people or the log."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest
import structlog
from aiohttp import ClientOSError, ServerDisconnectedError
from prometheus_client import REGISTRY

from bot.base.errors import StoreError
from bot.discord.interactions.feature import answer_errors

CUT = [ServerDisconnectedError(), ClientOSError(101, "Network is unreachable"), ConnectionResetError(), TimeoutError()]


class Response:
    """Takes one sentence, or is out of reach."""

    def __init__(self, failure: Exception | None) -> None:
        self.type: Any = None
        self.said: list[str] = []
        self._failure = failure

    def is_done(self) -> bool:
        return bool(self.said)

    async def send_message(self, line: str, *, ephemeral: bool) -> None:
        if self._failure is not None:
            raise self._failure
        assert ephemeral
        self.said.append(line)


@pytest.mark.parametrize("is_back", [False, True])
@pytest.mark.parametrize("failure", CUT, ids=lambda failure: type(failure).__name__)
async def test_a_lost_connection_is_answered_with_a_sentence_or_logged(failure: Exception, is_back: bool) -> None:
    response = Response(None if is_back else failure)
    interaction: Any = SimpleNamespace(id=1, extras={}, response=response, locale=discord.Locale.british_english)
    with structlog.testing.capture_logs() as logs:
        async with answer_errors(interaction):
            raise failure
    assert response.said == (["Something went wrong here; it has been noted. Please try again."] if is_back else [])
    assert [entry["log_level"] for entry in logs] == ["warning"] * (1 if is_back else 2)
    assert {entry["problem"] for entry in logs} == {type(failure).__name__}


@pytest.mark.parametrize(
    ("error", "outcome"), [(None, "answered"), (StoreError("full"), "not_saved"), (ZeroDivisionError(), "failed")]
)
async def test_the_outcome_of_each_press_is_counted(error: Exception | None, outcome: str) -> None:
    interaction: Any = SimpleNamespace(id=1, extras={}, response=Response(None), locale=discord.Locale.british_english)

    def counted() -> float:
        return REGISTRY.get_sample_value("kems_presses_total", {"what": "put", "outcome": outcome}) or 0

    before = counted()
    async with answer_errors(interaction) as handling:
        handling.action = "put"
        if error is not None:
            raise error
    assert counted() == before + 1
