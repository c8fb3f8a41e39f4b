"""Erasure of a person: they leave every table and night, in all servers, then the store erases their rows.

The request is saved before the first step. If the process dies, the one that takes over its shard completes the erasure
(`ErasureJob`).

A person who was banned from a server, or whose server has removed the bot, may still sit at its tables. The bot's other
processes remove the person from the tables that they serve.

Old logs of matches are deleted once a day, as each server has chosen, in small batches, so that no move waits long.
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
"""How often a person is removed from all tables who sits down again during the erasure."""
RESUME_MS: Final = HOUR_MS
"""Milliseconds between two checks for erasures that were interrupted."""
RETRY_MS: Final = MINUTE_MS
"""Milliseconds until an erasure that failed is retried."""
TAKEOVER_S: Final = 3.0
"""Seconds between two attempts if other processes serve tables: one that has died is replaced by then."""

MOST_COUNTED: Final = 1_000
"""The most old matches that are counted, so that the answer never takes long."""
BATCH: Final = 2
"""How many logs are deleted in one transaction."""
PAUSE_MS: Final = 1_000
"""Milliseconds between two batches."""
FIRST_MS: Final = 10 * 60_000
"""Milliseconds from a start of the bot to the first batch: right after a start there are many presses."""
DAILY_MS: Final = 24 * 60 * 60_000

_log = structlog.get_logger(__name__)


class OtherProcesses(Protocol):
    """Requests between the bot's processes. Every method may raise StoreError.

    A process that serves everything has nobody to ask.
    """

    async def ask(self, user_id: int) -> bool:
        """Ask all other processes with tables to remove a user from them; return whether there are any."""

    async def answers(self, user_id: int) -> Collection[int]:
        """Wait until all other processes have answered, and return the ids of the tables that they cannot read.

        Raises:
            StoreError: One does not answer, or the store could not do its work.
        """

    async def answer(self, user_id: int, unreadable: Collection[int]) -> None:
        """Answer that a user has left all tables of this process except the `unreadable` ones."""


@dataclass(frozen=True, eq=False)
class Erasure:
    """Erases people. An erasure that was begun is completed, by this process or a later one.

    Other objects in memory drop a person by the event `PersonErased`.
    """

    _directory: TableDirectory
    _privacy: PersonalData
    _others: OtherProcesses
    _hub: Hub
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held during an erasure, which may wait for other processes; only other erasures wait for it."""

    def tables_of(self, user_id: int) -> tuple[Lobby, ...]:
        """Return the open lobbies and running matches of this process at which a player sits."""
        return tuple(lobby for lobby in self._directory.alive_of(user_id) if lobby.seat_of(user_id) is not None)

    async def erase(self, user_id: int) -> bool:
        """Remove a person from all tables and erase their rows; return False if they keep sitting down again.

        From a table that cannot be read, they are erased as from a finished match.

        Raises:
            StoreError: They could not leave a table, or not everything was erased; `resume` retries that.
        """
        async with self._turn:
            await self._privacy.save_erasure_request(user_id)
            is_done = await self._erase(user_id)
            if not is_done:
                await self._privacy.save_erasure_request(user_id, is_wanted=False)
        if is_done:
            await self._take_back()
        return is_done

    async def resume(self) -> None:
        """Complete all erasures that were interrupted.

        Raises:
            StoreError: One could not be completed.
        """
        problem = None
        async with self._turn:
            for user_id in await self._privacy.erasure_requests():
                try:
                    is_done = await self._erase(user_id)
                except StoreError as error:  # the others do not wait for this one
                    problem = error
                else:
                    _log.info("erasure.resumed", is_done=is_done)
        await self._take_back()
        if problem is not None:
            raise problem

    async def _take_back(self) -> None:
        """Remove what Discord still has of erased people, such as roles; scrub deleted rows from the store's files."""
        await self._hub.publish_and_wait(ErasureDone())
        await self._privacy.scrub_deleted_rows()

    async def _erase(self, user_id: int) -> bool:
        for forget in (self._privacy.erase_past_matches, self._forget_rest):  # what is joined meanwhile is left again
            if not await self._once_away(user_id, forget):
                return False
        return True

    async def _forget_rest(self, user_id: int, unreadable: Collection[int]) -> bool:
        async with self._directory.rematches.lock:  # or a rematch stores names that it has read before they were erased
            return await self._privacy.erase(user_id, unreadable)

    async def _once_away(self, user_id: int, forget: Callable[[int, Collection[int]], Awaitable[bool]]) -> bool:
        """Remove a person from all tables, then `forget` them; False if they sit down again after each attempt."""
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
        """Remove a person from all tables of this process at another process's request, and answer that process.

        Raises:
            StoreError: A change was not saved.
        """
        problem = await self._leave_all(user_id)
        if problem is not None:
            raise problem
        await self._others.answer(user_id, self._unreadable())

    def _unreadable(self) -> Collection[int]:
        return [damaged.id for damaged in self._directory.all_damaged()]

    async def _leave_all(self, user_id: int) -> StoreError | None:
        """Remove a person from all tables and invitations in memory; return the error if a change was not saved."""
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
            await self._directory.remove_match(table.id)
        return problem


class ErasureJob(Worker):
    """Completes interrupted erasures."""

    def __init__(self, clock: Clock, erasure: Erasure) -> None:
        super().__init__(clock, "erasure", self._resume, retry_ms=RETRY_MS)
        self._erasure = erasure

    def start(self) -> None:
        """Check for interrupted erasures; each call checks, as this process may have taken over from one that died."""
        super().start()
        self.wake()

    async def _resume(self) -> int:
        await self._erasure.resume()
        return self._clock.now() + RESUME_MS


class Retention(Protocol):
    """Deletes old logs of matches."""

    async def purge(self, at: int, most: int) -> tuple[int, ...]:
        """Delete the logs of at most `most` old matches and return the tables' ids; none if there are no more.

        Raises:
            StoreError: They could not be deleted.
        """

    async def count_old(self, guild_id: int, days: int, at: int) -> int:
        """Return how many logs of a server would be deleted at the time `at` if logs were kept for `days`.

        The count stops at `MOST_COUNTED`.

        Raises:
            StoreError: They could not be counted.
        """


class RetentionJob(Worker):
    """Deletes old logs of matches once a day, in batches."""

    def __init__(self, clock: Clock, retention: Retention, purged: Callable[[int], Awaitable[None]]) -> None:
        """Delete with a retention; `purged` is awaited with the id of each table whose log was deleted."""
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
