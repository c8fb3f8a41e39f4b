"""One opening at a time for each person: the same press twice opens one table.

A retry while the store is slow finds the table that the first press opens, and so does a second tap.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby, LobbyRefusal
from bot.tables.match.table import Table
from bot.ui.admission.admission import SlowStoreError, or_later
from bot.ui.kit.interactions import guild_of, made_at, reader
from bot.ui.words.refusals import accepted

_Outcome = Lobby | Table | LobbyRefusal
SAME_PRESS_MS: Final = 5_000
"""A second request in the same channel within this time, by Discord's clock, means the table of the first one."""


@dataclass(frozen=True, slots=True)
class Opened:
    """`is_former`: an earlier press or command of the same person opened the table."""

    table_id: int
    is_former: bool


class Openings:
    """The tables that people are opening, those that came after the answer that the store is slow, and the latest."""

    def __init__(self, directory: TableDirectory) -> None:
        self._directory = directory
        self._begun: dict[tuple[int, int], asyncio.Task[_Outcome]] = {}  # by server and person
        self._latest: dict[tuple[int | None, int], tuple[int, int]] = {}  # by channel and person: when, which table

    async def open(self, interaction: discord.Interaction, make: Callable[[], Coroutine[Any, Any, _Outcome]]) -> Opened:
        """The table that `make` opens, or the one that an earlier press of the same person in this server opens.

        Raises SlowStoreError: it may still come; the next call returns it; StoreError: it was not saved; RefusedError:
        it was refused.
        """
        key, spot = (guild_of(interaction), interaction.user.id), (interaction.channel_id, interaction.user.id)
        self._forget(made_at(interaction))
        if (latest := self._latest.get(spot)) is not None:
            return Opened(latest[1], is_former=True)
        former = self._begun.get(key)
        opening = self._begun[key] = former or asyncio.create_task(make())
        try:
            outcome = await or_later(opening)
        except SlowStoreError:
            opening.add_done_callback(self._show_late)
            raise
        if self._begun.get(key) is opening:
            del self._begun[key]
        table_id = accepted(outcome if isinstance(outcome, LobbyRefusal) else outcome.id, reader(interaction))
        self._latest[spot] = made_at(interaction), table_id
        return Opened(table_id, is_former=former is not None)

    def _show_late(self, opening: asyncio.Task[_Outcome]) -> None:
        lobby = self._directory.open_lobby(_table_of(opening) or 0)
        if lobby is not None:
            self._directory.lobbies.show(lobby)

    def _forget(self, now: int) -> None:
        """Forget openings that failed or are old, and tables that are closed or that their host has left."""
        self._begun = {
            (guild_id, user_id): opening
            for (guild_id, user_id), opening in self._begun.items()
            if not opening.done() or self._is_seated(user_id, _table_of(opening))
        }
        self._latest = {
            spot: (at, table_id)
            for spot, (at, table_id) in self._latest.items()
            if now - at < SAME_PRESS_MS and self._is_seated(spot[1], table_id)
        }

    def _is_seated(self, user_id: int, table_id: int | None) -> bool:
        tables = self._directory.alive_of(user_id)
        return any(lobby.id == table_id and lobby.seat_of(user_id) is not None for lobby in tables)


def _table_of(opening: asyncio.Task[_Outcome]) -> int | None:
    if opening.cancelled() or opening.exception() is not None:
        return None
    outcome = opening.result()
    return None if isinstance(outcome, LobbyRefusal) else outcome.id
