"""The scenes that are being played: one for each person, each with its panel and one timer.

A move is saved before it is shown. What the robots do follows from the moves, so it is computed again after a restart.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Final

import discord
import structlog

from bot.background import Tasks
from bot.daily.day import SILENCE_MS, Try, day_of, scene_of
from bot.daily.scene import ME, SceneRun, read_moves, write_moves
from bot.daily.store import DailyStore, PanelReach
from bot.errors import StoreError
from bot.game import actions as a
from bot.game.cards import Card
from bot.game.checks.refusals import Refusal
from bot.records.card_theme import Theme
from bot.tables.clock import Clock
from bot.tables.table_store import Servers, all_servers
from bot.ui.admission.patience import in_time, or_later
from bot.ui.daily.scene_panel import how_it_was_missed, scene_panel
from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import NO_TABLE, Press
from bot.ui.kit.interactions import edit_reached, facts, guild_of, made_at, show
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.live.answers import SERVER_ERROR, TOO_MANY
from bot.ui.live.custom_emojis import CustomEmojis
from bot.ui.live.pace import Coalescer, LastSent, Slot, Urgency
from bot.ui.live.panel_requests import PanelRequests
from bot.ui.table.hand_panel import PanelPage
from bot.ui.table.press_to_action import action_of, card_in, is_choice
from bot.ui.table.private_panels import REFRESH_S
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.refusals import refusal_text

GRACE_MS: Final = 2_000
"""So long after the robots have ended a scene a press may arrive that was made before."""
AGAIN_S: Final = 5.0
_PAGES: Final[Mapping[str, PanelPage]] = {TableVerb.HAND: PanelPage.HAND, TableVerb.COUNTER: PanelPage.COUNTER}

_log = structlog.get_logger(__name__)


@dataclass(eq=False)
class LiveScene:
    """One person's scene. `token` is that of their newest press, which reaches the panel."""

    one: Try
    run: SceneRun
    texts: Texts
    token: str = field(repr=False)
    writer: Coalescer = field(init=False, repr=False)
    page: PanelPage = PanelPage.HAND
    notice: str | None = None
    chosen: Card | None = None
    shown: LastSent = field(default_factory=LastSent)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    timer: asyncio.TimerHandle | None = None


@dataclass(eq=False)
class LiveScenes:
    """All of this process.

    `ended` draws what a person sees after a try, in their language, and how it was missed.
    """

    client: discord.Client
    clock: Clock
    store: DailyStore
    requests: PanelRequests
    emojis: CustomEmojis
    ended: Callable[[Try, Texts, str | None], Awaitable[Layout]]
    _live: dict[int, LiveScene] = field(default_factory=dict)
    _tasks: Tasks = field(default_factory=Tasks)
    _secret: bytes | None = None

    async def restore(self, servers: Servers = all_servers) -> None:
        """Go on with the scenes of these servers after a restart, and end those in which nothing was pressed."""
        now = self.clock.now()
        for one, reach in await self.store.unfinished():
            if not servers(one.guild_id):
                continue
            if not one.is_running(now):
                await self.store.save(replace(one, is_over=True, moves=""))
            elif reach is not None:
                self._wake(await self._load(one, reach))

    def give_up(self, servers: Servers = all_servers) -> None:
        """Show nothing more of these servers' scenes; their tries stay as they are saved."""
        for live in [live for live in self._live.values() if servers(live.one.guild_id)]:
            self._drop(live)

    async def start(self, interaction: discord.Interaction, number: int, texts: Texts) -> bool:
        """Use the try of today's scene and show it; False where it is not this one's turn.

        Raises StoreError: it is not used.
        """
        user_id, at = interaction.user.id, made_at(interaction)
        day = day_of(at)
        tries = await or_later(self.store.tries(user_id, day))
        if number != len(tries) or any(one.is_running(at) for one in tries):
            return False
        guild_id = tries[0].guild_id if tries else guild_of(interaction)
        scene = scene_of(await self._key(), day, user_id, number)
        one = Try(user_id, day, number, guild_id, at, at, scene.reference_ms)
        reach = PanelReach(interaction.token, texts.locale)
        if not await in_time(self.store.begin(one, reach)):
            return False
        await self._answer(interaction, await self._load(one, reach))
        return True

    async def press(
        self, interaction: discord.Interaction, scene: tuple[date, int], press: Press, texts: Texts
    ) -> bool:
        """Answer a press on the panel of a scene; False where it is over. Raises StoreError: nothing was done."""
        live = await self._find(interaction, scene, texts)
        if live is None:
            return False
        async with live.lock:
            if live.one.is_over:
                return False
            at = max(made_at(interaction), live.one.pressed_at)
            if live.one.is_running(at):
                self._play(live, press, at)
            live.texts = texts
            with live.writer.held():  # nothing is shown before it is saved
                is_newest = await self._save(live, PanelReach(interaction.token, texts.locale), at)
                if is_newest:
                    await self._answer(interaction, live)
        return is_newest or await self.press(interaction, scene, press, texts)  # as things stand in the newer copy

    def running(self, user_id: int) -> LiveScene | None:
        live = self._live.get(user_id)
        return None if live is None or live.one.is_over else live

    async def resume(self, interaction: discord.Interaction, one: Try, texts: Texts) -> None:
        """Show a scene that is running in a new panel."""
        reach = PanelReach(interaction.token, texts.locale)
        live = await self._load(one, reach)
        live.texts = texts
        await self._answer(interaction, live)

    async def _find(self, interaction: discord.Interaction, scene: tuple[date, int], texts: Texts) -> LiveScene | None:
        user_id, at = interaction.user.id, made_at(interaction)
        live = self.running(user_id)
        if live is None:
            tries = await or_later(self.store.tries(user_id, scene[0]))
            one = next((one for one in tries if one.is_running(at)), None)
            live = None if one is None else await self._load(one, PanelReach(interaction.token, texts.locale))
        return live if live is not None and (live.one.day, live.one.number) == scene else None

    async def _load(self, one: Try, reach: PanelReach) -> LiveScene:
        secret = await self._key()
        known = self.running(one.user_id)
        is_same = known is not None and (known.one.day, known.one.number) == (one.day, one.number)
        if known is not None and is_same and known.one.pressed_at >= one.pressed_at:
            return known
        run = SceneRun(scene_of(secret, one.day, one.user_id, one.number), one.started_at, read_moves(one.moves))
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

    async def _key(self) -> bytes:
        if self._secret is None:
            self._secret = await or_later(self.store.secret())
        return self._secret

    def _play(self, live: LiveScene, press: Press, at: int) -> None:
        """Do what a press asks for, as things stood when it was made."""
        live.page, live.notice, chosen, live.chosen = _PAGES.get(press.verb, PanelPage.HAND), None, live.chosen, None
        live.run = run = live.run.at_press(at)
        run.advance(at)
        if press.verb in _PAGES:
            return
        action = action_of(press, ME, lambda: run.match.view(ME), live.texts)
        if action is None or isinstance(action, Refusal):
            return
        if chosen is not None and isinstance(action, a.PutDown):
            action = a.Swap(ME, action.card, chosen)
        refused = run.play(action, at)
        if refused is None:
            return
        if isinstance(action, a.Take) and is_choice(action, refused, run.match.view(ME)):
            live.chosen = None if chosen == action.card else action.card
        else:
            card = card_in(action)
            named = None if card is None else self._faces(live).name(card)
            live.notice = refusal_text(refused.code, live.texts, card=named)

    async def _save(self, live: LiveScene, reach: PanelReach, pressed_at: int) -> bool:
        """Save what was done; False where another process has a newer copy, and this one is dropped.

        Raises StoreError: it was not saved, and the scene is as it was before.
        """
        run, one = live.run, live.one
        is_over = run.is_over or not one.is_running(pressed_at)
        time_ms = None if run.right_at is None else run.right_at - run.began
        moves = "" if is_over else write_moves(run.moves)
        changed = replace(one, pressed_at=pressed_at, time_ms=time_ms, is_over=is_over, moves=moves)
        try:
            if not await in_time(self.store.save(changed, reach, since=one.pressed_at)):
                stored = await in_time(self._stored(one))
                if stored is not None and stored.is_running(pressed_at):
                    self._drop(live)
                    return False
                changed = replace(changed, is_over=True)  # the person was erased, or another process has ended it
        except BaseException:
            live.run = SceneRun(run.scene, run.began, read_moves(one.moves))
            self._schedule(live)
            raise
        live.one = changed
        return True

    async def _stored(self, one: Try) -> Try | None:
        tries = await self.store.tries(one.user_id, one.day)
        return next((each for each in tries if each.number == one.number), None)

    async def _answer(self, interaction: discord.Interaction, live: LiveScene) -> None:
        live.token = interaction.token
        live.writer.overtake()
        if live.one.is_over:
            self._drop(live)
            await show(interaction, await self._after(live))
            return
        with live.writer.held(), live.shown.sending() as sent:  # the token reaches nothing before the answer
            layout, _ = await self.emojis.deliver(
                self._drawn(live), partial(show, interaction), lambda: self._drawn(live)
            )
            sent(layout)
        if not live.shown.is_known:
            live.writer.ask()  # an edit has crossed the answer
        self._schedule(live)

    def _schedule(self, live: LiveScene) -> None:
        if live.timer is not None:
            live.timer.cancel()
        silent_at, run = live.one.pressed_at + SILENCE_MS, live.run
        at = run.match.now + GRACE_MS if run.is_over else min(silent_at, run.next_at or silent_at)
        wait = max(0, at - self.clock.now()) / 1000
        live.timer = asyncio.get_running_loop().call_later(wait, self._wake, live)

    def _wake(self, live: LiveScene) -> None:
        now, was_over = self.clock.now(), live.run.is_over
        live.run.advance(now)
        if was_over or not live.one.is_running(now):
            self._tasks.begin(self._end(live))
            return
        if not live.run.is_over:
            live.writer.ask(Urgency.GESTURE)
        self._schedule(live)

    async def _end(self, live: LiveScene) -> None:
        """End a scene by time, unless a press has come meanwhile."""
        async with live.lock:
            now = self.clock.now()
            if live.one.is_over or (live.one.is_running(now) and not live.run.is_over):
                return
            try:
                await self._miss(live)
            except StoreError as error:
                _log.warning("daily.not_saved", problem=str(error))
                live.timer = asyncio.get_running_loop().call_later(AGAIN_S, self._wake, live)

    async def _miss(self, live: LiveScene) -> None:
        missed = replace(live.one, is_over=True, moves="")
        if not await self.store.save(missed):
            stored = await self._stored(live.one)
            if stored is None or not stored.is_over:  # it was erased, or goes on in another process
                self._drop(live)
                return
        live.one = missed
        live.writer.ask(Urgency.RESULT)

    async def _refresh(self, live: LiveScene, slot: Slot) -> None:
        one, token = live.one, live.token
        if live.run.is_over and not one.is_over:
            return  # a press that was made before may still arrive
        layout = await self._after(live) if one.is_over else self._drawn(live)
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

    async def _after(self, live: LiveScene) -> Layout:
        told = how_it_was_missed(live.one, live.run, Faces(live.texts))
        return await self.ended(live.one, live.texts, told)

    def _drawn(self, live: LiveScene) -> Layout:
        faces, now = self._faces(live), self.clock.now()
        panel = scene_panel(live.one, live.run, live.page, faces, live.notice, live.chosen, now)
        return self.emojis.fitting(panel)

    def _faces(self, live: LiveScene) -> Faces:
        return self.emojis.faces(live.texts, Theme.FRENCH)

    def _drop(self, live: LiveScene) -> None:
        if self._live.get(live.one.user_id) is live:
            del self._live[live.one.user_id]
        if live.timer is not None:
            live.timer.cancel()
        live.writer.close()
