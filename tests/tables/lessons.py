"""A first match in virtual time, and a learner who taps once in three seconds."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from bot.game import actions as a
from bot.game.events import RoundEnded
from bot.game.phase import Phase
from bot.game.signs import HOUSE_SIGNS, GestureKind
from bot.game.views import SeatView
from bot.lessons.lesson import Lesson, gestures_of_opponents
from bot.records.player import Player
from bot.robots import LEVELS, Robot, RobotLevel
from bot.robots.signals import make_sign
from bot.tables.directory import TableDirectory
from bot.tables.hub import Hub
from bot.tables.lobby.lobby import new_lobby
from bot.tables.lobby.options import Coaching
from bot.tables.match.table import Table
from tests.tables.fakes import HERE, MemoryStore, Recorder, classic
from tests.tables.virtual import LoopClock

TAP_S: Final = 3.0
Tap = Callable[[SeatView, Lesson | None], a.Action | None]
"""What a learner does next, by what is seen and taught."""


@dataclass
class FirstMatch:
    """A directory with one table that teaches Ana, and three beginners."""

    seed: int = 3
    store: MemoryStore = field(default_factory=MemoryStore)
    watcher: Recorder = field(default_factory=Recorder)
    seen: list[Lesson] = field(default_factory=list)
    """Every lesson that was taught, in the order in which it first came up."""

    def directory(self) -> TableDirectory:
        """A bot over the same store."""
        chance = Random(self.seed)

        def robot(_seat: int, level: RobotLevel) -> Robot:
            return Robot(Random(chance.getrandbits(64)), LEVELS[level])

        hub = Hub()
        self.watcher.subscribe(hub)
        return TableDirectory(
            clock=LoopClock(), store=self.store, journal=self.store, rng=chance, hub=hub, robots=robot
        )

    async def begin(self) -> Table:
        self.open = self.directory()
        lobby = new_lobby(
            place=HERE,
            host=Player("Ana", 100),
            rules=classic(take_limit=0, sign_deadline=900),
            size=4,
            locale="fr",
            robots=(Player("Zoé"), Player("Hugo"), Player("Inès")),
        )
        opened = await self.open.lobbies.open(
            replace(lobby, robot_level=RobotLevel.BEGINNER, coaching=Coaching.LESSONS)
        )
        table = await self.open.start(opened.id)
        assert isinstance(table, Table)
        return table

    async def restart(self, table: Table) -> Table:
        await self.open.close()
        self.open = self.directory()
        await self.open.restore()
        await self.open.release()
        again = self.open.table(table.id)
        assert again is not None
        return again

    async def play(self, table: Table, tap: Tap, *, taps: int, until: Lesson | None = None) -> None:
        """Tap so often, or until a lesson comes up."""
        seat = learner(table)
        for _ in range(taps):
            await asyncio.sleep(TAP_S)
            lesson = table.lesson(seat)
            if lesson is not None and lesson not in self.seen:
                self.seen.append(lesson)
            if lesson is until is not None:
                return
            action = tap(table.seat_view(seat), lesson)
            if action is not None:
                await table.submit(action)

    def ends(self) -> list[RoundEnded]:
        return [event for event in self.watcher.events if isinstance(event, RoundEnded)]


def learner(table: Table) -> int:
    seat = table.seat_of(100)
    assert seat is not None
    return seat


def obedient(table: Table) -> Tap:
    """Does what the coach says."""

    def tap(view: SeatView, lesson: Lesson | None) -> a.Action | None:
        advice = table.advice(view.seat)
        match lesson:
            case Lesson.AGREE:
                return None if view.proposal is None else a.AcceptSign(view.seat, view.proposal.plan)
            case Lesson.DEAL:
                return a.OpenHunt(view.seat)
            case Lesson.SIGN:
                return make_sign(view)
            case Lesson.KEMS:
                return a.CallKems(view.seat)
            case Lesson.BLUFF:
                own = {sign.text for sign in view.signs}
                other = next(text for text in HOUSE_SIGNS if text not in own)
                return a.MakeGesture(view.seat, GestureKind.REACT, other)
            case Lesson.COUNTER:
                return a.CounterPlayer(view.seat, next(gestures_of_opponents(view)).seat)
            case Lesson.SWEEP:
                return a.AskSweep(view.seat)
        if view.table.phase is Phase.OVER:
            return a.NextRound(view.seat)
        return None if advice is None else advice[0]

    return tap


def idle(_view: SeatView, _lesson: Lesson | None) -> a.Action | None:
    return None
