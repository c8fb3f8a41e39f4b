"""The frame of the long runs: a folder of their own, numbers from the command line, one report with the time taken."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def in_folder(play: Callable[..., Awaitable[T]], *arguments: object) -> T:
    """What `play` tells, run in a folder that goes afterwards."""
    with tempfile.TemporaryDirectory(prefix="kems-") as folder:
        return asyncio.run(play(Path(folder), *arguments))  # type: ignore[arg-type]  # a coroutine


def main(name: str, play: Callable[..., Awaitable[object]]) -> None:
    """`python -m tests.rig.NAME [NUMBER ...]`."""
    began = time.monotonic()
    report = in_folder(play, *map(int, sys.argv[1:]))
    print(f"{name}: {report}; {time.monotonic() - began:.0f} s")
