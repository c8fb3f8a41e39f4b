"""Duels between neighbouring levels of robots: `make duels` plays them and stores the result, `make bench` prints it.

    python -m tests.bench.duels [PRESET]

Both sides play each deal from both pairs of seats. A duel stops as soon as its interval says enough.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from contextlib import closing
from datetime import UTC, datetime
from itertools import count, pairwise
from pathlib import Path
from typing import Any, Final

from bot.game.rules.presets import PRESETS
from bot.robots import RobotLevel
from bot.simulation.duel import Duel, DuelGoal
from bot.simulation.runner import Setting, Turned, play_all
from tests.bench.figures import Figure, Part, Target

STORED: Final = Path(__file__).with_name("duels.json")
GOAL: Final = DuelGoal()
_FIRST_SEED: Final = 10_000


def play_duel(better: RobotLevel, other: RobotLevel, preset: str, goal: DuelGoal, jobs: int | None = None) -> Duel:
    """Plays pairs of matches of four, the same deal with swapped seats, until the duel is over."""
    plan = (
        Setting(PRESETS[preset], 4, (better, other), seed, turned, seed % 4)
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
    run = json.loads(stored.read_text(encoding="utf-8"))
    part = Part(
        "Robots",
        f"Matches between neighbouring levels that won, by {run['preset']}; seats swapped, played on {run['date']} by"
        " `make duels`. The interval holds the true rate in 95 of 100 duels, however early one stops.",
    )
    for duel in run["duels"]:
        name = f"{duel['better']} beats {duel['other']}"
        target = Target(least=100 * GOAL.rate, is_absolute=True)
        part.figures.append(Figure(name, "% of matches", (100 * duel["rate"],), target=target))
        interval = f"{duel['low']:.1%} to {duel['high']:.1%}"
        part.notes.append(f"{name}: {duel['rate']:.1%} of {2 * duel['pairs']} matches, interval {interval}")
    return part


def main(arguments: list[str] | None = None) -> int:
    """Plays and stores all duels. Returns 1 where one does not show that the better level is better."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.duels")
    options.add_argument("preset", nargs="?", default="classic", choices=sorted(PRESETS))
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args(arguments)
    duels: list[dict[str, Any]] = []
    for other, better in pairwise(RobotLevel):
        duel = play_duel(better, other, chosen.preset, GOAL, chosen.jobs)
        low, high = duel.interval
        about = {"better": better.value, "other": other.value, "pairs": duel.pairs, "rate": round(duel.rate, 4)}
        duels.append({**about, "low": round(low, 4), "high": round(high, 4), "is_shown": duel.has_shown(GOAL)})
        print(duels[-1], flush=True)
    date = datetime.now(UTC).date().isoformat()
    STORED.write_text(json.dumps({"date": date, "preset": chosen.preset, "duels": duels}, indent=1) + "\n")
    return 0 if all(duel["is_shown"] for duel in duels) else 1


if __name__ == "__main__":
    sys.exit(main())
