"""Starts and stops the rig: a Discord in one process, the bot in another, both on loopback and ended with the test."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.rig import bot_process, discord_process
from tests.rig.processes import Running
from tests.rig.remote import Remote

_PATIENCE_S = 60.0  # for a process to load on a busy machine


class Bot:
    """A bot in a process of its own, again and again; what it logs goes to one file."""

    def __init__(self, address: str, log: Path, settings: dict[str, Any]) -> None:
        self.log = log
        self._address = address
        self._settings = settings
        self._process: Running | None = None

    @property
    def pid(self) -> int | None:
        """The running process."""
        return None if self._process is None else self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether it has ended by itself."""
        return self._process is not None and self._process.has_ended

    def stall(self) -> None:
        """Let it stand still: SIGSTOP."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on: SIGCONT."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)

    async def launch(self) -> None:
        """Start, without waiting until it is connected."""
        assert self._process is None, "there is a bot already"
        self._process = await Running.start(bot_process.main, self._address, self._settings, errors=self.log)

    async def kill(self) -> None:
        """End it as a power cut would: SIGKILL."""
        assert self._process is not None
        await self._process.kill()
        self._process = None

    async def stop(self) -> None:
        """End it politely, as Ctrl-C does."""
        assert self._process is not None
        await self._process.stop(_PATIENCE_S)
        self._process = None


class Rig:
    """One Discord and a bot; with `another`, more of them on the same database."""

    def __init__(self, folder: Path, remote: Remote, settings: dict[str, Any], discord_pid: int) -> None:
        self.remote = remote
        self.discord_pid = discord_pid
        self.database = folder / "kems.db"
        self._folder = folder
        self._settings = {"database_url": f"sqlite:///{self.database}", **settings}
        self._bots: list[Bot] = []
        self.bot = self.another("bot")

    @property
    def log(self) -> Path:
        """What the bot has logged."""
        return self.bot.log

    @property
    def bot_pid(self) -> int | None:
        """The running bot's process."""
        return self.bot.pid

    def another(self, name: str, **settings: Any) -> Bot:
        """A bot that is still to be launched, with the same `Settings` but for these."""
        fields = {**self._settings, **settings}
        self._bots.append(Bot(self.remote.served.address, self._folder / f"{name}.log", fields))
        return self._bots[-1]

    async def launch(self) -> None:
        """Start the bot, without waiting until it is connected."""
        await self.bot.launch()

    async def start(self) -> None:
        """Start the bot and wait until it is connected and has commands, those of a former start perhaps."""
        await self.bot.launch()
        async with asyncio.timeout(_PATIENCE_S):
            while not await self.remote.connected():
                assert not self.bot.has_ended, f"the bot ended by itself:\n{self.log.read_text()[-3000:]}"
            while not await self.remote.commands():
                await asyncio.sleep(0.01)

    async def kill(self) -> None:
        """End the bot as a power cut would: SIGKILL."""
        await self.bot.kill()

    async def stop(self) -> None:
        """End the bot politely, as Ctrl-C does."""
        await self.bot.stop()

    async def close(self) -> None:
        """End what is left."""
        for bot in self._bots:
            if bot.pid is not None:
                await bot.kill()

    def logged(self, word: str) -> list[str]:
        """The lines of the bot's log that contain a word."""
        return [line for line in self.log.read_text("utf-8").splitlines() if word in line]


@asynccontextmanager
async def running(
    folder: Path,
    people: Sequence[str],
    *,
    keep: bool = False,
    guilds: int = 1,
    shards: int = 1,
    at_once: int = 1,
    ahead_ms: int = 0,
    **settings: Any,
) -> AsyncIterator[Rig]:
    """A Discord with these members; its bot, with these `Settings`, is still to be started.

    ``at_once``: so many shards may identify at the same time. ``ahead_ms``: how far Discord's clock is ahead of the
    bot's.

    Raises:
        AssertionError: the bot has sent what Discord would refuse.
    """
    discord = await Running.start(discord_process.main, list(people), guilds, shards, at_once, ahead_ms)
    try:
        remote = Remote(await discord.said(_PATIENCE_S), keep=keep)
        await remote.start()
        rig = Rig(folder, remote, settings, discord.pid)
        try:
            yield rig
            violations = (await remote.counts()).violations
            assert not violations, violations
        finally:
            await rig.close()
            await remote.close()
    finally:
        await discord.kill()
