"""A scene: a round by the sheet `classic`, dealt and open, in which the person's seat has one task.

Robots draw from the scene's seed alone and think at their moments of scene time: the same moves at the same instants
give the same scene again, in every process and after a restart.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from bot.game import actions as a
from bot.game import events as e
from bot.game.build_view import player_view
from bot.game.checks.refusals import Code, Refusal
from bot.game.match import NAMES, Match
from bot.game.notation.actions import read_action, write_action
from bot.game.signs import family
from bot.game.value import Worded
from bot.game.views import SeatView
from bot.lessons.lesson import SEATS, TEAMS, holds_kems
from bot.lessons.stage_robot import Brain
from bot.robots import Level, Robot, Skill, Timing

ME: Final = 0
"""The person's seat."""
_DEALER: Final = SEATS - 1

_ROBOTS: Final = Level(
    Timing(call=(12_000, 16_000), counter=(20_000, 30_000), gesture_again=(6_000, 9_000), bluff=(15_000, 40_000)),
    Skill(overlooks=0.1, misses=0, misreads=0, daring=0, decoys=0.35),
)
"""They exchange as quickly as people do, and call so late that a person who sees the sign comes first."""


_RIGHT: Final = {"sign": (e.Outcome.KEMS, e.Outcome.DOUBLE), "counter": (e.Outcome.COUNTER,), "collect": ()}


class Kind(Worded):
    """The task of a scene, in the order of a day; its values name scenes for good."""

    SIGN = "sign", "Watch for the sign"
    """See the partner's sign, and call Kem's."""
    COUNTER = "counter", "Read the opponents"
    """Read the opponents, and counter the one who holds a Kem's."""
    COLLECT = "collect", "Four alike, quickly"
    """Collect four alike."""


KINDS: Final = tuple(Kind)


class Scene(NamedTuple):
    """The deal with the number `seed` as one of a kind; a robot solves it in `reference_ms`."""

    kind: Kind
    seed: int
    reference_ms: int

    def random(self, what: object) -> Random:
        return Random(f"{self.kind} {self.seed} {what}")  # noqa: S311 - a scene repeats


@dataclass(frozen=True, slots=True)
class Move:
    """What the person did, and when."""

    at: int
    action: a.Action


class SceneRun:
    """A scene while it is played: the `match` until its last change, and the person's `moves`.

    `right_at` is when the person solved it; `is_over` without it: missed. Instants are milliseconds of any clock.
    """

    def __init__(self, scene: Scene, began: int = 0, moves: Iterable[Move] = (), solver: Brain | None = None) -> None:
        """Plays the moves; a `solver` plays the person's seat."""
        self.scene: Final = scene
        self.began: Final = began
        chance = scene.random("deal")
        self.match: Final = Match.start(
            "classic",
            seed=chance.getrandbits(64),
            dealer=_DEALER,
            signs=chance.sample(family(None), TEAMS),
            now=began,
        )
        self.moves: Final[list[Move]] = []
        self.right_at: int | None = None
        self.is_over = False
        self._brains: dict[int, Brain] = {
            seat: Robot(scene.random(seat), _ROBOTS, permits=self._is_of_scene) for seat in range(SEATS) if seat != ME
        }
        if solver is not None:
            self._brains[ME] = solver
        self._intended: tuple[int, a.Action] | None = None
        self._push(a.OpenHunt(_DEALER), began)
        for move in moves:
            self.play(move.action, move.at)

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

    def at_press(self, at: int) -> "SceneRun":
        """Returns the scene as it was at the instant of a press, which arrives a moment later."""
        return self if at >= self.match.now else SceneRun(self.scene, self.began, self.moves)

    def _is_of_scene(self, view: SeatView, action: a.Action) -> bool:
        """Where it is not the task to see the partner's sign, the partner makes none."""
        return self.scene.kind is Kind.SIGN or view.team != ME or not isinstance(action, a.MakeGesture)

    def _push(self, action: a.Action, at: int) -> Refusal | None:
        """Makes a move of a seat. What falls due at this instant comes first."""
        self._judge(self.match.tick(at))
        answer = Refusal(Code.ROUND_OVER) if self.is_over else self.match.push(action)
        if isinstance(answer, Refusal):
            return answer
        self._follow(answer)
        return None

    def _follow(self, events: Iterable[e.Event]) -> None:
        """Lets the robots think about what has happened."""
        self._judge(events)
        if self.is_over:
            return
        now, state, table = self.match.now, self.match.state, self.match.view()
        thoughts = [brain.think(player_view(state, seat, now, table), now) for seat, brain in self._brains.items()]
        due = [(now + thought.delay_ms, thought.action) for thought in thoughts if thought is not None]
        self._intended = min(due, key=lambda item: item[0], default=None)

    def _judge(self, events: Iterable[e.Event]) -> None:
        is_right = False
        for event in events:
            match event:
                case e.CounterFailed(seat=seat) if seat == ME:
                    self.is_over = True
                case e.RoundEnded(caller=caller, outcome=outcome):
                    self.is_over, is_right = True, caller == ME and outcome in _RIGHT[self.scene.kind]
        if self.scene.kind is Kind.COLLECT and not self.is_over and holds_kems(self.match.view(ME)):
            self.is_over = is_right = True
        if is_right:
            self.right_at = self.match.now


def write_moves(moves: Iterable[Move]) -> str:
    """The moves as lines of KGN, each after its instant."""
    return "\n".join(f"{move.at} {write_action(move.action, NAMES[:SEATS], TEAMS)}" for move in moves)


def read_moves(text: str) -> list[Move]:
    lines = (line.partition(" ") for line in text.splitlines())
    return [Move(int(at), read_action(said, NAMES[:SEATS], TEAMS)) for at, _, said in lines]
