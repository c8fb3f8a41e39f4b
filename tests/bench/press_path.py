"""`python -m tests.bench.press_path`: the files and calls of the project that one put-down runs through.

Four members of a simulated Discord (`tests.integration`) play the whole bot, on a SQLite file of its own. All have
opened their hands, and each has exchanged a card once, so that nothing is done for the first time. Then one of them
puts a card down from their own panel. A file is a Python file of `bot`, without the sandbox. A call is a Python
function's, a generator's or a comprehension's; to resume a generator or a coroutine is no call. Three spans begin at
the client's `on_interaction`; the first two are what the press's task runs, and the tasks and callbacks it has started:

(a) from the client to the durable append: until the store's `append` is called, that call included;
(b) until the append is committed: until those who wait for it are told;
(c) with all redraws: whatever runs in the process, in any thread, until five seconds have passed: the answer, the
    public board, the panels of the three others, and the messages by which Discord confirms them.
"""

import asyncio
import logging
import sys
import threading
from contextvars import ContextVar
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Final

import pytest
import structlog

import bot
from tests.integration.sqlite_in_loop import answer_in_loop
from tests.integration.table import Table, kems

ROOM: Final = Path(bot.__file__).parent
_SANDBOX: Final = "sandbox"  # it is Discord here, not the bot
_STORE: Final = "bot/store/"
_BEGINS: Final = "on_interaction"  # discord.py's name
_APPENDS: Final = "append"
_COMMITTED: Final = "_resolve"  # tells those who wait for an append
_RESUMED: Final = 3  # of the argument of a RESUME instruction, the bits that say that the call is under way already
_IDLE_S: Final = 5.0
_IS_PRESS: ContextVar[bool] = ContextVar("is_press", default=False)


class Span:
    """The files in the order in which they were entered, and how often a function was."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.files: dict[str, int] = {}

    def enter(self, file: str) -> None:
        self.files[file] = self.files.get(file, 0) + 1

    @property
    def summary(self) -> str:
        return f"{self.title}: {len(self.files)} files, {sum(self.files.values()):,} calls"

    def __str__(self) -> str:
        files = (f"  {number:3} {file} ({calls})" for number, (file, calls) in enumerate(self.files.items(), 1))
        return "\n".join((self.summary, *files))


class Tracer:
    """Follows one press through every thread of the process."""

    def __init__(self) -> None:
        self.to_append = Span("(a) from the client to the durable append")
        self.to_commit = Span("(b) until the append is committed")
        self.all = Span("(c) with all redraws")
        self._known: dict[CodeType, str | None] = {}
        self._is_armed = self._has_begun = self._is_appending = self._is_durable = False

    @property
    def is_complete(self) -> bool:
        return self._is_appending and self._is_durable

    def install(self) -> None:
        threading.setprofile(self._called)
        sys.setprofile(self._called)

    def remove(self) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def arm(self) -> None:
        self._is_armed = True

    def disarm(self) -> None:
        self._is_armed = False

    def _called(self, frame: FrameType, what: str, _argument: object) -> None:
        if what != "call" or not self._is_armed:
            return
        code = frame.f_code
        if code not in self._known:
            self._known[code] = _file_of(code)
        file = self._known[code]
        if file is None or code.co_code[frame.f_lasti + 1] & _RESUMED:
            return
        if not self._has_begun and code.co_name == _BEGINS:
            self._has_begun = True
            _IS_PRESS.set(True)  # in the task's own context, which all that it starts takes over
        if self._has_begun:
            self.all.enter(file)
        if _IS_PRESS.get() and not self._is_durable:
            self._is_durable = code.co_name == _COMMITTED and file.startswith(_STORE)
            self.to_commit.enter(file)
            if not self._is_appending:
                self.to_append.enter(file)
                self._is_appending = code.co_name == _APPENDS and file.startswith(_STORE)


def _file_of(code: CodeType) -> str | None:
    file = Path(code.co_filename)
    if not file.is_relative_to(ROOM) or file.is_relative_to(ROOM / _SANDBOX):
        return None
    return f"bot/{file.relative_to(ROOM).as_posix()}"


async def trace() -> Tracer:
    tracer = Tracer()
    tracer.install()
    try:
        with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            answer_in_loop(patch)  # the harness settles by what the loop has to run
            async with kems(Path(folder)) as harness:
                table = Table(harness)
                await table.open(rules="classic", players=4)
                await table.agree()
                await table.open_hunt()
                for name in table.people:
                    await table.exchange_anything(name)
                await harness.advance(_IDLE_S)
                tracer.arm()
                await table.press(table.people[0], f"put:{table.hand(table.people[0])[0]}")
                await harness.advance(_IDLE_S)
                tracer.disarm()
    finally:
        tracer.remove()
    return tracer


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    traced = asyncio.run(trace())
    assert traced.is_complete, "the press or its append was not seen"
    spans = (traced.to_append, traced.to_commit, traced.all)
    for span in spans:
        print(span.summary)
    for span in spans:
        print(f"\n{span}")
