"""Draws a table seen from above: the people around it with their hands, the pool in the middle, words on top."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.art.canvas import CREAM, EDGE, FELT_DARK, FELT_LIGHT, GOLD, INK, SAGE, TEAMS, WOOD
from bot.art.card_layout import CardLayout, Point, beside_portrait, line_height, wrapped
from bot.art.cards import draw_card
from bot.art.writing import lettering
from bot.game.cards import Card
from bot.records.pictures import AnimatedSeat, AnimationFrame, RoundAnimation, Theme

WIDTH: Final = 540.0
SCALE: Final = 1.6
_MARGIN: Final = 12.0
_WORDS: Final = WIDTH - 2 * _MARGIN - 8
_TITLE: Final = 13.0
_CAPTION: Final = 21.0
_DETAIL: Final = 15.0
_MOST_CAPTION: Final = 4  # lines
_MOST_DETAIL: Final = 6
_SEAT: Final = 150.0
_SEAT_HEAD: Final = 38.0
_SEAT_GAP: Final = 8.0
_HAND: Final = 4  # cards that a seat has room for in their full size
_CARD_GAP: Final = 3.0
_POOL_CARD: Final = 42.0
_MOST_IN_ROW: Final = 8  # cards of the pool
_POOL_GAP: Final = 4.0
_SIGN: Final = 46.0
_SPEECH: Final = 19.0
_BUBBLE: Final = 230.0
_MOST_SPEECH: Final = 3  # lines
SIDES: Final = {  # by players: how many sit at the bottom, at the left, at the top, at the right
    1: (1, 0, 0, 0),
    2: (1, 0, 1, 0),
    3: (1, 0, 2, 0),
    4: (1, 1, 1, 1),
    5: (1, 1, 2, 1),
    6: (2, 1, 2, 1),
    7: (2, 1, 3, 1),
    8: (3, 1, 3, 1),
    9: (2, 2, 3, 2),
    10: (3, 2, 3, 2),
    11: (3, 2, 4, 2),
    12: (4, 2, 4, 2),
}
_FACES: Final = 512
"""Drawn faces that are cached: an animation shows the same cards in each of its frames."""


@dataclass(frozen=True, slots=True)
class _Corner:
    """Where a seat's plate is, from its left and top edges, and the direction of the middle of the table."""

    x: float
    y: float
    wide: float
    high: float
    inward: tuple[int, int]


class TableScenes:
    """The frames of one animation, all of one size. Static parts are painted once."""

    def __init__(self, picture: RoundAnimation) -> None:
        self._picture = picture
        self._words = {scene: scene_words(scene) for scene in picture.frames}
        head = 32 + max(
            len(caption) * line_height(_CAPTION) + len(detail) * line_height(_DETAIL)
            for caption, detail in self._words.values()
        )
        bottom, left, top, right = SIDES[min(max(len(picture.seats), 1), max(SIDES))]
        wide = min(_SEAT, (WIDTH - 2 * _MARGIN + _SEAT_GAP) / max(bottom, top) - _SEAT_GAP)
        high = _SEAT_HEAD + _card_side(wide, _HAND) + 8
        rows_beside = max(left, right)
        room = WIDTH - 2 * (_MARGIN + (wide if rows_beside else 44) + 14)
        self._in_row = min(int((room + _POOL_GAP) // (_POOL_CARD + _POOL_GAP)), _MOST_IN_ROW)
        rows = max(-(-len(scene.pool) // self._in_row) for scene in picture.frames)
        pool_high = max(rows, 1) * (_POOL_CARD + _POOL_GAP)
        middle = max(rows_beside * (high + _SEAT_GAP), pool_high + 16) + 16
        top_row, self._top = head + 8, head + 8 + (high if top else high / 2)
        self._bottom = self._top + middle
        self._layout = CardLayout(self._bottom + high + _MARGIN, WIDTH, SCALE)
        edges = (_MARGIN + 34, top_row + high / 2 - 6, WIDTH - _MARGIN - 34, self._bottom + high / 2 + 6)
        self._layout.box(edges, FELT_DARK, 60, WOOD, 7)
        self._places = [
            *_row(bottom, self._bottom, wide, high, (0, -1))[::-1],
            *_column(left, _MARGIN, self._top + middle / 2, wide, high, (1, 0))[::-1],
            *_row(top, top_row, wide, high, (0, 1)),
            *_column(right, WIDTH - _MARGIN - wide, self._top + middle / 2, wide, high, (-1, 0)),
        ]
        self._layout.text(picture.title, (_MARGIN + 4, 18), _TITLE, SAGE, room=_WORDS)
        for seat, place in zip(picture.seats, self._places, strict=False):
            _plate(self._layout, seat, place, FELT_LIGHT)

    def draw(self, scene: AnimationFrame) -> Image.Image:
        """Return a frame as a picture."""
        layout, picture = self._layout.copy(), self._picture
        caption, detail = self._words[scene]
        y = 32 + line_height(_CAPTION) / 2
        layout.paragraph(caption, (_MARGIN + 4, y), _CAPTION, GOLD, bold=True)
        y += len(caption) * line_height(_CAPTION) - (line_height(_CAPTION) - line_height(_DETAIL)) / 2
        layout.paragraph(detail, (_MARGIN + 4, y), _DETAIL, CREAM)
        actor = scene.actor if scene.actor is not None and scene.actor < len(self._places) else None
        if actor is not None:
            _plate(layout, picture.seats[actor], self._places[actor], FELT_LIGHT, is_acting=True)
        self._pool(layout, scene)
        for place, hand in zip(self._places, scene.hands, strict=False):
            side = _card_side(place.wide, max(len(hand), _HAND))
            for slot, card in enumerate(hand):
                x = place.x + 6 + slot * (side + _CARD_GAP)
                is_marked = card is not None and (card == scene.card or card in scene.decisive_cards)
                _put(layout, picture, card, (x, place.y + _SEAT_HEAD), side, is_marked=is_marked)
        if actor is not None and scene.gesture:
            _bubble(layout, scene.gesture, self._places[actor])
        return layout.image

    def _pool(self, layout: CardLayout, scene: AnimationFrame) -> None:
        rows = -(-len(scene.pool) // self._in_row)
        step = _POOL_CARD + _POOL_GAP
        left = (WIDTH - min(max(len(scene.pool), 1), self._in_row) * step + _POOL_GAP) / 2
        top = (self._top + self._bottom - rows * step + _POOL_GAP) / 2
        for slot, card in enumerate(scene.pool):
            at = left + slot % self._in_row * step, top + slot // self._in_row * step
            _put(layout, self._picture, card, at, _POOL_CARD, is_marked=card is not None and card == scene.card)


def scene_words(scene: AnimationFrame) -> tuple[list[str], list[str]]:
    """Return the lines of the caption and of the detail of a frame."""
    caption = wrapped(scene.caption, _CAPTION, _WORDS, _MOST_CAPTION, bold=True, scale=SCALE)
    return caption, wrapped(scene.detail, _DETAIL, _WORDS, _MOST_DETAIL, scale=SCALE)


def _card_side(wide: float, count: int) -> float:
    return (wide - 12 - (count - 1) * _CARD_GAP) / count


def _row(count: int, top: float, wide: float, high: float, inward: tuple[int, int]) -> list[_Corner]:
    """Return plates in a row from left to right, spread over the width."""
    step = (WIDTH - 2 * _MARGIN) / max(count, 1)
    return [_Corner(_MARGIN + step * (number + 0.5) - wide / 2, top, wide, high, inward) for number in range(count)]


def _column(count: int, left: float, middle: float, wide: float, high: float, inward: tuple[int, int]) -> list[_Corner]:
    """Return plates in a column from the top down, centred on a height."""
    first = middle - (count * (high + _SEAT_GAP) - _SEAT_GAP) / 2
    return [_Corner(left, first + number * (high + _SEAT_GAP), wide, high, inward) for number in range(count)]


def _plate(layout: CardLayout, seat: AnimatedSeat, place: _Corner, fill: str, *, is_acting: bool = False) -> None:
    edges = (place.x, place.y, place.x + place.wide, place.y + place.high)
    layout.box(edges, fill, 10, GOLD if is_acting else FELT_DARK, 3 if is_acting else 1.5)
    colour, middle = TEAMS[seat.team % len(TEAMS)], place.y + 20
    layout.portrait(seat.name, seat.avatar, (place.x + 20, middle), 14, colour)
    layout.disc(place.x + 31, middle + 9, 7.5, FELT_LIGHT)
    layout.disc(place.x + 31, middle + 9, 6.5, colour)
    layout.text(str(seat.team + 1), (place.x + 31, middle + 9), 9, FELT_DARK, anchor="m", bold=True)
    room = place.wide - 48
    name = beside_portrait(seat.name, seat.avatar)
    layout.text(name, (place.x + 42, middle), 15, GOLD if is_acting else CREAM, bold=True, room=room, least=11)


def _bubble(layout: CardLayout, gesture: str, place: _Corner) -> None:
    """Draw what a player shows or says in a bubble that grows out of their plate towards the middle."""
    size = _SPEECH if gesture.startswith("«") else _SIGN
    letters = lettering(round(size * SCALE), False)
    if letters.width(letters.fitted(gesture, None)) > _BUBBLE * SCALE:
        size = _SPEECH
        letters = lettering(round(size * SCALE), False)
    lines = letters.lines(gesture, _BUBBLE * SCALE, _MOST_SPEECH)
    wide = max(map(letters.width, lines)) / SCALE + 26
    high = len(lines) * line_height(size) + 10
    x = place.x + place.wide / 2 + place.inward[0] * ((place.wide + wide) / 2 - 4)
    y = place.y + place.high / 2 + place.inward[1] * ((place.high + high) / 2 - 4)
    x = min(max(x, wide / 2 + 6), layout.width - wide / 2 - 6)
    layout.box((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2), CREAM, 20, GOLD, 3)
    first = x - wide / 2 + 13, y - (len(lines) - 1) * line_height(size) / 2
    layout.paragraph(lines, first, size, INK)


def _put(
    layout: CardLayout, picture: RoundAnimation, card: Card | None, at: Point, side: float, *, is_marked: bool
) -> None:
    """Draw a card's face, or the outline of an empty slot; a marked card has a rim."""
    rank = "" if card is None or card.is_joker else picture.ranks[card.group]
    layout.paste(face(picture.theme, card, rank, round(side * SCALE), is_marked), *at)


@lru_cache(_FACES)  # buys 140 of the 300 ms of a film of twelve people
def face(theme: Theme, card: Card | None, rank: str, side: int, is_marked: bool) -> Image.Image:
    """Return a card's face, or the outline of an empty slot, as a square."""
    if card is None:
        slot = Image.new("RGBA", (side * 4, side * 4), (0, 0, 0, 0))
        edges = (side * 0.24, side * 0.24, side * 3.76, side * 3.76)
        ImageDraw.Draw(slot).rounded_rectangle(edges, side * 0.7, fill=FELT_DARK, outline=EDGE, width=6)
        return slot.reduce(4)
    face = _drawn(theme, card, rank)
    if not is_marked:
        return face.resize((side, side), Image.Resampling.LANCZOS)
    whole = Image.new("RGBA", (face.width + 20, face.height + 20), (0, 0, 0, 0))
    ImageDraw.Draw(whole).rounded_rectangle((0, 0, face.width + 19, face.height + 19), 32, fill=GOLD)
    whole.alpha_composite(face, (10, 10))
    return whole.resize((side, side), Image.Resampling.LANCZOS)


_drawn: Final = lru_cache(_FACES)(draw_card)  # buys 550 of the 730 ms of the first film
