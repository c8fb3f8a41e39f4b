"""Kemps as it is commonly played in America: no sheet, but the same axes; a preset made of data alone."""

import pytest

from bot.game.events import CardsDealt, ExcessRedrawn
from bot.game.rules import house_rules
from bot.game.rules.presets import AMERICAN
from tests.rules.table import Table, codes

KINGS, ACES, NOTHING = "KS KH KD KC", "AS AH AD AC", "7S 8S 9S TS"


@pytest.mark.parametrize("players", [4, 6, 8])
def test_american_01_four_to_eight_players_in_pairs_with_fifty_two_cards(players: int) -> None:
    table = Table("american", players=players)
    assert (len(table.all_cards()), len(table.state.teams)) == (52, players // 2)
    for others in (2, 9, 12):
        with pytest.raises(house_rules.RulesError, match="for 4, 6, 8 players"):
            house_rules.check_table(AMERICAN, others)


@pytest.mark.parametrize("hand", ["KS KH KD 7S", KINGS])
def test_american_02_what_is_dealt_is_kept(hand: str) -> None:
    table, events = Table.dealt("american", [hand])
    assert table.hand("A") == set(hand.split())
    assert not any(isinstance(event, ExcessRedrawn) for event in events)
    assert sum(isinstance(event, CardsDealt) for event in events) == 1


def test_american_03_one_card_is_swapped_for_one() -> None:
    table = Table("american", hands={"A": NOTHING}, pool="7H 8H 9H TH")
    table.do("A put 7S")
    table.refuses("take_first", "A put 8S")
    table.do("A take 8H")
    assert table.hand("A") == {"8H", "8S", "9S", "TS"}


def test_american_04_three_alike_in_the_middle_change_nothing() -> None:
    table = Table("american", hands={"A": "KS 7H 8H 9H"}, pool="KH KD 7S 8S")
    table.do("A put KS", "A take 7S")
    assert (table.phase, table.pool) == ("hunt", {"KS", "KH", "KD", "8S"})


def test_american_05_when_nobody_swaps_the_middle_is_cleared_and_no_reason_is_owed() -> None:
    table = Table("american", pool="7H 8H 9H TH", stock="7S 8S 9S TS JS")
    table.wait(5)
    table.do("A sweep", "B no", "C sweep", "A yes", "B yes", "D yes")
    assert table.pool == {"7S", "8S", "9S", "TS"}
    assert codes(table.state.discard) >= {"7H", "8H", "9H", "TH"}


def test_american_06_the_partners_kemps_is_worth_one_point() -> None:
    table = Table("american", hands={"A": KINGS})
    table.do("C kems")
    assert (table.outcome, table.scores) == ("kems", (1, 0))


@pytest.mark.parametrize("hands", [{}, {"C": KINGS}, {"B": KINGS}], ids=["none", "own", "opponent"])
def test_american_07_a_false_kemps_costs_the_own_team_a_point(hands: dict[str, str]) -> None:
    table = Table("american", hands=hands)
    table.do("C kems")
    assert (table.outcome, table.scores) == ("false_kems", (-1, 0))


def test_american_08_with_more_teams_a_false_kemps_costs_nobody_else_anything() -> None:
    table = Table("american", players=6)
    table.do("B kems")
    assert table.scores == (0, -1, 0)


@pytest.mark.parametrize("hands", [{"A": KINGS}, {"A": KINGS, "C": ACES}], ids=["one", "two"])
def test_american_09_a_cut_of_a_team_is_worth_one_point(hands: dict[str, str]) -> None:
    table = Table("american", hands=hands)
    table.refuses("not_allowed", "B counter A", "B counter2 #1")
    table.do("B counter #1")
    assert (table.outcome, table.scores) == ("counter", (0, 1))


def test_american_10_a_false_cut_costs_the_own_team_a_point_and_ends_the_round() -> None:
    table = Table("american")
    table.do("B counter #1")
    assert (table.phase, table.outcome, table.scores) == ("over", "false_counter", (0, -1))
    table.refuses("not_pending", "A show 7S 8S")


@pytest.mark.parametrize(
    ("hands", "scores"), [({"A": KINGS, "C": ACES}, (1, 0)), ({"A": KINGS}, (-1, 0))], ids=["true", "false"]
)
def test_american_11_a_double_is_no_more_than_a_kemps(hands: dict[str, str], scores: tuple[int, int]) -> None:
    table = Table("american", hands=hands)
    table.do("C double")
    assert table.scores == scores


def test_american_12_signs_are_not_guessed() -> None:
    Table("american").refuses("not_allowed", "B guess #1 👀")


@pytest.mark.parametrize("call", ["C kems", "A counter #2"])
def test_american_13_the_first_team_with_five_points_wins(call: str) -> None:
    table = Table("american", hands={"A": KINGS, "B": ACES}, scores=(3, 4))
    table.do(call)
    assert table.phase == "over"
    table = Table("american", hands={"A": KINGS, "B": ACES}, scores=(4, 4))
    table.do(call)
    assert (table.phase, table.state.winner, table.scores) == ("match_over", 0, (5, 4))


def test_american_14_the_deal_goes_round() -> None:
    table = Table("american")
    table.do("B kems", "- next", "A open")
    assert table.state.dealer == 0
