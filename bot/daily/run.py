"""A round in which one person plays among robots, outside of any match.

Robots think at their moments of its own time: the same moves at the same instants give the same round again, in every
process and after a restart.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, Self

from bot.game import actions as a
from bot.game import events as e
from bot.game.build_view import player_view
from bot.game.checks.refusals import Code, Refusal
from bot.game.match import NAMES, Match
from bot.game.notation.actions import read_action, write_action
from bot.game.views import SeatView
from bot.lessons.stage_robot import Brain
from bot.records.card_theme import Theme

SILENCE_MS: Final = 90_000
"""A try in which nothing was pressed for so long is over."""
_TEAMS: Final = len(NAMES) // 2


@dataclass(frozen=True, slots=True)
class Move:
    """What the person did, and when."""

    at: int
    action: a.Action


class Run(ABC):
    """The `match` until its last change, and the person's `moves` on the seat `me`.

    Instants are milliseconds of any clock.
    """

    def __init__(self, match: Match, me: int, brains: Mapping[int, Brain], began: int, theme: Theme) -> None:
        """`brains` play the other seats; one of `me` solves it."""
        self.match: Final = match
        self.me: Final = me
        self.began: Final = began
        self.theme: Final = theme
        self.moves: Final[list[Move]] = []
        self.is_over = False
        self._brains: Final = dict(brains)
        self._intended: tuple[int, a.Action] | None = None

    @abstractmethod
    def again(self, moves: Collection[Move]) -> Self:
        """The same from its beginning, with these moves."""

    @abstractmethod
    def judge(self, events: Iterable[e.Event]) -> None:
        """Notes what the events tell of the person's task, and whether it `is_over`."""

    @property
    def view(self) -> SeatView:
        """What the person sees."""
        return self.match.view(self.me)

    @property
    def next_at(self) -> int | None:
        """When something happens next without a move of the person; None for never."""
        if self.is_over:
            return None
        moments = (self.match.deadline, None if self._intended is None else self._intended[0])
        return min((at for at in moments if at is not None), default=None)

    def advance(self, until: int) -> None:
        """Lets robots and the clock act until then."""
        while (at := self.next_at) is not None and at <= until:
            if self._intended is None or self._intended[0] != at:
                self._follow(self.match.tick(at))
            elif self._push(self._intended[1], at) is not None:
                self._follow(())

    def play(self, action: a.Action, at: int) -> Refusal | None:
        """Makes the person's move at its instant, or at once where the robots have gone on since (`at_press`)."""
        self.advance(at)
        at = max(at, self.match.now)
        refused = self._push(action, at)
        if refused is None:
            self.moves.append(Move(at, action))
        return refused

    def at_press(self, at: int) -> Self:
        """Returns the round as it was at the instant of a press, which arrives a moment later."""
        return self if at >= self.match.now else self.again(self.moves)

    def _push(self, action: a.Action, at: int) -> Refusal | None:
        """Makes a move of a seat. What falls due at this instant comes first."""
        self.judge(self.match.tick(at))
        answer = Refusal(Code.ROUND_OVER) if self.is_over else self.match.push(action)
        if isinstance(answer, Refusal):
            return answer
        self._follow(answer)
        return None

    def _follow(self, events: Iterable[e.Event]) -> None:
        """Lets the robots think about what has happened."""
        self.judge(events)
        if self.is_over:
            return
        now, state, table = self.match.now, self.match.state, self.match.view()
        thoughts = [brain.think(player_view(state, seat, now, table), now) for seat, brain in self._brains.items()]
        due = [(now + thought.delay_ms, thought.action) for thought in thoughts if thought is not None]
        self._intended = min(due, key=lambda item: item[0], default=None)


class Attempt(Protocol):
    """A person's try at a round. Instants are Discord's, in milliseconds.

    `moves` are those of a try that is not over (`write_moves`).
    """

    @property
    def user_id(self) -> int: ...
    @property
    def guild_id(self) -> int: ...
    @property
    def started_at(self) -> int: ...
    @property
    def pressed_at(self) -> int: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def moves(self) -> str: ...

    @property
    def key(self) -> tuple[object, ...]:
        """What is tried."""

    def after(self, run: Run, pressed_at: int, *, is_over: bool) -> Self:
        """The try after a press."""

    def missed(self) -> Self:
        """The try, ended without a result."""


def is_running(one: Attempt, now: int) -> bool:
    return not one.is_over and now < one.pressed_at + SILENCE_MS


def write_moves(moves: Iterable[Move]) -> str:
    """The moves as lines of KGN, each after its instant."""
    return "\n".join(f"{move.at} {write_action(move.action, NAMES, _TEAMS)}" for move in moves)


def read_moves(text: str) -> list[Move]:
    lines = (line.partition(" ") for line in text.splitlines())
    return [Move(int(at), read_action(said, NAMES, _TEAMS)) for at, _, said in lines]
