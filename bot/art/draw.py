"""Draws any picture as a file."""

from io import BytesIO
from typing import Final, assert_never

from PIL import Image, features

from bot.art.boards import draw_board, draw_recap
from bot.art.charts import draw_match
from bot.art.table_scene import TableScenes
from bot.records import pictures as p

MOST_SCENES: Final = 60
MOST_BYTES: Final = 8 * 1024 * 1024 - 64 * 1024
"""The size of a file that every server takes, with room for the rest of the message."""

_QUALITIES: Final = (82, 60, 35)


def draw_animation(picture: p.RoundAnimation) -> p.PictureFile:
    """Returns the scenes as an animated WebP, or as a GIF where Pillow cannot write WebP.

    Of more than `MOST_SCENES` it keeps the first and the last ones. The file has at most `MOST_BYTES`.

    Raises:
        ValueError: there is no scene.
    """
    scenes = picture.scenes
    if not scenes:
        raise ValueError("an animation needs a scene")
    if len(scenes) > MOST_SCENES:
        scenes = (scenes[0], *scenes[1 - MOST_SCENES :])
    table = TableScenes(picture)
    frames = [table.draw(scene) for scene in scenes]
    times = [scene.milliseconds for scene in scenes]
    if features.check("webp"):
        for quality in _QUALITIES:
            data = _animated(frames, times, "WEBP", quality=quality, method=0)
            if len(data) <= MOST_BYTES:
                return p.PictureFile(data, "webp")
    return _gif(frames, times)


def _gif(frames: list[Image.Image], times: list[int]) -> p.PictureFile:
    """Returns a GIF, halved in size until it has at most `MOST_BYTES`."""
    data = _animated(frames, times, "GIF")
    while len(data) > MOST_BYTES:
        frames = [frame.reduce(2) for frame in frames]
        data = _animated(frames, times, "GIF")
    return p.PictureFile(data, "gif")


def _animated(frames: list[Image.Image], times: list[int], kind: str, **options: int) -> bytes:
    written = BytesIO()
    frames[0].save(written, kind, save_all=True, append_images=frames[1:], duration=times, loop=0, **options)
    return written.getvalue()


_RUNS: Final = 3  # zlib's strategy for runs of equal bytes: as small as the usual one for plain areas, in half the time


def draw(picture: p.Picture) -> p.PictureFile:
    """Returns the picture as a file. It takes the processor some hundredths of a second, for an animation a second."""
    match picture:
        case p.BoardPicture():
            return _png(draw_board(picture))
        case p.RecapPicture():
            return _png(draw_recap(picture))
        case p.MatchPicture():
            return _png(draw_match(picture))
        case p.RoundAnimation():
            return draw_animation(picture)
        case _:
            assert_never(picture)


def _png(image: Image.Image) -> p.PictureFile:
    written = BytesIO()
    image.save(written, "PNG", compress_type=_RUNS)
    return p.PictureFile(written.getvalue(), "png")
