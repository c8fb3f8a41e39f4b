"""Sheet 002."""

import pytest

from bot.game.events import CardsDealt
from tests.rules.table import Table, codes

KINGS, ACES, NOTHING = "KS KH KD KC", "AS AH AD AC", "7S 8S 9S TS"


def test_002_02_thirty_two_cards_without_jokers() -> None:
    assert len(Table("linternaute").all_cards()) == 32
    assert not any(card.is_joker for card in Table("linternaute").all_cards())


@pytest.mark.parametrize("hand", ["KS KH KD 7S", KINGS])
def test_002_06_three_or_four_alike_mean_a_new_deal_for_everybody(hand: str) -> None:
    table, events = Table.dealt("linternaute", ["8S 8H 9S 9H", hand])
    dealt = [event for event in events if isinstance(event, CardsDealt)]
    assert len(dealt) == 1
    assert codes(dealt[0].order[:16:4]) != {"8S", "8H", "9S", "9H"}
    assert len(table.all_cards()) == 32
    assert all(len({card.group for card in seat.cards}) > 1 for seat in table.state.seats)


def test_002_10_the_four_cards_go_under_the_stock() -> None:
    table = Table("linternaute", pool="7H 8H 9H TH", stock="7S 8S 9S TS JS")
    discarded = table.state.discard
    table.wait(5)
    table.do("A sweep", "B yes", "C yes", "D yes")
    assert table.pool == {"7S", "8S", "9S", "TS"}
    assert [card.code for card in table.state.stock] == ["JS", "7H", "8H", "9H", "TH"]
    assert table.state.discard == discarded


def test_002_18_the_accused_shows_two_different_cards_to_the_accuser() -> None:
    table = Table("linternaute", hands={"A": "7S 7H 8S 9S"})
    table.do("B counter A")
    table.refuses("cards_not_different", "A show 7S 7H")
    table.do("A show 7S 8S")
    assert [table.shown(name) for name in "ABCD"] == [[], [("A", {"7S", "8S"})], [], []]


def test_002_19_at_random_different_cards_are_shown_too() -> None:
    for seed in range(12):
        table = Table("linternaute", hands={"A": "7S 7H 7D 9S"}, seed=seed)
        table.do("B counter A")
        table.wait(20)
        ((_, shown),) = table.shown("B")
        assert "9S" in shown
