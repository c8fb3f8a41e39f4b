"""The photo finish: calls that arrive at nearly the same time are judged in the order of Discord's clock."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from bot.game.actions import CallDouble, CallKems, CounterPlayer, CounterTeam
from bot.game.checks.check import refusal
from bot.game.events import CallKind, CallMargin, Phase
from bot.game.state import State
from bot.tables.match.table_actions import MoveOutcome

Call = CallKems | CallDouble | CounterPlayer | CounterTeam


@dataclass(slots=True)
class GatheredCall:
    """One call in the window.

    - `made_at`: when it was pressed (Unix milliseconds).
    - `press_id`: the id of the interaction; None for a robot.
    - `answer`: the future of the `outcome`.
    """

    call: Call
    made_at: int
    press_id: int | None
    answer: asyncio.Future[MoveOutcome]
    outcome: MoveOutcome | Exception | None = None


Judge = Callable[[GatheredCall, Sequence[GatheredCall]], Awaitable[MoveOutcome]]
"""Decides a call and makes it durable; its second argument are the calls of the window that were made later."""


class PhotoFinish:
    """The window of a table: opened by the first call, it gathers further ones until they are judged."""

    def __init__(self, length_ms: int) -> None:
        """Open windows of `length_ms`; 0 for none, so that calls are judged as they arrive."""
        self._length_ms = length_ms
        self._calls: dict[Call, GatheredCall] = {}
        self._judged: list[GatheredCall] = []
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_open(self) -> bool:
        """Whether a window is open."""
        return bool(self._calls)

    def would_open(self, call: Call, state: State, now: int) -> bool:
        """Return whether a call may open a window; an invalid call may not, since it would delay the table."""
        return self._length_ms > 0 and state.phase is Phase.HUNT and refusal(state, call, now) is None

    def gather(
        self, call: Call, made_at: int, press_id: int | None, when_over: Callable[[], None]
    ) -> asyncio.Future[MoveOutcome]:
        """Add a call to the window, and return the future of its outcome.

        The first call opens the window; when the window ends, `when_over` is called. The same call pressed twice counts
        once, with the earlier time.
        """
        known = self._calls.get(call)
        if known is not None:
            known.made_at = min(known.made_at, made_at)
            return known.answer
        loop = asyncio.get_running_loop()
        if not self.is_open:
            self._timer = loop.call_later(self._length_ms / 1000, when_over)
        answer: asyncio.Future[MoveOutcome] = loop.create_future()
        self._calls[call] = GatheredCall(call, made_at, press_id, answer)
        return answer

    async def judge(self, judge: Judge) -> None:
        """Close the window and judge its calls in the order in which they were made; ties by arrival.

        If a call cannot be saved, the later ones are not judged, and the exception is passed on.
        """
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        calls = sorted(self._calls.values(), key=lambda gathered: gathered.made_at)
        self._calls = {}
        self._judged += calls
        for place, gathered in enumerate(calls):
            try:
                gathered.outcome = await judge(gathered, calls[place + 1 :])
            except Exception as error:
                for untried in calls[place:]:
                    untried.outcome = error
                raise

    def reply(self) -> None:
        """Resolve the futures of all judged calls with their outcomes."""
        judged, self._judged = self._judged, []
        for gathered in judged:
            if isinstance(gathered.outcome, Exception):
                gathered.answer.set_exception(gathered.outcome)
                gathered.answer.exception()  # marks it as retrieved, for no task may be waiting for it
            elif gathered.outcome is not None:
                gathered.answer.set_result(gathered.outcome)


def margin_of(first: GatheredCall, later: Iterable[GatheredCall], before: State, now: int) -> CallMargin | None:
    """Return how much earlier a call was than the next valid call of an opponent; None without such a call."""
    own = before.team_of(first.call.seat)
    for rival in later:
        if before.team_of(rival.call.seat) != own and refusal(before, rival.call, now) is None:
            return CallMargin(now, first.call.seat, rival.call.seat, _kind(rival.call), rival.made_at - first.made_at)
    return None


def _kind(call: Call) -> CallKind:
    match call:
        case CallKems():
            return CallKind.KEMS
        case CallDouble():
            return CallKind.DOUBLE
        case CounterTeam(is_double=True):
            return CallKind.DOUBLE_COUNTER
        case CounterPlayer() | CounterTeam():
            return CallKind.COUNTER
