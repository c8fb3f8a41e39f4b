"""Erases a player: removes them from every table and night, in all servers, then has the store erase their rows.

The wish is saved before the first step. Where a process dies in between, the process that takes over its shard does the
rest (`ErasureJob`).

A player who was banned from a server, or whose server has removed the bot, still sits at its tables. Other processes of
the bot are asked to let the player leave the tables that they serve.

Old logs of matches are deleted once a day, as each server has chosen; in small batches, so that no move waits.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from typing import Final, Protocol

import structlog

from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.base.times import HOUR_MS, MINUTE_MS
from bot.base.worker import Worker
from bot.records.personal_data import PersonalData
from bot.tables.directory import TableDirectory
from bot.tables.hub import ErasureDone, Hub, PersonErased
from bot.tables.lobby.lobby import Lobby

TRIES: Final = 3
"""How often a player is removed from all tables who sits down again meanwhile."""
RESUME_MS: Final = HOUR_MS
"""Milliseconds between two looks for an erasure that was left undone ..."""
RETRY_MS: Final = MINUTE_MS
"""... and between two tries of one that fails."""
TAKEOVER_S: Final = 3.0
"""The pause between two tries where other processes serve tables: one that has died is replaced meanwhile."""

MOST_COUNTED: Final = 1_000
"""Old matches that a question counts: a record of any size is answered at once."""
BATCH: Final = 2
"""How many matches are purged in one transaction."""
PAUSE_MS: Final = 1_000
"""Milliseconds between two batches."""
FIRST_MS: Final = 10 * 60_000
"""Milliseconds between a start of the bot and the first batch: right after a start there are many presses."""
DAILY_MS: Final = 24 * 60 * 60_000

_log = structlog.get_logger(__name__)


class OtherProcesses(Protocol):
    """What processes of the bot ask of each other. Every method raises StoreError when the store could not do its work.

    In a process that serves everything, nobody is asked.
    """

    async def ask(self, user_id: int) -> bool:
        """Ask all others that serve tables to let a user leave them. Returns whether there are any."""

    async def answers(self, user_id: int) -> Collection[int]:
        """Wait until all who were asked have answered. The tables that they cannot read.

        Raises:
            StoreError: one does not answer, too.
        """

    async def answer(self, user_id: int, unreadable: Collection[int]) -> None:
        """Say that a user whom this process was asked about has left its tables but for those it cannot read."""


@dataclass(frozen=True, eq=False)
class Erasure:
    """One for the whole process. What is begun is finished: by this process, or by the one after it.

    Other places in memory forget a player as they hear of it (`PersonErased`).
    """

    _directory: TableDirectory
    _privacy: PersonalData
    _others: OtherProcesses
    _hub: Hub
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held during an erasure, which may wait for other processes; only another erasure waits for it."""

    def tables_of(self, user_id: int) -> tuple[Lobby, ...]:
        """Return the open lobbies and running matches of this process at which a player sits."""
        return tuple(lobby for lobby in self._directory.alive_of(user_id) if lobby.seat_of(user_id) is not None)

    async def forget(self, user_id: int) -> bool:
        """Remove a player from all tables and erase their rows; False for one who sits down again after each try.

        A table that cannot be read is not left: it is erased like an ended match.

        Raises:
            StoreError: a table could not be left, or not everything was erased; it is tried again later.
        """
        async with self._turn:
            await self._privacy.save_erasure_request(user_id)
            is_done = await self._forget(user_id)
            if not is_done:
                await self._privacy.save_erasure_request(user_id, is_wanted=False)
        if is_done:
            await self._take_back()
        return is_done

    async def resume(self) -> None:
        """Erase the players whose erasure was left undone, and take back roles that were left.

        Raises:
            StoreError: that of one could not be done.
        """
        problem = None
        async with self._turn:
            for user_id in await self._privacy.erasure_requests():
                try:
                    is_done = await self._forget(user_id)
                except StoreError as error:  # the others do not wait for this one
                    problem = error
                else:
                    _log.info("erasure.resumed", is_done=is_done)
        await self._take_back()
        if problem is not None:
            raise problem

    async def _take_back(self) -> None:
        """Take back what Discord has of erased players; then the store's files hold nothing more of them."""
        await self._hub.publish_and_wait(ErasureDone())
        await self._privacy.scrub_deleted_rows()

    async def _forget(self, user_id: int) -> bool:
        for forget in (self._privacy.erase_past_matches, self._forget_rest):  # what is joined meanwhile is left again
            if not await self._once_away(user_id, forget):
                return False
        return True

    async def _forget_rest(self, user_id: int, unreadable: Collection[int]) -> bool:
        async with self._directory.rematches.lock:  # or a rematch stores names that it has read before they were erased
            return await self._privacy.erase(user_id, unreadable)

    async def _once_away(self, user_id: int, forget: Callable[[int, Collection[int]], Awaitable[bool]]) -> bool:
        """Remove a player from all tables, then `forget` them; False for one who sits down again after each try."""
        for _ in range(TRIES):
            has_others = await self._others.ask(user_id)
            problem = await self._leave_all(user_id)
            unreadable = {*self._unreadable(), *await self._others.answers(user_id)}
            if await forget(user_id, unreadable):
                return True
            if problem is not None:
                raise problem
            if has_others:
                await asyncio.sleep(TAKEOVER_S)
        return False

    async def leave_tables(self, user_id: int) -> None:
        """Remove a player from all tables of this process, as another one asks; answer it, or raise StoreError."""
        problem = await self._leave_all(user_id)
        if problem is not None:
            raise problem
        await self._others.answer(user_id, self._unreadable())

    def _unreadable(self) -> Collection[int]:
        return [damaged.id for damaged in self._directory.all_damaged()]

    async def _leave_all(self, user_id: int) -> StoreError | None:
        """Leave all tables and decline all invitations, so that memory holds no name. Returns why it was not saved."""
        problem = None
        for invited_to in [lobby for lobby in self._directory.open_lobbies() if user_id in lobby.invited]:
            try:
                await self._directory.lobbies.update(invited_to.id, lambda present: present.uninvite([user_id]))
            except StoreError as error:
                problem = error
        for lobby in self.tables_of(user_id):
            table = self._directory.table(lobby.id)
            try:
                if table is not None:
                    await self._directory.seating.leave(table, user_id)
                    continue
                await self._directory.lobbies.update(lobby.id, lambda present: present.leave(user_id))
            except StoreError as error:
                problem = error
        try:
            await self._hub.publish_and_wait(PersonErased(user_id))
        except StoreError as error:
            problem = error
        for table in self._directory.ended_of(user_id):
            await self._directory.finish(table.id)
        return problem


class ErasureJob(Worker):
    """Goes on with erasures that were left undone."""

    def __init__(self, clock: Clock, erasure: Erasure) -> None:
        super().__init__(clock, "erasure", self._resume, retry_ms=RETRY_MS)
        self._erasure = erasure

    def start(self) -> None:
        """Look for one now, each time: this process has perhaps taken over from one that died."""
        super().start()
        self.wake()

    async def _resume(self) -> int:
        await self._erasure.resume()
        return self._clock.now() + RESUME_MS


class Retention(Protocol):
    """Deletes old logs of matches."""

    async def purge(self, at: int, most: int) -> tuple[int, ...]:
        """Delete the logs of at most `most` old matches, or raise StoreError. Returns their tables, none at the end."""

    async def count_old(self, guild_id: int, days: int, at: int) -> int:
        """Return how many matches a server would lose at the instant `at` if it kept them for `days`.

        More than `MOST_COUNTED` are not counted.

        Raises:
            StoreError: they could not be counted.
        """


class RetentionJob(Worker):
    """Deletes old logs of matches once a day, in batches."""

    def __init__(self, clock: Clock, retention: Retention, purged: Callable[[int], Awaitable[None]]) -> None:
        """`purged` is awaited with each table whose log was deleted."""
        super().__init__(clock, "retention", self._purge, retry_ms=DAILY_MS, first_ms=FIRST_MS)
        self._retention = retention
        self._purged = purged

    async def _purge(self) -> int:
        ids = await self._retention.purge(self._clock.now(), BATCH)
        for table_id in ids:
            await self._purged(table_id)
        if ids:
            _log.info("retention.purged", tables=ids)
        return self._clock.now() + (PAUSE_MS if ids else DAILY_MS)
