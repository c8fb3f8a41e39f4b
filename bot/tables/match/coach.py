"""The coach of a table's people: what a robot would do in their seats, and why.

The coach of a seat gets that seat's view and nothing else.
"""

from collections.abc import Callable, Collection
from random import Random

import structlog

from bot.game.views import PlayerView
from bot.robots.level import COACH
from bot.robots.reasons import Advice
from bot.robots.robot import Robot
from bot.tables.clock import Clock

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
