"""Draws pictures beside the event loop, one at a time, and keeps the latest ones."""

import asyncio
from collections import OrderedDict
from io import BytesIO
from typing import Final, assert_never

from PIL import Image

from bot.art.animation import draw_animation
from bot.art.boards import draw_board, draw_podium
from bot.art.charts import draw_curve, draw_match
from bot.records.pictures import (
    BoardPicture,
    CurvePicture,
    MatchPicture,
    Picture,
    PictureFile,
    PodiumPicture,
    RoundAnimation,
)

KEPT_BYTES: Final = 32 * 1024 * 1024

_RUNS: Final = 3  # zlib's strategy for runs of equal bytes: as small as the usual one for plain areas, in half the time


def draw(picture: Picture) -> PictureFile:
    """Returns the picture as a file. It takes the processor a tenth of a second to a few seconds."""
    match picture:
        case BoardPicture():
            return _png(draw_board(picture))
        case PodiumPicture():
            return _png(draw_podium(picture))
        case CurvePicture():
            return _png(draw_curve(picture))
        case MatchPicture():
            return _png(draw_match(picture))
        case RoundAnimation():
            return draw_animation(picture)
        case _:
            assert_never(picture)


def _png(image: Image.Image) -> PictureFile:
    written = BytesIO()
    image.save(written, "PNG", compress_type=_RUNS)
    return PictureFile(written.getvalue(), "png")


class DrawingQueue:
    """Draws for `Pictures` of `bot.records.pictures`; keeps files of `kept_bytes` bytes at most, but always one."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._kept: OrderedDict[Picture, PictureFile] = OrderedDict()
        self._lock = asyncio.Lock()

    async def draw(self, picture: Picture) -> PictureFile:
        """Returns the picture as a file; see `Pictures.draw`."""
        async with self._lock:  # a second request for the same picture then finds it
            if picture not in self._kept:
                drawing = asyncio.create_task(asyncio.to_thread(draw, picture))
                try:
                    await asyncio.shield(drawing)
                finally:
                    await asyncio.wait({drawing})  # a thread cannot be stopped, and only one may draw
                    self._kept[picture] = drawing.result()
            found = self._kept[picture]
            self._kept.move_to_end(picture)
            while len(self._kept) > 1 and sum(len(file.data) for file in self._kept.values()) > self._kept_bytes:
                self._kept.popitem(last=False)
            return found
