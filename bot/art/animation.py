"""Draws a round as an animation: a table seen from above, in still scenes one after the other.

Scenes, pixels and bytes are bounded. Drawing takes a second, so call it off the event loop.
"""

from io import BytesIO
from typing import Final

from PIL import Image, features

from bot.art.table_scene import TableScenes
from bot.records.pictures import PictureFile, RoundAnimation

MOST_SCENES: Final = 60
MOST_BYTES: Final = 8 * 1024 * 1024 - 64 * 1024
"""The size of a file that every server takes, with room for the rest of the message."""

_QUALITIES: Final = (82, 60, 35)


def draw_animation(picture: RoundAnimation) -> PictureFile:
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
                return PictureFile(data, "webp")
    return _gif(frames, times)


def _gif(frames: list[Image.Image], times: list[int]) -> PictureFile:
    """Returns a GIF, halved in size until it has at most `MOST_BYTES`."""
    data = _animated(frames, times, "GIF")
    while len(data) > MOST_BYTES:
        frames = [frame.reduce(2) for frame in frames]
        data = _animated(frames, times, "GIF")
    return PictureFile(data, "gif")


def _animated(frames: list[Image.Image], times: list[int], kind: str, **options: int) -> bytes:
    written = BytesIO()
    frames[0].save(written, kind, save_all=True, append_images=frames[1:], duration=times, loop=0, **options)
    return written.getvalue()
