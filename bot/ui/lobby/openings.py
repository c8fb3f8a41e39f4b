"""One opening at a time for each person: the same press twice opens one table.

A retry while the store is slow finds the table that the first press opens, and so does a second tap.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.tables.lobby.lobby import Lobby, LobbyRefusal, Status
from bot.tables.match.table import Table
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.interactions import guild_of, made_at, reader
from bot.ui.messages.presenter import Presenter
from bot.ui.words.refusals import accepted

_Outcome = Lobby | Table | LobbyRefusal
_ALIVE = (Status.OPEN, Status.PLAYING)
SAME_PRESS_MS: Final = 5_000
"""A second request in the same channel within this time, by Discord's clock, means the table of the first one."""


@dataclass(frozen=True, slots=True)
class Opened:
    """`is_former`: an earlier press or command of the same person opened the table."""

    table_id: int
    is_former: bool


class Openings:
    """The tables that people are opening, those that came after the answer that the store is slow, and the latest."""

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter
        self._begun: dict[tuple[int, int], asyncio.Task[_Outcome]] = {}  # by server and person
        self._latest: dict[tuple[int | None, int], tuple[int, int]] = {}  # by channel and person: when, which table

    async def open(self, interaction: discord.Interaction, make: Callable[[], Coroutine[Any, Any, _Outcome]]) -> Opened:
        """The table that `make` opens, or the one that an earlier press of the same person in this server opens.

        Raises:
            SlowStoreError: it may still come; the next call returns it.
            StoreError: it was not saved.
            RefusedError: it was refused.
        """
        key, spot = (guild_of(interaction), interaction.user.id), (interaction.channel_id, interaction.user.id)
        self._forget_gone()
        self._forget_old(made_at(interaction))
        if (latest := self._latest.get(spot)) is not None:
            return Opened(latest[1], is_former=True)
        former = self._begun.get(key)
        opening = self._begun[key] = former or asyncio.create_task(make())
        outcome = await or_later(_result_of(opening), late=self._presenter.caught_up)
        if self._begun.get(key) is opening:
            del self._begun[key]
        table_id = accepted(outcome if isinstance(outcome, LobbyRefusal) else outcome.id, reader(interaction))
        self._latest[spot] = made_at(interaction), table_id
        return Opened(table_id, is_former=former is not None)

    def _forget_gone(self) -> None:
        """Forget openings that failed, and tables that are closed or that their host has left."""
        self._begun = {
            (guild_id, user_id): opening
            for (guild_id, user_id), opening in self._begun.items()
            if not opening.done() or self._is_seated(user_id, opening)
        }

    def _forget_old(self, now: int) -> None:
        self._latest = {
            spot: (at, table_id)
            for spot, (at, table_id) in self._latest.items()
            if now - at < SAME_PRESS_MS and self._is_seated_at(spot[1], table_id)
        }

    def _is_seated(self, user_id: int, opening: asyncio.Task[_Outcome]) -> bool:
        if opening.cancelled() or opening.exception() is not None:
            return False
        outcome = opening.result()
        return not isinstance(outcome, LobbyRefusal) and self._is_seated_at(user_id, outcome.id)

    def _is_seated_at(self, user_id: int, table_id: int) -> bool:
        lobby = self._presenter.directory.lobby(table_id)
        return lobby is not None and lobby.status in _ALIVE and lobby.seat_of(user_id) is not None


async def _result_of(opening: asyncio.Task[_Outcome]) -> _Outcome:
    return await asyncio.shield(opening)
