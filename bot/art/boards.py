"""Leaderboards, podiums, figures of a player and the ends of game nights as pictures."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from bot.art.canvas import CREAM, FELT, FELT_DARK, FELT_LIGHT, GOLD, MEDAL_INK, MEDALS, SAGE
from bot.art.card_layout import MARGIN, ROOM, SUBTITLE, WIDTH, CardLayout, head
from bot.art.charts import CURVE, draw_curve
from bot.records.pictures import BoardPicture, BoardRow

MOST_ROWS: Final = 20
_ROW: Final = 50.0
_PLACE: Final = 44.0
_VALUE: Final = 100.0
_STEPS: Final = {1: 150.0, 2: 116.0, 3: 92.0}  # heights by place, so that level rows stand level
_STEP_WIDTH: Final = 140.0
_STEP_GAP: Final = 6.0
_PODIUM_HEIGHT: Final = 384.0
_ON_STEPS: Final = 3
_GAP: Final = 12.0


def draw_board(picture: BoardPicture) -> Image.Image:
    """Draws a row each: the place or sign in a disc, the note under the name, the value at the right.

    On a podium the first three have a step each, all in the middle of the picture; of three the first stands between.
    """
    return _with_podium(picture) if picture.has_podium else _plain(picture)


def _plain(picture: BoardPicture) -> Image.Image:
    rows = picture.rows[:MOST_ROWS]
    curve_top = head(picture.subtitle)
    top = curve_top + (CURVE if picture.curve is not None else 0)
    layout = CardLayout(top + _ROW * max(len(rows), 1) + MARGIN - 6)
    layout.heading(picture.title, picture.subtitle)
    if picture.curve is not None:
        draw_curve(layout, picture.curve, curve_top)
    _rows(layout, rows, top)
    return layout.image


def _with_podium(picture: BoardPicture) -> Image.Image:
    rest = picture.rows[_ON_STEPS:MOST_ROWS]
    layout = CardLayout(_PODIUM_HEIGHT + (_ROW * len(rest) + _GAP + MARGIN - 6 if rest else 0))
    _podium(layout, picture)
    if rest:
        layout.box((0, _PODIUM_HEIGHT, WIDTH, layout.height), FELT)
    _rows(layout, rest, _PODIUM_HEIGHT + _GAP)
    return layout.image


def _rows(layout: CardLayout, rows: Sequence[BoardRow], top: float) -> None:
    """Draws a row each, every other one on a lighter ground."""
    left, right = MARGIN + _PLACE, WIDTH - MARGIN - 4
    for index, row in enumerate(rows):
        middle = top + _ROW * (index + 0.5)
        if index % 2 == 0:
            layout.box((MARGIN - 10, middle - 24, WIDTH - MARGIN + 10, middle + 24), FELT_LIGHT, 9)
        if row.place:
            _place(layout, row.place, MARGIN + 14, middle, 17)
        else:
            layout.text(row.sign, (MARGIN + 14, middle), 20, GOLD, anchor="m")
        value = layout.text(row.value, (right, middle), 21, CREAM, anchor="r", bold=True, room=_VALUE, least=13)
        room = right - value - left - 14
        layout.text(row.name, (left, middle - 9 if row.note else middle), 18, CREAM, room=room, least=14)
        layout.text(row.note, (left, middle + 12), 14, SAGE, room=room, least=12)


def _podium(layout: CardLayout, picture: BoardPicture) -> None:
    middle = WIDTH / 2
    layout.text(f"🏆 {picture.title}", (middle, 36), 25, GOLD, anchor="m", bold=True, room=ROOM, least=19)
    layout.text(picture.subtitle, (middle, 68), SUBTITLE, SAGE, anchor="m", room=ROOM, least=13)
    rows = picture.rows[:_ON_STEPS]
    if len(rows) == _ON_STEPS:
        rows = (rows[1], rows[0], rows[2])
    left = middle - (len(rows) * _STEP_WIDTH + (len(rows) - 1) * _STEP_GAP) / 2
    for number, row in enumerate(rows):
        _step(layout, row, left + number * (_STEP_WIDTH + _STEP_GAP))


def _step(layout: CardLayout, row: BoardRow, left: float) -> None:
    """Draws a person on their step: the value on it, the note under the value."""
    height = _STEPS.get(row.place, _STEPS[3])
    top, middle, room = _PODIUM_HEIGHT - height, left + _STEP_WIDTH / 2, _STEP_WIDTH - 10
    is_first = row.place == 1
    fill = FELT_LIGHT if is_first else FELT_DARK
    layout.box((left, top, left + _STEP_WIDTH, _PODIUM_HEIGHT + 20), fill, 12)
    layout.box((left + 10, top, left + _STEP_WIDTH - 10, top + 3), MEDALS.get(row.place, SAGE))
    radius = 38.0 if is_first else 33.0
    seat = top - 32 - radius
    layout.portrait(row.name, row.avatar, (middle, seat), radius, MEDALS.get(row.place, SAGE))
    _place(layout, row.place, middle + radius * 0.75, seat + radius * 0.75, 14, rim=True)
    layout.text(row.name, (middle, top - 16), 17, CREAM, anchor="m", bold=True, room=_STEP_WIDTH + 2, least=13)
    layout.text(row.value, (middle, top + 36), 28, GOLD, anchor="m", bold=True, room=room, least=15)
    layout.text(row.note, (middle, top + 65), 14, SAGE, anchor="m", room=room, least=12)


def _place(layout: CardLayout, place: int, x: float, y: float, radius: float, *, rim: bool = False) -> None:
    medal = MEDALS.get(place)
    if rim:
        layout.disc(x, y, radius + 3, FELT_DARK)
    if medal is not None:
        layout.disc(x, y, radius, medal)
    ink = SAGE if medal is None else MEDAL_INK
    layout.text(str(place), (x, y), radius, ink, anchor="m", bold=True, room=2 * radius + 6, least=8)
