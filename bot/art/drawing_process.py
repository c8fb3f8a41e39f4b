"""A process of its own that draws: Pillow keeps Python's interpreter to itself for tens of milliseconds at a time.

The bot itself loads no fonts.
"""

from typing import Final

from bot.base.worker_process import ANSWER_CPU_S, Beside, BesideError
from bot.records.pictures import Picture, PictureFile

_DRAW: Final = "bot.art.draw:draw"


class DrawingError(Exception):
    """A picture could not be drawn; the message is the error of the process that draws."""


class DrawingProcess(Beside):
    """Draws one picture after the other."""

    def draw(self, picture: Picture) -> PictureFile:
        """Returns the picture as a file. It waits for the process: run it in a thread.

        Raises:
            DrawingError: the picture could not be drawn.
        """
        try:
            drawn: PictureFile = self.call(_DRAW, picture, cpu_s=ANSWER_CPU_S)
        except BesideError as error:
            raise DrawingError(str(error)) from error
        return drawn
