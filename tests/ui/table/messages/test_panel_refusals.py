"""A refused edit does not make a panel lost, one that a press overtakes is repeated, an old panel is posted anew."""

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.discord.messages import ephemeral_message
from bot.discord.messages.ephemeral_message import REFRESH_S, PanelToken
from bot.discord.messages.panel_memory import PanelMemory
from bot.discord.rate_limits.panel_requests import PanelRequests
from bot.discord.rate_limits.throttling import LastSent
from bot.game.cards import Card
from bot.game.events import CardTaken, ChainOpened, Event, Outcome
from bot.ui.table.messages import ephemeral_panels
from bot.ui.table.messages.ephemeral_panels import (
    EXPECTED_MS,
    OLD_MS,
    PATIENCE_S,
    EphemeralPanels,
)
from bot.ui.table.pages.panel_state import PanelPage
from tests.discord.fakes import refused
from tests.tables.virtual import LoopClock, in_virtual_time
from tests.ui.table.messages.test_panel_option import Emojis, page
from tests.ui.walk import EN

EPOCH_MS = 1_420_070_400_000


class Stage:
    """One player's panel; `answers` are what comes of the next edits: an error, or the seconds that one takes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        no: Any = None
        emojis: Any = Emojis()
        self.clock = LoopClock()
        self.answers: list[Exception | float] = []
        self.edits = self.posts = self.updates = self.follow_ups = 0
        self.owes = 0
        self.message_id = 0
        place = SimpleNamespace(channel_id=1)
        self.table: Any = SimpleNamespace(
            id=7, is_over=True, lobby=SimpleNamespace(theme=None, place=place), seat_of=lambda _user: 0,
            seat_view=lambda _seat: SimpleNamespace(owes=self.owes), table_view=lambda: SimpleNamespace(round=1),
        )  # fmt: skip
        self.panels = EphemeralPanels(
            no, PanelMemory(None, self.clock), PanelRequests(), emojis, lambda *_: None, lambda _table: None,
            page, lambda *_: None, lambda _table_id: self.message_id,
        )  # fmt: skip
        monkeypatch.setattr(PanelToken, "edit", self._edit)
        monkeypatch.setattr(ephemeral_panels, "update_message", self._update)
        monkeypatch.setattr(ephemeral_message, "edit_by_token", self._update)
        monkeypatch.setattr(ephemeral_message, "post_by_token", self._follow_up)

    async def _edit(self, *_: object) -> None:
        self.edits += 1
        answer = self.answers.pop(0) if self.answers else 0.0
        if isinstance(answer, Exception):
            raise answer
        await asyncio.sleep(answer)

    async def _follow_up(self, *_: object) -> int:
        self.follow_ups += 1
        answer = self.answers.pop(0) if self.answers else 0.0
        if isinstance(answer, Exception):
            raise answer
        await asyncio.sleep(answer)
        return self.snowflake()

    def post_table(self) -> None:
        """The table's message is posted below all else."""
        self.message_id = self.snowflake()
        self.panels.follow(7)

    async def _update(self, *told: object) -> None:
        self.updates += told[-1] is not None  # else it is deleted

    async def _send(self, **_: object) -> SimpleNamespace:
        self.posts += 1
        return SimpleNamespace(message_id=self.snowflake())

    def snowflake(self, before_ms: int = 0) -> int:
        return (self.clock.now() - before_ms - EPOCH_MS) << 22

    async def press(self, message_age_ms: int | None = None, option: str = "") -> None:
        flags, message = discord.MessageFlags(ephemeral=True), None
        if message_age_ms is not None:
            message = SimpleNamespace(flags=flags, id=self.snowflake(message_age_ms))
        response = SimpleNamespace(send_message=self._send, is_done=bool)
        pressed: Any = SimpleNamespace(
            user=SimpleNamespace(id=1), message=message, response=response, token="t", id=self.snowflake(), channel_id=1
        )
        await self.panels.answer(pressed, self.table, 0, EN, PanelPage.HAND, None, option=option)

    def change(self, answer: Exception | float = 0.0, *events: Event) -> None:
        """The table changes, what Discord shows is not known, and the edit that follows gets this answer."""
        self.answers = [answer]
        self.panels._panels[7][1].last_sent = LastSent()
        self.panels.changed(self.table, events)

    def has_panel(self) -> bool:
        return self.panels.is_open(self.table, 1)


@pytest.mark.parametrize(
    "answer", [refused(429), refused(503), TimeoutError(), REFRESH_S + 9], ids=["429", "503", "cut", "slow"]
)
def test_a_panel_survives_a_temporary_refusal(answer: Exception | float, monkeypatch: pytest.MonkeyPatch) -> None:
    @in_virtual_time
    async def run() -> None:
        stage = Stage(monkeypatch)
        await stage.press()
        stage.change(answer)
        await asyncio.sleep(REFRESH_S + 5)
        assert stage.edits == 2, "it was tried again, and not waited for longer than that"
        assert stage.has_panel()
        stage.panels.stop()

    run()


@pytest.mark.parametrize(
    ("age_ms", "times", "edits", "stays"), [(0, 1, 2, True), (0, 2, 2, False), (20_000, 1, 1, False)]
)
def test_a_fresh_token_that_discord_does_not_know_is_tried_once_more(
    age_ms: int, times: int, edits: int, stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    @in_virtual_time
    async def run() -> None:
        stage = Stage(monkeypatch)
        await stage.press()
        await asyncio.sleep(age_ms / 1000)
        stage.change()
        stage.answers = [refused(404, 10015)] * times
        await asyncio.sleep(REFRESH_S + 5)
        assert (stage.edits, stage.has_panel()) == (edits, stays)
        stage.panels.stop()

    run()


def test_an_edit_that_arrives_after_the_answer_to_a_press_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    @in_virtual_time
    async def run() -> None:
        stage = Stage(monkeypatch)
        await stage.press()
        stage.change(1.0)
        await asyncio.sleep(0.5)
        await stage.press(message_age_ms=500)
        await asyncio.sleep(5)
        assert (stage.updates, stage.edits) == (1, 2)
        stage.panels.stop()

    run()


@pytest.mark.parametrize("error", [refused(404, 10008), refused(401, 50027)])
def test_a_panel_that_cannot_be_reached_is_dropped(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    @in_virtual_time
    async def run() -> None:
        stage = Stage(monkeypatch)
        await stage.press()
        stage.change(error)
        await asyncio.sleep(60)
        assert (stage.edits, stage.has_panel()) == (1, False)

    run()


def test_a_panel_nearly_an_hour_old_is_posted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    @in_virtual_time
    async def run() -> None:
        stage = Stage(monkeypatch)
        await stage.press()
        await stage.press(OLD_MS - 1000)
        assert (stage.posts, stage.updates) == (1, 1)
        await stage.press(OLD_MS + 1000)
        assert (stage.posts, stage.updates) == (2, 1)
        stage.panels.stop()

    run()


def test_only_changes_of_other_players_cards_wait_for_the_next_press(monkeypatch: pytest.MonkeyPatch) -> None:
    card, call = CardTaken(0, 1, Card(5, 0)), ChainOpened(0, 1, Outcome.KEMS)

    @in_virtual_time
    async def run() -> None:
        stage = Stage(monkeypatch)
        await stage.press()
        await asyncio.sleep(0.01)
        for _ in range(3):  # as quickly as answers come: what happened meanwhile is in the answer
            stage.change(0.0, card)
            await asyncio.sleep(PATIENCE_S - 0.1)
            await stage.press(message_age_ms=500)
        await asyncio.sleep(0.1)
        assert stage.edits == 0
        stage.change(0.0, card)
        stage.change(0.0, card)
        await asyncio.sleep(PATIENCE_S - 0.1)
        assert stage.edits == 0
        await asyncio.sleep(0.2)
        assert stage.edits == 1, "no press came; both are shown together"
        await asyncio.sleep(EXPECTED_MS / 1000)
        stage.change(0.0, card)
        await asyncio.sleep(0.01)
        assert stage.edits == 2, "no press is expected"
        await asyncio.sleep(1)
        await stage.press(message_age_ms=500)
        stage.change(0.0, card)
        stage.change(0.0, call)
        await asyncio.sleep(0.01)
        assert stage.edits == 3, "a call waits for nothing"
        stage.panels.stop()

    run()


def reached(stage: Stage) -> PanelToken:
    return stage.panels._panels[7][1].reach


@in_virtual_time
async def follows(stage: Stage) -> None:
    await stage.press()
    await asyncio.sleep(1)
    first = reached(stage)
    stage.post_table()
    await asyncio.sleep(1)
    assert reached(stage).message_id >= stage.message_id > first.message_id
    assert (stage.follow_ups, stage.edits) == (1, 1), "posted once more, and the former one is deleted"
    stage.panels.changed(stage.table)
    await asyncio.sleep(1)
    assert stage.follow_ups == 1
    stage.panels.stop()


def test_a_hand_follows_the_message_of_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    follows(Stage(monkeypatch))


@pytest.mark.parametrize("busy", ["owes", "chosen"])
def test_a_hand_stays_in_place_while_a_card_is_owed_or_chosen(busy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    @in_virtual_time
    async def run() -> None:
        stage = Stage(monkeypatch)
        await stage.press(option="Q4" if busy == "chosen" else "")
        await asyncio.sleep(1)
        stage.owes = int(busy == "owes")
        stage.post_table()
        await asyncio.sleep(1)
        assert not stage.follow_ups
        stage.owes = 0
        await stage.press(message_age_ms=1_500)
        stage.panels.changed(stage.table)
        await asyncio.sleep(1)
        assert stage.follow_ups == 1
        stage.panels.stop()

    run()


@pytest.mark.parametrize("answer", [TimeoutError(), refused(503)])
def test_a_hand_that_cannot_follow_is_refreshed_where_it_is(answer: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    @in_virtual_time
    async def run() -> None:
        stage = Stage(monkeypatch)
        await stage.press()
        await asyncio.sleep(1)
        stage.answers = [answer]
        stage.post_table()
        stage.panels._panels[7][1].last_sent = LastSent()
        await asyncio.sleep(30)
        assert (stage.follow_ups, stage.edits) == (1, 1)
        assert stage.has_panel()
        stage.panels.stop()

    run()


def test_a_press_that_crosses_a_move_keeps_its_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    @in_virtual_time
    async def run() -> None:
        stage = Stage(monkeypatch)
        await stage.press()
        await asyncio.sleep(1)
        stage.answers = [0.5]
        stage.post_table()
        await asyncio.sleep(0.2)
        await stage.press(message_age_ms=1_200)
        await asyncio.sleep(0.5)
        assert not reached(stage).is_follow_up, "what was posted meanwhile is deleted"
        assert stage.edits == 1
        stage.panels.stop()

    run()
