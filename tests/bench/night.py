"""A night of 200 people at 50 tables within Discord's limits, beside as many busy tables without a night."""

from statistics import median
from typing import Final

from tests.bench.figures import Figure, Part, at_most
from tests.rig.load import load
from tests.rig.night_load import load_night
from tests.rig.runs import in_folder

TABLES: Final = 50
BOARD_S: Final = 3.0
ANSWER_MS: Final = 300.0


def bench_night(tables: int = TABLES, seconds: float = 45.0) -> Part:
    part = Part(
        "A game night",
        f"{4 * tables} people; the tables open by themselves in threads of one channel, then two exchanges a second and"
        " table, 60 to 120 ms from the bot to Discord and back, all of Discord's limits. Age of the board: from the end"
        " of a round that brings points until the night's message changes.",
    )
    plain, night = in_folder(load, tables, seconds), in_folder(load_night, tables, seconds)
    answers, before = (night.load.answers.percentile(0.99),), (plain.answers.percentile(0.99),)
    part.notes += [*str(plain).splitlines(), *str(night).splitlines()]
    part.figures += [
        Figure("until all tables are open", "s", (max(night.opened),)),
        Figure("refused for their number (429)", "requests", (len(night.limited),), target=at_most(0)),
        Figure("answers to presses, 99 %", "ms", answers, "without a night", before, at_most(ANSWER_MS)),
    ]
    if night.board_ages:  # a short run is over before a round is
        part.figures.append(
            Figure("age of the board, median", "s", (median(night.board_ages),), target=at_most(BOARD_S))
        )
    return part
