"""The private panels: one for each player of a table, refreshed when others act for as long as Discord lets us.

A panel is reached by the token of its owner's newest press, so that every press on it renews it. It shows that seat's
view and nothing else.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final

import discord
import structlog

from bot.live.ports import Clock
from bot.live.table import Table
from bot.ui.board_message import seated
from bot.ui.card_emojis import CardEmojis
from bot.ui.coalesce import Budget, Coalescer
from bot.ui.hand import counter_panel, hand_panel
from bot.ui.layouts import at_rest, dated, payload
from bot.ui.people_view import left_panel
from bot.ui.shown import Shown
from bot.ui.sign_view import sign_panel
from bot.ui.texts import Texts

FRESH_MS: Final = 14 * 60 * 1000
"""An interaction's token lives 15 minutes; a panel older than this is left to its owner's next press."""
REFRESH_INTERVAL: Final = 0.5
"""Seconds between two refreshes of a panel (Discord allows a token five requests in two seconds)."""

_log = structlog.get_logger(__name__)


class Page(Enum):
    """What a panel shows."""

    HAND = auto()
    SIGN = auto()
    COUNTER = auto()


@dataclass(frozen=True, slots=True)
class Sight:
    """What one player is to see: which page, and a notice until the next own press."""

    table: Table
    seat: int
    user_id: int
    texts: Texts
    emojis: CardEmojis
    page: Page = Page.HAND
    notice: str | None = None

    def layout(self) -> discord.ui.LayoutView:
        """The panel as it should look now; nothing of the seat for somebody who sits there no longer."""
        if self.table.seat_of(self.user_id) != self.seat:
            return left_panel(self.texts)
        view = self.table.seat_view(self.seat)
        people = seated(self.table.lobby)
        faces = self.emojis.faces(self.texts, self.table.lobby.theme)
        if self.page is Page.COUNTER:
            layout = counter_panel(view, people, self.table.id, faces)
        else:
            build = sign_panel if self.page is Page.SIGN else hand_panel
            seed = hash((self.table.id, self.seat, view.table.round))
            layout = build(view, people, self.table.id, faces, self.notice, order_seed=seed)
        return dated(layout if view.table.pause is None else at_rest(layout), view.table.round)


@dataclass(slots=True)
class Panel:
    """One player's private message, reached by `interaction`; `shown` belongs to that message."""

    sight: Sight
    interaction: discord.Interaction = field(repr=False)  # it holds a token
    shown: Shown
    writer: Coalescer


class Panels:
    """All private panels of this process, by table and user."""

    def __init__(self, clock: Clock, budget: Budget, emojis: CardEmojis) -> None:
        self._clock = clock
        self._budget = budget
        self._emojis = emojis
        self._panels: dict[tuple[int, int], Panel] = {}
        self._opened: dict[int, set[int]] = {}

    def opened(self, table: Table) -> frozenset[int]:
        """The seats that have opened their hand; a robot always has."""
        robots = (seat for seat, player in enumerate(seated(table.lobby)) if player.is_played_by_robot)
        return frozenset(robots).union(self._opened.get(table.id, ()))

    async def answer(
        self, interaction: discord.Interaction, table: Table, seat: int, texts: Texts, page: Page, notice: str | None
    ) -> bool:
        """Answer a press with the player's panel, in place where it was pressed there; True when a hand was opened."""
        key = (table.id, interaction.user.id)
        sight = Sight(table, seat, interaction.user.id, texts, self._emojis, page, notice)
        panel = self._panels.get(key)
        is_in_place = is_private(interaction.message)
        shown = panel.shown if panel is not None and is_in_place else Shown()

        async def send(layout: discord.ui.LayoutView) -> None:
            if is_in_place:
                await interaction.response.edit_message(view=layout)
            else:
                await interaction.response.send_message(view=layout, ephemeral=True)

        with shown.sending() as sent:
            layout, _ = await self._emojis.deliver(sight.layout(), send, sight.layout)
            sent(payload(layout))
        if panel is None:
            panel = self._panels[key] = Panel(sight, interaction, shown, self._writer(key))
        else:
            former, panel.interaction = panel.interaction, interaction
            panel.sight, panel.shown = sight, shown
            if not is_in_place:
                await self._delete(former, table.id)
        panel.writer.ask()
        seats = self._opened.setdefault(table.id, set())
        is_new = seat not in seats
        seats.add(seat)
        return is_new

    def changed(self, table: Table, *, turn_page: bool) -> None:
        """Something happened at the table; `turn_page`: a round began or ended, back to the hand."""
        for (table_id, _), panel in tuple(self._panels.items()):
            if table_id == table.id:
                if turn_page:
                    panel.sight = replace(panel.sight, page=Page.HAND, notice=None)
                panel.writer.ask()

    @contextmanager
    def held(self, table: Table, user_id: int) -> Iterator[None]:
        """Do not refresh a panel while its owner's press is being answered with it."""
        panel = self._panels.get((table.id, user_id))
        if panel is None:
            yield
            return
        with panel.writer.held():
            yield

    def forget(self, table_id: int) -> None:
        """The table is gone."""
        for key in [key for key in self._panels if key[0] == table_id]:
            self._drop(key)
        self._opened.pop(table_id, None)

    def stop(self) -> None:
        """Refresh nothing any more."""
        for key in tuple(self._panels):
            self._drop(key)

    def _writer(self, key: tuple[int, int]) -> Coalescer:
        return Coalescer(lambda: self._refresh(key), interval=REFRESH_INTERVAL, budget=self._budget)

    async def _refresh(self, key: tuple[int, int]) -> int:
        panel = self._panels.get(key)
        if panel is None:
            return 0
        if not self._is_fresh(panel.interaction):
            self._drop(key)
            return 0
        sight, interaction = panel.sight, panel.interaction
        layout = sight.layout()
        if panel.shown.is_now(payload(layout)):
            return 0

        async def send(layout: discord.ui.LayoutView) -> None:
            await interaction.edit_original_response(view=layout)

        try:
            with panel.shown.sending() as sent:
                layout, _ = await self._emojis.deliver(layout, send, sight.layout)
                sent(payload(layout))
        except discord.HTTPException as error:
            if panel.interaction is interaction:  # else a newer press has made it whole again
                self._lose(key, error)
        return 1

    def _lose(self, key: tuple[int, int], error: discord.HTTPException) -> None:
        if not isinstance(error, discord.NotFound):  # its owner dismissed it
            _log.warning("panel.lost", table=key[0], status=error.status, code=error.code)
        self._drop(key)

    async def _delete(self, interaction: discord.Interaction, table_id: int) -> None:
        """Take away the panel that a newer one replaces; it may be gone already."""
        if self._is_fresh(interaction):
            try:
                async with self._budget.slot():
                    await interaction.delete_original_response()
            except discord.HTTPException as error:
                _log.debug("panel.gone", table=table_id, status=error.status, code=error.code)

    def _is_fresh(self, interaction: discord.Interaction) -> bool:
        return self._clock.now() - int(interaction.created_at.timestamp() * 1000) < FRESH_MS

    def _drop(self, key: tuple[int, int]) -> None:
        panel = self._panels.pop(key, None)
        if panel is not None:
            panel.writer.close()


def is_private(message: discord.Message | None) -> bool:
    """Whether a message is seen by one person alone."""
    return message is not None and message.flags.ephemeral
