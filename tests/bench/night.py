"""A night of 200 people at 50 tables within Discord's limits, beside as many busy tables without a night."""

import asyncio
import tempfile
from pathlib import Path
from statistics import median
from typing import Final

from tests.bench.figures import Figure, Part, Target
from tests.rig.load import Report, load
from tests.rig.night_load import NightReport, load_night

TABLES: Final = 50
BOARD_S: Final = 3.0
ANSWER_MS: Final = 300.0


def bench_night(tables: int = TABLES, seconds: float = 60.0) -> Part:
    part = Part(
        "A game night",
        f"{4 * tables} people; the tables open by themselves in threads of one channel, then two exchanges a second and"
        " table, 60 to 120 ms from the bot to Discord and back, all of Discord's limits. Age of the board: from the end"
        " of a round until the night's message changes.",
    )
    plain, night = _without(tables, seconds), _with(tables, seconds)
    part.notes += [*str(plain).splitlines(), *str(night).splitlines()]
    part.figures += [
        Figure("until all tables are open", "s", (max(night.opened),)),
        Figure("refused for their number (429)", "requests", (len(night.limited),), target=_most(0)),
        Figure("age of the board, median", "s", (median(night.board_ages),), target=_most(BOARD_S)),
        Figure(
            "answers to presses, 99 %",
            "ms",
            (night.load.answers.percentile(0.99),),
            "without a night",
            (plain.answers.percentile(0.99),),
            _most(ANSWER_MS),
        ),
    ]
    return part


def _most(bound: float) -> Target:
    return Target(most=bound, is_absolute=True)


def _without(tables: int, seconds: float) -> Report:
    with tempfile.TemporaryDirectory(prefix="kems-load-") as folder:
        return asyncio.run(load(Path(folder), tables, seconds))


def _with(tables: int, seconds: float) -> NightReport:
    with tempfile.TemporaryDirectory(prefix="kems-night-") as folder:
        return asyncio.run(load_night(Path(folder), tables, seconds))
