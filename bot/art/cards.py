"""Card faces as small pictures: a suit card, or the portrait of a character with what tells its four cards apart.

They are made to be read at 22 pixels: one large thing, one large mark, thick outlines, no small print. Drawing
keeps the processor busy for some ten milliseconds, so call it off the event loop.
"""

from typing import Final

from PIL import Image

from bot.art.canvas import PAPER, PAPER_EDGE, SIDE, Canvas, Shape, Spot, png
from bot.art.characters import BADGES, CHARACTERS, JOKER, JOKERS, PARTS, Character
from bot.game.cards import Card
from bot.records.card_theme import Theme

_MARGIN: Final = 1.0
_RADIUS: Final = 24.0
_EDGE: Final = 5.0
_RANK_BOX: Final = (11.0, 13.0, 69.0, 81.0)
_TEN_BOX: Final = (9.0, 12.0, 92.0, 65.0)
_SUIT_SPOT: Final = Spot(89, 88, 1.08)
_TEN_SUIT_SPOT: Final = Spot(91, 92, 1.0)
_BADGE_SPOT: Final = Spot(93, 93, 0.98)
_RIM: Final = 5.0
_WHOLE: Final = f"M 0 0 L {SIDE} 0 L {SIDE} {SIDE} L 0 {SIDE} L 0 0"


def draw_card(theme: Theme, card: Card, rank: str) -> Image.Image:
    """Returns a card of a theme, `SIDE` pixels square with transparent corners.

    `rank` is what is written on a French card, such as `10` or `D`; characters carry no writing.
    """
    canvas = Canvas()
    if card.is_joker:
        _portrait(canvas, JOKER, JOKERS[card.member])
    elif theme is Theme.FRENCH:
        _suit_card(canvas, card, rank)
    else:
        _portrait(canvas, CHARACTERS[theme][card.group], BADGES[theme][card.member])
    return canvas.picture()


def card_file(theme: Theme, card: Card, rank: str) -> bytes:
    return png(draw_card(theme, card, rank))


def _suit_card(canvas: Canvas, card: Card, rank: str) -> None:
    suit = BADGES[Theme.FRENCH][card.member]
    canvas.paint([Shape(_WHOLE, PAPER, line=0)], Spot(0, 0))
    box, spot = (_RANK_BOX, _SUIT_SPOT) if len(rank) == 1 else (_TEN_BOX, _TEN_SUIT_SPOT)
    canvas.text(rank, box, suit[0].paint, 3.5)
    canvas.halo(suit, spot, PAPER, _RIM)
    canvas.paint(suit, spot)
    canvas.frame(_MARGIN, _RADIUS, PAPER_EDGE, _EDGE)


def _portrait(canvas: Canvas, character: Character, badge: tuple[Shape, ...]) -> None:
    canvas.paint([Shape(_WHOLE, character.back, line=0)], Spot(0, 0))
    spot = Spot(*character.at, character.scale)
    for part in character.parts.split():
        canvas.paint(PARTS[part], spot, character.palette)
    canvas.halo(badge, _BADGE_SPOT, PAPER, _RIM)
    canvas.paint(badge, _BADGE_SPOT)
    canvas.frame(_MARGIN, _RADIUS, character.back + "-", _EDGE)
