"""A worker process for long computations: in a thread they would compete with every press for the interpreter.

It starts with the first call, runs at a lower priority than the bot, and exits when idle or when the bot has exited.
Run as a module, this file is that process: pickled calls come in, pickled results go out.
"""

import asyncio
import atexit
import contextlib
import os
import pickle
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from importlib import import_module
from itertools import count
from queue import PriorityQueue
from threading import Lock
from typing import Any, Final, TypeVar

IDLE_S: Final = 600.0
"""Seconds without a call after which the process exits, to free its memory."""
ANSWER_CPU_S: Final = 5.0
"""Seconds of CPU time after which a call for one person's answer is aborted."""
_NICE: Final = 10
_GONE: Final = (OSError, EOFError, pickle.UnpicklingError)
_DONE, _FAILED, _ENDED = "done", "failed", "ended"

_SECRETS: Final = ("DISCORD_TOKEN", "DATABASE_URL")

T = TypeVar("T")


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for a child process that needs neither the token nor the database's password."""
    return {name: value for name, value in environment.items() if name.upper() not in _SECRETS}


class Priority(IntEnum):
    """Which waiting call runs first."""

    ROUND = 0
    """A whole night waits for it."""
    ANSWER = 1
    """One person waits for it, for `ANSWER_CPU_S` at most."""
    BATCH = 2
    """A part of long work, small enough for the others to wait for it."""


class WorkerProcessError(Exception):
    """A call failed in the worker process; the message is the error raised there."""


class CpuTimeExceededError(WorkerProcessError):
    """A call was aborted because it took too much CPU time."""


class WorkerProcess:
    """A child process that makes one call at a time. It is replaced once it has exited."""

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The id of the running process; None if no process runs."""
        return None if self._process is None else self._process.pid

    def call(self, function: str, *given: object, cpu_s: float = 0.0) -> Any:
        """Call a function in the process and return its result. This blocks: run it in a thread.

        Args:
            function: Its name, as `module:function`.
            given: The arguments.
            cpu_s: Seconds of CPU time that the call may take; 0 for no limit.

        Raises:
            WorkerProcessError: The function failed, or the process exited twice.
            CpuTimeExceededError: The call took more than `cpu_s`.
        """
        with self._lock:
            try:
                outcome, result = self._ask(function, given, cpu_s)
            except _GONE:  # it ended meanwhile
                self.close()
                try:
                    outcome, result = self._ask(function, given, cpu_s)
                except _GONE as error:
                    self.close()
                    raise WorkerProcessError("The process has ended.") from error
        if outcome == _DONE:
            return result
        raise CpuTimeExceededError(result) if outcome == _ENDED else WorkerProcessError(result)

    def close(self) -> None:
        """Kill the process and wait for its end."""
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(BrokenPipeError), self._process:  # which closes its pipes and waits for it
                pass
            self._process.wait()
            self._process = None

    def _ask(self, function: str, given: tuple[object, ...], cpu_s: float) -> tuple[str, Any]:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - this file, with a number
                [sys.executable, "-m", __name__, str(self._idle_s)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**without_secrets(os.environ), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump((function, given, cpu_s), self._process.stdin)
        self._process.stdin.flush()
        answer: tuple[str, Any] = pickle.load(self._process.stdout)  # noqa: S301 - written by the code below
        return answer


_PROCESS: Final = WorkerProcess()
atexit.register(_PROCESS.close)
_THREAD: Final = ThreadPoolExecutor(1, "beside")
"""Waits for the process, one call at a time, so that no other thread pool is blocked."""


@dataclass(order=True)
class _Call:
    """A waiting call; `prepare` builds it once it is its turn."""

    priority: Priority
    number: int
    prepare: Callable[[], partial[Any]] = field(compare=False)
    result: Future[Any] = field(compare=False, default_factory=Future)


_WAITING: Final[PriorityQueue[_Call]] = PriorityQueue()
_NUMBERS: Final = count()


async def run_in_worker_process(priority: Priority, function: Callable[..., T], *given: object) -> T:
    """Return what a module's function returns for these arguments, computed in the worker process.

    Raises:
        WorkerProcessError: The call failed.
    """
    return await run_prepared(priority, lambda: partial(function, *given))


async def join_batches(batches: Iterable["partial[bytes]"]) -> bytes:
    """Run these calls in the worker process and return their joined results; more urgent calls run in between.

    Raises:
        WorkerProcessError: A call failed.
    """
    return b"".join([await run_in_worker_process(Priority.BATCH, batch.func, *batch.args) for batch in batches])


async def run_prepared(priority: Priority, prepare: Callable[[], "partial[T]"]) -> T:
    """Build a call in a thread when its turn comes, run it in the worker process, and return its result.

    Raises:
        WorkerProcessError: The call failed.
    """
    call = _Call(priority, next(_NUMBERS), partial(copy_context().run, prepare))
    _WAITING.put(call)
    asyncio.get_running_loop().run_in_executor(_THREAD, _make_first)
    result: T = await asyncio.wrap_future(call.result)
    return result


def _make_first() -> None:
    """Make the waiting call of highest priority; as many calls wait as were put and not made."""
    call = _WAITING.get_nowait()
    if not call.result.set_running_or_notify_cancel():
        return  # nobody waits for it any more
    try:
        work, cpu_s = call.prepare(), ANSWER_CPU_S if call.priority is Priority.ANSWER else 0.0
        name = f"{work.func.__module__}:{work.func.__qualname__}"
        call.result.set_result(_PROCESS.call(name, *work.args, cpu_s=cpu_s))
    except BaseException as error:  # noqa: BLE001 - it is raised for the one who waits
        call.result.set_exception(error)


class _OverTime(BaseException):
    """The call has used up its CPU time."""


@contextlib.contextmanager
def _limited(cpu_s: float) -> Iterator[None]:
    """Raise _OverTime once the block has taken `cpu_s` seconds of CPU time; 0 for no limit."""
    is_running = True

    def end(*_: object) -> None:
        if is_running:
            raise _OverTime

    signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        yield
    finally:
        is_running = False
        signal.setitimer(signal.ITIMER_PROF, 0)


def serve(idle_s: float) -> None:
    """Run the calls that arrive on standard input, until it is closed or idle for `idle_s` seconds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the bot, which then closes the pipe
    os.nice(_NICE)
    calls, results = sys.stdin.buffer, sys.stdout.buffer
    while select.select([calls], [], [], idle_s)[0]:
        try:
            function, given, cpu_s = pickle.load(calls)  # noqa: S301 - the bot writes there and nobody else
        except EOFError:
            return
        module, _, name = function.partition(":")
        answer: tuple[str, Any]
        try:
            work = getattr(import_module(module), name)  # an import that the limit breaks off stays broken
            with _limited(cpu_s):
                answer = _DONE, work(*given)
        except _OverTime:
            answer = _ENDED, f"{name} took more than {cpu_s} s of CPU time."
        except Exception as error:  # noqa: BLE001 - the bot logs it and says a sentence
            answer = _FAILED, f"{type(error).__name__}: {error}"
        pickle.dump(answer, results)
        results.flush()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the bot has ended meanwhile
        serve(float(sys.argv[1]))
