"""A process of its own that draws: Pillow keeps Python's interpreter to itself for tens of milliseconds at a time.

It starts with the first picture, and ends when it has had nothing to draw for a while, or when nobody is left who could
ask it. Run as a module this file is that process: pickled pictures come in, pickled files go out.
"""

import contextlib
import os
import pickle
import select
import signal
import subprocess
import sys
from threading import Lock
from typing import Final

from bot.records.pictures import Picture, PictureFile

IDLE_S: Final = 600.0
"""How long the process waits for a picture before it gives its memory back."""

_GONE: Final = (OSError, EOFError, pickle.UnpicklingError)


class DrawingError(Exception):
    """A picture could not be drawn; the message is the error of the process that draws."""


class DrawingProcess:
    """Draws one picture after the other. A process that has ended is replaced."""

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def draw(self, picture: Picture) -> PictureFile:
        """Returns the picture as a file. It waits for the process: run it in a thread.

        Raises:
            DrawingError: the picture could not be drawn.
        """
        with self._lock:
            try:
                drawn = self._ask(picture)
            except _GONE:  # it ended meanwhile
                self.close()
                try:
                    drawn = self._ask(picture)
                except _GONE as error:
                    self.close()
                    raise DrawingError("The process that draws has ended.") from error
        if isinstance(drawn, PictureFile):
            return drawn
        raise DrawingError(str(drawn))

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(BrokenPipeError), self._process:  # which closes its pipes and waits for it
                pass
            self._process.wait()
            self._process = None

    def _ask(self, picture: Picture) -> object:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - this file, with a number
                [sys.executable, "-m", __name__, str(self._idle_s)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump(picture, self._process.stdin)
        self._process.stdin.flush()
        drawn: object = pickle.load(self._process.stdout)  # noqa: S301 - written by the code below
        return drawn


def serve(idle_s: float) -> None:
    """Draws what comes in on the standard input, until it is closed or nothing comes for so long."""
    from bot.art.draw import draw  # noqa: PLC0415 - the bot itself needs no fonts

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the bot, which then closes the pipe
    pictures, files = sys.stdin.buffer, sys.stdout.buffer
    while select.select([pictures], [], [], idle_s)[0]:
        try:
            picture: Picture = pickle.load(pictures)  # noqa: S301 - the bot writes there and nobody else
        except EOFError:
            return
        try:
            drawn: PictureFile | str = draw(picture)
        except Exception as error:  # noqa: BLE001 - the bot logs it and shows words alone
            drawn = f"{type(error).__name__}: {error}"
        pickle.dump(drawn, files)
        files.flush()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the bot has ended meanwhile
        serve(float(sys.argv[1]))
