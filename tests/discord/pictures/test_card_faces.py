"""Faces of cards: short, unique, legible without a picture, in both languages; and a theme wherever cards are shown."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import emoji
import pytest

from bot.discord.api.components import Emoji, Layout
from bot.discord.pictures.card_faces import Faces, picture_name
from bot.discord.text.texts import LANGUAGES, Texts
from bot.game.build_view import seat_view, table_view
from bot.game.cards import DECKS, Card, DeckKind
from bot.game.rules.presets import PRESETS
from bot.game.state import State
from bot.records.pictures import Theme
from bot.ui.table.verbs import TableVerb, card_of
from tests.examples import combined
from tests.rules.table import Table, cards
from tests.ui.table.pages.shown import board, hand
from tests.ui.walk import BOTH, BY_LANGUAGE, EN, EVERY, FR, ROW, Shown, buttons, walk, wander, words

DECK = DECKS[DeckKind.D54]
THEMES = pytest.mark.parametrize("theme", list(Theme))
CHARACTERS = [theme for theme in Theme if theme is not Theme.FRENCH]
PICTURES = {
    picture_name(card, theme, language): 2**63 + number
    for number, (theme, card, language) in enumerate(product(Theme, DECK, LANGUAGES))
}


def test_suits_are_shown_as_text_and_not_as_emojis() -> None:
    assert all(Faces(FR).label(card).endswith("\ufe0e") for card in DECKS[DeckKind.D52])


@BOTH
@THEMES
def test_a_label_is_short_and_says_group_and_member(theme: Theme, texts: Texts) -> None:
    labels = {card: Faces(texts, theme).label(card) for card in DECK}
    assert len(set(labels.values())) == len(DECK)
    assert max(len(label.rstrip("\ufe0e")) for label in labels.values()) <= 8
    marks: dict[int, set[str]] = {}
    for card, label in labels.items():
        if not card.is_joker:
            # Of four alike the labels differ in the mark alone, and it is the same mark in every group.
            same = [labels[Card(card.group, member)] for member in range(4)]
            start = next(at for at in range(8) if len({each[: at + 1] for each in same}) > 1)
            assert start > 0
            marks.setdefault(card.member, set()).add(label[start:])
    assert [len(found) for found in marks.values()] == [1, 1, 1, 1]


@pytest.mark.parametrize("theme", CHARACTERS)
def test_marks_are_single_emojis_that_no_gesture_uses(theme: Theme) -> None:
    for card in DECKS[DeckKind.D52]:
        (found,) = emoji.emoji_list(Faces(FR, theme).label(card))
        assert found["emoji"] not in "👀🍀🎲☕🎩🌶️🦊🎈🧦🍩🛶🪁🥁🐙🌵🔑"


@EVERY
@THEMES
def test_no_two_cards_have_the_same_name(theme: Theme, texts: Texts) -> None:
    assert len({Faces(texts, theme).name(card) for card in DECK}) == len(DECK)


@THEMES
def test_a_card_looks_the_same_in_both_packs(theme: Theme) -> None:
    faces, packs = Faces(FR, theme, PICTURES), DECKS[DeckKind.D104]
    for card in packs:
        shown = [(faces.label(of), faces.name(of), faces.picture(of), faces.slot(of)) for of in (card, card.face)]
        assert shown[0] == shown[1]
    assert len({faces.text(card) for card in packs}) == len(DECKS[DeckKind.D52])


def test_queens_have_a_picture_for_each_letter_and_sevens_have_one_picture() -> None:
    queen, seven, joker = cards("QH 7S X2")
    assert [picture_name(queen, Theme.FRENCH, language) for language in LANGUAGES] == [
        *("kems_french_dh", "kems_french_qh", "kems_french_dh", "kems_french_qh")
    ]
    assert {picture_name(seven, Theme.FRENCH, language) for language in LANGUAGES} == {"kems_french_7s"}
    assert {picture_name(queen, Theme.YOKAI, language) for language in LANGUAGES} == {"kems_yokai_qh"}
    assert picture_name(joker, Theme.FRENCH, "fr") == "kems_french_x2"
    assert len(PICTURES) == 4 * 54 + 16


def test_a_card_with_a_picture_still_has_its_label() -> None:
    (queen,) = cards("QH")
    faces = Faces(FR, Theme.FRENCH, {"kems_french_dh": 77})
    assert faces.text(queen) == "<:qh:77>", "drawn or written, never both"
    assert faces.line([queen, *cards("7S")]) == "<:qh:77> 7♠\ufe0e"
    assert faces.picture(queen) == Emoji("qh", 77)
    assert Faces(EN, Theme.FRENCH, faces.pictures).text(queen) == "Q♥\ufe0e", "that picture has a French letter"


@BOTH
def test_every_theme_has_a_name(texts: Texts) -> None:
    assert len({texts.t(theme.words) for theme in Theme}) == len(Theme)


def shown(state: State, now: int, faces: Faces) -> Iterator[Layout]:
    """Everything that anybody sees of a table."""
    yield board(state, faces)
    for seat in range(len(state.seats)):
        yield hand(seat_view(state, seat), faces)


@pytest.mark.parametrize(("name", "theme"), combined([*PRESETS], CHARACTERS))
def test_a_theme_is_kept_wherever_cards_are_shown(name: str, theme: Theme) -> None:
    """No suit, no rank: neither on the board nor in a panel nor in a result."""
    table = Table(name, players=4)
    faces = Faces(FR, theme)
    for state in wander(table, seed=5, steps=40):
        for view in shown(state, table.now, faces):
            seen = words(view) + " ".join(item.label for item in buttons(view))
            assert not set("♠♥♦♣") & set(seen), seen
            assert all(faces.label(card) in plain(item.label) for item, card in slots(view))
            for row in (row_ids(row) for row in walk(view) if row["type"] == ROW):
                # Names are too wide for four in a row: a phone would wrap them, every time elsewhere.
                assert len(row) <= 2 or not any(":put:" in each or ":take:" in each for each in row)


@pytest.mark.parametrize("must_show", [False, True])
@THEMES
def test_a_panel_with_a_very_full_pool_fits_one_message(theme: Theme, must_show: bool) -> None:
    table = Table(hands={"B": "7S 8S 9S TS"}, pool="7C 8C 9C TC")
    if must_show:
        table.do("A counter B")
    own = seat_view(table.state, 1)
    crowded = replace(own, table=replace(own.table, pool=table.all_cards()[:20]))
    view = hand(crowded, Faces(FR, theme, PICTURES))
    assert any(item.press.verb == TableVerb.SHOWING for item in buttons(view)) is must_show
    assert sum(item.press.verb == TableVerb.TAKE for item in buttons(view)) == 8
    assert "aussi au milieu" in words(view)


def slots(view: Layout) -> Iterator[tuple[Shown, Card]]:
    """The buttons that put down or take a card, and the card."""
    for item in buttons(view):
        if item.press.verb in (TableVerb.PUT, TableVerb.TAKE) and (card := card_of(item.press.arg)) is not None:
            yield item, card


def plain(label: str) -> str:
    """A label without the spaces that make it as wide as others."""
    return re.sub(r"[\s\u200b]", "", label)


def row_ids(row: dict[str, Any]) -> list[str]:
    """The custom ids of a row of components."""
    return [part["custom_id"] for part in row["components"]]


@pytest.mark.parametrize(("theme", "language"), combined([*Theme], ["fr", "en"]))
def test_with_pictures_every_card_shows_its_own(theme: Theme, language: str) -> None:
    texts = BY_LANGUAGE[language]
    table = Table("bell", players=4, hands={"A": "7S 7H 7D 7C"})
    faces = Faces(texts, theme, PICTURES)
    for state in wander(table, seed=3, steps=30):
        for view in shown(state, table.now, faces):
            for item, card in slots(view):
                picture = {"id": PICTURES[picture_name(card, theme, texts.locale)], "name": card.code.lower()}
                is_narrow = theme is Theme.FRENCH  # four beside each other leave no room for pictures
                assert item.emoji == (None if is_narrow else picture)
                assert (faces.label(card) if is_narrow else faces.named(card)) in plain(item.label)
                assert is_narrow or card.is_joker or faces.label(card) not in plain(item.label), "its mark is drawn"


@THEMES
def test_the_middle_is_shown_as_pictures_or_as_text(theme: Theme) -> None:
    view, faces = table_view(Table(hands={"A": "7S 7H 7D 7C"}).state), Faces(FR, theme, PICTURES)
    text = words(board(view, faces))
    for card in filter(None, view.pool):
        assert str(faces.picture(card)) in text
        assert card.is_joker or faces.label(card) not in text
        assert theme is Theme.FRENCH or faces.named(card) in text


def test_pool_rows_keep_their_height_while_cards_come_and_go() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"})
    for faces in (Faces(FR), Faces(FR, Theme.YOKAI), Faces(FR, Theme.YOKAI, PICTURES), Faces(FR, pictures=PICTURES)):
        heights = set()
        for gone in range(5):
            full = table_view(table.state)
            view = replace(full, pool=(*full.pool[gone:], *(None,) * gone))
            text = words(board(view, faces))
            heights.add(len(text.splitlines()))
            assert text.count("—") >= gone
        assert len(heights) == 1


@pytest.mark.parametrize("theme", [Theme.FRENCH, Theme.FAMILY])
def test_the_fullest_messages_fit_with_pictures(theme: Theme) -> None:
    faces = Faces(FR, theme, PICTURES)
    table = Table(players=12, deck="52", hands={"A": "7S 7H 7D 7C"})
    everything = replace(table_view(table.state), pool=tuple(table.all_cards()))
    assert board(everything, faces)
    table.do("G kems")
    assert words(board(table, faces)).count("<:") >= 48
