"""Writes a run of the benchmarks down: as text while it goes on, as JSON, and as a table for `docs/performance.md`."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, Final

import msgspec
import orjson

from tests.bench.figures import Figure, Part, spread, told

BUSY: Final = 0.5
"""From this load by other work on (one-minute mean at the start) a part says that it was disturbed."""
_STEPS: Final = 200_000
_LOOKS_S: Final = 1.5

_COLUMNS = ("figure", "measured", "reference", "ratio", "target", "verdict")


def _commit() -> str:
    """The commit that is checked out, in short; `-dirty` where code differs from it."""
    try:
        changed = _git("diff", "--stat", "HEAD", "--", "bot", "migrations", "tests")
        return _git("rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def steps_a_second() -> float:
    """How quickly this machine goes through a plain loop just now, in millions of steps a second."""
    taken: list[float] = []
    while sum(taken) < _LOOKS_S:  # rented processors are quicker for a moment after a rest
        began, total = time.perf_counter(), 0
        for number in range(_STEPS):
            total += number * number
        taken.append(time.perf_counter() - began)
    return _STEPS / median(taken) / 1e6


def _git(*words: str) -> str:
    asked = ["git", *words]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def _machine() -> str:
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


@dataclass(frozen=True, slots=True)
class Conditions:
    """When and on what a part was measured.

    `load` is that of other work, before the first part of the run. `pace` is that of the machine just before this part,
    by `steps_a_second`; older runs do not have it.
    """

    began: str = field(default_factory=lambda: datetime.now(UTC).strftime("%Y-%m-%d"))
    commit: str = field(default_factory=_commit)
    machine: str = field(default_factory=_machine)
    load: float = field(default_factory=lambda: os.getloadavg()[0])
    pace: float | None = None

    def __str__(self) -> str:
        disturbed = "; THE MACHINE WAS BUSY with other work" if self.load > BUSY else ""
        pace = "" if self.pace is None else f"; {self.pace:.1f} million steps of a loop a second"
        return f"{self.began}, commit {self.commit}, {self.machine}; load at the start {self.load:.2f}{disturbed}{pace}"


@dataclass(frozen=True, slots=True)
class Measured:
    """A part, and the conditions under which it was measured."""

    part: Part
    conditions: Conditions


Run = dict[str, Measured]
"""Parts by their names."""


def as_text(part: Part) -> str:
    """A part for the terminal."""
    figures = [f"  {figure.name:44} {_measured(figure):>18}   {_beside(figure)}" for figure in part.figures]
    return "\n".join([part.title, f"  {part.method}", *figures, *(f"  {note}" for note in part.notes)])


def as_json(run: Run) -> bytes:
    """The run with all its rounds; for readers, each figure has its value, ratio and verdict too."""
    parts: dict[str, Any] = {}
    for name, measured in run.items():
        figures = [
            asdict(figure) | {"value": figure.value, "ratio": figure.ratio, "verdict": figure.verdict}
            for figure in measured.part.figures
        ]
        parts[name] = asdict(measured) | {"part": asdict(measured.part) | {"figures": figures}}
    return orjson.dumps(parts, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def read(path: Path) -> Run:
    """A run that was written as JSON."""
    return msgspec.json.decode(path.read_bytes(), type=Run)


def as_markdown(run: Run) -> str:
    """The run as sections with a table each."""
    lines: list[str] = []
    for measured in run.values():
        part = measured.part
        lines += [f"### {part.title}", "", part.method, "", f"{measured.conditions}.", ""]
        if part.figures:
            lines += [_row(*_COLUMNS), _row(*("---" for _ in _COLUMNS)), *map(_figure_row, part.figures), ""]
        if part.notes:
            lines += ["```text", *part.notes, "```", ""]
    return "\n".join(lines)


def _figure_row(figure: Figure) -> str:
    reference = f"{_usual(figure)} {figure.reference}" if figure.references else figure.reference
    return _row(figure.name, _measured(figure), reference, _ratio(figure), str(figure.target), figure.verdict)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _measured(figure: Figure) -> str:
    return f"{told(figure.value)} {figure.unit}"


def _usual(figure: Figure) -> str:
    return told(median(figure.references))


def _ratio(figure: Figure) -> str:
    return "" if figure.ratio is None else f"{told(figure.ratio)} x ({spread(figure.ratios)})".replace(" ()", "")


def _beside(figure: Figure) -> str:
    told_lines = []
    if figure.ratio is not None:
        told_lines.append(f"{_ratio(figure)} of {_usual(figure)} {figure.reference}")
    if str(figure.target):
        told_lines.append(f"target {figure.target}: {figure.verdict}")
    return "; ".join(told_lines)
