"""How many whole matches between robots a core plays: `kems simulate`, and where the time goes."""

import cProfile
import pstats
import time
from collections import Counter
from pathlib import Path
from typing import Final

import bot
from bot.game.rules.presets import CLASSIC
from bot.robots import REGULAR
from bot.simulation.match import play_random, play_robots
from tests.bench.figures import Figure, Part

_SEATS: Final = 4
_ROOT: Final = Path(bot.__file__).parent
_MOST_TOLD: Final = 8


def bench_simulation(rounds: int = 5, matches: int = 10) -> Part:
    """Plays `matches` at `regular` and ten times as many random ones in each round."""
    part = Part(
        "Simulations",
        "Whole matches of `classic` in one process: four regular robots in virtual time, each of which looks at the"
        " table after every move, and random legal moves. The profile slows what it measures; its shares hold.",
    )
    regular, chance = [], []
    for number in range(rounds):
        regular.append(_rate(number * matches, matches))
        chance.append(_random_rate(number * matches, 10 * matches))
    unit = "matches/s"
    part.figures += [
        Figure("robots at regular", unit, tuple(regular)),
        Figure("random moves", unit, tuple(chance)),
    ]
    shares = _profile(matches)
    told = (f"{module} {share:.0%}" for module, share in shares.most_common(_MOST_TOLD))
    part.notes.append("time by module, at regular: " + ", ".join(told))
    return part


def _rate(first: int, count: int) -> float:
    began = time.process_time()
    for seed in range(first, first + count):
        play_robots(CLASSIC, [REGULAR] * _SEATS, seed)
    return count / (time.process_time() - began)


def _random_rate(first: int, count: int) -> float:
    began = time.process_time()
    for seed in range(first, first + count):
        play_random(CLASSIC, _SEATS, seed)
    return count / (time.process_time() - began)


def _profile(count: int) -> Counter[str]:
    """Returns the share of the time that each module of the bot takes by itself, what is built in left out."""
    profile = cProfile.Profile()
    profile.runcall(_rate, 0, count)
    spent: Counter[str] = Counter()
    for (file, _line, _name), (_calls, _all, own, *_) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        if Path(file).is_relative_to(_ROOT):
            spent[Path(file).relative_to(_ROOT.parent).as_posix()] += own
    whole = sum(spent.values())
    return Counter({module: own / whole for module, own in spent.items()})
