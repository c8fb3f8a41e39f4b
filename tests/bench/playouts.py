"""How fast playouts are: random legal play on bit masks, as in `tests.bench.core` on the core."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Final

from bot.game.rules.presets import PRESETS
from bot.game.seeded import SeededRandom
from bot.robots.playouts import new_match, play_match
from tests.bench.figures import Figure, Part, Target, spread, told
from tests.bench.race import race

# Random play may sink below the target for ever: a match goes on for so many rounds.
DEALS: Final = 100
_REFERENCE: Final = "OpenSpiel hearts"


def playout_moves(preset: str, seed: int) -> Iterator[int]:
    """Play random matches for ever; yields the number of moves made in each. Gestures are not among them."""
    dice = SeededRandom(seed)
    while True:
        yield play_match(new_match(PRESETS[preset], 4, dice), deals=DEALS).moves


def bench_playouts(rounds: int = 7, seconds: float = 0.5) -> Part:
    """All presets are played; the figures are those of classic and of the slowest one.

    Raises EnginesMissingError where the other game is not installed.
    """
    rates = race({preset: playout_moves(preset, 1) for preset in PRESETS}, [_REFERENCE], rounds, seconds)
    slowest = min(PRESETS, key=lambda preset: median(rates[preset]))
    part = Part(
        "Playouts",
        f"What robots think with: whole random matches of four on bit masks, at most {DEALS} rounds each, in one"
        " process. OpenSpiel's hearts is written in C++ and played from Python.",
    )
    for preset, name, target in (
        ("classic", "classic", Target(least=1.2)),
        (slowest, f"{slowest}, the slowest preset", Target()),
    ):
        part.figures.append(Figure(name, "moves/s", rates[preset], f"moves/s, {_REFERENCE}", rates[_REFERENCE], target))
    part.notes += [f"{name}: {told(median(found))} moves/s, {spread(found)}" for name, found in rates.items()]
    return part
