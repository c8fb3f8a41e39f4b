"""Writes a run of the benchmarks down: as text while it goes on, as JSON, and as a table for `docs/performance.md`."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from tests.bench.figures import Figure, Part, Target, spread, told

BUSY = 0.5
"""From this load by other work on (one-minute mean at the start) a run says that it was disturbed."""


_COLUMNS = ("figure", "measured", "reference", "ratio", "target", "verdict")


def _commit() -> str:
    """The commit that is checked out, in short."""
    try:
        asked = ["git", "describe", "--always", "--dirty"]
        made = subprocess.run(asked, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return made.stdout.strip()


def _machine() -> str:
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


@dataclass(slots=True)
class Run:
    """All parts of one run, and on what it ran."""

    parts: list[Part] = field(default_factory=list)
    began: str = field(default_factory=lambda: datetime.now(UTC).strftime("%Y-%m-%d"))
    commit: str = field(default_factory=_commit)
    machine: str = field(default_factory=_machine)
    load: float = field(default_factory=lambda: os.getloadavg()[0])

    @property
    def heading(self) -> str:
        """On what, and when."""
        disturbed = "; THE MACHINE WAS BUSY with other work" if self.load > BUSY else ""
        return f"{self.began}, commit {self.commit}, {self.machine}; load at the start {self.load:.2f}{disturbed}"


def as_text(part: Part) -> str:
    """A part for the terminal."""
    figures = [f"  {figure.name:44} {_measured(figure):>18}   {_beside(figure)}" for figure in part.figures]
    return "\n".join([part.title, f"  {part.method}", *figures, *(f"  {note}" for note in part.notes)])


def as_json(run: Run) -> bytes:
    """The run with all its rounds."""
    parts: list[dict[str, Any]] = []
    for part in run.parts:
        figures = [
            asdict(figure) | {"value": figure.value, "ratio": figure.ratio, "verdict": figure.verdict}
            for figure in part.figures
        ]
        parts.append(asdict(part) | {"figures": figures})
    return orjson.dumps(asdict(run) | {"parts": parts}, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def read(path: Path) -> Run:
    """A run that was written as JSON."""
    told_run = orjson.loads(path.read_bytes())
    parts = [
        Part(
            part["title"],
            part["method"],
            [
                Figure(
                    figure["name"],
                    figure["unit"],
                    tuple(figure["rounds"]),
                    figure["reference"],
                    tuple(figure["references"]),
                    Target(**figure["target"]),
                )
                for figure in part["figures"]
            ],
            part["notes"],
        )
        for part in told_run["parts"]
    ]
    return Run(parts, told_run["began"], told_run["commit"], told_run["machine"], told_run["load"])


def as_markdown(run: Run) -> str:
    """The run as sections with a table each."""
    lines = [run.heading + ".", ""]
    for part in run.parts:
        lines += [f"### {part.title}", "", part.method, ""]
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
