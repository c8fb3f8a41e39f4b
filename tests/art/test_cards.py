"""Card faces: the same every time, told apart at 22 pixels without their colours, and as they were approved by eye.

When a drawing changes on purpose, look at the sheet that the failing test names and copy it into `approved/`.
"""

from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Final

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.art.canvas import SIDE, Canvas, Placement, Shape, png
from bot.art.cards import BADGES, CHARACTERS, JOKERS, draw_card
from bot.game.cards import DECKS, RANKS, Card, DeckKind
from bot.records.pictures import Theme
from tests.examples import combined

APPROVED: Final = Path(__file__).parent / "approved"
DECK: Final = DECKS[DeckKind.D54]
DARK, LIGHT = "#313338", "#ffffff"  # Discord's two pages
HALF: Final = SIDE // 2
TINY: Final = 22  # an emoji in a line of text
LARGEST: Final = 256 * 1024  # of an emoji's file
THEMES: Final = pytest.mark.parametrize("theme", list(Theme))


@cache
def drawn(theme: Theme, card: Card) -> Image.Image:
    return draw_card(theme, card, "" if card.is_joker else RANKS[card.group].replace("T", "10"))


def tiny(image: Image.Image, page: str) -> Image.Image:
    """Grey, on a page, as small as in a line of text."""
    shown = Image.new("RGBA", image.size, page)
    shown.alpha_composite(image)
    return shown.convert("L").resize((TINY, TINY), Image.Resampling.LANCZOS)


def different(one: Image.Image, other: Image.Image) -> int:
    """So many pixels differ plainly."""
    return sum(ImageChops.difference(one, other).histogram()[48:])


def sheet(theme: Theme) -> Image.Image:
    """All cards of a theme side by side at half their size, a row for each member."""
    found = Image.new("RGB", (14 * HALF, 4 * HALF), "#808080")
    for card in DECK:
        image = drawn(theme, card).reduce(2)
        found.paste(image, (card.group * HALF, card.member * HALF), image)
    return found


@THEMES
def test_a_card_fits_an_emoji(theme: Theme) -> None:
    for card in DECK:
        image = drawn(theme, card)
        assert (image.size, image.mode) == ((128, 128), "RGBA")
        assert 1000 < len(png(image)) < LARGEST / 10
        assert all(image.getpixel(corner) == (0, 0, 0, 0) for corner in ((0, 0), (127, 0), (0, 127), (127, 127)))


def test_drawing_twice_gives_the_same_file() -> None:
    for theme, card in product(Theme, (Card(12, 3), Card(8, 0), Card(13, 1))):
        assert png(draw_card(theme, card, "A")) == png(draw_card(theme, card, "A"))


def test_written_ranks_follow_the_language() -> None:
    jack = Card(9, 0)
    assert (
        different(tiny(draw_card(Theme.FRENCH, jack, "V"), LIGHT), tiny(draw_card(Theme.FRENCH, jack, "J"), LIGHT)) > 10
    )
    assert draw_card(Theme.YOKAI, jack, "V") == draw_card(Theme.YOKAI, jack, "J")


@pytest.mark.parametrize(("theme", "page"), combined([*Theme], [DARK, LIGHT]))
def test_every_card_differs_from_every_other_in_grey_at_22_pixels(theme: Theme, page: str) -> None:
    shown = {card: tiny(drawn(theme, card), page) for card in DECK}
    for one, other in combinations(DECK, 2):
        # Between two ranks the suit stays, and 3 and 8 differ by little more than a stroke.
        least = 30 if one.group == other.group else 10 if theme is Theme.FRENCH else 25
        assert different(shown[one], shown[other]) >= least, (one.code, other.code)


@pytest.mark.parametrize("badges", [*BADGES.values(), JOKERS])
def test_each_member_of_a_group_has_its_own_silhouette(badges: tuple[tuple[Shape, ...], ...]) -> None:
    """What is left of the four marks without any colour still differs in a fifth of its surface."""
    masks = []
    for badge in badges:
        canvas = Canvas()
        canvas.halo(badge, Placement(64, 64), "#000000", 0)
        masks.append(canvas.picture().getchannel("A").point(lambda value: 255 * (value > 127)))
    for one, other in combinations(masks, 2):
        apart = sum(ImageChops.difference(one, other).histogram()[128:])
        either = sum(ImageChops.lighter(one, other).histogram()[128:])
        assert apart / either > 0.2


@THEMES
def test_a_card_has_enough_contrast_to_both_page_colours(theme: Theme) -> None:
    """Its edge is seen on white as well as on dark grey."""
    for card in DECK:
        edge = drawn(theme, card).crop((40, 2, 88, 5)).convert("RGB")
        shade = _luminance(tuple(round(value) for value in ImageStat.Stat(edge).mean))
        assert _contrast(shade, _luminance((255, 255, 255))) > 1.3, card.code
        assert _contrast(shade, _luminance((0x31, 0x33, 0x38))) > 1.3, card.code


@THEMES
def test_cards_look_as_approved(theme: Theme, tmp_path: Path) -> None:
    """With room for another version of the drawing library at the edges, not for another nose or colour."""
    found = sheet(theme)
    with Image.open(APPROVED / f"{theme}.png") as opened:
        approved = opened.convert("RGB")
    assert found.size == approved.size
    for card in DECK:
        x, y = card.group * HALF, card.member * HALF
        box = (x, y, x + HALF, y + HALF)
        gap = ImageChops.difference(found.crop(box), approved.crop(box))
        if max(ImageStat.Stat(gap).mean) > 1.5 or max(sum(band.histogram()[40:]) for band in gap.split()) > 3:
            found.save(tmp_path / f"{theme}.png")
            pytest.fail(f"{card.code} looks different: see {tmp_path / f'{theme}.png'}")


def test_every_deck_of_characters_has_thirteen() -> None:
    assert {theme: len(characters) for theme, characters in CHARACTERS.items()} == dict.fromkeys(
        (Theme.RUGBY, Theme.FAMILY, Theme.YOKAI), 13
    )
    for characters in CHARACTERS.values():
        assert len({character.parts for character in characters}) == len({each.back for each in characters}) == 13


def test_a_path_that_cannot_be_drawn_is_reported() -> None:
    with pytest.raises(ValueError, match="no path command 'X'"):
        Canvas().paint([Shape("M 0 0 X 1 1", "#000000")], Placement(0, 0))


def _luminance(colour: tuple[int, ...]) -> float:
    linear = [value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
