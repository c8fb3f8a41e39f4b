"""What colour-blind players see: cards on all of Discord's buttons, the buttons themselves, and our pictures.

The matrices are those of full protanopia, deuteranopia and tritanopia in linear RGB, from G. M. Machado, M. M. Oliveira
and L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE Transactions on
Visualization and Computer Graphics 15 (6), 2009.
"""

from functools import cache
from itertools import combinations
from typing import Final

import pytest
from emoji import is_emoji
from PIL import Image, ImageColor

from bot.art.canvas import CREAM, FELT_DARK, FELT_LIGHT, MEDALS, TEAMS
from bot.discord.api.components import DANGER
from bot.discord.api.custom_ids import RoundCustomIds
from bot.discord.text.texts import texts_for
from bot.game.cards import DECKS, Card, DeckKind
from bot.game.events import CallKind
from bot.records.pictures import Theme
from bot.ui.table.pages.board import call_buttons
from tests.art.test_cards import drawn
from tests.examples import combined
from tests.together import together

KINDS: Final = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
BUTTONS: Final = {"primary": "#5865f2", "secondary": "#4e5058", "success": "#248046", "danger": "#da373c"}
"""Discord's button styles on its dark page."""
PAGE: Final = "#2b2d31"  # a message's container
DISABLED: Final = 0.5  # how much of a disabled button is seen
TINY: Final = 22  # pixels of an emoji on a button
EACH: Final = pytest.mark.parametrize("kind", KINDS)

Rgb = tuple[int, ...]


def linear(value: float) -> float:
    part = value / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def encoded(part: float) -> int:
    part = min(max(part, 0.0), 1.0)
    return round(255 * (part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055))


@cache
def seen(colour: Rgb, kind: str) -> Rgb:
    """A colour as it is seen by somebody with this colour-blindness."""
    parts = [linear(value) for value in colour]
    return tuple(encoded(sum(a * b for a, b in zip(row, parts, strict=True))) for row in KINDS[kind])


def view(image: Image.Image, kind: str) -> list[Rgb]:
    """The pixels of a picture as they are seen."""
    data = image.tobytes()
    return [seen(tuple(data[start : start + 3]), kind) for start in range(0, len(data), 3)]


def apart(one: str, other: str, kind: str) -> float:
    """The distance of two colours, of 441 from black to white."""
    pair = zip(*(seen(ImageColor.getrgb(colour)[:3], kind) for colour in (one, other)), strict=True)
    return sum((a - b) ** 2 for a, b in pair) ** 0.5


def on_button(theme: Theme, card: Card, ground: str, *, is_disabled: bool) -> Image.Image:
    shown = Image.new("RGBA", (128, 128), ground)
    shown.alpha_composite(drawn(theme, card))
    if is_disabled:
        shown = Image.blend(Image.new("RGBA", shown.size, PAGE), shown, DISABLED)
    return shown.convert("RGB").resize((TINY, TINY), Image.Resampling.LANCZOS)


def different(one: list[Rgb], other: list[Rgb], least: int) -> int:
    """So many pixels differ plainly in a colour."""
    pairs = (zip(*pixels, strict=True) for pixels in zip(one, other, strict=True))
    return sum(max(abs(a - b) for a, b in pair) >= least for pair in pairs)


@pytest.mark.parametrize(
    ("style", "is_disabled", "theme", "kind"), combined([*BUTTONS], [False, True], [*Theme], [*KINDS])
)
def test_the_four_cards_of_a_group_differ_on_every_button(
    style: str, is_disabled: bool, theme: Theme, kind: str
) -> None:
    groups = {card.group for card in DECKS[DeckKind.D54]}
    for group in groups:
        members = [card for card in DECKS[DeckKind.D54] if card.group == group]
        looks = [view(on_button(theme, card, BUTTONS[style], is_disabled=is_disabled), kind) for card in members]
        for (card, one), (other, two) in combinations(zip(members, looks, strict=True), 2):
            assert different(one, two, 24 if is_disabled else 48) > 8, (card, other)


@EACH
@together("is_disabled", [False, True])
@together("style", BUTTONS)
def test_a_card_has_enough_contrast_to_its_button(style: str, is_disabled: bool, kind: str) -> None:
    """Its paper does, so that a red suit is seen on red, and a black one on grey."""
    card = view(on_button(Theme.FRENCH, Card(5, 1), BUTTONS[style], is_disabled=is_disabled), kind)
    paper, ground = card[4 * TINY - 4], card[0]
    assert sum(abs(a - b) for a, b in zip(paper, ground, strict=True)) > 150


def test_a_green_button_never_differs_from_others_by_colour_alone() -> None:
    """So Kem's and the counter have an icon each, and no meaning is in a colour alone."""
    close = {
        (one, other)
        for one, other in combinations(BUTTONS, 2)
        if any(apart(BUTTONS[one], BUTTONS[other], kind) < 60 for kind in KINDS)
    }
    assert {("primary", "success"), ("secondary", "success"), ("success", "danger")} < close
    assert ("primary", "secondary") not in close, "blue says what is to be pressed next"


@pytest.mark.parametrize("has_bell", [False, True])
def test_kems_and_the_counter_differ_by_icon_and_the_counter_is_never_red(has_bell: bool) -> None:
    for calls in (frozenset[CallKind](), frozenset(CallKind)):
        kems, counter = call_buttons(calls, RoundCustomIds(1, 1), texts_for("fr"), has_bell=has_bell)
        icons = [button["label"].split()[0] for button in (kems, counter)]
        assert all(map(is_emoji, icons))
        assert icons[0] != icons[1]
        assert counter["style"] != DANGER


@EACH
def test_lines_and_discs_of_pictures_have_enough_contrast(kind: str) -> None:
    """A number stands beside each colour of a team or place, for teams of more than two are not always told apart."""
    assert apart(TEAMS[0], TEAMS[1], kind) > 100
    for colour in (*TEAMS, *MEDALS.values(), CREAM):
        assert min(apart(colour, ground, kind) for ground in (FELT_DARK, FELT_LIGHT)) > 100
