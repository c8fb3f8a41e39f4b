"""Busy tables, two exchanges a second at each, with Discord's limits and a network's latency: what people see, when.

The capacity goes on with more tables until answers take too long, or members and Discord need more than their core.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.bench.figures import Figure, Part, at_least, at_most
from tests.rig.evidence import postgres_database
from tests.rig.load import PANEL_RATE, Report, load, percentile
from tests.rig.runs import in_folder

TABLES: Final = (20, 40, 60, 80)
PANEL_95_S: Final = 1.0
BOARD_95_S: Final = 2.5
ANSWER_MS: Final = 250.0
_FULL: Final = "with more the core fills up and presses wait for each other; cards of others are still seen in time"
OWN_SHARE: Final = 0.9
"""Of a core; from there on the members are late, not the bot."""


def bench_busy(
    tables: Sequence[int] = TABLES, seconds: float = 45.0, *, to_capacity: bool = True, on_postgres: bool = False
) -> Part:
    """One load for each number of tables, one after the other."""
    part = Part(
        "Busy tables on PostgreSQL" if on_postgres else "Busy tables",
        "Four people at each table, two exchanges a second and table, rounds that end and begin, 60 to 120 ms from the"
        " bot to Discord and back, all of Discord's limits. Ages: from a press until another's message shows it.",
    )
    reports = [_loaded(number, seconds, on_postgres=on_postgres) for number in tables]
    for report in reports:
        part.figures += _ages(report)
        part.notes += str(report).splitlines()
    limited, unseen = sum(len(one.limited) for one in reports), sum(one.unseen for one in reports)
    part.figures += [
        Figure("refused for their number (429)", "requests", (limited,), target=at_most(0)),
        Figure("never seen", "changes", (unseen,), target=at_most(0)),
    ]
    if to_capacity:
        capacity = _capacity(reports, seconds, part.notes)
        part.figures.append(capacity)
        part.answers["How many tables does a core carry?"] = answer(capacity)
    return part


def bench_busy_on_postgres(tables: Sequence[int] = (40,), seconds: float = 45.0) -> Part:
    """The same on PostgreSQL, which waits for its disk as the file does."""
    return bench_busy(tables, seconds, to_capacity=False, on_postgres=True)


def _loaded(tables: int, seconds: float, *, on_postgres: bool = False) -> Report:
    return in_folder(_load, tables, seconds, on_postgres)


async def _load(folder: Path, tables: int, seconds: float, on_postgres: bool) -> Report:
    if not on_postgres:
        return await load(folder, tables, seconds, panel_rate=PANEL_RATE)
    async with postgres_database(is_safe=True) as dsn:
        return await load(folder, tables, seconds, dsn, panel_rate=PANEL_RATE)


def _ages(report: Report) -> list[Figure]:
    return [
        Figure(f"{report.tables} tables: age of {name}, 95 %", "s", (percentile(ages, 0.95),), target=at_most(most))
        for name, ages, most in (
            ("panels", report.panel_ages, PANEL_95_S),
            ("table messages", report.board_ages, BOARD_95_S),
        )
    ]


def answer(capacity: Figure) -> str:
    """What the number of tables means for an operator."""
    tables = capacity.value
    return (
        f"{tables:.0f} busy ones, {4 * tables:.0f} people with two exchanges a second at each table, before one press"
        f" in a hundred waits longer than {ANSWER_MS:.0f} ms: for more at once,"
        " [start a second process](operating.md#several-processes)."
    )


def _capacity(reports: Sequence[Report], seconds: float, notes: list[str]) -> Figure:
    """The most tables whose answers are quick enough, as measured; what a core carries by its CPU, in the notes."""
    carried, report = 0, reports[-1]
    tried = {one.tables: one for one in reports}
    number = min(tried)
    while True:
        report = tried[number] if number in tried else _loaded(number, seconds)
        if number not in tried:
            notes += str(report).splitlines()
        if report.answers.missed or report.answers.percentile(0.99) > ANSWER_MS:
            break
        carried = number
        if report.own_cpu / report.seconds > OWN_SHARE:
            notes.append(f"{number} tables fill the core of Discord and its members: more cannot be measured here")
            break
        number = min((other for other in tried if other > number), default=number + 20)
    share = report.cpu / report.seconds
    notes.append(f"the bot used {share:.0%} of a core at {report.tables} tables: {report.tables / share:.0f} fill one")
    name = f"busy tables, p99 of the answer below {ANSWER_MS:.0f} ms"
    return Figure(name, "tables", (float(carried),), target=at_least(80, _FULL))
