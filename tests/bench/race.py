"""Moves a second of our own players and of other games' engines, slice of time by slice of time in turn."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

_SCRIPT: Final = Path(__file__).with_name("engines.py")
PYTHON: Final = Path(__file__).parents[2] / ".venv/engines/bin/python"
"""The environment of the engines, which `make bench` makes."""

Rates = dict[str, tuple[float, ...]]


class EnginesMissingError(Exception):
    """The engines are not installed."""

    def __init__(self) -> None:
        super().__init__("The engines of other games are not installed in .venv/engines: run make bench.")


class Engines:
    """A process with the engines of `tests.bench.engines`. Raises EnginesMissingError where they are not installed."""

    def __init__(self, seconds: float) -> None:
        if not PYTHON.exists():
            raise EnginesMissingError
        self._process = subprocess.Popen(
            [PYTHON, "-W", "ignore", _SCRIPT, str(seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def play(self, name: str) -> float:
        """Moves a second in one slice of time."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{name}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())


def race(ours: Mapping[str, Iterator[int]], engines: Sequence[str], rounds: int, seconds: float) -> Rates:
    """Moves a second by name, one value a round. Ours yield how many moves they have made.

    Raises EnginesMissingError where an engine is wanted and none is installed.
    """
    rates: dict[str, list[float]] = {name: [] for name in (*ours, *engines)}
    with Engines(seconds) as others:
        for name in engines:
            others.play(name)  # a first slice of time to load it and to warm up
        for _ in range(rounds):
            for name, moves in ours.items():
                rates[name].append(_per_second(moves, seconds))
            for name in engines:
                rates[name].append(others.play(name))
    return {name: tuple(found) for name, found in rates.items()}


def _per_second(moves: Iterator[int], seconds: float) -> float:
    count, began = 0, time.perf_counter()
    while (passed := time.perf_counter() - began) < seconds:
        count += next(moves)
    return count / passed
