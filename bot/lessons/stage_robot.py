"""The robots of a first match: in a scene they keep to their role and wait for the learner, then they just play.

They get their seat's view and their role: nothing of the learner's hand.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final, Protocol

from bot.game import actions as a
from bot.game.views import PlayerView, SeatView
from bot.lessons.lesson import Role, holds_kems
from bot.robots import Intent, Level, Robot, Skill, Timing

STAGE: Final = Level(
    Timing(
        call=(3000, 5000),
        put=(7000, 9000),
        take=(2000, 3000),
        answer=(1000, 2000),
        open=(2000, 3000),
        gesture=(3000, 4000),
        gesture_again=(15000, 20000),
        bluff=(6000, 8000),
        propose=(3000, 5000),
        accept=(1000, 2000),
        show=(2000, 4000),
    ),
    Skill(overlooks=0, misses=0, misreads=0, daring=0),
)
"""Slow enough to be watched, and without a mistake."""


class Brain(Protocol):
    """Plays a seat."""

    def think(self, view: PlayerView, now: int) -> Intent | None:
        """Return the next move; None to wait for a change. `now` in milliseconds."""


class StageRobot:
    """Keeps to the role that `role` returns, None once the scenes are over: then `player` plays."""

    def __init__(self, rng: Random, player: Brain, role: Callable[[], Role | None]) -> None:
        self._rng = rng
        self._player = player
        self._role = role
        self._actors = {role: Robot(rng, STAGE, permits=partial(_is_in_role, role)) for role in Role}

    def think(self, view: PlayerView, now: int) -> Intent | None:
        """Return the next move; None to wait for a change."""
        role = self._role()
        if role is None:
            return self._player.think(view, now)
        agrees = a.AnswerSweep(view.seat, agrees=True)
        if agrees in view.legal and role is not Role.COLLECTS:
            return Intent(agrees, self._rng.randint(*STAGE.timing.answer))
        return self._actors[role].think(view, now)


def _is_in_role(role: Role, view: SeatView, action: a.Action) -> bool:
    match action:
        case a.ProposeSign():
            return view.plan is None
        case a.AcceptSign() | a.KeepSign() | a.OpenHunt() | a.ShowCards():
            return True
        case a.PutDown() | a.Take() | a.AnswerSweep():
            return role is Role.COLLECTS
        case a.CallKems() | a.CallDouble():
            is_safe = any(not info.can_counter for info in view.table.seats if info.team != view.team)
            return role is Role.CALLS or (role is Role.LURKS and is_safe)
        case a.MakeGesture() if role is Role.COLLECTS:
            return holds_kems(view)
        case a.MakeGesture() if role is Role.BLUFFS:
            return all(made.seat != view.seat for made in view.table.gestures)
        case _:
            return False
