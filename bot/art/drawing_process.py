"""A process of its own that draws: Pillow keeps Python's interpreter to itself for tens of milliseconds at a time.

It starts with the first picture and ends with the bot, also where that is killed: its pipe is then closed.
"""

import contextlib
import os
import signal
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import Final

from bot.records.pictures import Picture, PictureFile

NICENESS: Final = 5
"""The bot's answers go before its pictures where processors are few."""


class DrawingError(Exception):
    """A picture could not be drawn; the message is the error of the process that draws."""


class DrawingProcess:
    """Draws one picture after the other. A process that has died is replaced for the next picture."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pipe: Connection | None = None

    def draw(self, picture: Picture) -> PictureFile:
        """Returns the picture as a file. It waits for the process: run it in a thread.

        Raises:
            DrawingError: the picture could not be drawn.
        """
        with self._lock:
            if self._pipe is None:
                self._pipe = _start()
            try:
                self._pipe.send(picture)
                drawn = self._pipe.recv()
            except (EOFError, OSError) as error:
                self.close()
                raise DrawingError("The process that draws has ended.") from error
        if isinstance(drawn, PictureFile):
            return drawn
        raise DrawingError(drawn)

    def close(self) -> None:
        """Lets the process end."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


def _start() -> Connection:
    context = get_context("spawn")  # a copy of the bot would hold its connections open
    ours, theirs = context.Pipe()
    context.Process(target=_work, args=(theirs,), name="kems-drawing", daemon=True).start()
    theirs.close()
    return ours


def _work(pipe: Connection) -> None:
    """Draws what comes through the pipe until it is closed."""
    from bot.art.draw import draw  # noqa: PLC0415 - the bot itself needs no fonts

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the bot, which then closes the pipe
    with contextlib.suppress(AttributeError, OSError):  # Windows knows no niceness
        os.nice(NICENESS)
    with contextlib.suppress(EOFError, OSError):
        while True:
            picture = pipe.recv()
            try:
                drawn: PictureFile | str = draw(picture)
            except Exception as error:  # noqa: BLE001 - the bot logs it and shows words alone
                drawn = f"{type(error).__name__}: {error}"
            pipe.send(drawn)
