"""A thread is opened in time or not at all, and nobody's thread is left behind."""

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from bot.discord.api.error_codes import ErrorCode
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.places.threads import NOT_NOW, THREAD_S, open_thread
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.rate_limits.responses import RateLimit
from tests.discord.fakes import refused
from tests.tables.virtual import LoopClock, in_virtual_time


@dataclass
class Channel:
    """Opens threads, unless a request of that name fails."""

    id: int = 5
    errors: dict[str, Exception] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    takes_s: float = 0.0

    async def create_thread(self, **_how: object) -> Any:
        await asyncio.sleep(self.takes_s)
        self._do("create")
        return SimpleNamespace(id=6, add_user=self._add, delete=self._delete, edit=self._edit)

    async def _add(self, _user: object) -> None:
        self._do("add")

    async def _delete(self) -> None:
        self._do("delete")

    async def _edit(self, *, archived: bool) -> None:
        self._do("archive" if archived else "edit")

    def _do(self, what: str) -> None:
        if what in self.errors:
            raise self.errors[what]
        self.done.append(what)


async def opened(channel: Any, requests: BotRequests | None = None) -> int | DiscordRefusal:
    return await open_thread(requests or BotRequests(LoopClock()), channel, "Léa", user_id=1)


@in_virtual_time
async def test_a_private_thread_has_its_person_as_a_member() -> None:
    assert await opened(channel := Channel()) == 6
    assert channel.done == ["create", "add"]


@pytest.mark.parametrize(
    ("errors", "done"),
    [({}, ["create", "delete"]), ({"delete": refused(403, 50013)}, ["create", "archive"])],
)
def test_a_thread_is_deleted_or_archived_when_its_person_cannot_be_added(
    errors: dict[str, Exception], done: list[str]
) -> None:
    @in_virtual_time
    async def tried() -> None:
        channel = Channel(errors={"add": refused(403, 50001), **errors})
        refusal = await opened(channel)
        assert isinstance(refusal, DiscordRefusal)
        assert (refusal.code, refusal.may_pass) == (ErrorCode.MISSING_ACCESS, False)
        assert channel.done == done

    tried()


@in_virtual_time
async def test_a_slow_thread_is_not_waited_for() -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    refusal = await opened(channel := Channel(takes_s=300))
    assert isinstance(refusal, DiscordRefusal)
    assert refusal.may_pass
    assert (channel.done, loop.time() - began) == ([], THREAD_S)


@in_virtual_time
async def test_a_channel_at_its_limit_of_threads_is_retried_when_the_limit_ends() -> None:
    requests, channel = BotRequests(LoopClock()), Channel()
    requests.record_thread_limit(channel.id, RateLimit(240.0))
    assert await opened(channel, requests) is NOT_NOW
    assert channel.done == []
    assert await opened(Channel(id=7), requests) == 6
    await asyncio.sleep(241)
    assert await opened(channel, requests) == 6
