"""Tells of a run of the benchmarks: on what machine, and what came of each part."""

import os
import platform
import subprocess
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median
from typing import Final

from tests.bench.figures import Figure, Part, spread, told

BUSY: Final = 0.5
"""From this load by other work on (one-minute mean at the start) a part says that it was disturbed."""
_STEPS: Final = 200_000
_LOOKS_S: Final = 1.5


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
    cores = "1 core" if os.cpu_count() == 1 else f"{os.cpu_count()} cores"
    return f"{cores}, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


@dataclass(frozen=True, slots=True)
class Conditions:
    """When and on what a part was measured.

    `load` is that of other work, before the first part of the run. `pace` is that of the machine just before this part,
    by `steps_a_second`.
    """

    began: str = field(default_factory=lambda: datetime.now(UTC).strftime("%Y-%m-%d"))
    commit: str = field(default_factory=_commit)
    machine: str = field(default_factory=_machine)
    load: float = field(default_factory=lambda: os.getloadavg()[0])
    pace: float | None = None

    @property
    def is_busy(self) -> bool:
        return self.load > BUSY

    def __str__(self) -> str:
        disturbed = "; THE MACHINE WAS BUSY with other work" if self.is_busy else ""
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
    figures = [
        f"  {figure.name:44} {told(figure.value) + ' ' + figure.unit:>18}   {_told(figure)}" for figure in part.figures
    ]
    notes = (*part.notes, *(f"{question} {answer}" for question, answer in part.answers.items()))
    return "\n".join([part.title, f"  {part.method}", *figures, *(f"  {note}" for note in notes)])


def ratio(figure: Figure) -> str:
    """The median ratio to the reference, with the lowest and the highest of a round."""
    return "" if figure.ratio is None else f"{told(figure.ratio)} x ({spread(figure.ratios)})".replace(" ()", "")


def usual(figure: Figure) -> str:
    return f"{told(median(figure.references))} {figure.reference}" if figure.references else figure.reference


def _told(figure: Figure) -> str:
    lines = []
    if figure.ratio is not None:
        lines.append(f"{ratio(figure)} of {usual(figure)}")
    if str(figure.target):
        lines.append(f"target {figure.target}: {figure.told_verdict}")
    return "; ".join(lines)
