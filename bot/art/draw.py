"""Draws any picture as a file; a running table for its onlookers, with their newest gestures and the score.

The table is read on a phone, where it is some 350 points wide, and drawn again with most moves: static parts are
cached.
"""

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Final, assert_never

from PIL import Image

from bot.art.canvas import CREAM, FELT_DARK, FELT_LIGHT, GOLD, OWED, TEAMS, WOOD
from bot.art.card_layout import CardLayout, beside_portrait, line_height, wrapped
from bot.art.charts import draw_board, draw_match
from bot.art.table_scene import SIDES, TableScenes, face
from bot.records import pictures as p
from bot.records.pictures import RunningSeat, RunningTable

WIDTH: Final = 440.0
SCALE: Final = 1.35
_MARGIN: Final = 6.0
_GAP: Final = 4.0
_COLUMNS: Final = 4
_PLATE: Final = (WIDTH - 2 * _MARGIN - (_COLUMNS - 1) * _GAP) / _COLUMNS
_WIDEST_PLATE: Final = 174.0
_HIGH: Final = 74.0
_SCORE: Final = 40.0
_POINTS: Final = 27.0
_NAME: Final = 19.0
_LEAST_NAME: Final = 13.0
_SIGN: Final = 34.0
_SPEECH: Final = 15.0
_OWED: Final = 14.0
_POOL_CARD: Final = 50.0
_POOL_GAP: Final = 4.0
_IN_ROW: Final = 4
_POOL_WIDE: Final = _IN_ROW * (_POOL_CARD + _POOL_GAP)
_MOST_ROWS: Final = 3
_IN_FULL_ROW: Final = 6
"""Cards of a row if the pool has more of them than rows of larger ones hold."""
_DEALT: Final = 4
_KEPT: Final = 24
"""Tables whose static parts are cached."""


@dataclass(frozen=True, slots=True)
class _Plate:
    """Where a seat is shown, from its left and top edges."""

    x: float
    y: float
    wide: float


def draw_running_table(picture: RunningTable) -> Image.Image:
    """Return the table; its size and its layout are the same for a whole match."""
    still = _still(tuple((seat.name, seat.team) for seat in picture.seats), picture.scores, picture.note)
    layout = still.layout.copy()
    for seat, plate in zip(picture.seats, still.plates, strict=True):
        _shown(layout, seat, plate)
    in_row = _IN_ROW if len(picture.pool) <= _MOST_ROWS * _IN_ROW else _IN_FULL_ROW
    step = _POOL_WIDE / in_row
    side = round((step - _POOL_GAP) * SCALE)
    for slot, card in enumerate(picture.pool):
        rank = "" if card is None or card.is_joker else picture.ranks[card.group]
        at = still.left + slot % in_row * step, still.top + slot // in_row * step
        layout.paste(face(picture.theme, card, rank, side, is_marked=False), *at)
    return layout.image


@dataclass(frozen=True, slots=True)
class _Still:
    """What does not change between two exchanges: the felt, the plates by seat with their names, the score.

    `left` and `top` are the corner of the pool.
    """

    layout: CardLayout
    plates: list[_Plate]
    left: float
    top: float


@lru_cache(_KEPT)
def _still(names: tuple[tuple[str, int], ...], scores: tuple[str, ...], note: str) -> _Still:
    bottom, left, top, right = SIDES[min(max(len(names), 1), max(SIDES))]
    rows_beside, step = max(left, right), _POOL_CARD + _POOL_GAP
    rows = min(-(-(_DEALT + len(names)) // _IN_ROW), _MOST_ROWS)  # everybody may owe a card at a time
    pool_high = rows * step + 14
    between = max(rows_beside * (_HIGH + _GAP) - _GAP, pool_high) + 2 * _GAP
    upper = _SCORE + (_HIGH if top else _GAP)
    lower = upper + between
    middle = (upper + lower) / 2
    layout = CardLayout(lower + _HIGH + _MARGIN, WIDTH, SCALE)
    felt = (_MARGIN + 26, _SCORE + _HIGH / 2, WIDTH - _MARGIN - 26, lower + _HIGH / 2)
    layout.box(felt, FELT_DARK, 52, WOOD, 6)
    _score(layout, scores, note)
    plates = [
        *_row(bottom, lower)[::-1],
        *_column(left, _MARGIN, middle)[::-1],
        *_row(top, _SCORE),
        *_column(right, WIDTH - _MARGIN - _PLATE, middle),
    ]
    for (name, team), plate in zip(names, plates, strict=True):
        edges = (plate.x, plate.y, plate.x + plate.wide, plate.y + _HIGH)
        layout.box(edges, FELT_LIGHT, 9, FELT_DARK, 2)
        _mark(layout, team, plate.x + 13, plate.y + 16, 9)
        name_shown, at = beside_portrait(name, None), (plate.x + 25, plate.y + 16)
        layout.text(name_shown, at, _NAME, CREAM, bold=True, room=plate.wide - 29, least=_LEAST_NAME)
        if name_shown != name:  # it begins with an emoji, as robots' names do
            layout.text(name.split()[0], (plate.x + 13, plate.y + 40), _LEAST_NAME, CREAM, anchor="m")
    return _Still(layout, plates, (WIDTH - _POOL_WIDE + _POOL_GAP) / 2, middle - (rows * step - _POOL_GAP) / 2)


def _shown(layout: CardLayout, seat: RunningSeat, plate: _Plate) -> None:
    """Draw what a seat shows: the slots of the cards that it owes, and its newest gesture."""
    left = 6 if beside_portrait(seat.name, None) == seat.name else 23  # right of the emoji under the mark
    room, y = plate.wide - left - 6, plate.y + 51
    for number in range(seat.owes):
        x = plate.x + plate.wide - 7 - (number + 1) * (_OWED + 3)
        layout.box((x, y - 10, x + _OWED, y + 10), FELT_DARK, 4, OWED, 2)
        room = x - plate.x - left - 5
    if not seat.gesture:
        return
    if not seat.gesture.startswith("«"):
        layout.text(seat.gesture, (plate.x + left + room / 2, y), _SIGN, CREAM, anchor="m", room=room, least=_SPEECH)
        return
    lines = wrapped(seat.gesture, _SPEECH, room, 2, scale=SCALE)
    first = plate.x + left, y - (len(lines) - 1) * line_height(_SPEECH) / 2
    layout.paragraph(lines, first, _SPEECH, GOLD)


def _score(layout: CardLayout, scores: tuple[str, ...], note: str) -> None:
    """Draw the points of each team next to its mark."""
    y, step = _SCORE / 2 - 1, (WIDTH - 2 * _MARGIN) / max(len(scores), 1)
    if len(scores) == 2:
        step = 110.0
        layout.text(note or "—", (WIDTH / 2, y), 15, CREAM, anchor="m", room=150)
        for team, points in enumerate(scores):
            side = -1 if team == 0 else 1
            at = WIDTH / 2 + side * (100 if note else 40)
            layout.text(points, (at, y), _POINTS, CREAM, anchor="m", bold=True)
            _mark(layout, team, at + side * 42, y, 12)
        return
    for team, points in enumerate(scores):
        x = _MARGIN + (team + 0.5) * step
        _mark(layout, team, x - 20, y, 11)
        layout.text(points, (x - 5, y), _POINTS, CREAM, bold=True, room=step / 2 + 3, least=_LEAST_NAME)


def _mark(layout: CardLayout, team: int, x: float, y: float, radius: float) -> None:
    layout.disc(x, y, radius, TEAMS[team % len(TEAMS)])
    layout.text(str(team + 1), (x, y), radius * 1.4, FELT_DARK, anchor="m", bold=True)


def _row(count: int, top: float) -> list[_Plate]:
    """Return plates in a row from left to right, spread over the width."""
    step = (WIDTH - 2 * _MARGIN + _GAP) / max(count, 1)
    wide = min(step - _GAP, _WIDEST_PLATE)
    return [_Plate(_MARGIN + step * (number + 0.5) - _GAP / 2 - wide / 2, top, wide) for number in range(count)]


def _column(count: int, left: float, middle: float) -> list[_Plate]:
    """Return plates in a column from the top down, centred on a height."""
    first = middle - (count * (_HIGH + _GAP) - _GAP) / 2
    return [_Plate(left, first + number * (_HIGH + _GAP), _PLATE) for number in range(count)]


MOST_BYTES: Final = 300_000
"""The size of an animation that loads at once on a mobile connection."""

_QUALITIES: Final = (82, 60, 35, 15)


def draw_animation(picture: p.RoundAnimation) -> p.PictureFile:
    """Return the frames as an animated WebP of at most `MOST_BYTES`.

    Raises:
        ValueError: There is no frame, or there are too many for the size.
    """
    if not picture.frames:
        raise ValueError("an animation needs a scene")
    table = TableScenes(picture)
    frames = [table.draw(scene) for scene in picture.frames]
    times = [scene.milliseconds for scene in picture.frames]
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
    """Return the picture as a file.

    CPU time: some hundredths of a second; about a second for an animation, a few milliseconds for a running table.
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
"""Enough to tell cards, emojis and teams apart: a table takes a third of the bytes, in half the time."""


def _small_png(image: Image.Image) -> p.PictureFile:
    written = BytesIO()
    few = image.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(written, "PNG", compress_level=4)
    return p.PictureFile(written.getvalue(), "png")


def _png(image: Image.Image) -> p.PictureFile:
    written = BytesIO()
    image.save(written, "PNG", compress_type=_RUNS)
    return p.PictureFile(written.getvalue(), "png")
