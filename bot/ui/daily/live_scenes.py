"""The rounds that people play among robots: one for each person, each with its panel and one timer.

A move is saved before it is shown. What the robots do follows from the moves, so it is computed again after a restart.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import discord
import structlog

from bot.base.background import Tasks
from bot.base.errors import StoreError
from bot.daily.attempt import Attempt, Key, MomentKey
from bot.daily.moment import MomentStart
from bot.daily.practice_round import SILENCE_MS, PracticeRound, RoundStart, read_moves
from bot.daily.store import PanelReach, SceneStore
from bot.discord.api.components import Layout
from bot.discord.api.custom_ids import NO_TABLE, Press
from bot.discord.api.interactions import is_private, made_at
from bot.discord.api.patience import cancel_when_slow, continue_when_slow
from bot.discord.api.requests import undo_if_refused
from bot.discord.api.responses import defer, reply_panel
from bot.discord.messages.ephemeral_message import EphemeralMessage, PanelToken, panel_writer
from bot.discord.messages.posted_message import LiveContext
from bot.discord.pictures.card_faces import Faces
from bot.discord.rate_limits.panel_requests import PanelRequests
from bot.discord.rate_limits.throttling import RequestPermit, Urgency
from bot.discord.text.texts import Texts, texts_for
from bot.game import actions as a
from bot.game.cards import Card
from bot.game.checks.refusals import Refusal
from bot.tables.cluster import ShardResource
from bot.tables.match.table_actions import TableRefusalCode
from bot.tables.table_store import ServerFilter, all_servers
from bot.ui.daily.scene_panel import scene_panel
from bot.ui.daily.stage import Stage
from bot.ui.table.pages.panel_state import PanelPage
from bot.ui.table.press_to_action import action_of, card_in, is_choice
from bot.ui.table.verbs import TableVerb
from bot.ui.words.refusals import refusal_text

GRACE_MS: Final = 2_000
"""Time after the robots have ended a scene in which a press may arrive that was made before."""
AGAIN_S: Final = 5.0
_PAGES: Final[Mapping[str, PanelPage]] = {TableVerb.HAND: PanelPage.HAND, TableVerb.COUNTER: PanelPage.COUNTER}

_log = structlog.get_logger(__name__)


@dataclass(eq=False, kw_only=True)
class LiveScene(EphemeralMessage):
    """One person's attempt. The message id of its `reach` is 0 until they have pressed a button of its panel."""

    attempt: Attempt
    run: PracticeRound
    texts: Texts
    page: PanelPage = PanelPage.HAND
    notice: str | None = None
    chosen: Card | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    timer: asyncio.TimerHandle | None = None


@dataclass(eq=False)
class LiveScenes(ShardResource):
    """All scenes that are played in this process, by their person and key."""

    context: LiveContext
    store: SceneStore
    requests: PanelRequests
    stage: Stage
    challenge_tried: Callable[[Attempt], None]
    """Called with a finished attempt at a moment of another player."""
    _live: dict[tuple[int, Key], LiveScene] = field(default_factory=dict)
    _unrestored: dict[Attempt, asyncio.TimerHandle] = field(default_factory=dict)
    _tasks: Tasks = field(default_factory=Tasks)

    async def restore(self, servers: ServerFilter = all_servers) -> None:
        """Resume the attempts of these servers after a restart, and end the abandoned ones."""
        for attempt, reach in await self.store.unfinished():
            if servers(attempt.guild_id):
                await self._bring_back(attempt, reach)

    async def _bring_back(self, attempt: Attempt, reach: PanelReach | None) -> None:
        """Resume an attempt that was not pressed meanwhile. If the store fails, retry later without delaying others."""
        self._unrestored.pop(attempt, None)
        try:
            if await self.store.find(attempt.user_id, attempt.key) != attempt:
                return
            if not attempt.is_running(self.context.clock.now()):
                await self.store.save(attempt.as_missed())
            elif reach is not None and (live := await self._load(attempt, reach)) is not None:
                self._wake(live)
        except StoreError as error:
            _log.warning("daily.not_restored", problem=str(error))
            again = partial(self._bring_back, attempt, reach)
            later = asyncio.get_running_loop().call_later
            self._unrestored[attempt] = later(AGAIN_S, lambda: self._tasks.start(again()))

    async def release(self, servers: ServerFilter = all_servers) -> None:
        """Stop showing these servers' attempts; they stay saved."""
        for live in [live for live in self._live.values() if servers(live.attempt.guild_id)]:
            self._drop(live)
        for attempt in [attempt for attempt in self._unrestored if servers(attempt.guild_id)]:
            self._unrestored.pop(attempt).cancel()

    async def start(
        self, interaction: discord.Interaction, attempt: Attempt, texts: Texts, *, again: bool = False
    ) -> bool:
        """Start an attempt and show it. Return False if it was started before, or cannot be played.

        Args:
            interaction: The press.
            attempt: The attempt.
            texts: The presser's texts.
            again: It may have been started before.

        Raises:
            StoreError: It was not started.
        """
        if isinstance(attempt.key, MomentKey):
            await defer(interaction)
        begun = await self.stage.start(attempt)
        if begun is None:
            return False
        (attempt, start), reach = begun, PanelReach(interaction.token, texts.locale)
        if not await cancel_when_slow(self.store.start(attempt, reach, again=again)):
            return False
        live = self._keep(attempt, start, reach)

        async def withdraw() -> None:
            self._drop(live)
            await self.store.withdraw(attempt)

        async with undo_if_refused(withdraw):
            await self._answer(interaction, live)
        return True

    async def press(self, interaction: discord.Interaction, requested: Attempt, press: Press, texts: Texts) -> bool:
        """Answer a press on an attempt's panel. Return False if the attempt is over.

        Raises:
            StoreError: Nothing was done.
        """
        live = await self._find(interaction, requested, texts)
        if live is None:
            return False
        async with live.lock:
            if live.attempt.is_over:
                return False
            at = max(made_at(interaction), live.attempt.pressed_at)
            if live.attempt.is_running(at):
                self._play(live, press, at)
            live.texts = texts
            with live.writer.hold():  # nothing is shown before it is saved
                is_newest = await self._save(live, PanelReach(interaction.token, texts.locale), at)
                if is_newest:
                    await self._answer(interaction, live)
        return is_newest or await self.press(interaction, requested, press, texts)  # by the newer copy

    async def resume(self, interaction: discord.Interaction, attempt: Attempt, texts: Texts) -> bool:
        """Show a running attempt in a new panel, and delete the old one. Return False if it cannot be played."""
        reach = PanelReach(interaction.token, texts.locale)
        live = await self._load(attempt, reach, interaction)
        if live is None:
            return False
        former, live.texts = live.reach, texts
        await self._answer(interaction, live)
        await cancel_when_slow(self.store.save(live.attempt, reach))  # after a restart this panel goes on
        if former.token != live.reach.token and (not former.message_id or former.message_id != live.reach.message_id):
            await former.delete(self.requests, self.context.clock.now())
        return True

    async def result(self, interaction: discord.Interaction, attempt: Attempt, texts: Texts) -> Layout | None:
        """Return the result of a finished attempt as its player sees it; None if it cannot be played any more."""
        await defer(interaction)
        start = await self.stage.round_start(attempt)
        return (
            None if start is None else await self.stage.ended(attempt, PracticeRound(start, attempt.started_at), texts)
        )

    def _running(self, attempt: Attempt) -> LiveScene | None:
        live = self._live.get((attempt.user_id, attempt.key))
        return None if live is None or live.attempt.is_over else live

    async def _find(self, interaction: discord.Interaction, requested: Attempt, texts: Texts) -> LiveScene | None:
        live = self._running(requested)
        if live is None:
            attempt = await continue_when_slow(self.store.find(requested.user_id, requested.key))
            if attempt is not None and attempt.is_running(made_at(interaction)):
                live = await self._load(attempt, PanelReach(interaction.token, texts.locale), interaction)
        return live

    async def _load(
        self, attempt: Attempt, reach: PanelReach, interaction: discord.Interaction | None = None
    ) -> LiveScene | None:
        known = self._running(attempt)
        if known is not None and known.attempt.pressed_at >= attempt.pressed_at:
            return known
        if interaction is not None and isinstance(attempt.key, MomentKey):
            await defer(interaction)
        start = await self.stage.round_start(attempt)
        if start is None:
            await self.store.save(attempt.as_missed())
            return None
        return self._keep(attempt, start, reach)

    def _keep(self, attempt: Attempt, start: RoundStart, reach: PanelReach) -> LiveScene:
        key = (attempt.user_id, attempt.key)
        if (former := self._live.get(key)) is not None:
            self._drop(former)
        live = self._live[key] = LiveScene(
            attempt=attempt,
            run=PracticeRound(start, attempt.started_at, read_moves(attempt.moves)),
            texts=texts_for(reach.language),
            reach=PanelToken(self.context.client, 0, reach.token, attempt.pressed_at, NO_TABLE),
            writer=panel_writer(self.requests, partial(self._refresh, key), lambda: NO_TABLE),
        )
        return live

    def _play(self, live: LiveScene, press: Press, at: int) -> None:
        """Carry out a press by the state in which it was made."""
        live.page, live.notice, chosen, live.chosen = _PAGES.get(press.verb, PanelPage.HAND), None, live.chosen, None
        live.run = run = live.run.at_press(at)
        run.advance(at)
        if press.verb in _PAGES:
            return
        action = action_of(press, run.start.seat, lambda: run.view, live.texts)
        if action is None or isinstance(action, Refusal):
            return
        if chosen is not None and isinstance(action, a.PutDown):
            action = a.Swap(run.start.seat, action.card, chosen)
        refused = run.play(action, at)
        if refused is None:
            return
        if isinstance(action, a.AskSweep) and run.sweep_at is not None:
            live.notice = refusal_text(TableRefusalCode.SWEEP_SOON, live.texts, until=run.sweep_at)
        elif isinstance(action, a.Take) and is_choice(action, refused, run.view):
            live.chosen = None if chosen == action.card else action.card
        else:
            card = card_in(action)
            named = None if card is None else self._faces(live).name(card)
            live.notice = refusal_text(refused.code, live.texts, card=named)

    async def _save(self, live: LiveScene, reach: PanelReach, pressed_at: int) -> bool:
        """Save a change. Return False if another process has a newer copy, and drop this one.

        Raises:
            StoreError: It was not saved, and the scene is as it was before.
        """
        run, attempt = live.run, live.attempt
        changed = attempt.after(run, pressed_at, is_over=run.is_over or not attempt.is_running(pressed_at))
        try:
            if not await cancel_when_slow(self.store.save(changed, reach, since=attempt.pressed_at)):
                stored = await cancel_when_slow(self.store.find(attempt.user_id, attempt.key))
                if stored is not None and stored.is_running(pressed_at):
                    self._drop(live)
                    return False
                # The person was erased, or another process has ended it.
                changed = attempt.after(run, pressed_at, is_over=True)
        except BaseException:
            live.run = run.again(read_moves(attempt.moves))
            self._schedule(live)
            raise
        live.attempt = changed
        self._tell_end(live)
        return True

    async def _answer(self, interaction: discord.Interaction, live: LiveScene) -> None:
        message = interaction.message
        pressed_id = message.id if message is not None and is_private(message) else 0
        live.reach = PanelToken(self.context.client, pressed_id, interaction.token, made_at(interaction), NO_TABLE)
        live.writer.overtake()
        if live.attempt.is_over:
            self._drop(live)
            await reply_panel(interaction, await self.stage.ended(live.attempt, live.run, live.texts))
            return
        with live.writer.hold(), live.last_sent.recording() as sent:  # the token reaches nothing before the answer
            layout, _ = await self.context.emojis.deliver(
                self._drawn(live), partial(reply_panel, interaction), lambda: self._drawn(live)
            )
            sent(layout)
        if not live.last_sent.is_known:
            live.writer.request_update()  # an edit has crossed the answer
        self._schedule(live)

    def _schedule(self, live: LiveScene) -> None:
        if live.timer is not None:
            live.timer.cancel()
        silent_at, run = live.attempt.pressed_at + SILENCE_MS, live.run
        at = run.match.now + GRACE_MS if run.is_over else min(silent_at, run.next_at or silent_at)
        wait = max(0, at - self.context.clock.now()) / 1000
        live.timer = asyncio.get_running_loop().call_later(wait, self._wake, live)

    def _wake(self, live: LiveScene) -> None:
        now, was_over = self.context.clock.now(), live.run.is_over
        live.run.advance(now)
        if was_over or not live.attempt.is_running(now):
            self._tasks.start(self._end(live))
            return
        if not live.run.is_over:
            live.writer.request_update(Urgency.GESTURE)
        self._schedule(live)

    async def _end(self, live: LiveScene) -> None:
        """End a scene by time, unless a press has come meanwhile."""
        async with live.lock:
            now = self.context.clock.now()
            if live.attempt.is_over or (live.attempt.is_running(now) and not live.run.is_over):
                return
            try:
                await self._miss(live)
            except StoreError as error:
                _log.warning("daily.not_saved", problem=str(error))
                live.timer = asyncio.get_running_loop().call_later(AGAIN_S, self._wake, live)

    async def _miss(self, live: LiveScene) -> None:
        missed = live.attempt.after(live.run, live.attempt.pressed_at, is_over=True)
        if not await self.store.save(missed):
            stored = await self.store.find(live.attempt.user_id, live.attempt.key)
            if stored is None or not stored.is_over:  # it was erased, or goes on in another process
                self._drop(live)
                return
        live.attempt = missed
        self._tell_end(live)
        live.writer.request_update(Urgency.RESULT)

    def _tell_end(self, live: LiveScene) -> None:
        attempt, start = live.attempt, live.run.start
        if attempt.is_over and isinstance(start, MomentStart) and start.people[start.seat].user_id != attempt.user_id:
            self.challenge_tried(attempt)

    async def _refresh(self, key: tuple[int, Key], permit: RequestPermit) -> None:
        live = self._live.get(key)
        if live is None or (live.run.is_over and not live.attempt.is_over):
            return  # a press that was made before may still arrive
        ended = await self.stage.ended(live.attempt, live.run, live.texts) if live.attempt.is_over else None
        emojis, now = self.context.emojis, self.context.clock.now()
        is_kept = await live.edit(permit, emojis, lambda: ended or self._drawn(live), now)
        if not is_kept and not live.attempt.is_over:
            await self._miss(live)
        if live.attempt.is_over:
            self._drop(live)

    def _drawn(self, live: LiveScene) -> Layout:
        now = self.context.clock.now()
        panel = scene_panel(live.attempt, live.run, live.page, self._faces(live), live.notice, live.chosen, now)
        return self.context.emojis.fitting(panel)

    def _faces(self, live: LiveScene) -> Faces:
        return self.context.emojis.faces(live.texts, live.run.start.theme)

    def _drop(self, live: LiveScene) -> None:
        if self._live.get(key := (live.attempt.user_id, live.attempt.key)) is live:
            del self._live[key]
        if live.timer is not None:
            live.timer.cancel()
        live.writer.close()
