"""Moves that players ask for a few seconds too early: each is made when its time comes, without another press.

That is a sweep before the quiet time is over, and the next round while a team's changed sign waits for its answer.
"""

from dataclasses import dataclass
from typing import Final

from bot.game.actions import AskSweep, NextRound
from bot.game.checks.check import sweep_from
from bot.game.checks.refusals import Code, Refusal
from bot.game.decide import next_deadline
from bot.game.events import Phase
from bot.game.state import State

ANSWER_MS: Final = 5_000
"""How long the next round waits for the answer to a sign that was proposed after the former one."""

Due = tuple[int, AskSweep | NextRound | None]
"""An instant (milliseconds), and the move that is made then; None for a deadline of the match."""


@dataclass(slots=True)
class EarlyMoves:
    """The early moves of one match.

    A sweep lapses with the first exchange, which begins the quiet time again; the next round with the present one.
    """

    proposed_at: int = 0
    _sweep: tuple[int, AskSweep] | None = None
    _next: tuple[int, int, NextRound] | None = None

    def ask_for_next(self, action: NextRound, state: State, now: int) -> int | None:
        """Until when the next round waits for an answer (milliseconds); None where none is awaited."""
        until = self._answer_until(state)
        if until <= now:
            return None
        if self._next is None or self._next[0] != state.round:
            self._next = (state.round, until, action)
        return min(until, self._next[1])

    def ask_for_sweep(self, action: AskSweep, refusal: Refusal, state: State) -> int | None:
        """When the sweep is asked for that was refused as too early; None where time alone does not allow it."""
        if refusal.code is not Code.TOO_EARLY:
            return None
        self._sweep = (sweep_from(state), action)
        return self._sweep[0]

    def due(self, state: State) -> Due | None:
        """What falls due next; nothing while the match is paused."""
        if state.pause is not None:
            return None
        if self._sweep is not None and (state.phase is not Phase.HUNT or sweep_from(state) != self._sweep[0]):
            self._sweep = None
        if self._next is not None and (state.phase is not Phase.OVER or state.round != self._next[0]):
            self._next = None
        deadline, answered = next_deadline(state), self._answer_until(state)
        moves: list[Due] = [] if self._sweep is None else [self._sweep]
        if self._next is not None:
            moves.append((min(answered, self._next[1]), self._next[2]))
        if deadline is not None:
            moves.append((max(deadline, min(answered, deadline + ANSWER_MS)), None))
        return min(moves, key=lambda move: move[0], default=None)

    def drop(self, move: AskSweep | NextRound) -> None:
        """It is made now, whatever comes of it."""
        if isinstance(move, AskSweep):
            self._sweep = None
        else:
            self._next = None

    def _answer_until(self, state: State) -> int:
        waits = state.phase is Phase.OVER and any(team.plan and team.proposal for team in state.teams)
        return self.proposed_at + ANSWER_MS if waits else 0
