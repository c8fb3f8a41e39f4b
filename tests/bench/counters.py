"""What counters win between two teams that keep their sign: `python -m tests.bench.counters` renews its table.

    python -m tests.bench.counters [--matches N] [--jobs N]

One side counters and the other does not; then neither does, which tells how many Kem's a side has then.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from bot.game import actions as a
from bot.game.events import Outcome
from bot.game.views import SeatView
from bot.robots import LEVELS, Level, Robot, RobotLevel
from bot.simulation.match import PlayedRound, Turned
from tests.bench.tricks import Trickster, play_cells, read_options, renew

_KEMS: Final = (Outcome.KEMS, Outcome.DOUBLE)
_ROWS: Final = (RobotLevel.STRONG, RobotLevel.MASTER)


def _keeps_sign(view: SeatView, action: a.Action) -> bool:
    return not (isinstance(action, a.ProposeSign) and view.table.round)


def keeping(level: Level, **skill: float) -> Level:
    """Returns a level whose robots never change the sign that they agreed on at first."""
    return Trickster(level.timing, replace(level.skill, **skill), level.least_wait, partial(Robot, permits=_keeps_sign))


def _rounds(played: Sequence[Turned]) -> list[tuple[PlayedRound, tuple[int, int]]]:
    """Returns the rounds, with the points of the first side and of the second."""
    return [(item, (item.points[turned], item.points[1 - turned])) for match, turned in played for item in match.rounds]


def counter_row(level: RobotLevel, one: Sequence[Turned], neither: Sequence[Turned]) -> tuple[str, ...]:
    rounds, mute = _rounds(one), _rounds(neither)
    true = sum(played.outcome is Outcome.COUNTER for played, _ in rounds)
    false = sum(played.false_counters for played, _ in rounds)
    lost = sum(played.outcome in _KEMS and theirs > 0 for played, (_, theirs) in rounds) / len(rounds)
    usual = sum(played.outcome in _KEMS for played, _ in mute) / len(mute) / 2
    shares = (f"{true / len(rounds):.1%}", f"{false / len(rounds):.1%}", f"{usual:.0%}", f"{lost:.0%}")
    return (f"`{level}`", str(len(rounds)), *shares, f"{lost / usual - 1:+.0%}")


def main(arguments: list[str] | None = None) -> int:
    chosen = read_options("tests.bench.counters", 120, arguments)
    sides = [(keeping(LEVELS[level]), keeping(LEVELS[level], daring=0, spots=0)) for level in _ROWS]
    told = iter(play_cells([cell for one, mute in sides for cell in ((one, mute), (mute, mute))], *chosen))
    head = ("", "rounds", "true counters", "false ones", "opponents' Kem's without counters", "with them", "change")
    renew("counters", [head, *(counter_row(level, next(told), next(told)) for level in _ROWS)], chosen[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
