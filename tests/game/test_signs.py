"""When two signs, or a gesture and a sign, are the same."""

import unicodedata
from collections.abc import Mapping
from typing import Final

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from bot.game.signs import (
    HOUSE_SIGNS,
    GestureKind,
    Sign,
    combined_sign,
    emoji_sign,
    fold_emojis,
    fold_words,
    gesture_makes,
    spoken_sign,
)
from tests.examples import examples

REACT, POST, SAY = GestureKind.REACT, GestureKind.POST, GestureKind.SAY


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("👍", "👍🏿"),
        ("👍🏻", "👍🏾"),
        ("❤", "❤\ufe0f"),
        ("☎\ufe0e", "☎\ufe0f"),
        ("🍀🍀", "🍀 🍀\n"),
        ("🧑🏽‍🚀", "🧑‍🚀"),
        ("<:kems:123456789012345678>", "<:renamed:123456789012345678>"),
        ("<:wave:42>", "<a:wave:42>"),
        ("<:wave:42>👍🏽", "<:hello:42> 👍"),
    ],
)
def test_signs_are_the_same_in_any_spelling(one: str, other: str) -> None:
    assert emoji_sign(one) == emoji_sign(other)
    assert fold_emojis(fold_emojis(one)) == fold_emojis(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("👍", "👎"), ("🍀", "🍀🍀"), ("👀🎲", "🎲👀"), ("<:kems:1>", "<:kems:2>"), ("👩‍🚀", "👨‍🚀"), ("🇫🇷", "🇧🇪")],
)
def test_signs_that_differ_are_not_the_same(one: str, other: str) -> None:
    assert emoji_sign(one) != emoji_sign(other)


def test_the_signs_of_the_house_are_all_different() -> None:
    assert len({emoji_sign(text) for text in HOUSE_SIGNS}) == len(HOUSE_SIGNS)
    assert all(emoji_sign(text).text for text in HOUSE_SIGNS)


@pytest.mark.parametrize(
    ("kind", "text", "makes_it"),
    [(REACT, "👍🏽", True), (POST, " 👍 ", True), (SAY, "👍", False), (POST, "👍👍", False), (POST, "ok 👍", False)],
)
def test_an_emoji_sign_is_the_whole_gesture(kind: GestureKind, text: str, makes_it: bool) -> None:
    assert gesture_makes(kind, text, emoji_sign("👍")) is makes_it


@pytest.mark.parametrize(
    ("kind", "text", "makes_it"),
    [
        (SAY, "Oh, WHAT   weather today!", True),
        (SAY, "what weather", True),
        (SAY, "what a weather", False),
        (SAY, "somewhat weather", False),
        (SAY, "what weathers", False),
        (POST, "what weather", False),
        (REACT, "what weather", False),
    ],
)
def test_spoken_words_are_heard_inside_a_message_as_whole_words(kind: GestureKind, text: str, makes_it: bool) -> None:
    assert gesture_makes(kind, text, spoken_sign("What  weather")) is makes_it


def test_spoken_words_do_not_depend_on_how_letters_are_composed() -> None:
    assert spoken_sign("l'E\u0301te\u0301") == spoken_sign("L'été") == Sign("l'été", is_spoken=True)
    assert gesture_makes(SAY, "Vive l'e\u0301te\u0301 !", spoken_sign("L'ÉTÉ"))


def test_words_and_emojis_are_never_the_same_sign() -> None:
    assert emoji_sign("👍") != spoken_sign("👍")


@pytest.mark.parametrize(
    ("agreed", "typed"), [("j'ai faim", "J’ai faim !"), ("aujourd’hui", "pas aujourd'hui"), ("l'apéro", "et l’apéro ?")]
)
@pytest.mark.parametrize("is_combined", [False, True])
def test_a_spoken_sign_is_heard_when_another_keyboard_wrote_its_apostrophe(
    agreed: str, typed: str, is_combined: bool
) -> None:
    """A telephone sets a curved apostrophe, a computer a straight one, and nobody chooses which."""
    sign = combined_sign("🍀", agreed) if is_combined else spoken_sign(agreed)
    assert gesture_makes(SAY, typed, sign)


WORDS: Final = (
    *("j'ai faim", "aujourd'hui", "l'œuf", "bœuf à l'ail", "un cœur d'or", "ex æquo", "arc-en-ciel", "peut-être"),
    *("garçon", "Noël", "où ça ?", "qu'est-ce que c'est", "Ödipus", "schöne Grüße", "das geht's", "Straßenbahn", "süß"),
    *("¿qué tal?", "mañana", "vergüenza", "¡adiós!", "corazón", "pingüino", "franco-español"),
)
"""French, German and Spanish, as a dictionary writes them."""
OTHER_KEYS: Final[Mapping[str, str]] = {
    "'": "’‘ʼ´′＇", "-": "‐‑–—−", " ": "\u00a0\u202f\u2009  ", "œ": "Œ", "æ": "Æ", "ß": "ẞ",
}  # fmt: skip
"""What telephones and other keyboards write for the same key."""
SPELT: Final = {"œ": "oe", "æ": "ae", "ß": "ss"}


@st.composite
def typed(draw: st.DrawFn, word: str) -> str:
    """The word from any keyboard: capitals, other apostrophes, dashes and spaces, letters apart, accents or none."""
    written = []
    for char in word:
        others = [char, char.upper(), *OTHER_KEYS.get(char, ""), SPELT.get(char, char)]
        bare = unicodedata.normalize("NFD", char)
        written.append(draw(st.sampled_from([*others, bare, bare[0]])) + draw(st.sampled_from(["", "", "\u00ad"])))
    return "".join(written)


@settings(max_examples=examples(400))
@given(data=st.data(), word=st.sampled_from(WORDS), is_combined=st.booleans())
def test_words_that_sound_the_same_are_the_same_sign(data: st.DataObject, word: str, is_combined: bool) -> None:
    agreed, said = data.draw(typed(word)), data.draw(typed(word))
    before, after = data.draw(st.sampled_from(["", "bon, ", "« "])), data.draw(st.sampled_from(["", "\u202f!", "… 🍀"]))
    sign = combined_sign("🍀", agreed) if is_combined else spoken_sign(agreed)
    assert gesture_makes(SAY, before + said + after, sign)
    assert sign == (combined_sign("🍀", word) if is_combined else spoken_sign(word))
    assert hash(sign) == hash(combined_sign("🍀", said) if is_combined else spoken_sign(said))


@settings(max_examples=examples(400))
@given(st.text(max_size=8))
def test_words_are_folded_once_and_shown_so_that_they_are_heard(text: str) -> None:
    assert fold_words(fold_words(text)) == fold_words(text)
    assert fold_words(spoken_sign(text).text) == fold_words(text)


def test_a_spoken_sign_is_shown_as_it_was_written() -> None:
    assert spoken_sign("  J’ai   FAIM ! ").text == "j’ai faim"
    assert combined_sign("🍀", "Arc-en-ciel…").words == "arc-en-ciel"
    assert spoken_sign("…").text == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("peur", "beurre"), ("hat", "hart"), ("か", "が"), ("й", "и"), ("कि", "का"), ("j'ai", "je"), ("oe", "o")],
)
def test_words_that_sound_different_are_different_signs(one: str, other: str) -> None:
    assert spoken_sign(one) != spoken_sign(other)


@pytest.mark.parametrize("said", ["j'ai Kem's", "J’AI KEM’S", "un kém’s", "K\u00adem"])
def test_kem_is_no_sign_however_it_is_written(said: str) -> None:
    assert not spoken_sign(said).is_good
    assert not combined_sign("🍀", said).is_good
