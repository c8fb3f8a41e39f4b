"""Draws any picture as a file."""

from io import BytesIO
from typing import Final, assert_never

from PIL import Image

from bot.art.charts import draw_board, draw_match
from bot.art.running_table import draw_running_table
from bot.art.table_scene import TableScenes
from bot.records import pictures as p

MOST_BYTES: Final = 300_000
"""The size of an animation that a phone on the move loads at once."""

_QUALITIES: Final = (82, 60, 35, 15)


def draw_animation(picture: p.RoundAnimation) -> p.PictureFile:
    """Returns the scenes as an animated WebP of at most `MOST_BYTES`.

    Raises:
        ValueError: there is no scene, or they are too many for the size.
    """
    if not picture.scenes:
        raise ValueError("an animation needs a scene")
    table = TableScenes(picture)
    frames = [table.draw(scene) for scene in picture.scenes]
    times = [scene.milliseconds for scene in picture.scenes]
    for quality in _QUALITIES:
        data = _animated(frames, times, quality)
        if len(data) <= MOST_BYTES:
            return p.PictureFile(data, "webp")
    raise ValueError(f"{len(frames)} scenes do not fit into {MOST_BYTES} bytes")


def _animated(frames: list[Image.Image], times: list[int], quality: int) -> bytes:
    written = BytesIO()
    frames[0].save(
        written, "WEBP", save_all=True, append_images=frames[1:], duration=times, loop=0, quality=quality, method=0
    )
    return written.getvalue()


_RUNS: Final = 3  # zlib's strategy for runs of equal bytes: as small as the usual one for plain areas, in half the time


def draw(picture: p.Picture) -> p.PictureFile:
    """Returns the picture as a file.

    It takes the processor some hundredths of a second, for an animation a second, for a running table some thousandths.
    """
    match picture:
        case p.BoardPicture():
            return _png(draw_board(picture))
        case p.MatchPicture():
            return _png(draw_match(picture))
        case p.RoundAnimation():
            return draw_animation(picture)
        case p.RunningTable():
            return _small_png(draw_running_table(picture))
        case _:
            assert_never(picture)


_COLOURS: Final = 96
"""So many tell cards, emojis and teams apart: a table takes a third of the bytes that it takes with all colours, in
half the time.
"""


def _small_png(image: Image.Image) -> p.PictureFile:
    written = BytesIO()
    few = image.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(written, "PNG", compress_level=4)
    return p.PictureFile(written.getvalue(), "png")


def _png(image: Image.Image) -> p.PictureFile:
    written = BytesIO()
    image.save(written, "PNG", compress_type=_RUNS)
    return p.PictureFile(written.getvalue(), "png")
