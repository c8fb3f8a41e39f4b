"""The hand panels: one ephemeral message for each player of a table, refreshed when others act.

A panel is edited with its owner's newest interaction token, which lives for fifteen minutes; the next run of the bot
knows it, too. It shows only that seat's view, and stands below the public message of its table.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import discord
import structlog

from bot.discord.api.components import Layout
from bot.discord.api.interactions import is_private, made_at, snowflake_time
from bot.discord.api.requests import log_failures
from bot.discord.api.responses import reply_new_panel, update_message
from bot.discord.messages.ephemeral_message import EphemeralMessage, PanelToken, deliver, panel_writer
from bot.discord.messages.panel_memory import PanelMemory
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.rate_limits.panel_requests import PanelRequests
from bot.discord.rate_limits.throttling import Coalescer, LastSent, RequestPermit, Urgency
from bot.discord.text.texts import Texts, texts_for
from bot.game.events import CardPutDown, CardTaken, ChainOpened, Event, GestureMade
from bot.tables.match.table import Table
from bot.tables.table_store import OpenPanel, PanelKey
from bot.ui.table.pages.panel_pages import drawn_panel, fades_at
from bot.ui.table.pages.panel_state import DrawPanel, PanelPage, PanelState
from bot.ui.words.panel_text import NEWS_MS
from bot.ui.words.table_text import seated_players

OPTION_MS: Final = 5_000
"""How long the effect of a view-only button lasts."""
TOUCHED_MS: Final = 3 * 60 * 1000
"""Time without a press of its owner after which a panel waits for all others, while edits are scarce."""
EXPECTED_MS: Final = 1_000
"""Time after a press of the owner within which the next one is expected."""
PATIENCE_S: Final = 0.5
"""Longest time for which the cards of other people wait for a press.

Discord refuses a press on a button that an edit has removed while the press was on its way, and does not tell the bot:
https://github.com/discord/discord-api-docs/issues/5943
"""
OLD_MS: Final = 50 * 60 * 1000
"""Age from which the next press posts a panel again: Discord may limit edits of messages older than an hour."""

_log = structlog.get_logger(__name__)

ProblemLine = Callable[[int, Texts], str | None]
"""Returns why the table with an id cannot be shown; None if it can."""


@dataclass(eq=False, kw_only=True)
class EphemeralPanel(EphemeralMessage):
    """The hand panel of one player.

    - `state`: what it shows.
    - `pressed_at`: the owner's last press (milliseconds), answered or not.
    - `fading`: the timer of the next edit that removes something.
    - `followed`: the id of the table's message below which it was last posted again, or tried to be.
    """

    state: PanelState
    pressed_at: int = 0
    fading: asyncio.TimerHandle | None = None
    followed: int = 0


@dataclass(eq=False)
class EphemeralPanels:
    """All hand panels of this process, by table and user.

    - `problem_line`: returns why a table's message is not as it should be.
    - `hand_opened`: is called when a hand is opened.
    - `message_id`: returns the id of a table's message; None if there is none.
    """

    client: discord.Client
    memory: PanelMemory
    requests: PanelRequests
    emojis: CustomEmojis
    problem_line: ProblemLine
    hand_opened: Callable[[Table], None]
    draw: DrawPanel = drawn_panel
    fades_at: Callable[[PanelState, int], int | None] = fades_at
    message_id: Callable[[int], int | None] = lambda _table_id: None
    _panels: dict[int, dict[int, EphemeralPanel]] = field(default_factory=dict)
    _opened: dict[int, set[int]] = field(default_factory=dict)

    def opened(self, table: Table) -> frozenset[int]:
        """Return the seats whose hand is open: robots, and players who have opened their panel."""
        robots = (seat for seat, player in enumerate(seated_players(table.lobby.players)) if player.is_played_by_robot)
        return frozenset(robots).union(self._opened.get(table.id, ()))

    async def restore(self, tables: Collection[Table]) -> None:
        """Load the panels of these tables that can still be edited; the next `changed` updates them."""
        by_id = {table.id: table for table in tables}
        for saved in await self.memory.load(by_id.keys()):
            table = by_id[saved.table_id]
            texts = texts_for(saved.language)
            state = PanelState(table, saved.seat, saved.user_id, texts, _page(saved, table))
            press = (saved.token, saved.made_at, saved.channel_id)
            reach = PanelToken(self.client, saved.message_id, *press, saved.is_follow_up)
            panel = EphemeralPanel(state=state, reach=reach, writer=self._writer(table, saved.user_id))
            self._panels.setdefault(table.id, {})[saved.user_id] = panel
            if table.lobby.seat_of(saved.user_id) == saved.seat:
                self._opened.setdefault(table.id, set()).add(saved.seat)

    async def answer(
        self,
        interaction: discord.Interaction,
        table: Table,
        seat: int,
        texts: Texts,
        page: PanelPage,
        notice: str | None = None,
        *,
        option: str | None = None,
        is_below: bool = False,
    ) -> None:
        """Answer a press with the player's panel.

        Args:
            interaction: The press.
            table: The table.
            seat: The player's seat.
            texts: The player's texts.
            page: The page to show.
            notice: The answer to the press in words.
            option: What a view-only button sets (`PanelState`); empty for nothing. None leaves it unless there is a
                `notice`.
            is_below: Post a new message, even if the panel itself was pressed.
        """
        key = (table.id, interaction.user.id)
        panel, now = self._panel(key), self.memory.clock.now()
        state = PanelState(table, seat, interaction.user.id, texts, page, notice)
        if notice is not None:
            state = replace(state, until=now + NEWS_MS)
        elif option:
            state = replace(state, option=option, until=now + OPTION_MS)
        elif option is None and panel is not None:
            state = replace(state, option=panel.state.option, until=panel.state.until)
        pressed = interaction.message
        is_old = pressed is not None and not self.memory.is_fresh(snowflake_time(pressed.id), OLD_MS)
        is_in_place = is_private(pressed) and not is_below and not is_old
        last_sent = panel.last_sent if panel is not None and is_in_place else LastSent()

        async def send(layout: Layout) -> int:
            if pressed is not None and is_in_place:
                await update_message(interaction, layout)
                return pressed.id
            return await reply_new_panel(interaction, layout)

        if panel is not None:
            panel.writer.overtake()
            panel.state = state  # what the next press finds, though this one is not answered yet
            panel.pressed_at = made_at(interaction)
        try:
            with last_sent.recording() as sent:
                layout, message_id = await self.emojis.deliver(self._drawn(state), send, lambda: self._drawn(state))
                sent(layout)
        except BaseException:
            if panel is not None:
                panel.writer.request_update()
            raise
        press = (interaction.token, made_at(interaction), interaction.channel_id or 0)
        reach = PanelToken(self.client, message_id, *press)
        if panel is None:
            writer = self._writer(table, interaction.user.id)
            panel = EphemeralPanel(
                state=state, reach=reach, writer=writer, last_sent=last_sent, pressed_at=reach.made_at
            )
            self._panels.setdefault(table.id, {})[interaction.user.id] = panel
            panel.writer.request_update()  # a change while it was sent has found no panel
        else:
            former, panel.reach = panel.reach, reach
            panel.last_sent = last_sent
            if not is_in_place:
                await former.delete(self.requests, now)
            if not (last_sent.is_known and is_in_place):  # what happened meanwhile was written to the former message
                panel.writer.request_update(within=self._patience(panel))
        self._fade(panel)
        if not table.is_over:
            self.memory.opened(key, _saved(panel))
        seats = self._opened.setdefault(table.id, set())
        if seat not in seats:
            seats.add(seat)
            self.hand_opened(table)

    def is_open(self, table: Table, user_id: int) -> bool:
        """Return whether a player's panel is shown and kept up to date."""
        panel = self._panel((table.id, user_id))
        return panel is not None and self.memory.is_fresh(panel.reach.made_at)

    def changed(self, table: Table, events: Sequence[Event] = (), *, turn_page: bool = False) -> None:
        """Refresh the panels of a table; `turn_page` turns them to the hand, since a round has begun or ended."""
        for user_id, panel in self._panels.get(table.id, {}).items():
            if table.is_over:  # then nothing is brought back after a restart
                self.memory.closed((table.id, user_id))
            if turn_page:
                panel.state = replace(panel.state, page=PanelPage.HAND, notice=None, option="")
            urgency = self._urgency(panel, events, is_turn=turn_page)
            panel.writer.request_update(urgency, self._patience(panel) if _are_cards(events) else 0.0)

    def served(self, table: Table) -> None:
        """Update the panels of a table after an outage in which edits may have failed."""
        for panel in self._panels.get(table.id, {}).values():
            panel.writer.recover()
        self.changed(table)

    def _patience(self, panel: EphemeralPanel) -> float:
        """Return how many seconds the cards of other people wait for the next press of a panel's owner."""
        left_ms = panel.pressed_at + EXPECTED_MS - self.memory.clock.now()
        return min(max(0.0, left_ms / 1000), PATIENCE_S)

    def _urgency(self, panel: EphemeralPanel, events: Sequence[Event], *, is_turn: bool) -> Urgency:
        state = panel.state
        for event in events:
            match event:
                case GestureMade(seat=seat) if seat in state.table.player_view(state.seat).partners:
                    return Urgency.GESTURE
                case ChainOpened():
                    return Urgency.GESTURE
        if not self.memory.is_fresh(panel.reach.made_at, TOUCHED_MS):
            return Urgency.UNTOUCHED
        return Urgency.RESULT if is_turn else Urgency.CHANGE

    def follow(self, table_id: int) -> None:
        """Post the panels of a table again below its new message, as soon as their owners are not busy."""
        for panel in self._panels.get(table_id, {}).values():
            panel.writer.request_update(Urgency.RESULT, self._patience(panel))

    def notify(self, table: Table, user_id: int, sentence: Callable[[Texts], str]) -> None:
        """Show players on their panel the outcome of an action that they took elsewhere.

        `sentence` returns it in the player's language.
        """
        panel = self._panel((table.id, user_id))
        if panel is not None:
            until = self.memory.clock.now() + NEWS_MS
            panel.state = replace(panel.state, notice=sentence(panel.state.texts), option="", until=until)
            panel.writer.request_update()

    @contextmanager
    def hold(self, table: Table, user_id: int) -> Iterator[None]:
        """Hold back the edits of a player's panel until the press on it is answered."""
        panel = self._panel((table.id, user_id))
        if panel is None:
            yield
            return
        with panel.writer.hold():
            yield

    def forget(self, table_id: int) -> None:
        """Delete the saved panels of a table, and stop refreshing them."""
        for user_id in tuple(self._panels.get(table_id, ())):
            self._drop((table_id, user_id))
        self._opened.pop(table_id, None)

    def close(self, table_id: int) -> None:
        """Stop refreshing the panels of a table. They stay saved for the next process that serves it."""
        for panel in self._panels.pop(table_id, {}).values():
            panel.writer.close()
        self._opened.pop(table_id, None)

    def stop(self) -> None:
        """Stop refreshing all panels, which stay saved."""
        for table_id in tuple(self._panels):
            self.close(table_id)

    def option(self, table: Table, user_id: int) -> tuple[str, int]:
        """Return the value that a view-only button of a player's panel has set, and until when (milliseconds)."""
        panel = self._panel((table.id, user_id))
        return ("", 0) if panel is None else (panel.state.option, panel.state.until)

    def page(self, table: Table, user_id: int) -> PanelPage:
        """Return the page that a player's panel shows."""
        panel = self._panel((table.id, user_id))
        return PanelPage.HAND if panel is None else panel.state.page

    def _fade(self, panel: EphemeralPanel) -> None:
        """Schedule the edit that removes what is shown for a while only."""
        if panel.fading is not None:
            panel.fading.cancel()
        now = self.memory.clock.now()
        at = self.fades_at(panel.state, now)
        later = asyncio.get_running_loop().call_later
        panel.fading = None if at is None else later((at - now) / 1000, panel.writer.request_update)

    def _drawn(self, state: PanelState) -> Layout:
        table, texts = state.table, state.texts
        faces, problem = self.emojis.faces(texts, table.lobby.theme), self.problem_line(table.id, texts)
        return self.emojis.fitting(self.draw(state, faces, problem, self.memory.clock.now()))

    def _writer(self, table: Table, user_id: int) -> Coalescer:
        refresh = partial(self._refresh, (table.id, user_id))
        return panel_writer(self.requests, refresh, lambda: table.lobby.place.channel_id)

    async def _refresh(self, key: PanelKey, permit: RequestPermit) -> None:
        panel = self._panel(key)
        if panel is None:
            return
        if not self.memory.is_fresh(panel.reach.made_at):
            self._drop(key)
            return
        state, reach = panel.state, panel.reach
        self._fade(panel)
        draw, now = partial(self._drawn, state), self.memory.clock.now()
        newest = self.message_id(key[0]) or 0
        if reach.message_id < newest != panel.followed and _may_follow(state, reach):
            panel.followed = newest  # tried once: nobody knows what became of a post without an answer
            is_kept = await panel.reaches(partial(self._follow, key, panel, draw, permit), now)
        else:
            is_kept = await panel.edit(permit, self.emojis, draw, now, self._patience(panel))
        if not is_kept:
            self._drop(key)

    async def _follow(
        self,
        key: PanelKey,
        panel: EphemeralPanel,
        draw: Callable[[], Layout],
        permit: RequestPermit,
        former: PanelToken,
    ) -> None:
        """Post a panel below the message of its table, and delete the former one."""
        last_sent = LastSent()
        permit.record_sent()
        posted = await deliver(last_sent, permit, self.emojis, draw(), former.post, draw)
        if panel.reach is former:
            panel.reach, panel.last_sent = posted, last_sent
            self.memory.opened(key, _saved(panel))
            left = former
        else:  # a press was answered meanwhile
            left = posted
        panel.writer.request_update()  # what was drawn meanwhile
        await permit.acquire_and_record()
        with log_failures(_log.debug, "panel.gone", table=key[0]):
            await left.edit(None)

    def _panel(self, key: PanelKey) -> EphemeralPanel | None:
        return self._panels.get(key[0], {}).get(key[1])

    def _drop(self, key: PanelKey) -> None:
        panels = self._panels.get(key[0], {})
        panel = panels.pop(key[1], None)
        if panel is not None:
            panel.writer.close()
            self.memory.closed(key)
        if not panels:
            self._panels.pop(key[0], None)


def _page(saved: OpenPanel, table: Table) -> PanelPage:
    """Return the page that a panel showed before a restart; the hand if the round has changed or the page is gone."""
    is_current = saved.round == table.table_view().round and saved.page in set(PanelPage)
    return PanelPage(saved.page) if is_current else PanelPage.HAND


def _may_follow(state: PanelState, reach: PanelToken) -> bool:
    """Return whether a panel may move below its table: in the same channel, its owner not busy with a card."""
    table, is_free = state.table, state.page is PanelPage.HAND and not state.option
    return is_free and reach.channel_id == table.lobby.place.channel_id and not table.seat_view(state.seat).owes


def _are_cards(events: Sequence[Event]) -> bool:
    """Return whether only cards have changed places."""
    return bool(events) and all(isinstance(event, CardPutDown | CardTaken) for event in events)


def _saved(panel: EphemeralPanel) -> OpenPanel:
    state, reach, number = panel.state, panel.reach, panel.state.table.table_view().round
    panel_fields = (state.seat, state.page, state.texts.locale, number)
    message = (reach.message_id, reach.token, reach.channel_id, reach.is_follow_up)
    return OpenPanel(state.table.id, state.user_id, *panel_fields, reach.made_at, *message)
