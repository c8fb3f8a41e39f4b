"""Who is let in, and what everybody else reads; each once."""

import asyncio
import time
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.base.errors import StoreError
from bot.discord.interactions.admission.admission import (
    LATE,
    LATE_MS,
    LEAVING,
    TOO_FAST,
    Admission,
    PressRate,
)
from bot.discord.interactions.admission.press_notes import (
    ANSWERED,
    SAVE_S,
    TURNED_AWAY,
    PressNotes,
    PressOutcome,
    current_press,
    log_press,
    record_panel,
    record_refusal,
)
from bot.records.press_notes import ANSWERED_ELSEWHERE, KEPT_MS, PressNote
from tests.discord.fakes import refused
from tests.discord.interactions.admission.test_discord_clock import Instant
from tests.discord.interactions.admission.test_lateness import NOON
from tests.discord.interactions.admission.test_lateness import press as made
from tests.tables.virtual import in_virtual_time

COMMAND, COMPONENT, TYPING = (
    discord.InteractionType.application_command,
    discord.InteractionType.component,
    discord.InteractionType.autocomplete,
)
LEA = 5


class Response:
    """What Discord has of an answer."""

    def __init__(self, fails: Exception | None = None) -> None:
        self.said: list[object] = []
        self.type = None
        self._fails = fails

    def is_done(self) -> bool:
        return bool(self.said)

    def _take(self, said: object) -> None:
        if self._fails is not None:
            raise self._fails
        self.said.append(said)

    async def send_message(self, line: str, *, ephemeral: bool) -> None:
        assert ephemeral
        self._take(line)

    async def autocomplete(self, choices: list[object]) -> None:
        self._take(choices)

    async def defer(self) -> None:
        self._take("silence")


@dataclass
class Store:
    """Keeps notes, unless it `fails`."""

    kept: list[PressNote] = field(default_factory=list)
    before: int = 0
    fails: bool = False

    async def save(self, notes: list[PressNote], before: int) -> None:
        if self.fails:
            raise StoreError("no disk")
        self.kept += notes
        self.before = before


class Gate:
    """Admission on a clock that is right, with a store for its notes."""

    def __init__(self, burst: int = 2, acts_until: float = float("inf")) -> None:
        self.here, self.store, self.rivals = Instant(0), Store(), Mock()
        self.here.answers()
        self.notes: PressNotes = PressNotes(self.store, self.here, self.rivals)  # type: ignore[arg-type]
        rate = PressRate(burst=burst, per_second=0.001)
        self.admission = Admission(self.here.clock, rate, self.notes, lambda: acts_until)
        self.number = 0

    def press(
        self, *, kind: discord.InteractionType = COMPONENT, age: int = 0, fails: Exception | None = None, **fields: Any
    ) -> Any:
        self.number += 1
        press: Any = made(self.here.at - age - NOON)
        press.id += self.number
        press.user, press.type, press.response = SimpleNamespace(id=LEA), kind, Response(fails)
        press.guild_id, press.extras, press.locale, press.message = 7, {}, "en-US", None
        press.data = {"custom_id": "k1:12.3:put:7S", **fields}
        return press

    async def outcomes(self) -> list[tuple[str, str, int]]:
        await self.notes.close()
        return [(one.action, one.outcome, one.table_id) for one in self.store.kept]


@in_virtual_time
async def test_a_member_who_is_too_fast_is_warned_once_for_presses_and_always_for_commands() -> None:
    gate = Gate(burst=1)
    said = []
    for kind in (COMPONENT, COMPONENT, COMPONENT, COMMAND, TYPING):
        press = gate.press(kind=kind)
        assert await gate.admission.admits(press) is (gate.number == 1)
        said += press.response.said
    assert said == [TOO_FAST, "silence", TOO_FAST, []]
    assert await gate.outcomes() == [("put", "too_fast", 12)] * 3, "nothing is noted of what is typed"


@in_virtual_time
async def test_a_late_press_is_answered_as_late_and_corrects_the_clock_when_discord_accepts_the_answer() -> None:
    gate = Gate(burst=9)
    assert await gate.admission.admits(gate.press())
    late = gate.press(age=LATE_MS + 1)
    late.response = Response(refused(404, 10062))
    assert not await gate.admission.admits(late)
    again = gate.press(age=LATE_MS + 1)
    assert not await gate.admission.admits(again), "Discord has not taken the answer to the one before"
    assert again.response.said == [LATE]
    assert await gate.admission.admits(gate.press(age=LATE_MS + 1))
    assert await gate.outcomes() == [("put", "late", 12)] * 2


@in_virtual_time
async def test_presses_while_the_bot_stops_are_answered_that_it_stops() -> None:
    gate = Gate(burst=1)
    await gate.admission.close()
    for _ in range(3):
        press = gate.press()
        assert not await gate.admission.admits(press)
        assert press.response.said == [LEAVING]
    assert await gate.outcomes() == [("put", "while_leaving", 12)] * 3


@in_virtual_time
async def test_a_process_that_has_lost_its_tables_answers_nothing() -> None:
    gate = Gate(acts_until=time.monotonic() - 1)
    press = gate.press()
    assert not await gate.admission.admits(press)
    assert press.response.said == []
    assert not gate.admission.enter()
    assert await gate.outcomes() == [("put", "taken_over", 12)]


@in_virtual_time
async def test_an_interaction_without_a_user_is_not_admitted() -> None:
    gate = Gate()
    press = gate.press()
    press.user = SimpleNamespace()
    assert not await gate.admission.admits(press)
    assert (press.response.said, await gate.outcomes()) == ([], [])


@in_virtual_time
async def test_notes_are_saved_in_batches_each_second_and_old_ones_deleted() -> None:
    gate = Gate()
    for outcome in (PressOutcome("put"), PressOutcome("kems", "refused", "x" * 999, 12)):
        press = gate.press()
        gate.notes.start(press)
        log_press(press, outcome, 0.25)
    await asyncio.sleep(SAVE_S - 0.1)
    assert gate.store.kept == []
    await asyncio.sleep(0.2)
    first, second = gate.store.kept
    assert (first.action, first.outcome, first.duration_ms, first.guild_id, first.user_id) == (
        "put",
        ANSWERED,
        250,
        7,
        LEA,
    )
    assert (second.table_id, len(second.reason)) == (12, 300)
    assert gate.store.before == gate.here.now() - KEPT_MS


@in_virtual_time
async def test_notes_wait_for_a_database_and_the_newest_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.discord.interactions.admission.press_notes._MOST", 3)
    gate = Gate()
    gate.store.fails = True
    for number in range(5):
        press = gate.press()
        gate.notes.start(press)
        log_press(press, PressOutcome(f"verb{number}"), 0)
    await asyncio.sleep(SAVE_S + 0.1)
    gate.store.fails = False
    await asyncio.sleep(SAVE_S)
    assert [one.action for one in gate.store.kept] == ["verb2", "verb3", "verb4"]


@in_virtual_time
async def test_a_press_that_requests_an_erasure_leaves_no_note_and_earlier_notes_are_saved_first() -> None:
    gate = Gate()
    former, asking = gate.press(), gate.press()
    for press in (former, asking):
        gate.notes.start(press)
    log_press(former, PressOutcome("put"), 0)
    outcome = PressOutcome("erase")
    token = current_press.set(outcome)
    await gate.notes.forget(LEA)
    current_press.reset(token)
    assert [one.action for one in gate.store.kept] == ["put"]
    log_press(asking, outcome, 0)
    assert [what for what, *_ in await gate.outcomes()] == ["put"]


@pytest.mark.parametrize(
    ("outcome", "noted"),
    [(ANSWERED, ANSWERED_ELSEWHERE), ("late", ANSWERED_ELSEWHERE), ("unreached", "unreached"), ("failed", "failed")],
)
async def test_after_a_fault_an_answer_that_discord_already_has_may_be_the_bots_own(outcome: str, noted: str) -> None:
    gate = Gate()
    press = gate.press()
    gate.notes.start(press)
    press.extras["answered_elsewhere"] = True
    log_press(press, PressOutcome("put", outcome), 0)
    assert [one for _, one, _ in await gate.outcomes()] == [noted]


@in_virtual_time
@pytest.mark.parametrize(("deliveries", "heard"), [(1, 1), (2, 0)])
async def test_a_press_that_discord_delivers_twice_was_answered_by_the_bot_itself(deliveries: int, heard: int) -> None:
    gate = Gate()
    press = gate.press()
    for _ in range(deliveries):
        gate.notes.start(press)
    gate.notes.add(press, PressOutcome("put", ANSWERED_ELSEWHERE), 0.1)
    assert gate.rivals.hear_press.call_count == heard
    await gate.notes.close()


@in_virtual_time
async def test_an_unread_press_is_logged_by_its_custom_id_or_its_command() -> None:
    gate = Gate()
    for data in ({"custom_id": "k1:12.3:put:7S"}, {"custom_id": "nonsense", "name": "kems"}):
        press = gate.press()
        press.data = data
        gate.notes.start(press)
        log_press(press, PressOutcome(TURNED_AWAY, "late"), 0)
    assert await gate.outcomes() == [("put", "late", 12), ("kems", "late", 0)]


def test_a_refusal_and_a_panel_are_recorded_for_the_press_of_the_same_task() -> None:
    record_refusal("nobody")
    outcome = PressOutcome("put")
    token = current_press.set(outcome)
    record_refusal("not_in_pool")
    record_panel("k1:0:hand")
    current_press.reset(token)
    assert (outcome.outcome, outcome.reason, outcome.panel_id) == ("refused", "not_in_pool", "k1:0:hand")
