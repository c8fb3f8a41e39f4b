"""Starts and stops the rig: a Discord in this process, the bot in another, on loopback, and ended with the test."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.rig import bot_process
from tests.rig.assumptions import PLAIN, Assumptions
from tests.rig.processes import Running
from tests.rig.remote import Remote, built, opened

_PATIENCE_S = 60.0  # for a process to load on a busy machine


class Bot:
    """A bot in a process of its own, again and again; what it logs goes to one file."""

    def __init__(self, address: str, log: Path, settings: dict[str, Any], main: Callable[..., None]) -> None:
        self.log = log
        self._main = main
        self._address = address
        self._settings = settings
        self._process: Running | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    @property
    def has_ended(self) -> bool:
        return self._process is not None and self._process.has_ended

    def stall(self) -> None:
        os.kill(self._process.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        os.kill(self._process.pid, signal.SIGCONT)

    async def launch(self, main: Callable[..., None] | None = None, *more: object) -> None:
        assert self._process is None, "there is a bot already"
        self._process = await Running.start(main or self._main, self._address, self._settings, *more, errors=self.log)

    async def kill(self) -> None:
        """End it as a power cut would: SIGKILL."""
        await self._process.kill()
        self._process = None

    async def stop(self) -> None:
        """End it politely, as Ctrl-C does."""
        await self._process.stop(_PATIENCE_S)
        self._process = None

    def logged(self, word: str) -> list[str]:
        return [line for line in self.log.read_text("utf-8").splitlines() if word in line]


class Rig(Bot):
    """One Discord and a bot; with `another`, more of them on the same database."""

    def __init__(self, folder: Path, remote: Remote, settings: dict[str, Any], main: Callable[..., None]) -> None:
        self.remote = remote
        self.database = folder / "kems.db"
        self._folder = folder
        super().__init__(
            remote.discord.address, folder / "bot.log", {"database_url": f"sqlite:///{self.database}", **settings}, main
        )
        self._others: list[Bot] = []

    def another(self, name: str, **settings: Any) -> Bot:
        """A bot that is still to be launched, with the same `Settings` but for these."""
        other = Bot(self._address, self._folder / f"{name}.log", {**self._settings, **settings}, self._main)
        self._others.append(other)
        return other

    async def start(self) -> None:
        """Start the bot and wait until it is connected and has commands, those of a former start perhaps."""
        await self.launch()
        async with asyncio.timeout(_PATIENCE_S):
            while not await self.remote.served():
                assert not self.has_ended, f"the bot ended by itself:\n{self.log.read_text()[-3000:]}"
                await asyncio.sleep(0.01)

    async def close(self) -> None:
        for bot in (self, *self._others):
            if bot.pid is not None:
                await bot.kill()


@asynccontextmanager
async def running(
    folder: Path,
    people: Sequence[str],
    *,
    guilds: int = 1,
    shards: int = 1,
    at_once: int = 1,
    ahead_ms: int = 0,
    assumptions: Assumptions = PLAIN,
    main: Callable[..., None] = bot_process.hasty,
    **settings: Any,
) -> AsyncIterator[Rig]:
    """A Discord with these members; its bot, with these `Settings`, is still to be started.

    ``at_once``: so many shards may identify at the same time. ``ahead_ms``: how far Discord's clock is ahead of the
    bot's. ``main`` runs in each process of the bot.

    Raises:
        AssertionError: the bot has sent what Discord would refuse.
    """
    discord = built(people, guilds=guilds, shards=shards, at_once=at_once, ahead_ms=ahead_ms, assumptions=assumptions)
    async with opened(discord) as remote:
        rig = Rig(folder, remote, settings, main)
        try:
            yield rig
            violations = discord.recorder.violations
            assert not violations, violations
        finally:
            await rig.close()
