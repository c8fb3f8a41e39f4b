"""Notes on the outcome of each press, for `kems why`. They are saved in batches, for which no press waits."""

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Final

import discord
import structlog

from bot.base import metrics
from bot.base.background import LruCache
from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.discord.api.custom_ids import NO_TABLE, Press, parse_id
from bot.discord.api.interactions import field_of
from bot.discord.api.responses import is_answered_elsewhere
from bot.discord.messages.rivals import Rivals
from bot.records.press_notes import ANSWERED_ELSEWHERE, KEPT_MS, PressNote, PressNoteStore

SAVE_S: Final = 1.0
_MOST: Final = 5_000
"""The most notes that wait for a database; older ones are dropped."""
_MOST_REASON: Final = 300
_MOST_WHAT: Final = 64
ANSWERED: Final = "answered"
"""The outcome of a press that was carried out."""
OUTDATED: Final = "outdated"
"""The outcome of a press that no present message offers."""
TURNED_AWAY: Final = "turned_away"
"""The verb in place of that of a press that was refused before it was read."""
_IN_NOTES: Final = "press_notes"
_TRIED_BEFORE: Final = ("unreached", "failed")
"""Outcomes after which an answer that Discord already has may be this process's own."""

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class PressOutcome:
    """What is known of a press or a command while it is answered.

    - `action`: its verb or the command's name.
    - `reason`: the code or the sentence of a refusal.
    - `is_kept`: whether it is noted.
    - `panel_id`: a custom id that shows the pressed panel anew.
    """

    action: str
    outcome: str = ANSWERED
    reason: str = ""
    table_id: int = NO_TABLE
    is_kept: bool = True
    panel_id: str | None = None


current_press: Final[ContextVar[PressOutcome | None]] = ContextVar("present", default=None)
"""The press that the present task answers."""


def record_refusal(code: str) -> None:
    """Record the code with which this task's press is refused; not the sentence, which may name cards."""
    outcome = current_press.get()
    if outcome is not None:
        outcome.outcome, outcome.reason = "refused", code


def record_panel(panel_id: str) -> None:
    """Record the custom id of the button that reopens the panel on which this task's press was made."""
    if (outcome := current_press.get()) is not None:
        outcome.panel_id = panel_id


def log_press(interaction: discord.Interaction, came_to: PressOutcome, took_s: float) -> None:
    """Count a press that took so many seconds to answer, and record it for `kems why`."""
    if is_answered_elsewhere(interaction) and came_to.outcome not in _TRIED_BEFORE:
        came_to.outcome = ANSWERED_ELSEWHERE
    metrics.PRESSES.labels(came_to.action, came_to.outcome).inc()
    notes = interaction.extras.get(_IN_NOTES)
    if came_to.is_kept and isinstance(notes, PressNotes):
        notes.add(interaction, came_to, took_s)


class PressNotes:
    """The notes that wait to be saved. After a crash those of the last second are lost."""

    def __init__(self, store: PressNoteStore, clock: Clock, rivals: Rivals) -> None:
        self._rivals = rivals
        self._deliveries = LruCache[int, int](_MOST)
        """How often Discord has delivered each press to this process."""
        self._store = store
        self._clock = clock
        self._waiting: list[PressNote] = []
        self._lock = asyncio.Lock()
        self._saving: asyncio.Task[None] | None = None

    def start(self, interaction: discord.Interaction) -> None:
        """Attach these notes to an interaction, and count its arrival."""
        interaction.extras[_IN_NOTES] = self
        self._deliveries[interaction.id] = self._deliveries.get(interaction.id, 0) + 1

    def add(self, interaction: discord.Interaction, came_to: PressOutcome, took_s: float) -> None:
        """Add a note on the outcome of a press that took so many seconds."""
        if came_to.action == TURNED_AWAY:
            press = parse_id(str(field_of(interaction, "custom_id")))
            press = press or Press(NO_TABLE, str(field_of(interaction, "name")))
            came_to = replace(came_to, action=press.verb[:_MOST_WHAT], table_id=press.table_id)
        made = PressNote(
            press_id=interaction.id,
            user_id=interaction.user.id,
            guild_id=interaction.guild_id or 0,
            table_id=came_to.table_id,
            action=came_to.action,
            outcome=came_to.outcome,
            reason=came_to.reason[:_MOST_REASON],
            duration_ms=round(took_s * 1000),
        )
        fields = {"server": made.guild_id, "table": made.table_id, "action": made.action, "outcome": made.outcome}
        # An erasure does not reach the log: it names nobody.
        _log.debug("press", press=made.press_id, duration_ms=made.duration_ms, **fields)
        is_repeated = self._deliveries.get(made.press_id, 0) > 1  # then Discord has this process's own answer
        if made.outcome == ANSWERED_ELSEWHERE and not is_repeated:
            self._rivals.hear_press(made.press_id)
        self._waiting.append(made)
        if self._saving is None or self._saving.done():
            self._saving = asyncio.get_running_loop().create_task(self._save_all())

    async def forget(self, _user_id: int) -> None:
        """Save all notes before the database erases a person's; the press that requests the erasure is not recorded."""
        asking = current_press.get()
        if asking is not None:
            asking.is_kept = False
        await self._save()

    async def close(self) -> None:
        """Save all notes."""
        if self._saving is not None:
            self._saving.cancel()
        await self._save()

    async def _save_all(self) -> None:
        while self._waiting:
            await asyncio.sleep(SAVE_S)
            await self._save()

    async def _save(self) -> None:
        async with self._lock:
            notes, self._waiting = self._waiting, []
            if not notes:
                return
            try:
                await self._store.save(notes, self._clock.now() - KEPT_MS)
            except StoreError as error:
                _log.warning("presses.not_noted", problem=str(error))
                self._waiting = (notes + self._waiting)[-_MOST:]
