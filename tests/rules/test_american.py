"""Kemps as it is commonly played in America: no sheet, but the same axes; a preset made of data alone."""

import pytest

from bot.game.actions import Action
from bot.game.events import CardsDealt, ExcessRedrawn
from bot.game.rules import house_rules
from bot.game.rules.presets import AMERICAN
from tests.rules.table import (
    Table,
    codes,
    counter,
    counter2,
    double,
    guess,
    kems,
    next_round,
    no,
    open_hunt,
    put,
    show,
    sweep,
    take,
    yes,
)

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
    table.do(put("A", "7S"))
    table.refuses("take_first", put("A", "8S"))
    table.do(take("A", "8H"))
    assert table.hand("A") == {"8H", "8S", "9S", "TS"}


def test_american_04_three_alike_in_the_middle_change_nothing() -> None:
    table = Table("american", hands={"A": "KS 7H 8H 9H"}, pool="KH KD 7S 8S")
    table.do(put("A", "KS"), take("A", "7S"))
    assert (table.phase, table.pool) == ("hunt", {"KS", "KH", "KD", "8S"})


def test_american_05_when_nobody_swaps_the_middle_is_cleared_and_no_reason_is_owed() -> None:
    table = Table("american", pool="7H 8H 9H TH", stock="7S 8S 9S TS JS")
    table.wait(5)
    table.do(sweep("A"), no("B"), sweep("C"), *yes("A", "B", "D"))
    assert table.pool == {"7S", "8S", "9S", "TS"}
    assert codes(table.state.discard) >= {"7H", "8H", "9H", "TH"}


def test_american_06_the_partners_kemps_is_worth_one_point() -> None:
    table = Table("american", hands={"A": KINGS})
    table.do(kems("C"))
    assert (table.outcome, table.scores) == ("kems", (1, 0))


@pytest.mark.parametrize("hands", [{}, {"C": KINGS}, {"B": KINGS}], ids=["none", "own", "opponent"])
def test_american_07_a_false_kemps_costs_the_own_team_a_point(hands: dict[str, str]) -> None:
    table = Table("american", hands=hands)
    table.do(kems("C"))
    assert (table.outcome, table.scores) == ("false_kems", (-1, 0))


def test_american_08_with_more_teams_a_false_kemps_costs_nobody_else_anything() -> None:
    table = Table("american", players=6)
    table.do(kems("B"))
    assert table.scores == (0, -1, 0)


@pytest.mark.parametrize("hands", [{"A": KINGS}, {"A": KINGS, "C": ACES}], ids=["one", "two"])
def test_american_09_a_cut_of_a_team_is_worth_one_point(hands: dict[str, str]) -> None:
    table = Table("american", hands=hands)
    table.refuses("not_allowed", counter("B", "A"), counter2("B", "#1"))
    table.do(counter("B", "#1"))
    assert (table.outcome, table.scores) == ("counter", (0, 1))


def test_american_10_a_false_cut_costs_the_own_team_a_point_and_ends_the_round() -> None:
    table = Table("american")
    table.do(counter("B", "#1"))
    assert (table.phase, table.outcome, table.scores) == ("over", "false_counter", (0, -1))
    table.refuses("not_pending", show("A", "7S 8S"))


@pytest.mark.parametrize(
    ("hands", "scores"), [({"A": KINGS, "C": ACES}, (1, 0)), ({"A": KINGS}, (-1, 0))], ids=["true", "false"]
)
def test_american_11_a_double_is_no_more_than_a_kemps(hands: dict[str, str], scores: tuple[int, int]) -> None:
    table = Table("american", hands=hands)
    table.do(double("C"))
    assert table.scores == scores


def test_american_12_signs_are_not_guessed() -> None:
    Table("american").refuses("not_allowed", guess("B", "#1", "👀"))


@pytest.mark.parametrize("call", [kems("C"), counter("A", "#2")])
def test_american_13_the_first_team_with_five_points_wins(call: Action) -> None:
    table = Table("american", hands={"A": KINGS, "B": ACES}, scores=(3, 4))
    table.do(call)
    assert table.phase == "over"
    table = Table("american", hands={"A": KINGS, "B": ACES}, scores=(4, 4))
    table.do(call)
    assert (table.phase, table.state.winner, table.scores) == ("match_over", 0, (5, 4))


def test_american_14_the_deal_goes_round() -> None:
    table = Table("american")
    table.do(kems("B"), next_round(), open_hunt("A"))
    assert table.state.dealer == 0
