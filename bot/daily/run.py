"""A round in which one person plays among robots, outside of any match.

Robots think at their moments of its own time: the same moves at the same instants give the same round again, in every
process and after a restart.
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
"""A try in which nothing was pressed for so long is over."""
_TEAMS: Final = len(SEAT_NAMES) // 2


@dataclass(frozen=True, slots=True)
class Move:
    """A move of a seat, and when it is made."""

    at: int
    action: a.Action


class End(NamedTuple):
    """How a person's part in a round ended. `result`: see `bot.daily.attempt.Try`."""

    result: int | None


class Start(Protocol):
    """Where a round begins, and what the person on `seat` is to do in it. `reference`: see `bot.daily.attempt.Try`."""

    @property
    def seat(self) -> int: ...
    @property
    def theme(self) -> Theme: ...
    @property
    def reference(self) -> int: ...

    def deal(self, at: int) -> tuple[Match, dict[int, Brain]]:
        """The match as it begins at that instant, and who plays the other seats: a copy each time."""

    def judge(self, match: Match) -> End | None:
        """None while the person plays on."""


class Run:
    """A round while it is played: the `match` until its last change, and the person's `moves`.

    Instants are milliseconds of any clock. `result`: see `bot.daily.attempt.Try`.
    """

    def __init__(self, start: Start, began: int = 0, moves: Iterable[Move] = (), solver: Brain | None = None) -> None:
        """Plays the moves; a `solver` plays the person's seat."""
        self.start: Final = start
        self.began: Final = began
        self.match, brains = start.deal(began)
        self.moves: Final[list[Move]] = []
        self.is_over = False
        self.result: int | None = None
        self._brains: Final = brains if solver is None else {**brains, start.seat: solver}
        self._intended: Move | None = None
        self._wish: Move | None = None
        self._follow()
        for move in moves:
            self.play(move.action, move.at)

    @property
    def view(self) -> SeatView:
        """What the person sees."""
        return self.match.view(self.start.seat)

    @property
    def next_at(self) -> int | None:
        """When something happens next without a move of the person; None for never."""
        if self.is_over:
            return None
        moments = (self.match.deadline, self.sweep_at, None if self._intended is None else self._intended.at)
        return min((at for at in moments if at is not None), default=None)

    @property
    def sweep_at(self) -> int | None:
        """When the person asks for the sweep that was too early; an exchange takes it back."""
        state = self.match.state
        is_still_due = self._wish is not None and state.phase is Phase.HUNT and sweep_from(state) == self._wish.at
        return self._wish.at if self._wish is not None and is_still_due else None

    def advance(self, until: int) -> None:
        """Lets robots and the clock act until then, and makes a sweep that was asked for too early."""
        while (at := self.next_at) is not None and at <= until:
            if self._wish is not None and self.sweep_at == at:
                wish, self._wish = self._wish, None
                self._push(wish.action, at)
            elif self._intended is None or self._intended.at != at:
                self.match.tick(at)
                self._follow()
            elif self._push(self._intended.action, at) is not None:
                self._follow()

    def play(self, action: a.Action, at: int) -> Refusal | None:
        """Makes the person's move at its instant, or at once where the robots have gone on since (`at_press`)."""
        self.advance(at)
        at = max(at, self.match.now)
        refused = self._push(action, at)
        is_early = isinstance(action, a.AskSweep) and refused == Refusal(Code.TOO_EARLY)
        if is_early:
            self._wish = Move(sweep_from(self.match.state), action)
        if refused is None or is_early:
            self.moves.append(Move(at, action))
        return refused

    def at_press(self, at: int) -> "Run":
        """Returns the round as it was at the instant of a press, which arrives a moment later."""
        return self if at >= self.match.now else self.again(self.moves)

    def again(self, moves: Iterable[Move]) -> "Run":
        """Returns the same from its beginning, with these moves."""
        return Run(self.start, self.began, moves)

    def _push(self, action: a.Action, at: int) -> Refusal | None:
        """Makes a move of a seat. What falls due at this instant comes first."""
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
        """Lets the robots think about what has happened."""
        self._judge()
        if self.is_over:
            return
        now, state, table = self.match.now, self.match.state, self.match.view()
        thoughts = [brain.think(player_view(state, seat, now, table), now) for seat, brain in self._brains.items()]
        due = [Move(now + thought.delay_ms, thought.action) for thought in thoughts if thought is not None]
        self._intended = min(due, key=attrgetter("at"), default=None)


def write_moves(moves: Iterable[Move]) -> str:
    """The moves as lines of KGN, each after its instant."""
    return "\n".join(f"{move.at} {write_action(move.action, SEAT_NAMES, _TEAMS)}" for move in moves)


def read_moves(text: str) -> list[Move]:
    lines = (line.partition(" ") for line in text.splitlines())
    return [Move(int(at), read_action(said, SEAT_NAMES, _TEAMS)) for at, _, said in lines]
