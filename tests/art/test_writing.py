"""Words in pictures: letters of all scripts, emojis, names from right to left, what is cut and what is wrapped."""

import emoji
import pytest

from bot.art.writing import FIRST, LIST, Lettering, in_drawing_order, initials, is_emoji, readable, with_emojis

CLOVER = with_emojis("🍀")
FOX = with_emojis("🦊")
LETTERS = Lettering(20)


def test_a_name_is_drawn_with_its_letters_and_emojis() -> None:
    assert readable("Éloïse Œuvre-Nuñez") == "Éloïse Œuvre-Nuñez"
    assert readable("Le\u0301a 🍀") == f"Léa {CLOVER}"
    assert readable("Ж\u202eанна") == "Жанна"
    assert readable("") == ""
    assert readable("\u200b") == "?"


def test_letters_that_the_font_lacks_are_shown_as_latin_ones() -> None:
    assert readable("陈伟") == "ChenWei"
    assert readable("Жанна 陈") == "Жанна Chen"
    assert readable("𝕰𝖒𝖎𝖑 Ⓩ") == "Emil Z"
    assert readable("🦊🦊") == FOX * 2
    assert readable("🦊 & Léa 🍀, さくら") == f"{FOX} & Léa {CLOVER}, sakura"


def test_each_emoji_becomes_one_private_character_and_letters_do_not() -> None:
    known = LIST.read_text(encoding="utf-8").splitlines()
    assert len(known) == len(set(known)) > 3600
    for one in ("👀", "☕", "🥁", "👨‍👩‍👧", "🇫🇷", "👋🏽", "❤️", "🏴‍☠️", "🐈‍⬛"):
        (shown,) = with_emojis(one)
        assert is_emoji(shown)
        assert known[ord(shown) - FIRST] == one.replace("\ufe0f", "")
    assert with_emojis("7♠ © 12 ♥") == "7♠ © 12 ♥", "suits stay letters"


@pytest.mark.parametrize("one", ["🫩", "🫯"])
def test_an_emoji_that_the_font_lacks_is_shown_by_its_name(one: str) -> None:
    name = emoji.EMOJI_DATA[one]["en"].strip(":").replace("_", " ")
    assert name in readable(one)


def test_an_emoji_in_a_tone_that_the_font_lacks_is_shown_without_it() -> None:
    assert with_emojis("🧑🏿‍🩰") != ""
    assert with_emojis("👯🏿‍♂️") == with_emojis("👯‍♂️")


def test_right_to_left_text_is_drawn_from_right_to_left() -> None:
    assert LETTERS.fitted("שלום", None) == "םולש"
    assert LETTERS.fitted("Bo & שלום כהן", None) == "Bo & ןהכ םולש"
    assert LETTERS.fitted("שלום, כהן", None) == "םולש, ןהכ", "the first of two people stays the first"
    assert LETTERS.fitted("علي", None) == "\ufef2\ufee0\ufecb", "joined letters, the last one at the left"
    room = LETTERS.width("…םולש")
    assert LETTERS.fitted("שלום כהן", room).endswith("םולש")
    assert all(readable(char) == char for name in ("الله", "لا") for char in LETTERS.fitted(name, None))


def test_a_sentence_keeps_its_order_around_a_right_to_left_name() -> None:
    assert in_drawing_order("\u2068שלום כהן\u2069 puts 7♠ down.") == "ןהכ םולש puts 7♠ down."
    assert in_drawing_order("Won by \u2068שלום") == "Won by םולש", "cut off inside the name"


def test_words_are_truncated_to_the_available_width() -> None:
    words = "Maximilien de la Tour " * 3
    for room in (25.0, 60.0, 150.0, 400.0):
        cut = LETTERS.fitted(words, room)
        assert cut.endswith("…")
        assert LETTERS.width(cut) <= room
        more = words[: len(cut)].rstrip() + "…"
        assert LETTERS.width(more) > room or more == cut, "no letter less than fits"


def test_long_words_wrap_and_nothing_is_lost() -> None:
    words = "Ana l'annonce, \u2068שלום כהן\u2069 avait le carré : 7♠ 7♥ 7♦ 7♣ et Équipe 1 gagne 🏆"
    lines = LETTERS.lines(words, 180, 9)
    assert len(lines) > 2
    assert all(LETTERS.width(line) <= 180 for line in lines)
    assert " ".join(lines) == in_drawing_order(readable(words))
    assert LETTERS.lines(words, 180, 2)[1].endswith("…")
    assert LETTERS.lines("", 180, 2) == []


def test_initials_stand_for_a_name() -> None:
    assert initials("Léa") == "L"
    assert initials("Maximilien de la Tour") == "MD"
    assert initials("🤖 Zoé") == with_emojis("🤖")
    assert initials("Zoé 🍀") == "Z"
    assert initials("…") == "?"
    assert initials("") == "?"
