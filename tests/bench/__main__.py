"""`python -m tests.bench [core] [ladder] [load]`: these, or all three.

The core; the ladder over an archive of `--matches` (a million); `--tables` busy tables (ten) for `--seconds` (180)
over sockets, with Discord's rate limits. Rounds are interleaved, so that the machine's drift hits a figure and its
reference alike.
"""

import argparse
import time
from collections.abc import Iterator
from statistics import median

from bot.game.presets import PRESETS
from tests.bench.core import battle_moves, kems_moves
from tests.bench.ladder import bench_ladder
from tests.rig.load import bench_load

ROUNDS = 5
SECONDS = 0.5


def per_second(steps: Iterator[int]) -> float:
    """Steps a second over a slice of time."""
    started = time.perf_counter()
    count = 0
    while (passed := time.perf_counter() - started) < SECONDS:
        count += next(steps)
    return count / passed


def bench_core() -> None:
    reference = battle_moves(1)
    players = {preset: kems_moves(preset, 1) for preset in PRESETS}
    rates: dict[str, list[float]] = {name: [] for name in (*players, "reference")}
    for _ in range(ROUNDS):
        rates["reference"].append(per_second(reference))
        for preset, steps in players.items():
            rates[preset].append(per_second(steps))
    battle = median(rates["reference"])
    print(f"core: random legal play, reference the card game War, {battle:,.0f} cards/s")
    for preset in players:
        ratios = [ours / theirs for ours, theirs in zip(rates[preset], rates["reference"], strict=True)]
        print(f"  {preset:12} {median(rates[preset]):8,.0f} moves/s   {median(ratios):7.4f} x the reference")


if __name__ == "__main__":
    options = argparse.ArgumentParser(prog="python -m tests.bench")
    options.add_argument("parts", nargs="*", help="core, ladder, load; all three if none is named")
    options.add_argument("--matches", type=int, default=1_000_000, help="finished matches in the ladder's archive")
    options.add_argument("--tables", type=int, default=10, help="busy tables")
    options.add_argument("--seconds", type=int, default=180, help="how long they are busy")
    chosen = options.parse_args()
    parts = chosen.parts or ["core", "ladder", "load"]
    if "core" in parts:
        bench_core()
    if "ladder" in parts:
        bench_ladder(chosen.matches)
    if "load" in parts:
        bench_load(chosen.tables, chosen.seconds)
