"""What is accepted as a sign is seen everywhere: every emoji of the library, on every Python's Unicode."""

from collections import defaultdict

import emoji
import pytest

from bot.art.writing import readable
from bot.discord.text.names import clean
from bot.discord.text.picture_words import plain
from bot.discord.text.text_width import truncate_to_width, width
from bot.game.actions import MakeGesture
from bot.game.notation.actions import read_action, write_action
from bot.game.signs import GestureKind, fold_emojis, gesture_makes
from bot.ui.words.signs import (
    SignTextError,
    is_emojis,
    read_sign,
    shown_gesture,
    shown_sign,
    sign_button,
    with_variation_selectors,
)
from tests.together import together
from tests.ui.walk import FR

VERSIONS: dict[float, list[str]] = defaultdict(list)
for _one, _about in emoji.EMOJI_DATA.items():
    VERSIONS[_about["E"]].append(_one)
PARTS = [one for one, about in emoji.EMOJI_DATA.items() if about["status"] == emoji.STATUS["component"]]
"""Skin tones and hair, which no sign consists of."""
ALL = sorted(emoji.EMOJI_DATA.keys() - PARTS)
SAMPLE = sorted(
    {one for known in VERSIONS.values() for one in (known[0], known[-1], max(known, key=len))}.difference(PARTS)
)
"""The first, the last and the longest emoji of each version of Unicode."""
NAMES = ["Léa", "Bruno", "Chloé", "Dora"]


@pytest.mark.parametrize("some", [SAMPLE, pytest.param(ALL, marks=pytest.mark.long)], ids=["sample", "all"])
def test_an_emoji_that_is_accepted_as_a_sign_is_seen_everywhere(some: list[str]) -> None:
    for one in some:
        sign = read_sign(one, FR)
        seen = shown_sign(sign)
        assert fold_emojis(seen) == sign.text, "in a panel, on the board, in a result, in a replay"
        assert shown_gesture(GestureKind.POST, one) == with_variation_selectors(one), "as it was made"
        assert gesture_makes(GestureKind.REACT, seen, sign), "what is shown can be made"
        assert sign_button([sign], "k1:1:sign")["label"] == with_variation_selectors(sign.text), "in a palette"
        assert fold_emojis(plain(seen)) == sign.text, "in the words of a picture"
        assert readable(plain(seen)).strip(" ?"), "in a picture, or its name"
        assert clean(f"Chloé {one}") == f"Chloé {one}", "in a name"
        made = MakeGesture(0, GestureKind.POST, one)
        assert read_action(write_action(made, NAMES, 2), NAMES, 2) == made, "in KGN"
        assert shown_sign(read_sign(one * 5, FR)) == with_variation_selectors(sign.text) * 5, "five of them, too"


@pytest.mark.parametrize("some", [SAMPLE, pytest.param(ALL, marks=pytest.mark.long)], ids=["sample", "all"])
def test_no_cut_falls_inside_an_emoji(some: list[str]) -> None:
    for one in some:
        for limit in range(len(one), 3 * len(one)):
            kept = clean(one * 4, limit).removesuffix("…")
            assert kept == one * (len(kept) // len(one))
        kept = truncate_to_width(one * 4, width(one) * 2.5).removesuffix("…")
        assert kept == one * (len(kept) // len(one))


@together("written", [*PARTS, "🍀\u200d", "🏴\U000e0067", "🇫", "\u200d", "a🍀", "🂡🃁"])
def test_an_emoji_that_cannot_be_seen_whole_is_no_sign(written: str) -> None:
    assert not is_emojis(written)
    with pytest.raises(SignTextError):
        read_sign(written, FR)
