"""Leaderboards and podiums as pictures."""

from typing import Final

from PIL import Image

from bot.art.card_layout import WIDTH, CardLayout, line_height, wrapped
from bot.art.colours import CREAM, FELT_DARK, FELT_LIGHT, GOLD, MEDAL_INK, MEDALS, SAGE
from bot.records.pictures import BoardPicture, BoardRow, PodiumPicture

MOST_ROWS: Final = 20
HEAD: Final = 88.0
MARGIN: Final = 22.0
_ROOM: Final = WIDTH - 2 * MARGIN
_SUBTITLE: Final = 15.0
_ROW: Final = 50.0
_PLACE: Final = 44.0
_VALUE: Final = 100.0
_STEPS: Final = {1: 150.0, 2: 116.0, 3: 92.0}  # heights by place, so that level rows stand level
_STEP_WIDTH: Final = 140.0
_STEP_GAP: Final = 6.0
_PODIUM_HEIGHT: Final = 384.0


def heading(layout: CardLayout, title: str, subtitle: str) -> None:
    """Writes the title and the subtitle, which goes on in a second line, at the top; `head` is the height of both."""
    layout.text(title, (MARGIN, 32), 25, GOLD, bold=True, room=_ROOM, least=19)
    layout.paragraph(wrapped(subtitle, _SUBTITLE, _ROOM, 2), (MARGIN, 62), _SUBTITLE, SAGE)


def head(subtitle: str) -> float:
    """Returns where what stands under a heading begins."""
    return HEAD + (line_height(_SUBTITLE) if len(wrapped(subtitle, _SUBTITLE, _ROOM, 2)) > 1 else 0)


def draw_board(picture: BoardPicture) -> Image.Image:
    """Draws a row each: the place in a disc, the note under the name, the value at the right."""
    rows = picture.rows[:MOST_ROWS]
    top = head(picture.subtitle)
    layout = CardLayout(top + _ROW * max(len(rows), 1) + MARGIN - 6)
    heading(layout, picture.title, picture.subtitle)
    left, right = MARGIN + _PLACE, WIDTH - MARGIN - 4
    for index, row in enumerate(rows):
        middle = top + _ROW * (index + 0.5)
        if index % 2 == 0:
            layout.box((MARGIN - 10, middle - 24, WIDTH - MARGIN + 10, middle + 24), FELT_LIGHT, 9)
        _place(layout, row.place, MARGIN + 14, middle, 17)
        layout.text(row.value, (right, middle), 21, CREAM, anchor="r", bold=True, room=_VALUE, least=13)
        room = right - _VALUE - left - 8
        layout.text(row.name, (left, middle - 9 if row.note else middle), 18, CREAM, room=room, least=15)
        layout.text(row.note, (left, middle + 12), 14, SAGE, room=room)
    return layout.image


def draw_podium(picture: PodiumPicture) -> Image.Image:
    """Draws a step for each of the first three, all in the middle of the picture; of three the first stands between."""
    layout, middle = CardLayout(_PODIUM_HEIGHT), WIDTH / 2
    layout.text(f"🏆 {picture.title}", (middle, 36), 25, GOLD, anchor="m", bold=True, room=_ROOM, least=19)
    layout.text(picture.subtitle, (middle, 68), _SUBTITLE, SAGE, anchor="m", room=_ROOM, least=13)
    rows = picture.rows[:3]
    if len(rows) == 3:
        rows = (rows[1], rows[0], rows[2])
    left = middle - (len(rows) * _STEP_WIDTH + (len(rows) - 1) * _STEP_GAP) / 2
    for number, row in enumerate(rows):
        _step(layout, row, left + number * (_STEP_WIDTH + _STEP_GAP))
    return layout.image


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
