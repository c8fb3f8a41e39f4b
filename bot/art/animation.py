"""Draws a round as an animation: hands, pool and events, in still scenes one after the other.

Scenes, pixels and bytes are bounded. Drawing takes seconds, so call it off the event loop.
"""

from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, features

from bot.art.card_layout import CardLayout
from bot.art.cards import draw_card
from bot.art.colours import CREAM, EDGE, FELT, FELT_DARK, FELT_LIGHT, GOLD, SAGE, TEAMS
from bot.game.cards import Card
from bot.records.card_theme import Theme
from bot.records.pictures import AnimatedSeat, PictureFile, RoundAnimation, Scene

MOST_SCENES: Final = 60
MOST_BYTES: Final = 8 * 1024 * 1024 - 64 * 1024
"""The size of a file that every server takes, with room for the rest of the message."""

_WIDTH: Final = 560.0
_MARGIN: Final = 24.0
_TOP: Final = 96.0
_SEAT: Final = 84.0
_CARD: Final = 44.0
_GAP: Final = 6.0
_POOL_CARD: Final = 52.0
_POOL_IN_ROW: Final = 8
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
    rows = max(-(-len(scene.pool) // _POOL_IN_ROW) for scene in scenes)
    frames = [_solid(draw_scene(picture, scene, max(rows, 1))) for scene in scenes]
    times = [scene.milliseconds for scene in scenes]
    if features.check("webp"):
        for quality in _QUALITIES:
            data = _animated(frames, times, "WEBP", quality=quality, method=1)
            if len(data) <= MOST_BYTES:
                return PictureFile(data, "webp")
    return _gif(frames, times)


def draw_scene(picture: RoundAnimation, scene: Scene, pool_rows: int) -> Image.Image:
    """Returns one scene: captions above, then the pool, then two seats a row, each with its cards."""
    pool_height = pool_rows * (_POOL_CARD + _GAP) + 18
    seats_top = _TOP + pool_height + 10
    layout = CardLayout(seats_top + -(-len(picture.seats) // 2) * _SEAT + 14, _WIDTH)
    room = _WIDTH - 2 * _MARGIN
    layout.text(picture.title, (_MARGIN, 22), 13, SAGE, room=room)
    layout.text(scene.caption, (_MARGIN, 50), 20, GOLD, bold=True, room=room)
    layout.text(scene.detail, (_MARGIN, 76), 14, CREAM, room=room)
    layout.box((_MARGIN - 8, _TOP, _WIDTH - _MARGIN + 8, _TOP + pool_height), FELT_DARK, 12)
    for number, seat in enumerate(picture.seats):
        _seat(layout, seat, *_corner(number, seats_top), is_acting=scene.actor == number)
    image = layout.picture()
    in_row = min(max(len(scene.pool), 4), _POOL_IN_ROW)
    left = (_WIDTH - in_row * (_POOL_CARD + _GAP) + _GAP) / 2
    for slot, card in enumerate(scene.pool):
        x = left + slot % _POOL_IN_ROW * (_POOL_CARD + _GAP)
        y = _TOP + 10 + slot // _POOL_IN_ROW * (_POOL_CARD + _GAP)
        _put(image, picture, card, x, y, _POOL_CARD, is_marked=card is not None and card == scene.card)
    for number, hand in enumerate(scene.hands):
        x, y = _corner(number, seats_top)
        for slot, card in enumerate(hand):
            at = x + 10 + slot * (_CARD + _GAP)
            _put(image, picture, card, at, y + 30, _CARD, is_marked=card is not None and card == scene.card)
    return image


def _solid(image: Image.Image) -> Image.Image:
    """Returns the image without transparent corners, which cost bytes in an animation."""
    ground = Image.new("RGB", image.size, FELT)
    ground.paste(image, mask=image)
    return ground


def _corner(number: int, top: float) -> tuple[float, float]:
    return (_MARGIN - 8 if number % 2 == 0 else _WIDTH / 2 + 4, top + number // 2 * _SEAT)


def _seat(layout: CardLayout, seat: AnimatedSeat, x: float, y: float, *, is_acting: bool) -> None:
    right = x + _WIDTH / 2 - _MARGIN + 4
    layout.box((x, y + 2, right, y + _SEAT - 4), FELT_LIGHT, 10, GOLD if is_acting else None, 3 if is_acting else 0)
    layout.disc(x + 18, y + 17, 9, TEAMS[seat.team % len(TEAMS)])
    layout.text(str(seat.team + 1), (x + 18, y + 17), 11, FELT_DARK, anchor="m", bold=True)
    layout.text(seat.name, (x + 34, y + 17), 15, CREAM, bold=is_acting, room=right - x - 44)


def _put(
    image: Image.Image, picture: RoundAnimation, card: Card | None, x: float, y: float, side: float, *, is_marked: bool
) -> None:
    """Pastes a card's face, or the outline of an empty slot; the card that moved has a rim."""
    scale = image.width / _WIDTH
    face = _face(picture.theme, card, _rank(picture, card), round(side * scale), is_marked)
    image.alpha_composite(face, (round(x * scale), round(y * scale)))


def _rank(picture: RoundAnimation, card: Card | None) -> str:
    return "" if card is None or card.is_joker else picture.ranks[card.group]


@cache
def _drawn(theme: Theme, card: Card, rank: str) -> Image.Image:
    return draw_card(theme, card, rank)


@cache
def _face(theme: Theme, card: Card | None, rank: str, side: int, is_marked: bool) -> Image.Image:
    if card is None:
        slot = Image.new("RGBA", (side, side), (0, 0, 0, 0))
        edges = (side * 0.06, side * 0.06, side * 0.94, side * 0.94)
        ImageDraw.Draw(slot).rounded_rectangle(edges, side * 0.19, fill=FELT_DARK, outline=EDGE, width=3)
        return slot
    face = _drawn(theme, card, rank).resize((side, side), Image.Resampling.LANCZOS)
    if is_marked:
        rim = Image.new("RGBA", (side, side), (0, 0, 0, 0))
        ImageDraw.Draw(rim).rounded_rectangle((0, 0, side - 1, side - 1), side * 0.2, fill=GOLD)
        inner = round(side * 0.88)
        rim.alpha_composite(face.resize((inner, inner), Image.Resampling.LANCZOS), ((side - inner) // 2,) * 2)
        return rim
    return face


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
