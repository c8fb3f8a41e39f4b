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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from threading import Lock
from typing import Any, Final, ParamSpec, TypeVar

IDLE_S: Final = 600.0
"""How long the process waits for a call before it gives its memory back."""
_NICE: Final = 10
_GONE: Final = (OSError, EOFError, pickle.UnpicklingError)

P = ParamSpec("P")
T = TypeVar("T")


class BesideError(Exception):
    """A call failed there; the message is the error of that process."""


class Beside:
    """Makes one call after the other. A process that has ended is replaced."""

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def call(self, function: str, *given: object) -> Any:
        """What a function, named as `module:function`, returns. It waits for the process: run it in a thread.

        Raises BesideError: the function failed, or the process ended twice.
        """
        with self._lock:
            try:
                is_done, result = self._ask(function, given)
            except _GONE:  # it ended meanwhile
                self.close()
                try:
                    is_done, result = self._ask(function, given)
                except _GONE as error:
                    self.close()
                    raise BesideError("The process has ended.") from error
        if is_done:
            return result
        raise BesideError(result)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(BrokenPipeError), self._process:  # which closes its pipes and waits for it
                pass
            self._process.wait()
            self._process = None

    def _ask(self, function: str, given: tuple[object, ...]) -> tuple[bool, Any]:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - this file, with a number
                [sys.executable, "-m", __name__, str(self._idle_s)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump((function, given), self._process.stdin)
        self._process.stdin.flush()
        answer: tuple[bool, Any] = pickle.load(self._process.stdout)  # noqa: S301 - written by the code below
        return answer


_PROCESS: Final = Beside()
atexit.register(_PROCESS.close)
_THREAD: Final = ThreadPoolExecutor(1, "beside")
"""It waits for the process: one call after the other, and no thread of other work is taken up."""


async def beside(function: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What a function of a module returns for these values, in the process of this bot that computes.

    Raises BesideError.
    """
    assert not named, "values are given by position"
    name = f"{function.__module__}:{function.__qualname__}"
    result: T = await asyncio.get_running_loop().run_in_executor(_THREAD, _PROCESS.call, name, *given)
    return result


def serve(idle_s: float) -> None:
    """Makes the calls that come in on the standard input, until it is closed or nothing comes for so long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the bot, which then closes the pipe
    os.nice(_NICE)
    calls, results = sys.stdin.buffer, sys.stdout.buffer
    while select.select([calls], [], [], idle_s)[0]:
        try:
            function, given = pickle.load(calls)  # noqa: S301 - the bot writes there and nobody else
        except EOFError:
            return
        module, _, name = function.partition(":")
        answer: tuple[bool, Any]
        try:
            answer = True, getattr(import_module(module), name)(*given)
        except Exception as error:  # noqa: BLE001 - the bot logs it and says a sentence
            answer = False, f"{type(error).__name__}: {error}"
        pickle.dump(answer, results)
        results.flush()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the bot has ended meanwhile
        serve(float(sys.argv[1]))
