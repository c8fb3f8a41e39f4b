"""The private panels: one for each player of a table, refreshed when others act.

A panel is reached by the token of its owner's newest press, which lives for fifteen minutes; the next run of the bot
knows it too. It shows that seat's view and nothing else.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import discord
import structlog

from bot.tables.match.table import Table
from bot.tables.open_panels import OpenPanel, PanelKey
from bot.ui.kit.components import Layout
from bot.ui.kit.edits import delete_original, edit_original, update_pressed
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.interactions import is_private, made_at
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.messages.coalescer import Coalescer, LastSent
from bot.ui.messages.emojis.custom_emojis import CustomEmojis
from bot.ui.messages.limits.budget import Slot
from bot.ui.messages.limits.panel_requests import PanelRequests
from bot.ui.messages.panels.panel_memory import PanelMemory
from bot.ui.messages.screens import Screens, Sight
from bot.ui.words.table_text import seated

_log = structlog.get_logger(__name__)

Told = Callable[[int, Texts], str | None]
"""Why the table of that id cannot be shown; None where it can."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The only way to a private message: the token of the press that it answered last, made at `made_at`.

    The token's original message is the bot's answer to the press, or the pressed message if the answer changed that.
    """

    client: discord.Client = field(repr=False)
    message_id: int
    token: str = field(repr=False)
    made_at: int

    async def edit(self, layout: Layout) -> None:
        await edit_original(self.client, self.token, layout)

    async def delete(self) -> None:
        await delete_original(self.client, self.token)


@dataclass(slots=True)
class Panel:
    """One player's private message; `shown` belongs to that message."""

    sight: Sight
    reach: Reach
    shown: LastSent
    writer: Coalescer


@dataclass(frozen=True, slots=True)
class _Refresh:
    """What the writer of one panel asks for."""

    panels: "PrivatePanels"
    table: Table
    user_id: int

    async def write(self, slot: Slot) -> None:
        await self.panels.refresh((self.table.id, self.user_id), slot)

    def interval(self, _is_urgent: bool) -> float:
        return self.panels.requests.edit_interval(self.table.lobby.place.channel_id)

    def slot(self) -> Slot:
        return self.panels.requests.slot(self.table.lobby.place.channel_id)


class PrivatePanels:
    """All private panels of this process, by table and user."""

    def __init__(
        self, client: discord.Client, memory: PanelMemory, requests: PanelRequests, emojis: CustomEmojis, told: Told
    ) -> None:
        self._client = client
        self._memory = memory
        self._told = told
        self.requests = requests
        self._emojis = emojis
        self._screens: Screens | None = None
        self._panels: dict[int, dict[int, Panel]] = {}
        self._opened: dict[int, set[int]] = {}

    def attach(self, screens: Screens) -> None:
        self._screens = screens

    def opened(self, table: Table) -> frozenset[int]:
        """The seats that have opened their hand; a robot always has."""
        robots = (seat for seat, player in enumerate(seated(table.lobby)) if player.is_played_by_robot)
        return frozenset(robots).union(self._opened.get(table.id, ()))

    async def restore(self, tables: Collection[Table]) -> None:
        """Load the panels of these tables that can still be reached; `changed` brings them up to date."""
        by_id = {table.id: table for table in tables}
        for saved in await self._memory.load(by_id.keys()):
            table = by_id[saved.table_id]
            texts = texts_for(saved.language)
            sight = Sight(table, saved.seat, saved.user_id, texts, self._page(saved, table))
            reach = Reach(self._client, saved.message_id, saved.token, saved.made_at)
            panel = Panel(sight, reach, LastSent(), self._writer(table, saved.user_id))
            self._panels.setdefault(table.id, {})[saved.user_id] = panel
            if table.seat_of(saved.user_id) == saved.seat:
                self._opened.setdefault(table.id, set()).add(saved.seat)

    async def answer(
        self,
        interaction: discord.Interaction,
        table: Table,
        seat: int,
        texts: Texts,
        page: str,
        notice: str | None,
        *,
        is_below: bool = False,
    ) -> bool:
        """Answer a press with the player's panel. Returns whether that opened a hand.

        `is_below`: as a new message, also where the panel was pressed.
        """
        key = (table.id, interaction.user.id)
        sight = Sight(table, seat, interaction.user.id, texts, page, notice)
        panel = self._panel(key)
        pressed = interaction.message
        is_in_place = is_private(pressed) and not is_below
        shown = panel.shown if panel is not None and is_in_place else LastSent()

        async def send(layout: Layout) -> int:
            if pressed is not None and is_in_place:
                await update_pressed(interaction, layout)
                return pressed.id
            said = await interaction.response.send_message(view=PreparedView(layout), ephemeral=True)
            assert said.message_id is not None, "a message was sent"
            return said.message_id

        if panel is not None:
            panel.writer.overtake()
        try:
            with shown.sending() as sent:
                layout, message_id = await self._emojis.deliver(self._drawn(sight), send, lambda: self._drawn(sight))
                sent(layout)
        except BaseException:
            if panel is not None:
                panel.writer.ask()
            raise
        reach = Reach(self._client, message_id, interaction.token, made_at(interaction))
        if panel is None:
            panel = Panel(sight, reach, shown, self._writer(table, interaction.user.id))
            self._panels.setdefault(table.id, {})[interaction.user.id] = panel
            panel.writer.ask()  # what happened while it was sent has asked no panel
        else:
            former, panel.reach = panel.reach, reach
            panel.sight, panel.shown = sight, shown
            if not is_in_place:
                await self._delete(former, table.id)
            if not shown.is_known:
                panel.writer.ask()
        if not table.is_over:
            self._memory.opened(key, _saved(panel))
        seats = self._opened.setdefault(table.id, set())
        is_new = seat not in seats
        seats.add(seat)
        return is_new

    def is_open(self, table: Table, user_id: int) -> bool:
        """Whether a player's panel is shown and refreshed by itself."""
        panel = self._panel((table.id, user_id))
        return panel is not None and self._memory.is_fresh(panel.reach.made_at)

    def changed(self, table: Table, *, turn_page: bool) -> None:
        """Refresh the panels of a table; with `turn_page`, since a round began or ended, turn them to the hand."""
        for user_id, panel in self._panels.get(table.id, {}).items():
            if table.is_over:  # then nothing is brought back after a restart
                self._memory.closed((table.id, user_id))
            if turn_page:
                panel.sight = replace(panel.sight, page=self._known_screens.first_page, notice=None)
            panel.writer.ask()

    @contextmanager
    def held(self, table: Table, user_id: int) -> Iterator[None]:
        """Do not refresh a panel while its owner's press is being answered with it."""
        panel = self._panel((table.id, user_id))
        if panel is None:
            yield
            return
        with panel.writer.held():
            yield

    def forget(self, table_id: int) -> None:
        for user_id in tuple(self._panels.get(table_id, ())):
            self._drop((table_id, user_id))
        self._opened.pop(table_id, None)

    def give_up(self, table_id: int) -> None:
        """Another process shows the panels of a table from now on: they stay saved."""
        for panel in self._panels.pop(table_id, {}).values():
            panel.writer.close()
        self._opened.pop(table_id, None)

    async def saved(self) -> None:
        """Save at once how the panels are reached."""
        await self._memory.save()

    def stop(self) -> None:
        for panels in self._panels.values():
            for panel in panels.values():
                panel.writer.close()
        self._panels.clear()

    @property
    def _known_screens(self) -> Screens:
        assert self._screens is not None, "panels are attached to their screens before one is opened"
        return self._screens

    def _drawn(self, sight: Sight) -> Layout:
        table, page = sight.table, self._known_screens.pages[sight.page]
        faces, told = self._emojis.faces(sight.texts, table.lobby.theme), self._told(table.id, sight.texts)
        return self._emojis.fitting(page(sight, faces, told))

    def _page(self, saved: OpenPanel, table: Table) -> str:
        """The page that the panel showed, if that was in this round."""
        screens = self._known_screens
        is_current = saved.round == table.table_view().round and saved.page in screens.pages
        return saved.page if is_current else screens.first_page

    def _writer(self, table: Table, user_id: int) -> Coalescer:
        refresh = _Refresh(self, table, user_id)
        return Coalescer(refresh.write, interval=refresh.interval, slot=refresh.slot, shows="panel")

    async def refresh(self, key: PanelKey, slot: Slot) -> None:
        """Bring a panel up to date, if it can still be reached."""
        panel = self._panel(key)
        if panel is None:
            return
        if not self._memory.is_fresh(panel.reach.made_at):
            self._drop(key)
            return
        sight, reach = panel.sight, panel.reach
        layout = self._drawn(sight)
        if panel.shown.is_now(layout):
            return
        slot.request()
        try:
            with panel.shown.sending() as sent:
                layout, _ = await self._emojis.deliver(layout, reach.edit, lambda: self._drawn(sight))
                sent(layout)
        except discord.HTTPException as error:
            if panel.reach is reach:  # else a newer press has made it whole again
                is_gone = isinstance(error, discord.NotFound)  # its owner dismissed it
                note = _log.info if is_gone else _log.warning
                note("panel.lost", table=key[0], status=error.status, code=error.code)
                self._drop(key)

    async def _delete(self, former: Reach, table_id: int) -> None:
        if self._memory.is_fresh(former.made_at):
            try:
                async with self.requests.slot() as slot:
                    slot.request()
                    await former.delete()
            except FAILED as error:
                _log.debug("panel.gone", table=table_id, **facts(error))

    def _panel(self, key: PanelKey) -> Panel | None:
        return self._panels.get(key[0], {}).get(key[1])

    def _drop(self, key: PanelKey) -> None:
        panels = self._panels.get(key[0], {})
        panel = panels.pop(key[1], None)
        if panel is not None:
            panel.writer.close()
            self._memory.closed(key)
        if not panels:
            self._panels.pop(key[0], None)


def _saved(panel: Panel) -> OpenPanel:
    sight, reach, number = panel.sight, panel.reach, panel.sight.table.table_view().round
    shown = (sight.seat, sight.page, sight.texts.locale, number)
    return OpenPanel(sight.table.id, sight.user_id, *shown, reach.made_at, reach.message_id, reach.token)
