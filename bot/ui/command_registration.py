"""Registers the commands with Discord once the bot is connected, and only if they are not what was registered last.

Discord keeps commands until they are replaced, and allows 200 new ones a day and server:
https://discord.com/developers/docs/interactions/application-commands#registering-a-command
"""

import asyncio
import hashlib
import json
from typing import Final, Protocol

import discord
import structlog
from discord import app_commands

from bot.errors import StoreError
from bot.ui.kit.failures import FAILED, facts

FIRST_RETRY_S: Final = 60.0
LONGEST_RETRY_S: Final = 3600.0
EVERYWHERE: Final = 0
"""Stands for the id of a server where commands are registered for all servers."""

_log = structlog.get_logger(__name__)


class CommandDigests(Protocol):
    """What each application registered last: a digest of its commands. Every method may raise StoreError."""

    async def read(self, application_id: int, guild_id: int) -> str | None:
        """The digest of the commands of one server or `EVERYWHERE`; None if none were registered yet."""

    async def save(self, application_id: int, guild_id: int, digest: str) -> None:
        """Note what was registered."""


class CommandRegistration:
    """A job that ends when it is done. A failure is one line in the log; it is tried again, later each time.

    If it `is_forced` before it begins, it registers the commands even if they have not changed.
    """

    def __init__(
        self, tree: app_commands.CommandTree[discord.Client], digests: CommandDigests, guild: discord.Object | None
    ) -> None:
        """`guild` is the only server with the commands, if there is one."""
        self.is_forced = False
        self._tree = tree
        self._digests = digests
        self._guild = guild
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Give up what is under way: the next `begin` does it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None

    @property
    def is_done(self) -> bool:
        return self._task is not None and self._task.done()

    async def _run(self) -> None:
        pause = FIRST_RETRY_S
        while True:
            try:
                return await self._register()
            except FAILED as error:
                _log.warning("commands.not_registered", again_in_s=pause, **facts(error))
            except StoreError as error:
                _log.warning("commands.not_registered", again_in_s=pause, problem=str(error))
            except Exception:  # noqa: BLE001 - nobody awaits this task: its bug can show in the log only
                _log.exception("commands.not_registered")
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_RETRY_S)

    async def _register(self) -> None:
        application_id = self._tree.client.application_id
        guild_id = EVERYWHERE if self._guild is None else self._guild.id
        assert application_id is not None, "a connected bot knows its application"
        digest = await self._digest()
        if not self.is_forced and digest == await self._digests.read(application_id, guild_id):
            return
        commands = await self._tree.sync(guild=self._guild)
        await self._digests.save(application_id, guild_id, digest)
        _log.info("commands.registered", commands=len(commands), guild=guild_id or None)

    async def _digest(self) -> str:
        tree, translator = self._tree, self._tree.translator
        payload = [
            command.to_dict(tree) if translator is None else await command.get_translated_payload(tree, translator)
            for command in tree.get_commands(guild=self._guild)
        ]
        return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
