"""Draws any picture as a file."""

from io import BytesIO
from typing import Final, assert_never

from PIL import Image

from bot.art.animation import draw_animation
from bot.art.boards import draw_board, draw_recap
from bot.art.charts import draw_curve, draw_match
from bot.records.pictures import (
    BoardPicture,
    CurvePicture,
    MatchPicture,
    Picture,
    PictureFile,
    RecapPicture,
    RoundAnimation,
)

_RUNS: Final = 3  # zlib's strategy for runs of equal bytes: as small as the usual one for plain areas, in half the time


def draw(picture: Picture) -> PictureFile:
    """Returns the picture as a file. It takes the processor some hundredths of a second, for an animation a second."""
    match picture:
        case BoardPicture():
            return _png(draw_board(picture))
        case RecapPicture():
            return _png(draw_recap(picture))
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
