"""The rounds that people play among robots: one for each person, each with its panel and one timer.

A move is saved before it is shown. What the robots do follows from the moves, so it is computed again after a restart.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Generic, Protocol, TypeVar

import discord
import structlog

from bot.background import Tasks
from bot.daily.run import SILENCE_MS, Attempt, Run, is_running, read_moves
from bot.daily.store import PanelReach, TryStore
from bot.errors import StoreError
from bot.game import actions as a
from bot.game.cards import Card
from bot.game.checks.refusals import Refusal
from bot.tables.clock import Clock
from bot.tables.table_store import Servers, all_servers
from bot.ui.admission.patience import in_time, or_later
from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import NO_TABLE, Press
from bot.ui.kit.interactions import edit_reached, facts, made_at, show
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.live.answers import SERVER_ERROR, TOO_MANY
from bot.ui.live.custom_emojis import CustomEmojis
from bot.ui.live.pace import Coalescer, LastSent, Slot, Urgency
from bot.ui.live.panel_requests import PanelRequests
from bot.ui.table.messages.private_panels import REFRESH_S
from bot.ui.table.pages.panel_state import PanelPage
from bot.ui.table.press_to_action import action_of, card_in, is_choice
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.refusals import refusal_text

GRACE_MS: Final = 2_000
"""So long after the robots have ended a scene a press may arrive that was made before."""
AGAIN_S: Final = 5.0
_PAGES: Final[Mapping[str, PanelPage]] = {TableVerb.HAND: PanelPage.HAND, TableVerb.COUNTER: PanelPage.COUNTER}

_log = structlog.get_logger(__name__)


T = TypeVar("T", bound=Attempt)
R = TypeVar("R", bound=Run)


@dataclass(eq=False)
class LiveScene(Generic[T, R]):
    """One person's try. `token` is that of their newest press, which reaches the panel."""

    one: T
    run: R
    texts: Texts
    token: str = field(repr=False)
    writer: Coalescer = field(init=False, repr=False)
    page: PanelPage = PanelPage.HAND
    notice: str | None = None
    chosen: Card | None = None
    shown: LastSent = field(default_factory=LastSent)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    timer: asyncio.TimerHandle | None = None


class Stage(Protocol[T, R]):
    """What is played: a scene of a day, or a moment of a match."""

    async def run(self, one: T) -> R | None:
        """The round after the moves of a try; None where it cannot be played any more."""

    def panel(self, live: LiveScene[T, R], faces: Faces, now: int) -> Layout:
        """What the person sees while they play."""

    async def ended(self, live: LiveScene[T, R]) -> Layout:
        """What they see afterwards."""


@dataclass(eq=False)
class LiveScenes(Generic[T, R]):
    """All of one kind in this process."""

    client: discord.Client
    clock: Clock
    store: TryStore[T]
    requests: PanelRequests
    emojis: CustomEmojis
    stage: Stage[T, R]
    _live: dict[int, LiveScene[T, R]] = field(default_factory=dict)
    _tasks: Tasks = field(default_factory=Tasks)

    async def restore(self, servers: Servers = all_servers) -> None:
        """Go on with the tries of these servers after a restart, and end those in which nothing was pressed."""
        now = self.clock.now()
        for one, reach in await self.store.unfinished():
            if not servers(one.guild_id):
                continue
            if not is_running(one, now):
                await self.store.save(one.missed())
            elif reach is not None and (live := await self._load(one, reach)) is not None:
                self._wake(live)

    def give_up(self, servers: Servers = all_servers) -> None:
        """Show nothing more of these servers' tries, which stay as they are saved."""
        for live in [live for live in self._live.values() if servers(live.one.guild_id)]:
            self._drop(live)

    async def begin(self, interaction: discord.Interaction, one: T, texts: Texts) -> bool:
        """Use a try and show it; False where it was used before. Raises StoreError: it is not used."""
        reach = PanelReach(interaction.token, texts.locale)
        if not await in_time(self.store.begin(one, reach)):
            return False
        live = await self._load(one, reach)
        if live is None:
            return False
        await self._answer(interaction, live)
        return True

    async def press(self, interaction: discord.Interaction, asked: T, press: Press, texts: Texts) -> bool:
        """Answer a press on the panel of a try; False where it is over. Raises StoreError: nothing was done."""
        live = await self._find(interaction, asked, texts)
        if live is None:
            return False
        async with live.lock:
            if live.one.is_over:
                return False
            at = max(made_at(interaction), live.one.pressed_at)
            if is_running(live.one, at):
                self._play(live, press, at)
            live.texts = texts
            with live.writer.held():  # nothing is shown before it is saved
                is_newest = await self._save(live, PanelReach(interaction.token, texts.locale), at)
                if is_newest:
                    await self._answer(interaction, live)
        return is_newest or await self.press(interaction, asked, press, texts)  # as things stand in the newer copy

    def running(self, user_id: int) -> LiveScene[T, R] | None:
        live = self._live.get(user_id)
        return None if live is None or live.one.is_over else live

    async def resume(self, interaction: discord.Interaction, one: T, texts: Texts) -> bool:
        """Show a try that is running in a new panel; False where it cannot be played any more."""
        live = await self._load(one, PanelReach(interaction.token, texts.locale))
        if live is None:
            return False
        live.texts = texts
        await self._answer(interaction, live)
        return True

    async def _find(self, interaction: discord.Interaction, asked: T, texts: Texts) -> LiveScene[T, R] | None:
        live = self.running(asked.user_id)
        if live is None:
            one = await or_later(self.store.find(asked))
            if one is not None and is_running(one, made_at(interaction)):
                live = await self._load(one, PanelReach(interaction.token, texts.locale))
        return live if live is not None and live.one.key == asked.key else None

    async def _load(self, one: T, reach: PanelReach) -> LiveScene[T, R] | None:
        known = self.running(one.user_id)
        if known is not None and known.one.key == one.key and known.one.pressed_at >= one.pressed_at:
            return known
        run = await self.stage.run(one)
        if run is None:
            await self.store.save(one.missed())
            return None
        live = LiveScene(one, run, texts_for(reach.language), reach.token)
        live.writer = Coalescer(
            partial(self._refresh, live),
            interval=lambda _is_urgent: self.requests.edit_interval(NO_TABLE),
            slot=self.requests.slot,
            shows="panel",
        )
        if (former := self._live.get(one.user_id)) is not None:
            self._drop(former)
        self._live[one.user_id] = live
        return live

    def _play(self, live: LiveScene[T, R], press: Press, at: int) -> None:
        """Do what a press asks for, as things stood when it was made."""
        live.page, live.notice, chosen, live.chosen = _PAGES.get(press.verb, PanelPage.HAND), None, live.chosen, None
        live.run = run = live.run.at_press(at)
        run.advance(at)
        if press.verb in _PAGES:
            return
        action = action_of(press, run.me, lambda: run.view, live.texts)
        if action is None or isinstance(action, Refusal):
            return
        if chosen is not None and isinstance(action, a.PutDown):
            action = a.Swap(run.me, action.card, chosen)
        refused = run.play(action, at)
        if refused is None:
            return
        if isinstance(action, a.Take) and is_choice(action, refused, run.view):
            live.chosen = None if chosen == action.card else action.card
        else:
            card = card_in(action)
            named = None if card is None else self._faces(live).name(card)
            live.notice = refusal_text(refused.code, live.texts, card=named)

    async def _save(self, live: LiveScene[T, R], reach: PanelReach, pressed_at: int) -> bool:
        """Save what was done; False where another process has a newer copy, and this one is dropped.

        Raises StoreError: it was not saved, and the scene is as it was before.
        """
        run, one = live.run, live.one
        changed = one.after(run, pressed_at, is_over=run.is_over or not is_running(one, pressed_at))
        try:
            if not await in_time(self.store.save(changed, reach, since=one.pressed_at)):
                stored = await in_time(self.store.find(one))
                if stored is not None and is_running(stored, pressed_at):
                    self._drop(live)
                    return False
                # The person was erased, or another process has ended it.
                changed = one.after(run, pressed_at, is_over=True)
        except BaseException:
            live.run = run.again(read_moves(one.moves))
            self._schedule(live)
            raise
        live.one = changed
        return True

    async def _answer(self, interaction: discord.Interaction, live: LiveScene[T, R]) -> None:
        live.token = interaction.token
        live.writer.overtake()
        if live.one.is_over:
            self._drop(live)
            await show(interaction, await self.stage.ended(live))
            return
        with live.writer.held(), live.shown.sending() as sent:  # the token reaches nothing before the answer
            layout, _ = await self.emojis.deliver(
                self._drawn(live), partial(show, interaction), lambda: self._drawn(live)
            )
            sent(layout)
        if not live.shown.is_known:
            live.writer.ask()  # an edit has crossed the answer
        self._schedule(live)

    def _schedule(self, live: LiveScene[T, R]) -> None:
        if live.timer is not None:
            live.timer.cancel()
        silent_at, run = live.one.pressed_at + SILENCE_MS, live.run
        at = run.match.now + GRACE_MS if run.is_over else min(silent_at, run.next_at or silent_at)
        wait = max(0, at - self.clock.now()) / 1000
        live.timer = asyncio.get_running_loop().call_later(wait, self._wake, live)

    def _wake(self, live: LiveScene[T, R]) -> None:
        now, was_over = self.clock.now(), live.run.is_over
        live.run.advance(now)
        if was_over or not is_running(live.one, now):
            self._tasks.begin(self._end(live))
            return
        if not live.run.is_over:
            live.writer.ask(Urgency.GESTURE)
        self._schedule(live)

    async def _end(self, live: LiveScene[T, R]) -> None:
        """End a scene by time, unless a press has come meanwhile."""
        async with live.lock:
            now = self.clock.now()
            if live.one.is_over or (is_running(live.one, now) and not live.run.is_over):
                return
            try:
                await self._miss(live)
            except StoreError as error:
                _log.warning("daily.not_saved", problem=str(error))
                live.timer = asyncio.get_running_loop().call_later(AGAIN_S, self._wake, live)

    async def _miss(self, live: LiveScene[T, R]) -> None:
        missed = live.one.after(live.run, live.one.pressed_at, is_over=True)
        if not await self.store.save(missed):
            stored = await self.store.find(live.one)
            if stored is None or not stored.is_over:  # it was erased, or goes on in another process
                self._drop(live)
                return
        live.one = missed
        live.writer.ask(Urgency.RESULT)

    async def _refresh(self, live: LiveScene[T, R], slot: Slot) -> None:
        one, token = live.one, live.token
        if live.run.is_over and not one.is_over:
            return  # a press that was made before may still arrive
        layout = await self.stage.ended(live) if one.is_over else self._drawn(live)
        if live.shown.equals(layout):
            return
        slot.request()
        try:
            with live.shown.sending() as sent:
                async with asyncio.timeout(REFRESH_S) as slot.patience:
                    edit = partial(edit_reached, self.client, token)
                    layout, _ = await self.emojis.deliver(layout, edit, lambda: None)
                sent(layout)
        except discord.HTTPException as error:
            if error.status == TOO_MANY or error.status >= SERVER_ERROR:
                raise  # it is written again
            if live.token != token:
                return  # a newer press has made it whole again
            _log.info("daily.panel_lost", **facts(error))  # its owner dismissed it, or its token has lapsed
            if not live.one.is_over:
                await self._miss(live)
        if live.one.is_over:
            self._drop(live)

    def _drawn(self, live: LiveScene[T, R]) -> Layout:
        return self.emojis.fitting(self.stage.panel(live, self._faces(live), self.clock.now()))

    def _faces(self, live: LiveScene[T, R]) -> Faces:
        return self.emojis.faces(live.texts, live.run.theme)

    def _drop(self, live: LiveScene[T, R]) -> None:
        if self._live.get(live.one.user_id) is live:
            del self._live[live.one.user_id]
        if live.timer is not None:
            live.timer.cancel()
        live.writer.close()
