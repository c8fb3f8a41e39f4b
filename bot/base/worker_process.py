"""A process of its own for long computations: in a thread they would take turns with every press at the interpreter.

It starts with the first one, gives way to the bot where a core is short, and ends when nothing has come for a while, or
when nobody is left who could ask. Run as a module this file is that process: pickled calls come in, pickled results go
out.
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
"""How long the process waits for a call before it gives its memory back."""
ANSWER_CPU_S: Final = 5.0
"""The CPU time after which a call for one person's answer is ended."""
_NICE: Final = 10
_GONE: Final = (OSError, EOFError, pickle.UnpicklingError)
_DONE, _FAILED, _ENDED = "done", "failed", "ended"

_SECRETS: Final = ("DISCORD_TOKEN", "DATABASE_URL")

T = TypeVar("T")


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """What a program gets of the bot's environment that needs neither its token nor the password of its database."""
    return {name: value for name, value in environment.items() if name.upper() not in _SECRETS}


class Priority(IntEnum):
    """Which waiting call comes first."""

    ROUND = 0
    """A whole night waits for it."""
    ANSWER = 1
    """One person waits for it, `ANSWER_CPU_S` at most."""
    PORTION = 2
    """A part of something long, so small that the others can wait for it."""


class BesideError(Exception):
    """A call failed there; the message is the error of that process."""


class TooLongError(BesideError):
    """A call was ended because it took too much CPU time."""


class Beside:
    """Makes one call after the other. A process that has ended is replaced."""

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def call(self, function: str, *given: object, cpu_s: float = 0.0) -> Any:
        """What a function, named as `module:function`, returns. It waits for the process: run it in a thread.

        Raises BesideError: the function failed, or the process ended twice; TooLongError: it took `cpu_s` seconds of
        CPU time, where that is not 0.
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
                    raise BesideError("The process has ended.") from error
        if outcome == _DONE:
            return result
        raise TooLongError(result) if outcome == _ENDED else BesideError(result)

    def close(self) -> None:
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


_PROCESS: Final = Beside()
atexit.register(_PROCESS.close)
_THREAD: Final = ThreadPoolExecutor(1, "beside")
"""It waits for the process: one call after the other, and no thread of other work is taken up."""


@dataclass(order=True)
class _Call:
    """A call that waits: `prepare` makes it when its turn has come."""

    priority: Priority
    number: int
    prepare: Callable[[], partial[Any]] = field(compare=False)
    result: Future[Any] = field(compare=False, default_factory=Future)


_WAITING: Final[PriorityQueue[_Call]] = PriorityQueue()
_NUMBERS: Final = count()


async def beside(priority: Priority, function: Callable[..., T], *given: object) -> T:
    """What a function of a module returns for these values, in the process of this bot that computes.

    Raises BesideError.
    """
    return await in_turn(priority, lambda: partial(function, *given))


async def joined(portions: Iterable["partial[bytes]"]) -> bytes:
    """The results of these calls, which give way to all others between one and the next. Raises BesideError."""
    return b"".join([await beside(Priority.PORTION, portion.func, *portion.args) for portion in portions])


async def in_turn(priority: Priority, prepare: Callable[[], "partial[T]"]) -> T:
    """What a call returns that is prepared, in a thread, when its turn has come. Raises BesideError."""
    call = _Call(priority, next(_NUMBERS), partial(copy_context().run, prepare))
    _WAITING.put(call)
    asyncio.get_running_loop().run_in_executor(_THREAD, _make_first)
    result: T = await asyncio.wrap_future(call.result)
    return result


def _make_first() -> None:
    """Makes the first of the calls that wait; there are as many as were put and not made."""
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
    """Raises _OverTime in what takes more CPU time; 0: it may take as much as it needs."""
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
    """Makes the calls that come in on the standard input, until it is closed or nothing comes for so long."""
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
            with _limited(cpu_s):
                answer = _DONE, getattr(import_module(module), name)(*given)
        except _OverTime:
            answer = _ENDED, f"{name} took more than {cpu_s} s of CPU time."
        except Exception as error:  # noqa: BLE001 - the bot logs it and says a sentence
            answer = _FAILED, f"{type(error).__name__}: {error}"
        pickle.dump(answer, results)
        results.flush()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the bot has ended meanwhile
        serve(float(sys.argv[1]))
