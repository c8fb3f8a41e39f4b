"""A scene: a round by the sheet `classic`, dealt and open, in which the person's seat has one task.

Robots draw from the scene's seed alone.
"""

from collections.abc import Collection, Iterable
from random import Random
from typing import Final, NamedTuple

from bot.daily.run import Move, Run
from bot.game import actions as a
from bot.game import events as e
from bot.game.match import Match
from bot.game.signs import family
from bot.game.value import Worded
from bot.game.views import SeatView
from bot.lessons.lesson import SEATS, TEAMS, holds_kems
from bot.lessons.stage_robot import Brain
from bot.records.card_theme import Theme
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


class SceneRun(Run):
    """A scene while it is played. `right_at` is when the person solved it; `is_over` without it: missed."""

    def __init__(self, scene: Scene, began: int = 0, moves: Iterable[Move] = (), solver: Brain | None = None) -> None:
        """Plays the moves; a `solver` plays the person's seat."""
        self.scene: Final = scene
        self.right_at: int | None = None
        chance = scene.random("deal")
        match = Match.start(
            "classic",
            seed=chance.getrandbits(64),
            dealer=_DEALER,
            signs=chance.sample(family(None), TEAMS),
            now=began,
        )
        brains: dict[int, Brain] = {
            seat: Robot(scene.random(seat), _ROBOTS, permits=self._is_of_scene) for seat in range(SEATS) if seat != ME
        }
        if solver is not None:
            brains[ME] = solver
        super().__init__(match, ME, brains, began, Theme.FRENCH)
        self._push(a.OpenHunt(_DEALER), began)
        for move in moves:
            self.play(move.action, move.at)

    def again(self, moves: Collection[Move]) -> "SceneRun":
        return SceneRun(self.scene, self.began, moves)

    def judge(self, events: Iterable[e.Event]) -> None:
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

    def _is_of_scene(self, view: SeatView, action: a.Action) -> bool:
        """Where it is not the task to see the partner's sign, the partner makes none."""
        return self.scene.kind is Kind.SIGN or view.team != ME or not isinstance(action, a.MakeGesture)
