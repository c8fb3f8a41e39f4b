"""Leaderboards and podiums as pictures."""

from typing import Final

from PIL import Image

from bot.art.card_layout import WIDTH, CardLayout
from bot.art.colours import CREAM, FELT_DARK, FELT_LIGHT, GOLD, MEDAL_INK, MEDALS, SAGE
from bot.records.pictures import BoardPicture, PodiumPicture

MOST_ROWS: Final = 20
HEAD: Final = 88.0
MARGIN: Final = 22.0
_ROW: Final = 50.0
_PLACE: Final = 44.0
_VALUE: Final = 100.0
_LEFT: Final = (172.0, 24.0, 320.0)  # of the steps: the first stands in the middle
_HEIGHTS: Final = {1: 142.0, 2: 104.0, 3: 76.0}  # by place, so that level rows stand level
_STEP_WIDTH: Final = 136.0
_PODIUM_HEIGHT: Final = 374.0


def heading(layout: CardLayout, title: str, subtitle: str) -> None:
    """Writes the title and subtitle at the top."""
    room = layout.width - 2 * MARGIN
    layout.text(title, (MARGIN, 32), 25, GOLD, bold=True, room=room)
    layout.text(subtitle, (MARGIN, 62), 15, SAGE, room=room)


def draw_board(picture: BoardPicture) -> Image.Image:
    """Draws a row each: the place in a disc, the note under the name, the value at the right."""
    rows = picture.rows[:MOST_ROWS]
    layout = CardLayout(HEAD + _ROW * max(len(rows), 1) + MARGIN - 6)
    heading(layout, picture.title, picture.subtitle)
    left, right = MARGIN + _PLACE, WIDTH - MARGIN - 4
    for index, row in enumerate(rows):
        middle = HEAD + _ROW * (index + 0.5)
        if index % 2 == 0:
            layout.box((MARGIN - 10, middle - 24, WIDTH - MARGIN + 10, middle + 24), FELT_LIGHT, 9)
        _place(layout, row.place, MARGIN + 14, middle, 17)
        layout.text(row.value, (right, middle), 21, CREAM, anchor="r", bold=True, room=_VALUE, least=13)
        room = right - _VALUE - left - 8
        layout.text(row.name, (left, middle - 9 if row.note else middle), 18, CREAM, room=room, least=15)
        layout.text(row.note, (left, middle + 12), 14, SAGE, room=room)
    return layout.picture()


def draw_podium(picture: PodiumPicture) -> Image.Image:
    """Draws three steps, the first in the middle."""
    layout = CardLayout(_PODIUM_HEIGHT)
    heading(layout, picture.title, picture.subtitle)
    floor = _PODIUM_HEIGHT - MARGIN
    for rank, row in enumerate(picture.rows[:3]):
        left, height = _LEFT[rank], _HEIGHTS.get(row.place, 76.0)
        top, middle = floor - height, left + _STEP_WIDTH / 2
        layout.box((left, top, left + _STEP_WIDTH, floor), FELT_LIGHT if rank == 0 else FELT_DARK, 10)
        _place(layout, row.place, middle, top - 80, 25)
        layout.text(row.name, (middle, top - 36), 17, CREAM, anchor="m", bold=True, room=_STEP_WIDTH + 10, least=13)
        layout.text(row.note, (middle, top - 14), 14, SAGE, anchor="m", room=_STEP_WIDTH + 10)
        layout.text(row.value, (middle, top + 34), 26, GOLD, anchor="m", bold=True, room=_STEP_WIDTH - 12, least=13)
    return layout.picture()


def _place(layout: CardLayout, place: int, x: float, y: float, radius: float) -> None:
    medal = MEDALS.get(place)
    if medal is not None:
        layout.disc(x, y, radius, medal)
    ink = SAGE if medal is None else MEDAL_INK
    layout.text(str(place), (x, y), radius, ink, anchor="m", bold=True, room=2 * radius + 6, least=8)
