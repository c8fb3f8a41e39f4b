"""Robots at a running table: after each change a robot plans its next move from its seat's view, and makes it later.

A table may also teach: a coach gets a seat's view and nothing else; a first match has lessons, prepared deals and
robots that wait.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import InitVar, dataclass, field
from random import Random
from typing import Final

import structlog

from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.game.actions import Action, CallTime, NextRound
from bot.game.checks.refusals import Refusal
from bot.game.decide import Decision, decide
from bot.game.events import Event, Phase
from bot.game.state import State
from bot.game.views import PlayerView, SeatView
from bot.lessons.lesson import Course, Lesson, PreparedDeck, Role
from bot.lessons.stage_robot import Brain, StageRobot
from bot.robots.level import COACH, Intent, RobotLevel
from bot.robots.reasons import Advice
from bot.robots.robot import Robot
from bot.tables.lobby.help import Coaching
from bot.tables.lobby.lobby import Lobby
from bot.tables.match.table_actions import MoveOutcome, Refused

PAUSE_S: Final = 1.0
"""Seconds that a robot waits after a move that was refused or not saved."""

_log = structlog.get_logger(__name__)


RobotFactory = Callable[[int, RobotLevel], Brain]
"""Makes the robot of a seat with a level."""


@dataclass(frozen=True, slots=True)
class _Plan:
    action: Action | None
    timer: asyncio.TimerHandle


@dataclass(eq=False)
class RobotSeats:
    """The robots of one table; `_view` returns a seat's view, `_submit` makes a move."""

    table_id: InitVar[int]
    _make: RobotFactory
    _clock: Clock
    _view: Callable[[int], PlayerView]
    _submit: Callable[[Action], Awaitable[MoveOutcome]]
    _brains: dict[int, Brain] = field(default_factory=dict, init=False)
    _plans: dict[int, _Plan] = field(default_factory=dict, init=False)
    _acting: dict[int, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _is_stopped: bool = field(default=False, init=False)

    def __post_init__(self, table_id: int) -> None:
        self._log = _log.bind(table=table_id)

    def seat(self, levels: Mapping[int, RobotLevel]) -> None:
        """Put robots on exactly these seats; robots that are there already keep their plan, memory and level."""
        for seat in self._brains.keys() - levels.keys():
            self._drop(seat)
            del self._brains[seat]
        for seat in sorted(levels.keys() - self._brains.keys()):
            self._brains[seat] = self._make(seat, levels[seat])

    def rethink(self) -> None:
        """Let every robot plan again, after a change of the match or a `stop`."""
        self._is_stopped = False
        for seat in self._brains:
            if seat not in self._acting:
                self._rethink(seat)

    def stop(self) -> None:
        """Drop all plans, and make no new ones until the next `rethink`."""
        self._is_stopped = True
        for seat in tuple(self._plans):
            self._drop(seat)

    async def close(self) -> None:
        """Stop, and wait for moves that robots are making at the moment."""
        self.stop()
        await asyncio.gather(*self._acting.values())

    def _rethink(self, seat: int) -> None:
        intent = self._ask(seat)
        plan = self._plans.get(seat)
        if intent is not None and plan is not None and plan.action == intent.action:
            return  # the same plan keeps its timer, else frequent changes would put it off for ever
        self._drop(seat)
        if intent is not None:
            self._plan(seat, intent.action, intent.delay_ms / 1000)

    def _ask(self, seat: int) -> Intent | None:
        if self._is_stopped:
            return None
        try:
            view = self._view(seat)
            intent = None if view.table.pause is not None else self._brains[seat].think(view, self._clock.now())
        except Exception:  # noqa: BLE001 - a robot's bug must not reach the player whose press made it plan
            self._log.exception("robot.failed", seat=seat)
            return None
        is_next = intent is not None and isinstance(intent.action, NextRound)
        has_people = len(self._brains) < len(view.table.seats)
        return None if is_next and has_people and view.table.ends_at is not None else intent  # the countdown is true

    def _plan(self, seat: int, action: Action | None, delay: float) -> None:
        timer = asyncio.get_running_loop().call_later(delay, self._fall_due, seat)
        self._plans[seat] = _Plan(action, timer)

    def _drop(self, seat: int) -> None:
        plan = self._plans.pop(seat, None)
        if plan is not None:
            plan.timer.cancel()

    def _fall_due(self, seat: int) -> None:
        action = self._plans.pop(seat).action
        if action is None:
            self._rethink(seat)
        else:
            self._acting[seat] = asyncio.get_running_loop().create_task(self._act(seat, action))

    async def _act(self, seat: int, action: Action) -> None:
        try:
            answer = await self._submit(action)
            is_done = not isinstance(answer, Refused)
        except StoreError as error:
            self._log.warning("robot.not_saved", seat=seat, problem=str(error))
            is_done = False
        del self._acting[seat]
        if self._is_stopped or seat not in self._brains:
            return
        if is_done:
            self._rethink(seat)
        else:
            self._plan(seat, None, PAUSE_S)


class Coach:
    """Advises people from their seats' views."""

    def __init__(self, clock: Clock, rng: Random, view: Callable[[int], PlayerView]) -> None:
        self._clock = clock
        self._rng = rng
        self._view = view
        self._robots: dict[int, Robot] = {}
        self._given: dict[int, tuple[Action | None, int]] = {}  # the present advice of a seat, and since when

    def seat(self, seats: Collection[int]) -> None:
        """Advise exactly these seats; a seat that was advised before keeps its coach and what that has seen."""
        self._robots = {seat: self._robots.get(seat) or self._new_robot() for seat in seats}
        self._given = {seat: given for seat, given in self._given.items() if seat in self._robots}

    def changed(self) -> None:
        """Let the coach of each seat see the table's present state."""
        for seat in self._robots:
            self.advice(seat)

    def advised_at(self, seat: int) -> int:
        """Return since when a seat has had its current advice (Unix milliseconds); 0 before any."""
        return self._given.get(seat, (None, 0))[1]

    def advice(self, seat: int) -> Advice | None:
        """Return the advice for a seat; None if it has no coach, or while the match is paused."""
        robot = self._robots.get(seat)
        if robot is None:
            return None
        try:
            view, now = self._view(seat), self._clock.now()
            if view.table.pause is not None:
                return None
            advice = robot.advise(view, now)
        except Exception:  # noqa: BLE001 - a robot's bug must not keep a player from their hand
            _log.exception("coach.failed", seat=seat)
            return None
        if seat not in self._given or self._given[seat][0] != advice[0]:
            self._given[seat] = (advice[0], now)
        return advice

    def _new_robot(self) -> Robot:
        chance = Random(self._rng.getrandbits(64))  # noqa: S311 - a robot's whims
        return Robot(chance, COACH, keeps_target=True)


class FirstMatch:
    """The lessons of one table, which are suspended while the learner or the coach is away."""

    def __init__(self, lobby: Lobby, events: Iterable[Event]) -> None:
        """Follow the lessons of a match so far; `events` is its log."""
        teaches = lobby.coaching is Coaching.LESSONS
        self._learner = lobby.seat_of(lobby.host_id) if teaches else None
        self._course = Course()
        self._is_present = False
        self.add(events)
        self.seat(lobby)

    def seat(self, lobby: Lobby) -> None:
        """Update from a lobby who plays, and whether the coach was sent away."""
        self._is_present = lobby.coaching is Coaching.LESSONS and self._learner in lobby.people.values()

    def add(self, events: Iterable[Event]) -> None:
        """Update the lessons with further events of the match."""
        self._course = self._after(events)

    @property
    def is_taught(self) -> bool:
        """Whether lessons are being taught."""
        return self._is_present and not self._course.is_over

    def ended(self, decided: Decision, rng: Random) -> Decision:
        """Return the decision; if it ends the last round with a lesson, add the end of the match."""
        if not self.is_taught or decided.state.phase is not Phase.OVER or not self._after(decided.events).is_over:
            return decided
        end = decide(decided.state, CallTime(), decided.state.phase_at, rng)
        assert not isinstance(end, Refusal), "time may be called between two rounds"
        return Decision((*decided.events, *end.events), end.state)

    def lesson(self, view: SeatView) -> Lesson | None:
        """Return the lesson for a seat's view; None if it has none."""
        return self._course.lesson(view) if self._is_present and view.seat == self._learner else None

    def chance(self, state: State, rng: Random) -> Random:
        """Return the random number generator for the next move; if that deals a scene, it gives the scene's deck."""
        scene = self._course.coming if self.is_taught and state.phase in (Phase.SIGNS, Phase.OVER) else None
        if scene is None or self._learner is None:
            return rng
        dealer = (state.dealer + 1) % len(state.seats) if state.phase is Phase.OVER else state.dealer
        return PreparedDeck(scene.order(self._learner, dealer, rng), rng)

    def robots(self, make: RobotFactory, rng: Random) -> RobotFactory:
        """Return a factory of robots that play their roles in the lessons; without lessons, `make` itself."""
        if self._learner is None:
            return make

        def stage_robot(seat: int, level: RobotLevel) -> Brain:
            whims = Random(rng.getrandbits(64))  # noqa: S311 - a robot's whims
            return StageRobot(whims, make(seat, level), lambda: self._role(seat))

        return stage_robot

    def _after(self, events: Iterable[Event]) -> Course:
        learner = self._learner
        return self._course if learner is None else self._course.following(events, learner)

    def _role(self, seat: int) -> Role | None:
        """Return the role of a robot; None if it plays freely. Between two scenes it waits."""
        if not self.is_taught or self._learner is None:
            return None
        scene = self._course.scene
        return Role.WAITS if scene is None else scene.role(seat, self._learner)
