"""A plugin of pytest (`make times`): what each test costs, in CPU seconds of its process and of those it started."""

import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import PurePosixPath
from typing import Final

import pytest

SHOWN: Final = 40
"""How many tests, and how many files, the summary lists."""
_costs: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
"""CPU and wall seconds, by the test's id."""
_before: float = 0.0


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logstart() -> None:
    global _before  # noqa: PLW0603  # one test at a time runs in a process
    _before = _cpu()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Gives each phase's report what it cost; a worker's reports carry it to the process that prints."""
    global _before
    report = yield
    now = _cpu()
    report.cpu, _before = now - _before, now
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    cost = _costs[report.nodeid]
    cost[0] += getattr(report, "cpu", 0.0)
    cost[1] += report.duration


def _room(nodeid: str) -> str:
    return "/".join(PurePosixPath(nodeid.split("::", maxsplit=1)[0]).parts[:2])


def _file(nodeid: str) -> str:
    return nodeid.split("::", maxsplit=1)[0]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _costs:
        return
    write = terminalreporter.write_line
    for title, key, shown in (("rooms", _room, None), ("files", _file, SHOWN), ("tests", str, SHOWN)):
        groups: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
        for nodeid, (cpu, wall) in _costs.items():
            group = groups[key(nodeid)]
            group[0] += 1
            group[1] += cpu
            group[2] += wall
        terminalreporter.write_sep("-", f"{title}, by CPU")
        write(f"{'CPU s':>8} {'wall s':>8} {'tests':>6}")
        for name, (tests, cpu, wall) in sorted(groups.items(), key=lambda group: -group[1][1])[:shown]:
            write(f"{cpu:8.1f} {wall:8.1f} {tests:6} {name}")
        write(f"{sum(cpu for cpu, _ in _costs.values()):8.1f} {'':8} {len(_costs):6} all")
