"""A first match in virtual time, and a learner who taps once in three seconds."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from bot.game import actions as a
from bot.game.events import Phase, RoundEnded
from bot.game.signs import HOUSE_SIGNS, GestureKind
from bot.game.views import SeatView
from bot.lessons.lesson import Lesson, gestures_of_opponents
from bot.records.player import Player
from bot.robots import LEVELS, Robot, RobotLevel
from bot.robots.signals import make_sign
from bot.tables.directory import TableDirectory
from bot.tables.lobby.help import Coaching
from bot.tables.match.table import Table
from tests.tables.fakes import Recorder, World, a_lobby, classic

TAP_S: Final = 3.0
Tap = Callable[[SeatView, Lesson | None], a.Action | None]
"""What a learner does next, by what is seen and taught."""


@dataclass
class FirstMatch:
    """A directory with one table that teaches Ana, and three beginners."""

    seed: int = 3
    seen: list[Lesson] = field(default_factory=list)
    """Every lesson that was taught, in the order in which it first came up."""

    def __post_init__(self) -> None:
        chance = Random(self.seed)
        self.world = World(
            seed=self.seed, robots=lambda _seat, level: Robot(Random(chance.getrandbits(64)), LEVELS[level])
        )

    @property
    def open(self) -> TableDirectory:
        return self.world.directory

    @property
    def watcher(self) -> Recorder:
        return self.world.watcher

    async def start(self) -> Table:
        lobby = a_lobby(
            rules=classic(take_limit=0, sign_deadline=900), robots=(Player("Zoé"), Player("Hugo"), Player("Inès"))
        )
        opened = await self.open.lobbies.open(
            replace(lobby, robot_level=RobotLevel.BEGINNER, coaching=Coaching.LESSONS)
        )
        return await self.open.start(opened.id)

    async def restart(self, table: Table) -> Table:
        """The same table in another run of the bot."""
        events = self.watcher.events
        self.world = await self.world.restarted()
        self.watcher.events[:0] = events
        return self.open.table(table.id)

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
    seat = table.lobby.seat_of(table.lobby.host_id)
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
