"""Sheet 000, "Variante (joueurs confirmés)" (000v). The bonus for four Kem's at once is not among these clauses."""

from __future__ import annotations

import pytest

from bot.game.actions import Action
from bot.game.presets import EXPERT
from tests.rules.table import NAMES, Table, counter, counter2, double, guess, kems, next_round, open_hunt, propose, show

KINGS, ACES, TENS, NINES = "KS KH KD KC", "AS AH AD AC", "TS TH TD TC", "9S 9H 9D 9C"
THREES = {"double_kems": 3, "double_counter": 3, "false_double": 3, "false_double_counter": 3}


def test_000v_01_a_kems_is_worth_one_point_and_a_double_two() -> None:
    table = Table("expert", hands={"A": KINGS, "C": ACES})
    table.do(kems("C"))
    assert table.scores == (1, 0)
    table = Table("expert", hands={"A": KINGS, "C": ACES})
    table.do(double("C"))
    assert table.scores == (2, 0)


@pytest.mark.parametrize("hands", [{"A": KINGS}, {"A": KINGS, "C": ACES}], ids=["one", "two"])
def test_000v_02_a_counter_is_always_worth_one_point(hands: dict[str, str]) -> None:
    table = Table("expert", hands=hands)
    table.do(counter("B", "#1"))
    assert (table.outcome, table.scores) == ("counter", (0, 1))


@pytest.mark.parametrize("holder", ["A", "C"])
def test_000v_03_a_counter_names_the_team_whoever_holds_the_kems(holder: str) -> None:
    table = Table("expert", hands={holder: KINGS})
    table.refuses("not_allowed", counter("B", "A"))
    table.refuses("own_team", counter("B", "#2"), counter2("B", "#2"))
    table.refuses("unknown_team", counter("B", "#3"), counter2("B", "#3"))
    table.do(counter("D", "#1"))
    assert table.scores == (0, 1)


def test_000v_04_a_double_counter_is_worth_two_points() -> None:
    table = Table("expert", hands={"A": KINGS, "C": ACES})
    table.do(counter2("B", "#1"))
    assert (table.outcome, table.scores) == ("double_counter", (0, 2))


def test_000v_05_a_false_kems_gives_the_other_team_one_point() -> None:
    table = Table("expert")
    table.do(kems("C"))
    assert (table.outcome, table.scores) == ("false_kems", (0, 1))


@pytest.mark.parametrize("hands", [{}, {"A": KINGS}, {"C": KINGS}], ids=["none", "partner", "caller"])
def test_000v_06_a_false_double_gives_the_other_team_two_points(hands: dict[str, str]) -> None:
    table = Table("expert", hands=hands)
    table.do(double("C"))
    assert (table.outcome, table.scores) == ("false_double", (0, 2))


def test_000v_07_a_false_counter_gives_the_other_team_one_point_and_ends_the_round() -> None:
    table = Table("expert")
    table.do(counter("B", "#1"))
    assert (table.phase, table.outcome, table.scores) == ("over", "false_counter", (1, 0))
    table.refuses("not_pending", show("A", "7S 8S"))


@pytest.mark.parametrize("hands", [{}, {"A": KINGS}], ids=["none", "one"])
def test_000v_08_a_false_double_counter_gives_the_other_team_two_points(hands: dict[str, str]) -> None:
    table = Table("expert", hands=hands)
    table.do(counter2("B", "#1"))
    assert (table.outcome, table.scores) == ("false_double_counter", (2, 0))


@pytest.mark.parametrize(
    ("first", "later", "scores"),
    [
        (kems("C"), counter("C", "#2"), (1, 0)),
        (kems("C"), counter2("C", "#2"), (1, 0)),
        (counter("C", "#2"), double("C"), (1, 0)),
        (double("C"), counter2("C", "#2"), (2, 0)),
    ],
)
def test_000v_09_chained_calls_never_add_up(first: Action, later: Action, scores: tuple[int, int]) -> None:
    table = Table("expert", hands={"A": KINGS, "B": TENS, "C": ACES, "D": NINES})
    table.do(first)
    table.refuses("round_over", later)
    assert table.scores == scores


def test_000v_10_doubles_may_be_worth_three_points() -> None:
    both = {"A": KINGS, "C": ACES}
    for hands, call, scores in (
        (both, double("C"), (3, 0)),
        (both, counter2("B", "#1"), (0, 3)),
        ({}, double("C"), (0, 3)),
        ({}, counter2("B", "#1"), (3, 0)),
    ):
        table = Table("expert", hands=hands, **THREES)
        table.do(call)
        assert table.scores == scores


@pytest.mark.parametrize("target", [10, 15])
def test_000v_11_the_target_is_won_by_two_points(target: int) -> None:
    table = Table("expert", hands={"A": KINGS}, scores=(target - 1, target - 1), target=target)
    table.do(kems("C"))
    assert (table.phase, table.scores) == ("over", (target, target - 1))
    table = Table("expert", hands={"A": KINGS}, scores=(target - 1, target - 2), target=target)
    table.do(kems("C"))
    assert (table.phase, table.state.winner) == ("match_over", 0)


@pytest.mark.parametrize("best_of", [3, 5])
def test_000v_12_a_match_may_be_the_best_of_three_or_five_games(best_of: int) -> None:
    table = Table("expert", best_of=best_of, target=1, win_by=1)
    for game in range(best_of // 2 + 1):
        assert (table.phase, table.state.games) == ("hunt", (0, game))
        table.do(kems("A"))
        assert table.scores == (0, 1)
        if table.phase == "over":
            assert table.state.game_won
            table.do(next_round())
            assert table.scores == (0, 0)
            table.do(open_hunt(NAMES[table.state.dealer]))
    assert (table.phase, table.state.winner, table.state.games) == ("match_over", 1, (0, best_of // 2 + 1))


def test_000v_13_signs_are_reported_as_in_the_main_rules() -> None:
    table = Table("expert")
    table.do(guess("B", "#1", "👀"), propose("A", "🎲"))
    assert (table.phase, table.scores) == ("hunt", (0, 0))


def test_000v_14_all_else_is_as_in_the_main_rules() -> None:
    classic = Table("classic").rules
    assert (EXPERT.deal, EXPERT.exchange, EXPERT.sweep, EXPERT.seating, EXPERT.signs) == (
        classic.deal,
        classic.exchange,
        classic.sweep,
        classic.seating,
        classic.signs,
    )
