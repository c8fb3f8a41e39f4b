"""Sheet 000, "Variante (joueurs confirmés)" (000v)."""

import pytest

from bot.game.build_view import table_view
from bot.game.rules import house_rules
from bot.game.rules.presets import EXPERT
from tests.rules.table import NAMES, Table

KINGS, ACES, TENS, NINES = "KS KH KD KC", "AS AH AD AC", "TS TH TD TC", "9S 9H 9D 9C"
THREES = {"double_kems": 3, "double_counter": 3, "false_double": 3, "false_double_counter": 3}


def test_000v_01_a_kems_is_worth_one_point_and_a_double_two() -> None:
    table = Table("expert", hands={"A": KINGS, "C": ACES})
    table.do("C kems")
    assert table.scores == (1, 0)
    table = Table("expert", hands={"A": KINGS, "C": ACES})
    table.do("C double")
    assert table.scores == (2, 0)


@pytest.mark.parametrize("hands", [{"A": KINGS}, {"A": KINGS, "C": ACES}], ids=["one", "two"])
def test_000v_02_a_counter_is_always_worth_one_point(hands: dict[str, str]) -> None:
    table = Table("expert", hands=hands)
    table.do("B counter #1")
    assert (table.outcome, table.scores) == ("counter", (0, 1))


@pytest.mark.parametrize("holder", ["A", "C"])
def test_000v_03_a_counter_names_the_team_whoever_holds_the_kems(holder: str) -> None:
    table = Table("expert", hands={holder: KINGS})
    table.refuses("not_allowed", "B counter A")
    table.refuses("own_team", "B counter #2", "B counter2 #2")
    table.refuses("unknown_team", "B counter #3", "B counter2 #3")
    table.do("D counter #1")
    assert table.scores == (0, 1)


def test_000v_04_a_double_counter_is_worth_two_points() -> None:
    table = Table("expert", hands={"A": KINGS, "C": ACES})
    table.do("B counter2 #1")
    assert (table.outcome, table.scores) == ("double_counter", (0, 2))


def test_000v_05_a_false_kems_gives_the_other_team_one_point() -> None:
    table = Table("expert")
    table.do("C kems")
    assert (table.outcome, table.scores) == ("false_kems", (0, 1))


@pytest.mark.parametrize("hands", [{}, {"A": KINGS}, {"C": KINGS}], ids=["none", "partner", "caller"])
def test_000v_06_a_false_double_gives_the_other_team_two_points(hands: dict[str, str]) -> None:
    table = Table("expert", hands=hands)
    table.do("C double")
    assert (table.outcome, table.scores) == ("false_double", (0, 2))


def test_000v_07_a_false_counter_gives_the_other_team_one_point_and_ends_the_round() -> None:
    table = Table("expert")
    table.do("B counter #1")
    assert (table.phase, table.outcome, table.scores) == ("over", "false_counter", (1, 0))
    table.refuses("not_pending", "A show 7S 8S")


@pytest.mark.parametrize("hands", [{}, {"A": KINGS}], ids=["none", "one"])
def test_000v_08_a_false_double_counter_gives_the_other_team_two_points(hands: dict[str, str]) -> None:
    table = Table("expert", hands=hands)
    table.do("B counter2 #1")
    assert (table.outcome, table.scores) == ("false_double_counter", (2, 0))


@pytest.mark.parametrize(
    ("first", "later", "scores"),
    [
        ("C kems", "C counter #2", (1, 0)),
        ("C kems", "C counter2 #2", (1, 0)),
        ("C counter #2", "C double", (1, 0)),
        ("C double", "C counter2 #2", (2, 0)),
    ],
)
def test_000v_09_chained_calls_never_add_up(first: str, later: str, scores: tuple[int, int]) -> None:
    table = Table("expert", hands={"A": KINGS, "B": TENS, "C": ACES, "D": NINES})
    table.do(first)
    table.refuses("round_over", later)
    assert table.scores == scores


def test_000v_10_doubles_may_be_worth_three_points() -> None:
    both = {"A": KINGS, "C": ACES}
    for hands, call, scores in (
        (both, "C double", (3, 0)),
        (both, "B counter2 #1", (0, 3)),
        ({}, "C double", (0, 3)),
        ({}, "B counter2 #1", (3, 0)),
    ):
        table = Table("expert", hands=hands, **THREES)
        table.do(call)
        assert table.scores == scores


@pytest.mark.parametrize("target", [10, 15])
def test_000v_11_the_target_is_won_by_two_points(target: int) -> None:
    table = Table("expert", hands={"A": KINGS}, scores=(target - 1, target - 1), target=target)
    table.do("C kems")
    assert (table.phase, table.scores) == ("over", (target, target - 1))
    table = Table("expert", hands={"A": KINGS}, scores=(target - 1, target - 2), target=target)
    table.do("C kems")
    assert (table.phase, table.state.winner) == ("match_over", 0)


@pytest.mark.parametrize("best_of", [3, 5])
def test_000v_12_a_match_may_be_the_best_of_three_or_five_games(best_of: int) -> None:
    table = Table("expert", best_of=best_of, target=1, win_by=1)
    for game in range(best_of // 2 + 1):
        assert (table.phase, table.state.games) == ("hunt", (0, game))
        table.do("A kems")
        assert table.scores == (0, 1)
        if table.phase == "over":
            assert table.state.game_won
            table.do("- next")
            assert table.scores == (0, 0)
            table.do(f"{NAMES[table.state.dealer]} open")
    assert (table.phase, table.state.winner, table.state.games) == ("match_over", 1, (0, best_of // 2 + 1))


def test_000v_13_signs_are_reported_as_in_the_main_rules() -> None:
    table = Table("expert")
    table.do("B guess #1 👀", "A sign 🎲")
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


ALL_FOUR = {"A": KINGS, "B": TENS, "C": ACES, "D": NINES}
BONUS = {"four_kems": 4}


@pytest.mark.parametrize(("doubles", "bonus"), [({}, 4), (THREES, 6)], ids=["of-two", "of-three"])
@pytest.mark.parametrize("first", ["C double", "C counter2 #2"], ids=["double-first", "counter-first"])
@pytest.mark.parametrize("second", ["A", "C"], ids=["partner", "same"])
def test_000v_15_double_and_double_counter_together_may_be_worth_four_or_six_points(
    doubles: dict[str, int], bonus: int, first: str, second: str
) -> None:
    table = Table("expert", hands=ALL_FOUR, four_kems=bonus, **doubles)
    table.do(first)
    assert (table.phase, table.scores) == ("chain", (0, 0))
    table.do(f"{second} double" if first == "C counter2 #2" else f"{second} counter2 #2")
    assert (table.outcome, table.scores) == ("four_kems", (bonus, 0))


def test_000v_16_the_bonus_is_agreed_before_the_match() -> None:
    assert EXPERT.scoring.four_kems == 0
    for first, later in (("C double", "C counter2 #2"), ("C counter2 #2", "C double")):
        table = Table("expert", hands=ALL_FOUR)
        table.do(first)
        table.refuses("round_over", later)
        assert table.scores == (2, 0)


@pytest.mark.parametrize(
    ("first", "second", "outcome", "lacking"),
    [("C double", "A counter2 #2", "double", "D"), ("C counter2 #2", "A double", "double_counter", "A")],
    ids=["double", "double-counter"],
)
def test_000v_17_without_four_kems_the_first_call_stands_alone(
    first: str, second: str, outcome: str, lacking: str
) -> None:
    table = Table("expert", hands={name: hand for name, hand in ALL_FOUR.items() if name != lacking}, **BONUS)
    table.do(first)
    assert table.phase == "chain", "a chain is opened for every true double, so that it betrays no other hand"
    table.do(second)
    assert (table.outcome, table.scores) == (outcome, (2, 0))
    result = table_view(table.state).result
    assert result is not None
    assert result.caller == 2


@pytest.mark.parametrize("first", ["C double", "C counter2 #2"], ids=["double", "double-counter"])
def test_000v_18_the_other_word_comes_at_once_or_not_at_all(first: str) -> None:
    table = Table("expert", hands=ALL_FOUR, **BONUS)
    table.do(first)
    table.wait(2.999)
    assert table.phase == "chain"
    table.wait(0.001)
    assert (table.phase, table.scores) == ("over", (2, 0))
    table.refuses("round_over", "C double", "C counter2 #2")


def test_000v_19_only_the_other_word_and_only_by_the_same_team() -> None:
    table = Table("expert", hands=ALL_FOUR, **BONUS)
    table.do("C double")
    table.refuses("round_over", "A double", "B double", "B counter2 #1", "C counter #2", "A kems")
    table.refuses("own_team", "A counter2 #1")
    table.refuses("unknown_team", "A counter2 #3")
    table = Table("expert", hands=ALL_FOUR, **BONUS)
    table.do("C counter2 #2")
    table.refuses("round_over", "A counter2 #2", "B double", "C counter #2", "A kems")


@pytest.mark.parametrize("call", ["C kems", "C counter #2", "B double", "B counter2 #1"])
def test_000v_20_single_and_false_calls_open_no_chain(call: str) -> None:
    table = Table("expert", hands={"A": KINGS, "D": NINES}, **BONUS)
    table.do(call)
    assert table.phase == "over"


def test_000v_21_where_double_counters_are_not_played_there_is_no_bonus() -> None:
    with pytest.raises(house_rules.RulesError, match="“four_kems” changes nothing here: it needs double_counters=yes"):
        Table("expert", double_counters=False, **BONUS)


def test_000v_22_with_more_teams_the_double_counter_says_whose_kems_they_are() -> None:
    hands = {"A": KINGS, "D": ACES, "B": TENS, "E": NINES}
    for named, outcome, scores in (("#2", "four_kems", (4, 0, 0)), ("#3", "double", (2, 0, 0))):
        table = Table("expert", players=6, deck="52", hands=hands, **BONUS)
        table.do("D double", f"A counter2 {named}")
        assert (table.outcome, table.scores) == (outcome, scores)


def test_000v_23_two_voices_may_be_followed_by_the_double_counter() -> None:
    for calls, outcome, scores in (
        (("A kems", "C double", "A counter2 #2"), "four_kems", (4, 0)),
        (("A counter2 #2", "A double"), "four_kems", (4, 0)),
        (("A kems", "C double"), "double", (2, 0)),
    ):
        table = Table("expert", hands=ALL_FOUR, double="two_voices", **BONUS)
        table.do(*calls)
        table.wait(3)
        assert (table.outcome, table.scores) == (outcome, scores)


def test_000v_24_without_a_goal_near_at_hand_the_match_goes_on() -> None:
    table = Table("expert", hands={"A": KINGS}, scores=(500, 400), target=999)
    table.do("C kems")
    assert (table.phase, table.state.games) == ("over", (0, 0))
    table.do("- next")
