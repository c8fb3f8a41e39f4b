"""A scene: a round by the sheet `classic`, dealt and open, in which the person's seat has one task.

Robots draw from the scene's seed alone.
"""

from random import Random
from typing import Final, NamedTuple

from bot.daily.practice_round import PracticeEnd
from bot.game import actions as a
from bot.game import events as e
from bot.game.match import Match
from bot.game.signs import family
from bot.game.value import Worded
from bot.game.views import SeatView
from bot.lessons.lesson import SEATS, TEAMS, holds_kems
from bot.lessons.stage_robot import Brain
from bot.records.pictures import Theme
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


class SceneTask(Worded):
    """The task of a scene, in the order of a day. Its values identify scenes and never change."""

    SIGN = "sign", "Watch for the sign"
    """See the partner's sign, and call Kem's."""
    COUNTER = "counter", "Read the opponents"
    """Read the opponents, and counter the one who holds a Kem's."""
    COLLECT = "collect", "Four of a kind, quickly"
    """Collect four of a kind."""


TASKS: Final = tuple(SceneTask)


class Scene(NamedTuple):
    """The deal with the number `seed` for a task; a robot solves it in `reference` milliseconds."""

    kind: SceneTask
    seed: int
    reference: int

    @property
    def seat(self) -> int:
        """The person's seat."""
        return ME

    @property
    def theme(self) -> Theme:
        """The deck that is shown."""
        return Theme.FRENCH

    def random(self, what: object) -> Random:
        """Return a random number generator for one purpose, seeded by the scene."""
        return Random(f"{self.kind} {self.seed} {what}")  # noqa: S311 - a scene repeats

    def deal(self, at: int) -> tuple[Match, dict[int, Brain]]:
        """Return the match with its hunt open, and the robots; see `bot.daily.practice_round.RoundStart`."""
        chance = self.random("deal")
        match = Match.start(
            "classic",
            seed=chance.getrandbits(64),
            dealer=_DEALER,
            signs=chance.sample(family(None), TEAMS),
            now=at,
        )
        match.push(a.OpenHunt(_DEALER))
        others = (seat for seat in range(SEATS) if seat != ME)
        return match, {seat: Robot(self.random(seat), _ROBOTS, permits=self._permits) for seat in others}

    def judge(self, match: Match) -> PracticeEnd | None:
        """Return the end once the task is solved (the result is the time) or missed (no result); None before."""
        time = match.now - match.events[0].at
        for event in match.events:
            match event:
                case e.CounterFailed(seat=seat) if seat == ME:
                    return PracticeEnd(None)
                case e.RoundEnded(caller=caller, outcome=outcome):
                    return PracticeEnd(time if caller == ME and outcome in _RIGHT[self.kind] else None)
        is_collected = self.kind is SceneTask.COLLECT and holds_kems(match.view(ME))
        return PracticeEnd(time) if is_collected else None

    def _permits(self, view: SeatView, action: a.Action) -> bool:
        """Let the partner make no sign, unless the task is to see it."""
        return self.kind is SceneTask.SIGN or view.team != ME or not isinstance(action, a.MakeGesture)
