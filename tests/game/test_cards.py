"""Cards, hands and decks."""

import pytest

from bot.game.cards import DECKS, RANKS, SUITS, Card, DeckKind, is_kems, most_alike, parse_card
from bot.game.effects.dealing import excess_cards
from bot.game.rules.rules import Deal
from tests.rules.table import cards, codes
from tests.together import together


def test_all_cards_of_a_deck_have_different_codes() -> None:
    for kind, deck in DECKS.items():
        assert len({card.code for card in deck}) == len(deck) == int(kind)
        assert tuple(parse_card(card.code) for card in deck) == deck


def test_the_code_of_a_card_is_its_rank_and_its_suit() -> None:
    assert parse_card("TS") == Card(RANKS.index("T"), SUITS.index("S"))
    assert parse_card("x2") == parse_card("X2") == Card(13, 1)
    assert [parse_card(code).is_joker for code in ("2S", "AC", "X1")] == [False, False, True]


@together("code", ["", "7", "10S", "7X", "1S", "X0", "X3", "S7", "7S ", "7♠", "7S1", "X12"])
def test_text_that_is_no_card_is_refused_with_an_example(code: str) -> None:
    with pytest.raises(ValueError, match="such as 7S, or X1, X2 for a joker") as refused:
        parse_card(code)
    assert repr(code) in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "first", "jokers"),
    [(DeckKind.D32, "7S", 0), (DeckKind.D52, "2S", 0), (DeckKind.D54, "2S", 2), (DeckKind.D104, "2S", 0)],
)
def test_packs_hold_four_of_each_rank(kind: DeckKind, first: str, jokers: int) -> None:
    deck = DECKS[kind]
    assert deck[0] == parse_card(first)
    assert sum(card.is_joker for card in deck) == jokers
    groups = [card.group for card in deck if not card.is_joker]
    assert {groups.count(group) for group in groups} == {4 * kind.packs}


@pytest.mark.parametrize(
    ("hand", "is_one"),
    [
        ("7S 7H 7D 7C", True),
        ("7S 7H 7D X1", True),
        ("7S 7H X1 X2", True),
        ("7S 7H 7D 8C", False),
        ("7S 8H X1 X2", False),
        ("7S 7H 7D", False),
        ("", False),
    ],
)
def test_a_kems_is_four_alike(hand: str, is_one: bool) -> None:
    assert is_kems(cards(hand)) is is_one


def test_the_cards_most_alike_in_a_hand_leave_out_jokers() -> None:
    assert codes(most_alike(cards("7S 8S 7H X1 X2 8H 7D"))) == {"7S", "7H", "7D"}
    assert most_alike(cards("X1 X2")) == most_alike(()) == ()


@pytest.mark.parametrize(
    ("hand", "with_jokers", "without"),
    [
        ("7S 7H 7D X1", "7S 7H 7D", "7S 7H 7D"),
        ("7S 7H 7D 7C", "7S 7H 7D 7C", "7S 7H 7D 7C"),
        ("7S 7H X1 X2", "X1 X2", ""),
        ("7S 7H 8D X1", "", ""),
    ],
)
def test_excess_is_found_in_every_kind_of_hand(hand: str, with_jokers: str, without: str) -> None:
    assert codes(excess_cards(cards(hand), Deal(excess_jokers=True))) == set(with_jokers.split())
    assert codes(excess_cards(cards(hand), Deal())) == set(without.split())
