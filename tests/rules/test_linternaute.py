"""Sheet 002."""

import pytest

from bot.game.events import CardsDealt
from bot.game.rules import house_rules
from bot.game.rules.presets import LINTERNAUTE
from tests.rules.table import Table, codes, swap

KINGS, ACES, NOTHING = "KS KH KD KC", "AS AH AD AC", "7S 8S 9S TS"


@pytest.mark.parametrize(("players", "deck"), [(4, "32"), (6, "32"), (8, "52")])
def test_002_01_four_six_or_eight_players_in_teams_of_two(players: int, deck: str) -> None:
    assert len(Table("linternaute", players=players, deck=deck).state.teams) == players // 2
    with pytest.raises(house_rules.RulesError, match="for 4, 6, 8 players"):
        house_rules.check_table(LINTERNAUTE, 9)


def test_002_02_thirty_two_cards_without_jokers() -> None:
    assert len(Table("linternaute").all_cards()) == 32
    assert not any(card.is_joker for card in Table("linternaute").all_cards())


def test_002_03_teams_sit_alternately() -> None:
    state = Table("linternaute").state
    assert [state.team_of(seat) for seat in range(4)] == [0, 1, 0, 1]


def test_002_04_cards_are_dealt_clockwise_ending_with_the_dealer() -> None:
    table, events = Table.dealt("linternaute", [])
    order = next(event.order for event in events if isinstance(event, CardsDealt))
    assert table.state.seats[table.state.dealer].cards == order[3:16:4]


def test_002_05_each_team_agrees_on_a_sign() -> None:
    table = Table.starting("linternaute")
    table.do("A sign 👀")
    assert table.phase == "signs"


@pytest.mark.parametrize("hand", ["KS KH KD 7S", KINGS])
def test_002_06_three_or_four_alike_mean_a_new_deal_for_everybody(hand: str) -> None:
    table, events = Table.dealt("linternaute", ["8S 8H 9S 9H", hand])
    dealt = [event for event in events if isinstance(event, CardsDealt)]
    assert len(dealt) == 1
    assert codes(dealt[0].order[:16:4]) != {"8S", "8H", "9S", "9H"}
    assert len(table.all_cards()) == 32
    assert all(len({card.group for card in seat.cards}) > 1 for seat in table.state.seats)


def test_002_07_the_dealer_opens_when_ready() -> None:
    table = Table("linternaute", hands={"A": NOTHING}, opened=False)
    table.refuses("hunt_closed", "A put 7S")
    table.do("D open", "A put 7S")


def test_002_08_one_card_down_then_one_up() -> None:
    table = Table("linternaute", hands={"A": NOTHING}, pool="7H 8H 9H TH")
    table.refuses("hand_full", "A take 7H")
    table.do("A put 7S")
    table.refuses("take_first", "A put 8S")
    table.do("A take 7H")
    table.refuses("hand_full", "A take 8H")
    assert table.hand("A") == {"7H", "8S", "9S", "TS"}


def test_002_09_no_card_passes_directly_between_partners() -> None:
    table = Table("linternaute", hands={"A": NOTHING, "C": "JS QS JH QH"})
    table.do("A put 7S")
    table.refuses("not_in_pool", "A take JS")


def test_002_10_the_four_cards_go_under_the_stock() -> None:
    table = Table("linternaute", pool="7H 8H 9H TH", stock="7S 8S 9S TS JS")
    discarded = table.state.discard
    table.wait(5)
    table.do("A sweep", "B yes", "C yes", "D yes")
    assert table.pool == {"7S", "8S", "9S", "TS"}
    assert [card.code for card in table.state.stock] == ["JS", "7H", "8H", "9H", "TH"]
    assert table.state.discard == discarded


def test_002_11_who_still_wants_the_cards_refuses_and_owes_nothing() -> None:
    table = Table("linternaute")
    table.wait(5)
    table.do("A sweep", "B no")
    assert (table.phase, table.state.duty) == ("hunt", None)
    table.do("A sweep")


def test_002_12_three_alike_in_the_pool_are_allowed() -> None:
    table = Table("linternaute", hands={"A": "KS 7H 8H 9H"}, pool="KH KD 7S 8S")
    table.do("A put KS")
    table.do("A take 7S")
    assert (table.phase, table.pool) == ("hunt", {"KS", "KH", "KD", "8S"})


def test_002_13_a_kems_of_the_partner_is_worth_one_point() -> None:
    table = Table("linternaute", hands={"A": KINGS})
    table.do("C kems")
    assert (table.phase, table.scores) == ("chain", (0, 0))
    table.wait(2.999)
    assert table.phase == "chain"
    table.wait(0.001)
    assert (table.outcome, table.scores) == ("kems", (1, 0))
    table = Table("linternaute", hands={"A": KINGS})
    table.do("A kems")
    assert (table.outcome, table.scores) == ("false_kems", (0, 1))


def test_002_14_a_counter_before_the_kems_is_worth_one_point() -> None:
    table = Table("linternaute", hands={"A": KINGS})
    table.refuses("not_allowed", "B counter #1")
    table.do("B counter A")
    assert (table.outcome, table.scores) == ("counter", (0, 1))


def test_002_15_a_counter_after_the_kems_is_too_late() -> None:
    table = Table("linternaute", hands={"A": KINGS})
    table.do("C kems")
    table.refuses("round_over", "B counter A", "B counter2 #1", "B double", "A kems")
    table.refuses("not_allowed", "B guess #1 👀")


def test_002_16_a_counter_counts_against_two_kems_too() -> None:
    table = Table("linternaute", hands={"A": KINGS, "C": ACES})
    table.do("B counter A")
    assert (table.outcome, table.scores) == ("counter", (0, 1))


def test_002_17_a_false_counter_gives_the_accused_team_a_point() -> None:
    table = Table("linternaute")
    table.do("B counter A")
    assert (table.phase, table.scores) == ("hunt", (1, 0))
    table.do("B counter C")
    assert table.scores == (2, 0)


def test_002_18_the_accused_shows_two_different_cards_to_the_accuser() -> None:
    table = Table("linternaute", hands={"A": "7S 7H 8S 9S"})
    table.do("B counter A")
    table.refuses("cards_not_different", "A show 7S 7H")
    table.do("A show 7S 8S")
    assert [table.shown(name) for name in "ABCD"] == [[], [("A", {"7S", "8S"})], [], []]


def test_002_19_chance_shows_different_cards_too() -> None:
    for seed in range(12):
        table = Table("linternaute", hands={"A": "7S 7H 7D 9S"}, seed=seed)
        table.do("B counter A")
        table.wait(20)
        ((_, shown),) = table.shown("B")
        assert "9S" in shown


def test_002_20_two_voices_make_a_double_of_two_points() -> None:
    table = Table("linternaute", hands={"A": KINGS, "C": ACES})
    table.refuses("not_allowed", "A double")
    table.do("A kems")
    table.refuses("round_over", "A double", "B double")
    table.do("C double")
    assert (table.outcome, table.scores) == ("double", (2, 0))


def test_002_21_the_second_voice_comes_in_time() -> None:
    table = Table("linternaute", hands={"A": KINGS, "C": ACES})
    table.do("A kems")
    table.wait(3)
    table.refuses("round_over", "C double")
    assert table.scores == (1, 0)


def test_002_22_after_a_false_double_the_kems_stands() -> None:
    table = Table("linternaute", hands={"A": KINGS})
    table.do("C kems", "A double")
    assert (table.outcome, table.scores) == ("kems", (1, 0))


def test_002_23_a_double_may_be_worth_three_points() -> None:
    table = Table("linternaute", hands={"A": KINGS, "C": ACES}, double_kems=3)
    table.do("A kems", "C double")
    assert table.scores == (3, 0)


@pytest.mark.parametrize("value", [2, 3])
def test_002_24_a_double_counter_is_worth_two_or_three_points(value: int) -> None:
    table = Table("linternaute", hands={"A": KINGS, "C": ACES}, double_counter=value)
    table.do("B counter2 #1")
    assert (table.outcome, table.scores) == ("double_counter", (0, value))


def test_002_25_a_false_double_counter_gives_the_accused_team_its_value() -> None:
    table = Table("linternaute", hands={"A": KINGS})
    table.do("B counter2 #1")
    assert (table.phase, table.scores) == ("hunt", (2, 0))
    assert table.state.pending_shows == ()


def test_002_26_the_match_is_played_to_ten_points() -> None:
    table = Table("linternaute", scores=(9, 0), hands={"B": NOTHING})
    table.do("B counter A")
    assert (table.phase, table.state.winner) == ("match_over", 0)
    assert (table.state.pending_shows, table.state.duty) == ((), None)
    table.wait(60)
    assert table.phase == "match_over"


def test_002_27_another_player_deals_the_next_round() -> None:
    table = Table("linternaute")
    table.do("B kems", "- next")
    assert table.state.dealer == 0


def test_002_28_an_exchange_of_a_card_for_itself_is_none() -> None:
    table = Table("linternaute", hands={"A": NOTHING})
    table.wait(5)
    table.do(*swap("A", "7S", "7S"), "B sweep")
