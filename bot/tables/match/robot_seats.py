"""Robots at a running table: after each change a robot plans its next move by its seat's view, and makes it later."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import structlog

from bot.errors import StoreError
from bot.game.actions import Action
from bot.game.views import PlayerView
from bot.robots.level import RobotLevel
from bot.robots.timing import Intent
from bot.tables.clock import Clock
from bot.tables.match.table_actions import Answer, Refused

PAUSE_S: Final = 1.0
"""How long a robot waits after a move that was refused or not saved."""

_log = structlog.get_logger(__name__)


class RobotBrain(Protocol):
    def think(self, view: PlayerView, now: int) -> Intent | None:
        """The next move; None to wait for a change. `now` in milliseconds."""


RobotFactory = Callable[[int, RobotLevel], RobotBrain]
"""Makes the robot of a seat, of a level."""


@dataclass(frozen=True, slots=True)
class _Plan:
    action: Action | None
    timer: asyncio.TimerHandle


class RobotSeats:
    """The robots of one table. `view` gives a seat's view, `submit` makes a move."""

    def __init__(
        self,
        table_id: int,
        make: RobotFactory,
        *,
        clock: Clock,
        view: Callable[[int], PlayerView],
        submit: Callable[[Action], Awaitable[Answer]],
    ) -> None:
        self._make = make
        self._brains: dict[int, RobotBrain] = {}
        self._clock = clock
        self._view = view
        self._submit = submit
        self._plans: dict[int, _Plan] = {}
        self._acting: dict[int, asyncio.Task[None]] = {}
        self._is_stopped = False
        self._log = _log.bind(table=table_id)

    def seat(self, levels: Mapping[int, RobotLevel]) -> None:
        """Have robots on exactly these seats; a robot that stays keeps its plan, its memory and its level."""
        for seat in self._brains.keys() - levels.keys():
            self._drop(seat)
            del self._brains[seat]
        for seat in sorted(levels.keys() - self._brains.keys()):
            self._brains[seat] = self._make(seat, levels[seat])

    def rethink(self) -> None:
        """Let every robot plan again: the match changed, or goes on after `stop`."""
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
        """As `stop`; a move that is under way is finished first."""
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
            return None if view.table.pause is not None else self._brains[seat].think(view, self._clock.now())
        except Exception:  # noqa: BLE001 - a robot's bug must not reach the player whose press made it plan
            self._log.exception("robot.failed", seat=seat)
            return None

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
