"""Starts and stops the rig: a Discord in one process, the bot in another, both on loopback and ended with the test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.rig import bot_process, discord_process
from tests.rig.processes import Running
from tests.rig.remote import Remote

_PATIENCE_S = 60.0  # for a process to load on a busy machine


class Rig:
    """One Discord and, at any time, at most one bot. What the bots log goes to one file."""

    def __init__(self, folder: Path, remote: Remote, settings: dict[str, Any], discord_pid: int) -> None:
        self.remote = remote
        self.discord_pid = discord_pid
        self.database = folder / "kems.db"
        self.log = folder / "bot.log"
        self._settings = {"database_url": f"sqlite:///{self.database}", **settings}
        self._bot: Running | None = None

    @property
    def bot_pid(self) -> int | None:
        """The running bot's process."""
        return None if self._bot is None else self._bot.pid

    async def launch(self) -> None:
        """Start a bot, without waiting until it is connected."""
        assert self._bot is None, "there is a bot already"
        self._bot = await Running.start(bot_process.main, self.remote.served.address, self._settings, errors=self.log)

    async def start(self) -> None:
        """Start a bot and wait until it is connected."""
        await self.launch()
        async with asyncio.timeout(_PATIENCE_S):
            while not await self.remote.connected():
                assert self._bot is not None
                assert not self._bot.has_ended, f"the bot ended by itself:\n{self.log.read_text()[-3000:]}"

    async def kill(self) -> None:
        """End the bot as a power cut would: SIGKILL."""
        assert self._bot is not None
        await self._bot.kill()
        self._bot = None

    async def stop(self) -> None:
        """End the bot politely, as Ctrl-C does."""
        assert self._bot is not None
        await self._bot.stop(_PATIENCE_S)
        self._bot = None

    async def close(self) -> None:
        """End what is left."""
        if self._bot is not None:
            await self.kill()

    def logged(self, word: str) -> list[str]:
        """The lines of the bots' log that contain a word."""
        return [line for line in self.log.read_text("utf-8").splitlines() if word in line]


@asynccontextmanager
async def running(
    folder: Path, people: Sequence[str], *, keep: bool = False, guilds: int = 1, shards: int = 1, **settings: Any
) -> AsyncIterator[Rig]:
    """A Discord with these members; its bot, with these `Settings`, is still to be started.

    Raises:
        AssertionError: the bot has sent what Discord would refuse.
    """
    discord = await Running.start(discord_process.main, list(people), guilds, shards)
    try:
        remote = Remote(await discord.said(_PATIENCE_S), keep=keep)
        await remote.start()
        rig = Rig(folder, remote, settings, discord.pid)
        try:
            yield rig
            assert (await remote.counts()).violations == ()
        finally:
            await rig.close()
            await remote.close()
    finally:
        await discord.kill()
