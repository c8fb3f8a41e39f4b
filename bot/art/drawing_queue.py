"""Draws pictures in a process of its own, one at a time, and caches the latest ones.

Pillow holds Python's interpreter for tens of milliseconds at a time. The bot itself loads no fonts.
"""

import asyncio
import atexit
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from bot.base.worker_process import ANSWER_CPU_S, WorkerProcess, WorkerProcessError
from bot.records.pictures import Picture, PictureFile, RunningTable

_DRAW: Final = "bot.art.draw:draw"


class DrawingError(Exception):
    """A picture could not be drawn; the message is the error of the process that draws."""


class DrawingProcess(WorkerProcess):
    """Draws one picture after the other."""

    def draw(self, picture: Picture) -> PictureFile:
        """Return the picture as a file. This blocks: run it in a thread.

        Raises:
            DrawingError: The picture could not be drawn.
        """
        try:
            drawn: PictureFile = self.call(_DRAW, picture, cpu_s=ANSWER_CPU_S)
        except WorkerProcessError as error:
            raise DrawingError(str(error)) from error
        return drawn


KEPT_BYTES: Final = 32 * 1024 * 1024

_PROCESS: Final = DrawingProcess()
atexit.register(_PROCESS.close)


class DrawingQueue:
    """Draws for `Pictures` of `bot.records.pictures`; caches files of `kept_bytes` bytes at most, but always one."""

    def __init__(self, kept_bytes: int = KEPT_BYTES, draw: Callable[[Picture], PictureFile] = _PROCESS.draw) -> None:
        """`draw` is called in a thread; by default one process draws for all queues."""
        self._kept_bytes = kept_bytes
        self._draw = draw
        self._kept: OrderedDict[Picture, PictureFile] = OrderedDict()
        self._lock = asyncio.Lock()

    async def draw(self, picture: Picture) -> PictureFile:
        """Return the picture as a file."""
        async with self._lock:  # a second request for the same picture then finds it
            if picture not in self._kept:
                drawing = asyncio.create_task(asyncio.to_thread(self._draw, picture))
                try:
                    await asyncio.shield(drawing)
                finally:
                    await asyncio.wait({drawing})  # a thread cannot be stopped, and only one may draw
                    self._kept[picture] = drawing.result()
            if isinstance(picture, RunningTable):  # it never comes again
                return self._kept.pop(picture)
            found = self._kept[picture]
            self._kept.move_to_end(picture)
            while len(self._kept) > 1 and sum(len(file.data) for file in self._kept.values()) > self._kept_bytes:
                self._kept.popitem(last=False)
            return found
