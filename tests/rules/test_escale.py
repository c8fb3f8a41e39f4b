"""Sheet 001."""

import pytest

from bot.game.build_view import seat_view, table_view
from bot.game.events import CardsDealt, ExcessRedrawn
from bot.game.rules import house_rules
from bot.game.rules.presets import ESCALE
from tests.rules.table import Table, codes, swap

KINGS, ACES, NOTHING = "KS KH KD KC", "AS AH AD AC", "7S 8S 9S TS"


def test_001_01_exactly_four_players_in_two_teams_of_two() -> None:
    for players in (2, 6):
        with pytest.raises(house_rules.RulesError, match="for 4 players"):
            house_rules.check_table(ESCALE, players)
    state = Table("escale").state
    assert [list(state.members(team)) for team in (0, 1)] == [[0, 2], [1, 3]]


@pytest.mark.parametrize("deck", ["32", "52"])
def test_001_02_thirty_two_or_fifty_two_cards(deck: str) -> None:
    assert ESCALE.deal.deck == "32"
    assert len(Table("escale", deck=deck).all_cards()) == int(deck)


def test_001_03_each_team_settles_a_secret_sign_first() -> None:
    table = Table.starting("escale")
    table.do("A sign 👀")
    assert seat_view(table.state, 1).proposal is None
    assert table.phase == "signs"


def test_001_04_four_cards_each_one_by_one() -> None:
    table, events = Table.dealt("escale", [])
    order = next(event.order for event in events if isinstance(event, CardsDealt))
    assert [table.state.seats[seat].cards for seat in range(4)] == [order[seat:16:4] for seat in range(4)]


@pytest.mark.parametrize(("hand", "excess"), [("KS KH KD 7S", "KS KH KD"), (KINGS, KINGS)])
def test_001_05_three_or_four_alike_go_under_the_stock(hand: str, excess: str) -> None:
    table, events = Table.dealt("escale", [hand])
    order = next(event.order for event in events if isinstance(event, CardsDealt))
    count = len(excess.split())
    redrawn = next(event for event in events if isinstance(event, ExcessRedrawn))
    assert redrawn.stock[:-count] == order[16:]
    assert codes(table.state.stock[-count:]) == set(excess.split())
    assert table.hand("A") == (set(hand.split()) - set(excess.split())) | codes(order[16 : 16 + count])


def test_001_06_nobody_touches_the_cards_before_the_dealer_opens_the_hunt() -> None:
    table = Table("escale", hands={"A": NOTHING}, opened=False)
    assert len(table.pool) == 4
    table.refuses("hunt_closed", "A put 7S")
    table.do("D open", "A put 7S")


def test_001_08_one_to_four_cards_are_put_down_first_then_as_many_taken() -> None:
    table = Table("escale", hands={"A": NOTHING}, pool="7H 8H 9H TH")
    table.refuses("hand_full", "A take 7H")
    table.do(*swap("A", NOTHING, "7H 8H 9H TH"))
    table.refuses("hand_full", "A take 7S")


def test_001_13_the_shuffled_discard_pile_becomes_the_stock() -> None:
    table = Table("escale", pool="7H 8H 9H TH", stock="JS QS")
    table.wait(5)
    table.do("A sweep", "B yes", "C yes", "D yes")
    assert (len(table.pool), table.state.discard) == (4, ())


def test_001_21_a_false_counter_makes_the_accuser_show_two_cards_to_the_accused_alone() -> None:
    table = Table("escale", hands={"B": NOTHING})
    table.do("B counter A")
    assert (table.phase, table.scores) == ("hunt", (0, 0))
    table.refuses("not_pending", "A show 7S 8S")
    table.do("B show 7S 8S")
    assert [table.shown(name) for name in "ABCD"] == [[("B", {"7S", "8S"})], [], [], []]
    assert all(seat_view(table.state, seat).shown == () for seat in (1, 2, 3))


def test_001_22_who_was_wrong_loses_the_right_to_counter_for_the_round() -> None:
    table = Table("escale")
    table.do("B counter A")
    assert not table_view(table.state).seats[1].can_counter
    table.refuses("counter_lost", "B counter A", "B counter C")
    table.do("B kems", "- next", "A open", "B counter A")


def test_001_23_the_sign_may_change_between_rounds() -> None:
    table = Table("escale")
    table.refuses("not_allowed", "A sign 🎲", "B guess #1 👀")
    table.do("B kems", "A sign 🎲")


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


@pytest.mark.parametrize("target", [10, 15, 20])
def test_001_26_a_target_score(target: int) -> None:
    for before, phase in ((target - 3, "over"), (target - 2, "match_over"), (target - 1, "match_over")):
        table = Table("escale", hands={"A": KINGS}, target=target, scores=(before, 0))
        table.do("C kems")
        assert table.phase == phase


def test_001_27_the_bottom_card_of_the_stock_is_hidden() -> None:
    table = Table("escale")
    bottom = table.state.stock[-1]
    assert all(repr(bottom) not in repr(seat_view(table.state, seat)) for seat in range(4))


def test_001_29_a_word_is_a_sign_only_if_everybody_accepts() -> None:
    Table.starting("escale").refuses("sign_forbidden", "A sign say:what_weather")
    table = Table("escale", strategies="spoken", plans={"#1": "say:what_weather"})
    table.do('A say "what weather"')
    assert table.state.gestures[0].sign is not None
