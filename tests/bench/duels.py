"""Duels between neighbouring levels of robots: `make duels` plays them and stores the result, `make bench` prints it.

    python -m tests.bench.duels [PRESET ...] [--level LEVEL]
    python -m tests.bench.duels --without SKILL [--level LEVEL]

Both sides play each deal from both pairs of seats. With `--without` a level, `strong` unless told otherwise, plays
itself without `swaps`, the move that puts down and takes at once, or without `daring`, which is without counters; and
nothing is stored.
"""

import argparse
import json
import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from bot.game.rules.presets import PRESETS
from bot.robots import LEVELS, Level, RobotLevel
from bot.simulation.command import Share, figures
from bot.simulation.match import match_plans, play_all
from tests.bench.figures import Figure, Part, Target, at_least

STORED: Final = Path(__file__).with_name("duels.json")
MATCHES: Final = 100
_OF_A_SKILL: Final = 500
_LEAST: Final = 0.60
"""The share of its matches that a level has to win against the one below, the whole interval above `_FLOOR`."""
_FLOOR: Final = 0.55
_WITHOUT: Final[dict[str, dict[str, float]]] = {"swaps": {"swaps": 0}, "daring": {"daring": 0, "spots": 0}}
"""The skills that a robot plays without, by the word that asks for it."""
Duels = dict[str, list[dict[str, Any]]]
"""What each duel told, by preset."""
_FIRST_SEED: Final = 10_000


def play_duel(better: Level, other: Level, preset: str, matches: int = MATCHES, jobs: int | None = None) -> Share:
    """Returns the matches that the better side won."""
    plan = match_plans(PRESETS[preset], (better, other), matches=matches, seed=_FIRST_SEED)
    return figures(list(play_all(plan, jobs))).wins[0]


def bench_duels(stored: Path = STORED) -> Part:
    """Reads the stored duels: they take too long to be played with the other benchmarks."""
    part = Part(
        "Robots",
        "Matches between neighbouring levels that the better one won: the same deals from both pairs of seats, by"
        " `make duels`. The interval holds the true rate in 95 of 100 duels.",
    )
    stored_duels = read_duels(stored)
    closest = min((duel["rate"] for duels in stored_duels.values() for duel in duels), default=0.0)
    for preset, duels in stored_duels.items():
        for duel in duels:
            name = f"{preset}: {duel['better']} beats {duel['other']}"
            target = at_least(100 * _LEAST) if duel["rate"] == closest else Target()
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
    options.add_argument("--without", choices=tuple(_WITHOUT), help="let it play itself without this")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args(arguments)
    if unknown := set(chosen.presets) - set(PRESETS):
        options.error(f"there is no preset {min(unknown)}")
    if chosen.without:
        name = chosen.level or RobotLevel.STRONG
        level = LEVELS[name]
        plain = replace(level, skill=replace(level.skill, **_WITHOUT[chosen.without]))
        won = play_duel(level, plain, "classic", _OF_A_SKILL, chosen.jobs)
        low, high = won.interval
        print(f"{name} beats itself without {chosen.without}: {won.value:.1%} of {won.total} ({low:.1%} to {high:.1%})")
        return 0
    are_shown = True
    for preset in chosen.presets:
        for other, better in pairwise(RobotLevel):
            if chosen.level in (None, better):
                found = _told(play_duel(LEVELS[better], LEVELS[other], preset, jobs=chosen.jobs), better, other)
                keep_duel(preset, found)
                are_shown &= found["is_shown"]
                print(preset, found, flush=True)
    return 0 if are_shown else 1


def _told(won: Share, better: RobotLevel, other: RobotLevel) -> dict[str, Any]:
    low, high = won.interval
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "better": better.value,
        "other": other.value,
        "pairs": won.total // 2,
        "rate": round(won.value, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "is_shown": won.value > _LEAST and low > _FLOOR,
    }


if __name__ == "__main__":
    sys.exit(main())
