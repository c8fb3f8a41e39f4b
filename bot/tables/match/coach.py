"""What a table teaches: a coach for its people, and the lessons, prepared deals and waiting robots of a first match.

The coach of a seat gets that seat's view and nothing else.
"""

from collections.abc import Callable, Collection, Iterable
from random import Random

import structlog

from bot.game.events import Event, Phase
from bot.game.state import State
from bot.game.views import PlayerView, SeatView
from bot.lessons.lesson import Course, Lesson, PreparedDeck, Role
from bot.lessons.stage_robot import StageRobot
from bot.robots.level import COACH, RobotLevel
from bot.robots.reasons import Advice
from bot.robots.robot import Robot
from bot.tables.clock import Clock
from bot.tables.lobby.lobby import Coaching, Lobby
from bot.tables.match.robot_seats import RobotBrain, RobotFactory

_log = structlog.get_logger(__name__)


class Coach:
    """The coach of one table. `view` gives a seat's view."""

    def __init__(self, clock: Clock, rng: Random, view: Callable[[int], PlayerView]) -> None:
        self._clock = clock
        self._rng = rng
        self._view = view
        self._robots: dict[int, Robot] = {}

    def seat(self, seats: Collection[int]) -> None:
        """Advise exactly these seats; one that stays keeps what its coach has seen."""
        self._robots = {seat: self._robots.get(seat) or self._new_robot() for seat in seats}

    def changed(self) -> None:
        """Something happened at the table: the coach of each seat sees it."""
        for seat in self._robots:
            self.advice(seat)

    def advice(self, seat: int) -> Advice | None:
        """What the player of a seat could do now; None where the seat has no coach, or while the match is paused."""
        robot = self._robots.get(seat)
        if robot is None:
            return None
        try:
            view = self._view(seat)
            return None if view.table.pause is not None else robot.advise(view, self._clock.now())
        except Exception:  # noqa: BLE001 - a robot's bug must not keep a player from their hand
            _log.exception("coach.failed", seat=seat)
            return None

    def _new_robot(self) -> Robot:
        return Robot(Random(self._rng.getrandbits(64)), COACH)  # noqa: S311 - a robot's whims


class FirstMatch:
    """The lessons of one table; nothing is taught while the learner is away, or has sent the coach away."""

    def __init__(self, lobby: Lobby, events: Iterable[Event]) -> None:
        """`events`: the log of the match."""
        teaches = lobby.coaching is Coaching.LESSONS
        self._learner = lobby.seat_of(lobby.host_id) if teaches else None
        self._course = Course() if self._learner is None else Course.of(events, self._learner)
        self._is_present = False
        self.seat(lobby)

    def seat(self, lobby: Lobby) -> None:
        """Take over who plays, and whether the coach was sent away."""
        self._is_present = lobby.coaching is Coaching.LESSONS and self._learner in lobby.people.values()

    def add(self, events: Iterable[Event]) -> None:
        if self._learner is not None:
            for event in events:
                self._course = self._course.after(event, self._learner)

    @property
    def is_taught(self) -> bool:
        return self._is_present and not self._course.is_over

    def lesson(self, view: SeatView) -> Lesson | None:
        """What to teach the player whose view this is, if anything."""
        return self._course.lesson(view) if self._is_present and view.seat == self._learner else None

    def chance(self, state: State, rng: Random) -> Random:
        """What shuffles the cards of the next move: a prepared deck where it may deal a scene."""
        scene = self._course.coming if self.is_taught and state.phase in (Phase.SIGNS, Phase.OVER) else None
        if scene is None or self._learner is None:
            return rng
        dealer = (state.dealer + 1) % len(state.seats) if state.phase is Phase.OVER else state.dealer
        return PreparedDeck(scene.order(self._learner, dealer, rng), rng)

    def robots(self, make: RobotFactory, rng: Random) -> RobotFactory:
        """The factory of the table's robots: at a table that teaches they keep to their roles first."""
        if self._learner is None:
            return make

        def stage_robot(seat: int, level: RobotLevel) -> RobotBrain:
            whims = Random(rng.getrandbits(64))  # noqa: S311 - a robot's whims
            return StageRobot(whims, make(seat, level), lambda: self._role(seat))

        return stage_robot

    def _role(self, seat: int) -> Role | None:
        """The role of a robot; None where it plays by itself. Between two scenes a robot waits."""
        if not self.is_taught or self._learner is None:
            return None
        scene = self._course.scene
        return Role.WAITS if scene is None else scene.role(seat, self._learner)
