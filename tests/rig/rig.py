"""Starts and stops the rig: a Discord in one process, the bot in another, both on loopback and ended with the test."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from tests.rig.remote import Remote
from tests.rig.wire import Served

ROOT = Path(__file__).parents[2]
_PATIENCE_S = 60.0  # for a process to load on a busy machine


class Rig:
    """One Discord and, at any time, at most one bot. What the bots log goes to one file."""

    def __init__(self, folder: Path, remote: Remote, settings: dict[str, Any]) -> None:
        self.remote = remote
        self.database = folder / "kems.db"
        self.log = folder / "bot.log"
        self._settings = {"database_url": f"sqlite:///{self.database}", **settings}
        self._spare: Process | None = None
        self._loading = asyncio.Lock()
        self._bot: Process | None = None

    @property
    def bot_pid(self) -> int | None:
        """The running bot's process."""
        return None if self._bot is None else self._bot.pid

    async def prepare(self) -> None:
        """Load a bot's process, which then only waits to be started; nothing if there is one already."""
        async with self._loading:
            if self._spare is not None:
                return
            with self.log.open("ab") as log:
                arguments = ("-m", "tests.rig.bot_process", self.remote.served.address, json.dumps(self._settings))
                self._spare = await _spawn(*arguments, stderr=log)
            assert await _line(self._spare) == b"loaded\n", self.log.read_text()

    async def launch(self) -> None:
        """Start a bot, without waiting until it is connected."""
        assert self._bot is None, "there is a bot already"
        await self.prepare()
        self._bot, self._spare = self._spare, None
        assert self._bot is not None
        assert self._bot.stdin is not None
        self._bot.stdin.write(b"go\n")
        await self._bot.stdin.drain()

    async def start(self) -> None:
        """Start a bot and wait until it is connected."""
        await self.launch()
        async with asyncio.timeout(_PATIENCE_S):
            while not await self.remote.connected():
                assert self._bot is not None
                assert self._bot.returncode is None, f"the bot ended by itself:\n{self.log.read_text()[-3000:]}"

    async def kill(self) -> None:
        """End the bot as a power cut would: SIGKILL."""
        assert self._bot is not None
        self._bot.send_signal(signal.SIGKILL)
        await self._bot.wait()
        self._bot = None

    async def stop(self) -> None:
        """End the bot politely, as Ctrl-C does."""
        assert self._bot is not None
        self._bot.send_signal(signal.SIGINT)
        await asyncio.wait_for(self._bot.wait(), _PATIENCE_S)
        self._bot = None

    async def close(self) -> None:
        """End all that is left."""
        for process in (self._bot, self._spare):
            if process is not None and process.returncode is None:
                process.kill()
                await process.wait()

    def logged(self, word: str) -> list[str]:
        """The lines of the bots' log that contain a word."""
        return [line for line in self.log.read_text("utf-8").splitlines() if word in line]


@asynccontextmanager
async def running(folder: Path, people: Sequence[str], *, keep: bool = False, **settings: Any) -> AsyncIterator[Rig]:
    """A Discord with these members; its bot, with these `Settings`, is still to be started."""
    discord = await _spawn("-m", "tests.rig.discord_process", *people, stderr=None)
    try:
        remote = Remote(msgspec.json.decode(await _line(discord), type=Served), keep=keep)
        await remote.start()
        rig = Rig(folder, remote, settings)
        try:
            yield rig
        finally:
            await rig.close()
            await remote.close()
    finally:
        discord.kill()
        await discord.wait()


async def _spawn(*arguments: str, stderr: Any) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, *arguments, cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=stderr
    )


async def _line(process: Process) -> bytes:
    assert process.stdout is not None
    return await asyncio.wait_for(process.stdout.readline(), _PATIENCE_S)
