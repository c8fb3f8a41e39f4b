"""The private panels: one for each player of a table, refreshed when others act for as long as Discord lets us.

A panel is reached by the token of its owner's newest press, so that every press on it renews it. It shows that seat's
view and nothing else.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

import discord
import structlog

from bot.live.ports import Clock
from bot.live.table import Table
from bot.ui.board_message import EDIT_INTERVAL, seated
from bot.ui.card_emojis import CardEmojis
from bot.ui.coalesce import Budget, Coalescer
from bot.ui.hand import counter_panel, hand_panel
from bot.ui.layouts import Payload, at_rest, dated, payload
from bot.ui.sign_view import sign_panel
from bot.ui.texts import Texts

FRESH_MS: Final = 14 * 60 * 1000
"""An interaction's token lives 15 minutes; a panel older than this is left to its owner's next press."""

_log = structlog.get_logger(__name__)


class Page(Enum):
    """What a panel shows."""

    HAND = auto()
    SIGN = auto()
    COUNTER = auto()


@dataclass(slots=True)
class Panel:
    """One player's private message. `shown` is its content as last sent; `notice` stays until the next own press."""

    table: Table
    seat: int
    texts: Texts
    interaction: discord.Interaction
    writer: Coalescer
    emojis: CardEmojis
    page: Page = Page.HAND
    notice: str | None = None
    shown: Payload = field(default_factory=list)

    def layout(self) -> discord.ui.LayoutView:
        """The panel as it should look now."""
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
        return frozenset(table.lobby.robot_seats()) | self._opened.get(table.id, set())

    async def answer(
        self, interaction: discord.Interaction, table: Table, seat: int, texts: Texts, page: Page, notice: str | None
    ) -> bool:
        """Answer a press with the player's panel, in place where it was pressed there; True when a hand was opened."""
        key = (table.id, interaction.user.id)
        former = self._panels.get(key)
        panel = Panel(table, seat, texts, interaction, self._writer(key), self._emojis, page, notice)
        is_in_place = is_private(interaction.message)

        async def send(layout: discord.ui.LayoutView) -> None:
            if is_in_place:
                await interaction.response.edit_message(view=layout)
            else:
                await interaction.response.send_message(view=layout, ephemeral=True)

        layout, _ = await self._emojis.deliver(panel.layout(), send, panel.layout)
        panel.shown = payload(layout)
        if former is not None:
            former.writer.close()
            if not is_in_place:
                await self._delete(former)
        self._panels[key] = panel
        if payload(panel.layout()) != panel.shown:
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
                    panel.page, panel.notice = Page.HAND, None
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
        return Coalescer(lambda: self._refresh(key), interval=EDIT_INTERVAL, budget=self._budget)

    async def _refresh(self, key: tuple[int, int]) -> bool:
        panel = self._panels.get(key)
        if panel is None:
            return False
        if not self._is_fresh(panel.interaction):
            self._drop(key)
            return False
        layout = panel.layout()
        if payload(layout) == panel.shown:
            return False

        async def send(layout: discord.ui.LayoutView) -> None:
            await panel.interaction.edit_original_response(view=layout)

        try:
            layout, _ = await self._emojis.deliver(layout, send, panel.layout)
        except discord.NotFound:
            self._drop(key)  # its owner dismissed it
        except discord.HTTPException as error:
            _log.warning("panel.lost", table=panel.table.id, status=error.status, code=error.code)
            self._drop(key)
        else:
            panel.shown = payload(layout)
        return True

    async def _delete(self, panel: Panel) -> None:
        """Take away the panel that a newer one replaces; it may be gone already."""
        if self._is_fresh(panel.interaction):
            try:
                await panel.interaction.delete_original_response()
            except discord.HTTPException as error:
                _log.debug("panel.gone", table=panel.table.id, status=error.status, code=error.code)

    def _is_fresh(self, interaction: discord.Interaction) -> bool:
        return self._clock.now() - int(interaction.created_at.timestamp() * 1000) < FRESH_MS

    def _drop(self, key: tuple[int, int]) -> None:
        panel = self._panels.pop(key, None)
        if panel is not None:
            panel.writer.close()


def is_private(message: discord.Message | None) -> bool:
    """Whether a message is seen by one person alone."""
    return message is not None and message.flags.ephemeral
