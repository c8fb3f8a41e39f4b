"""Runs a sandbox for the length of a test, and a viewer's tab without a browser."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from unittest.mock import patch

import aiohttp
import discord

from bot.base.settings import Settings
from bot.compose import build_client
from bot.discord.api import patience
from bot.discord.api.discord_internals import client_at
from bot.discord.gateway.client import KemsClient
from bot.discord.interactions.admission import admission
from bot.robots import Timing
from bot.sandbox.discord.routes import answers
from bot.sandbox.server import SandboxInfo, Setting, serve
from tests.databases import migrated

Bot = TypeVar("Bot", bound=discord.Client)

_PATIENCE = 60.0  # seconds anything may take on a busy machine


@asynccontextmanager
async def serving(
    make_bot: Callable[[], Bot], setting: Setting | None = None, *, port: int = 0
) -> AsyncIterator[tuple[SandboxInfo, Bot]]:
    """A sandbox (on any free port) with a ready bot, stopped at the end."""
    ready: asyncio.Future[SandboxInfo] = asyncio.get_running_loop().create_future()
    bots: list[Bot] = []

    def make() -> Bot:
        bots.append(make_bot())
        return bots[0]

    async def announce(info: SandboxInfo) -> None:
        ready.set_result(info)

    running = asyncio.create_task(serve(make, client_at, port=port, setting=setting, on_ready=announce))
    try:
        await asyncio.wait((running, ready), timeout=_PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        yield ready.result(), bots[0]
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait_for(running, _PATIENCE)


@asynccontextmanager
async def serving_kems(
    folder: Path,
    setting: Setting | None = None,
    *,
    rng: Random | None = None,
    timing: Timing | None = None,
    **settings: Any,
) -> AsyncIterator[tuple[SandboxInfo, KemsClient]]:
    """A sandbox with Kem's itself, on a database in that folder.

    A busy machine is no slow database and makes no press late: each one waits for its answer as long as it takes.
    """
    chosen = Settings(_env_file=None, database_url=migrated(folder), **settings)
    with (
        patch.object(patience, "PATIENCE_S", _PATIENCE),
        patch.object(admission, "LATE_MS", _PATIENCE * 1000),
        patch.object(answers, "FIRST_ANSWER_MS", _PATIENCE * 1000),
    ):
        async with serving(lambda: build_client(chosen, rng=rng, timing=timing), setting) as served:
            yield served


class Tab:
    """What a page does over its socket, and what it has been told."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._asks = 0
        self.place: dict[str, Any] = {}
        self.known: dict[str, dict[str, Any]] = {}
        self.order: list[str] = []
        self.outcomes: dict[int, dict[str, Any]] = {}

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [self.known[key] for key in self.order]

    def reads(self, text: str) -> bool:
        """Whether ``text`` is anywhere in the messages shown."""
        return text in json.dumps(self.messages, ensure_ascii=False)

    async def send(self, **order: Any) -> int:
        """Send an order; gives the number its outcome will carry."""
        self._asks += 1
        await self._socket.send_json({**order, "ask": self._asks})
        return self._asks

    async def do(self, **order: Any) -> dict[str, Any]:
        number = await self.send(**order)
        await self.until(lambda: number in self.outcomes)
        return self.outcomes[number]

    async def until(self, reached: Callable[[], bool]) -> None:
        async with asyncio.timeout(_PATIENCE):
            while not reached():
                self._hear(await self._socket.receive_json())

    def _hear(self, told: dict[str, Any]) -> None:
        match told["is"]:
            case "place":
                self.place = told["place"]
            case "messages":
                self.known |= {message["id"]: message for message in told["changed"]}
                self.order = told["order"]
            case _:
                self.outcomes[told["ask"]] = told

    def label(self, start: str) -> str:
        """The label that begins so of a button shown; "" for none."""
        found = re.search(rf'"label": "({start}[^"]*)"', json.dumps(self.messages, ensure_ascii=False))
        return "" if found is None else found[1]

    def control(self, label: str) -> tuple[str, str]:
        """The message id and custom id of the newest button of that label."""
        for message in reversed(self.messages):
            stack = list(message["components"])
            while stack:
                part = stack.pop()
                if part.get("label") == label:
                    return message["id"], part["custom_id"]
                stack += part.get("components", [])
        raise AssertionError(f"no button {label!r}")

    async def press(self, label: str) -> dict[str, Any]:
        message, custom_id = self.control(label)
        return await self.do(do="press", message=message, custom_id=custom_id)


@asynccontextmanager
async def tab(address: str, language: str = "") -> AsyncIterator[Tab]:
    """Open a viewer's address without a browser; `language` is what it accepts."""
    headers = {"Accept-Language": language}
    async with aiohttp.ClientSession(headers=headers) as session, session.ws_connect(f"{address}/socket") as socket:
        opened = Tab(socket)
        await opened.until(lambda: bool(opened.place))
        yield opened
