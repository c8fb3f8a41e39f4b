"""Sheet 001."""

import pytest

from bot.game.build_view import seat_view
from bot.game.events import CardsDealt, ExcessRedrawn
from bot.game.rules.presets import ESCALE
from tests.rules.table import Table, codes, swap

KINGS, ACES, NOTHING = "KS KH KD KC", "AS AH AD AC", "7S 8S 9S TS"


@pytest.mark.parametrize("deck", ["32", "52"])
def test_001_02_thirty_two_or_fifty_two_cards(deck: str) -> None:
    assert ESCALE.deal.deck == "32"
    assert len(Table("escale", deck=deck).all_cards()) == int(deck)


@pytest.mark.parametrize(("hand", "excess"), [("KS KH KD 7S", "KS KH KD"), (KINGS, KINGS)])
def test_001_05_three_or_four_alike_go_under_the_stock(hand: str, excess: str) -> None:
    table, events = Table.dealt("escale", [hand])
    order = next(event.order for event in events if isinstance(event, CardsDealt))
    count = len(excess.split())
    redrawn = next(event for event in events if isinstance(event, ExcessRedrawn))
    assert redrawn.stock[:-count] == order[16:]
    assert codes(table.state.stock[-count:]) == set(excess.split())
    assert table.hand("A") == (set(hand.split()) - set(excess.split())) | codes(order[16 : 16 + count])


def test_001_08_one_to_four_cards_are_put_down_first_then_as_many_taken() -> None:
    table = Table("escale", hands={"A": NOTHING}, pool="7H 8H 9H TH")
    table.refuses("hand_full", "A take 7H")
    table.do(*swap("A", NOTHING, "7H 8H 9H TH"))
    table.refuses("hand_full", "A take 7S")


def test_001_21_after_a_false_counter_the_accuser_shows_two_cards_only_to_the_accused() -> None:
    table = Table("escale", hands={"B": NOTHING})
    table.do("B counter A")
    assert (table.phase, table.scores) == ("hunt", (0, 0))
    table.refuses("not_pending", "A show 7S 8S")
    table.do("B show 7S 8S")
    assert [table.shown(name) for name in "ABCD"] == [[("B", {"7S", "8S"})], [], [], []]
    assert all(seat_view(table.state, seat).shown == () for seat in (1, 2, 3))


@pytest.mark.parametrize("rounds", [4, 8, 12])
def test_001_24_a_fixed_number_of_rounds(rounds: int) -> None:
    table = Table("escale", ends_at="rounds", rounds=rounds)
    while table.phase != "match_over":
        if table.phase == "hunt":
            table.do("A kems")
        elif table.phase == "over":  # after a call, or because three alike were turned up
            assert table.state.round < rounds
            table.do("- next")
        else:
            table.do(f"{'ABCD'[table.state.dealer]} open")
    assert table.state.round == rounds


def test_001_29_a_word_is_a_sign_only_if_everybody_accepts() -> None:
    Table.starting("escale").refuses("sign_forbidden", "A sign say:what_weather")
    table = Table("escale", strategies="spoken", plans={"#1": "say:what_weather"})
    table.do('A say "what weather"')
    assert table.state.gestures[0].sign is not None
