"""Leaderboards and podiums as pictures."""

from typing import Final

from PIL import Image

from bot.art.sheet import CREAM, FELT_DARK, FELT_LIGHT, GOLD, SAGE, WIDTH, Sheet
from bot.live.pictures import BoardPicture, PodiumPicture

MOST_ROWS: Final = 20
HEAD: Final = 84.0
MARGIN: Final = 24.0
_ROW: Final = 40.0
_MEDALS: Final = {1: "#e8b84a", 2: "#c9d1d9", 3: "#d08a4e"}
_MEDAL_INK: Final = "#241a05"
_VALUE: Final = 110.0
_NOTE: Final = 120.0
_LEFT: Final = (220.0, 40.0, 400.0)  # of the steps: the first stands in the middle
_HEIGHTS: Final = {1: 150.0, 2: 110.0, 3: 80.0}  # by place, so that level rows stand level
_STEP_WIDTH: Final = 160.0
_PODIUM_HEIGHT: Final = 400.0


def heading(sheet: Sheet, title: str, subtitle: str) -> None:
    """What the picture is about, at its top."""
    room = sheet.width - 2 * MARGIN
    sheet.text(title, (MARGIN, 32), 24, GOLD, bold=True, room=room)
    sheet.text(subtitle, (MARGIN, 60), 14, SAGE, room=room)


def draw_board(picture: BoardPicture) -> Image.Image:
    """A row for each, its place in a disc, the value at the right."""
    rows = picture.rows[:MOST_ROWS]
    sheet = Sheet(HEAD + _ROW * max(len(rows), 1) + MARGIN - 4)
    heading(sheet, picture.title, picture.subtitle)
    for index, row in enumerate(rows):
        middle = HEAD + _ROW * (index + 0.5)
        if index % 2 == 0:
            sheet.box((MARGIN - 8, middle - 18, WIDTH - MARGIN + 8, middle + 18), FELT_LIGHT, 9)
        _place(sheet, row.place, MARGIN + 18, middle, 14)
        right = WIDTH - MARGIN - 6
        sheet.text(row.value, (right, middle), 17, CREAM, anchor="r", bold=True, room=_VALUE)
        sheet.text(row.note, (right - _VALUE, middle), 13, SAGE, anchor="r", room=_NOTE)
        room = right - _VALUE - (_NOTE if row.note else 0) - MARGIN - 56
        sheet.text(row.name, (MARGIN + 46, middle), 17, CREAM, room=room)
    return sheet.picture()


def draw_podium(picture: PodiumPicture) -> Image.Image:
    """Three steps, the first in the middle."""
    sheet = Sheet(_PODIUM_HEIGHT)
    heading(sheet, picture.title, picture.subtitle)
    floor = _PODIUM_HEIGHT - MARGIN
    for rank, row in enumerate(picture.rows[:3]):
        left, height = _LEFT[rank], _HEIGHTS.get(row.place, 80.0)
        top, middle = floor - height, left + _STEP_WIDTH / 2
        sheet.box((left, top, left + _STEP_WIDTH, floor), FELT_LIGHT if rank == 0 else FELT_DARK, 10)
        _place(sheet, row.place, middle, top - 78, 24)
        sheet.text(row.name, (middle, top - 34), 17, CREAM, anchor="m", bold=True, room=_STEP_WIDTH + 12)
        sheet.text(row.note, (middle, top - 13), 12, SAGE, anchor="m", room=_STEP_WIDTH + 12)
        sheet.text(row.value, (middle, top + 32), 24, GOLD, anchor="m", bold=True, room=_STEP_WIDTH - 16)
    return sheet.picture()


def _place(sheet: Sheet, place: int, x: float, y: float, radius: float) -> None:
    medal = _MEDALS.get(place)
    if medal is not None:
        sheet.disc(x, y, radius, medal)
    sheet.text(str(place), (x, y), radius * 1.1, SAGE if medal is None else _MEDAL_INK, anchor="m", bold=True)
