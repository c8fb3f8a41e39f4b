"""A round that one person plays among robots, outside of any match.

Robots think at moments of its own clock: equal moves at equal instants give an equal round, in every process and after
a restart.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, NamedTuple, Protocol

from bot.game import actions as a
from bot.game.build_view import player_view
from bot.game.checks.check import sweep_from
from bot.game.checks.refusals import Code, Refusal
from bot.game.events import Phase
from bot.game.match import SEAT_NAMES, Match
from bot.game.notation.actions import read_action, write_action
from bot.game.views import SeatView
from bot.lessons.stage_robot import Brain
from bot.records.pictures import Theme

SILENCE_MS: Final = 90_000
"""An attempt in which nothing was pressed for so long is over."""
_TEAMS: Final = len(SEAT_NAMES) // 2


@dataclass(frozen=True, slots=True)
class TimedAction:
    """What the person did, and when."""

    at: int
    action: a.Action


class PracticeEnd(NamedTuple):
    """How a person's part in a round ended. `result`: see `bot.daily.attempt.Attempt`."""

    result: int | None


class RoundStart(Protocol):
    """How a round begins, and what the person on `seat` has to do. `reference`: see `bot.daily.attempt.Attempt`."""

    @property
    def seat(self) -> int:
        """The person's seat."""

    @property
    def theme(self) -> Theme:
        """The deck that is shown."""

    @property
    def reference(self) -> int:
        """The result of a robot, or of the real match, with which the person's result is compared."""

    def deal(self, at: int) -> tuple[Match, dict[int, Brain]]:
        """Return a new copy of the match as it begins at this instant, and the robots that play the other seats."""

    def judge(self, match: Match) -> PracticeEnd | None:
        """Return how the person's part ended; None while they play on."""


class PracticeRound:
    """A running round: the `match` up to its last change, and the person's `moves`.

    Instants are milliseconds of any clock. `result`: see `bot.daily.attempt.Attempt`.
    """

    def __init__(
        self, start: RoundStart, began: int = 0, moves: Iterable[TimedAction] = (), solver: Brain | None = None
    ) -> None:
        """Start a round and make these moves; a `solver` plays the person's seat."""
        self.start: Final = start
        self.began: Final = began
        self.match, brains = start.deal(began)
        self.moves: Final[list[TimedAction]] = []
        self.is_over = False
        self.result: int | None = None
        self._brains: Final = brains if solver is None else {**brains, start.seat: solver}
        self._robot_move: TimedAction | None = None
        self._wish: TimedAction | None = None
        self._follow()
        for move in moves:
            self.play(move.action, move.at)

    @property
    def view(self) -> SeatView:
        """The table as the person sees it."""
        return self.match.view(self.start.seat)

    @property
    def next_at(self) -> int | None:
        """When something next happens without the person; None if nothing does."""
        if self.is_over:
            return None
        moments = (self.match.deadline, self.sweep_at, None if self._robot_move is None else self._robot_move.at)
        return min((at for at in moments if at is not None), default=None)

    @property
    def sweep_at(self) -> int | None:
        """When a sweep that was requested too early takes effect; None without one, or after an exchange."""
        state = self.match.state
        is_still_due = self._wish is not None and state.phase is Phase.HUNT and sweep_from(state) == self._wish.at
        return self._wish.at if self._wish is not None and is_still_due else None

    def advance(self, until: int) -> None:
        """Let the robots and the clock act until an instant, and ask for a sweep that was requested too early."""
        while (at := self.next_at) is not None and at <= until:
            if self._wish is not None and self.sweep_at == at:
                wish, self._wish = self._wish, None
                self._push(wish.action, at)
            elif self._robot_move is None or self._robot_move.at != at:
                self.match.tick(at)
                self._follow()
            elif self._push(self._robot_move.action, at) is not None:
                self._follow()

    def play(self, action: a.Action, at: int) -> Refusal | None:
        """Make the person's move at an instant, or at the round's present instant if that is later."""
        self.advance(at)
        at = max(at, self.match.now)
        refused = self._push(action, at)
        is_early = isinstance(action, a.AskSweep) and refused == Refusal(Code.TOO_EARLY)
        if is_early:
            self._wish = TimedAction(sweep_from(self.match.state), action)
        if refused is None or is_early:
            self.moves.append(TimedAction(at, action))
        return refused

    def at_press(self, at: int) -> "PracticeRound":
        """Return the round as it was when a button was pressed; robots may have moved before the press arrived."""
        return self if at >= self.match.now else self.again(self.moves)

    def again(self, moves: Iterable[TimedAction]) -> "PracticeRound":
        """Return the round replayed from its beginning with these moves."""
        return PracticeRound(self.start, self.began, moves)

    def _push(self, action: a.Action, at: int) -> Refusal | None:
        """Make a move of a seat. What falls due at this instant comes first."""
        self.match.tick(at)
        self._judge()
        answer = Refusal(Code.ROUND_OVER) if self.is_over else self.match.push(action)
        if isinstance(answer, Refusal):
            return answer
        self._follow()
        return None

    def _judge(self) -> None:
        if not self.is_over and (end := self.start.judge(self.match)) is not None:
            self.is_over, self.result = True, end.result

    def _follow(self) -> None:
        """Let the robots think about what has happened."""
        self._judge()
        if self.is_over:
            return
        now, state, table = self.match.now, self.match.state, self.match.view()
        thoughts = [brain.think(player_view(state, seat, now, table), now) for seat, brain in self._brains.items()]
        due = [TimedAction(now + thought.delay_ms, thought.action) for thought in thoughts if thought is not None]
        self._robot_move = min(due, key=attrgetter("at"), default=None)


def write_moves(moves: Iterable[TimedAction]) -> str:
    """Return the moves as lines of KGN (the notation of matches), each with its instant in front."""
    return "\n".join(f"{move.at} {write_action(move.action, SEAT_NAMES, _TEAMS)}" for move in moves)


def read_moves(text: str) -> list[TimedAction]:
    """Return the moves of a text from `write_moves`."""
    lines = (line.partition(" ") for line in text.splitlines())
    return [TimedAction(int(at), read_action(action_text, SEAT_NAMES, _TEAMS)) for at, _, action_text in lines]
