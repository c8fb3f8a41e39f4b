"""Busy tables, two exchanges a second at each, with Discord's limits and a network's latency: what people see, when.

The capacity goes on with more tables until answers take too long, or members and Discord need more than their core.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

from tests.bench.figures import Figure, Part, at_least, at_most
from tests.rig.evidence import postgres_database
from tests.rig.load import PANEL_RATE, Report, load, percentile
from tests.rig.runs import in_folder

TABLES: Final = (10, 20, 40, 80)
BEFORE_REQUESTS: Final = 4.4
"""REST requests an exchange when the budgets were one."""
BEFORE_TABLES: Final = 18
"""Busy tables that filled a core then."""
PANEL_MEDIAN_S: Final = 0.4
PANEL_95_S: Final = 1.0
BOARD_95_S: Final = {10: 1.5, 20: 2.0, 40: 2.5, 80: 3.5}
ANSWER_MS: Final = 250.0
OWN_SHARE: Final = 0.9
"""Of a core; from there on the members are late, not the bot."""


def bench_busy(
    tables: Sequence[int] = TABLES, seconds: float = 60.0, *, to_capacity: bool = True, on_postgres: bool = False
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
    requests = (reports[0].requests / reports[0].exchanges,)
    part.figures.append(
        Figure("REST requests an exchange", "requests", requests, "with one budget", (BEFORE_REQUESTS,), at_most(6))
    )
    if to_capacity:
        part.figures.append(_capacity(reports, seconds, part.notes))
    return part


def bench_busy_on_postgres(tables: Sequence[int] = (40,), seconds: float = 60.0) -> Part:
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
    number = report.tables
    board_s = BOARD_95_S.get(number, max(1.5, number / 23))

    def figure(name: str, value: float, unit: str, most: float) -> Figure:
        return Figure(f"{number} tables: {name}", unit, (value,), target=at_most(most))

    return [
        figure("age of panels, median", median(report.panel_ages), "s", PANEL_MEDIAN_S),
        figure("age of panels, 95 %", percentile(report.panel_ages, 0.95), "s", PANEL_95_S),
        figure("age of table messages, 95 %", percentile(report.board_ages, 0.95), "s", board_s),
        figure("refused for their number (429)", len(report.limited), "requests", 0),
        figure("never seen", report.unseen, "changes", 0),
    ]


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
    name, before = f"busy tables, p99 of the answer below {ANSWER_MS:.0f} ms", (float(BEFORE_TABLES),)
    return Figure(name, "tables", (float(carried),), "with one budget", before, at_least(80))
