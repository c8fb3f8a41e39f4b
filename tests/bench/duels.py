"""Duels between neighbouring levels of robots: `make duels` plays them and stores the result, `make bench` prints it.

    python -m tests.bench.duels [PRESET ...] [--level LEVEL]
    python -m tests.bench.duels --swaps

Both sides play each deal from both pairs of seats. A duel stops as soon as its interval says enough. With `--swaps`
`strong` plays itself without the move that puts down and takes at once, and nothing is stored.
"""

import argparse
import json
import os
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count, pairwise
from pathlib import Path
from typing import Any, Final

from bot.game.rules.presets import PRESETS
from bot.robots import LEVELS, Level, RobotLevel
from bot.simulation.duel import Duel, DuelGoal
from bot.simulation.runner import MatchPlan, Turned, play_all
from bot.simulation.tally import Share
from tests.bench.figures import Figure, Part, Target

STORED: Final = Path(__file__).with_name("duels.json")
GOAL: Final = DuelGoal()
_OF_SWAPS: Final = DuelGoal(rate=0, floor=1, most_pairs=250)
"""No interval ends it: all pairs are played."""
Duels = dict[str, list[dict[str, Any]]]
"""What each duel told, by preset."""
_FIRST_SEED: Final = 10_000


def play_duel(better: Level, other: Level, preset: str, goal: DuelGoal, jobs: int | None = None) -> Duel:
    plan = (
        MatchPlan(PRESETS[preset], 4, (better, other), seed, turned, seed % 4)
        for seed in count(_FIRST_SEED)
        for turned in (0, 1)
    )
    duel = Duel()
    with closing(play_all(plan, jobs)) as played:
        for one in played:
            duel = duel.after((_won(one) + _won(next(played))) / 2)
            if duel.is_over(goal):
                break
    return duel


def _won(played: Turned) -> float:
    match, turned = played
    return 0.5 if match.winner is None else float(match.winner == turned)


def bench_duels(stored: Path = STORED) -> Part:
    """Reads the stored duels: they take too long to be played with the other benchmarks."""
    part = Part(
        "Robots",
        "Matches between neighbouring levels that the better one won: the same deals from both pairs of seats, by"
        " `make duels`. The interval holds the true rate in 95 of 100 duels, however early one stops.",
    )
    for preset, duels in read_duels(stored).items():
        for duel in duels:
            name = f"{preset}: {duel['better']} beats {duel['other']}"
            target = Target(least=100 * GOAL.rate, is_absolute=True)
            part.figures.append(Figure(name, "% of matches", (100 * duel["rate"],), target=target))
            played = f"{duel['rate']:.1%} of {2 * duel['pairs']} matches on {duel['date']}"
            part.notes.append(f"{name}: {played}, interval {duel['low']:.1%} to {duel['high']:.1%}")
    return part


def read_duels(stored: Path = STORED) -> Duels:
    return json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {}


def keep_duel(preset: str, found: dict[str, Any], stored: Path = STORED) -> None:
    """Stores a duel in the place of the former one between these levels, so that an interrupted run loses none."""
    duels = read_duels(stored)
    others = [duel for duel in duels.get(preset, []) if duel["better"] != found["better"]]
    levels = list(RobotLevel)
    kept = {**duels, preset: sorted([*others, found], key=lambda duel: levels.index(duel["better"]))}
    in_order = {name: kept[name] for name in PRESETS if name in kept}
    stored.write_text(json.dumps(in_order, indent=1) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(prog="python -m tests.bench.duels")
    options.add_argument("presets", nargs="*", default=["classic"], metavar="PRESET", help=", ".join(PRESETS))
    options.add_argument("--level", choices=list(RobotLevel)[1:], help="play the duel of this level alone")
    options.add_argument("--swaps", action="store_true", help="let strong play itself without swaps")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args(arguments)
    if unknown := set(chosen.presets) - set(PRESETS):
        options.error(f"there is no preset {min(unknown)}")
    if chosen.swaps:
        strong = LEVELS[RobotLevel.STRONG]
        plain = replace(strong, skill=replace(strong.skill, swaps=0))
        duel = play_duel(strong, plain, "classic", _OF_SWAPS, chosen.jobs)
        won = Share(round(2 * duel.score), 2 * duel.pairs)
        low, high = won.interval
        print(f"strong beats itself without swaps: {won.value:.1%} of {won.total} ({low:.1%} to {high:.1%})")
        return 0
    are_shown = True
    for preset in chosen.presets:
        for other, better in pairwise(RobotLevel):
            if chosen.level in (None, better):
                duel = play_duel(LEVELS[better], LEVELS[other], preset, GOAL, chosen.jobs)
                found = _told(duel, better, other)
                keep_duel(preset, found)
                are_shown &= duel.has_shown(GOAL)
                print(preset, found, flush=True)
    return 0 if are_shown else 1


def _told(duel: Duel, better: RobotLevel, other: RobotLevel) -> dict[str, Any]:
    low, high = duel.interval
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "better": better.value,
        "other": other.value,
        "pairs": duel.pairs,
        "rate": round(duel.rate, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "is_shown": duel.has_shown(GOAL),
    }


if __name__ == "__main__":
    sys.exit(main())
