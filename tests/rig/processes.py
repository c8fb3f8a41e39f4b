"""Processes of the rig. They are forked from one that has everything imported already, so that a test which kills
them again and again waits for no import; each ends when it is told to, and at the latest with whoever started it.
"""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(["tests.rig.loaded"])


class Running:
    """A process, from `start` until `kill` or `stop`."""

    def __init__(self, process: Any, line: Connection) -> None:
        self._process = process
        self._line = line

    @classmethod
    async def start(
        cls, main: Callable[..., None], *arguments: Any, errors: Path | None = None, is_alone: bool = False
    ) -> "Running":
        """Run ``main(line, *arguments)`` in a process of its own, which ends with this one.

        What it writes to standard error is added to the file ``errors``, if one is named. One that ``is_alone`` has
        the thread of ``main`` only, and ends by itself.
        """
        ours, theirs = _FORKING.Pipe()
        process = _FORKING.Process(target=_run, args=(theirs, errors, is_alone, main, arguments), daemon=True)
        await asyncio.to_thread(process.start)
        theirs.close()
        return cls(process, ours)

    @property
    def pid(self) -> int:
        return int(self._process.pid)

    @property
    def has_ended(self) -> bool:
        return self._process.exitcode is not None

    async def heard(self) -> Any:
        """What the process sends next by its line. Raises EOFError: it has ended, and all was heard."""
        return await asyncio.to_thread(self._line.recv)

    def send_kill(self) -> None:
        self._process.kill()

    async def kill(self) -> None:
        self.send_kill()
        await self._end()

    async def code(self, patience: float = 60.0) -> int:
        """How it ends by itself: its exit code, or a signal's number below zero.

        Raises:
            AssertionError: it did not end in so many seconds.
        """
        await self._end(patience)
        return int(self._process.exitcode)

    async def stop(self, patience: float) -> None:
        """End it politely, as Ctrl-C does.

        Raises:
            AssertionError: it did not end in so many seconds.
        """
        os.kill(self.pid, signal.SIGINT)
        await self._end(patience)

    async def _end(self, patience: float = 10.0) -> None:
        await asyncio.to_thread(self._process.join, patience)
        assert self.has_ended, "the process does not end"
        self._line.close()


def resident_kib(pid: int) -> float:
    """The memory of a process that is in RAM."""
    asked = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)  # noqa: S607
    return float(asked.stdout)


def processor_time(pid: int) -> float:
    """Seconds that a process has used; 0 where the system has no /proc."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _run(
    line: Connection, errors: Path | None, is_alone: bool, main: Callable[..., None], arguments: tuple[Any, ...]
) -> None:
    if errors is not None:
        with errors.open("ab") as file:
            os.dup2(file.fileno(), sys.stderr.fileno())
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell runs behind is started with it ignored
    if not is_alone:
        threading.Thread(target=_end_with_the_other_side, args=(line,), daemon=True).start()
    main(line, *arguments)


def _end_with_the_other_side(line: Connection) -> None:
    """Nothing is ever sent to the process: what can be read is the end."""
    line.poll(None)
    os._exit(1)
