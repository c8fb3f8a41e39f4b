"""Sheet 000, "Variante (joueurs confirmés)" (000v)."""

import pytest

from bot.game.actions import Action, CounterTeam
from bot.game.build_view import table_view
from bot.game.rules import house_rules
from bot.game.rules.presets import EXPERT
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


ALL_FOUR = {"A": KINGS, "B": TENS, "C": ACES, "D": NINES}
BONUS = {"four_kems": 4}


@pytest.mark.parametrize(("doubles", "bonus"), [({}, 4), (THREES, 6)], ids=["of-two", "of-three"])
@pytest.mark.parametrize("first", [double("C"), counter2("C", "#2")], ids=["double-first", "counter-first"])
@pytest.mark.parametrize("second", ["A", "C"], ids=["partner", "same"])
def test_000v_15_double_and_double_counter_together_may_be_worth_four_or_six_points(
    doubles: dict[str, int], bonus: int, first: Action, second: str
) -> None:
    table = Table("expert", hands=ALL_FOUR, four_kems=bonus, **doubles)
    table.do(first)
    assert (table.phase, table.scores) == ("chain", (0, 0))
    table.do(double(second) if isinstance(first, CounterTeam) else counter2(second, "#2"))
    assert (table.outcome, table.scores) == ("four_kems", (bonus, 0))


def test_000v_16_the_bonus_is_agreed_before_the_match() -> None:
    assert EXPERT.scoring.four_kems == 0
    for first, later in ((double("C"), counter2("C", "#2")), (counter2("C", "#2"), double("C"))):
        table = Table("expert", hands=ALL_FOUR)
        table.do(first)
        table.refuses("round_over", later)
        assert table.scores == (2, 0)


@pytest.mark.parametrize(
    ("first", "second", "outcome", "lacking"),
    [(double("C"), counter2("A", "#2"), "double", "D"), (counter2("C", "#2"), double("A"), "double_counter", "A")],
    ids=["double", "double-counter"],
)
def test_000v_17_without_four_kems_the_first_call_stands_alone(
    first: Action, second: Action, outcome: str, lacking: str
) -> None:
    table = Table("expert", hands={name: hand for name, hand in ALL_FOUR.items() if name != lacking}, **BONUS)
    table.do(first)
    assert table.phase == "chain", "a chain is opened for every true double, so that it betrays no other hand"
    table.do(second)
    assert (table.outcome, table.scores) == (outcome, (2, 0))
    result = table_view(table.state).result
    assert result is not None
    assert result.caller == 2


@pytest.mark.parametrize("first", [double("C"), counter2("C", "#2")], ids=["double", "double-counter"])
def test_000v_18_the_other_word_comes_at_once_or_not_at_all(first: Action) -> None:
    table = Table("expert", hands=ALL_FOUR, **BONUS)
    table.do(first)
    table.wait(2.999)
    assert table.phase == "chain"
    table.wait(0.001)
    assert (table.phase, table.scores) == ("over", (2, 0))
    table.refuses("round_over", double("C"), counter2("C", "#2"))


def test_000v_19_only_the_other_word_and_only_by_the_same_team() -> None:
    table = Table("expert", hands=ALL_FOUR, **BONUS)
    table.do(double("C"))
    table.refuses("round_over", double("A"), double("B"), counter2("B", "#1"), counter("C", "#2"), kems("A"))
    table.refuses("own_team", counter2("A", "#1"))
    table.refuses("unknown_team", counter2("A", "#3"))
    table = Table("expert", hands=ALL_FOUR, **BONUS)
    table.do(counter2("C", "#2"))
    table.refuses("round_over", counter2("A", "#2"), double("B"), counter("C", "#2"), kems("A"))


@pytest.mark.parametrize("call", [kems("C"), counter("C", "#2"), double("B"), counter2("B", "#1")])
def test_000v_20_single_and_false_calls_open_no_chain(call: Action) -> None:
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
        table.do(double("D"), counter2("A", named))
        assert (table.outcome, table.scores) == (outcome, scores)


def test_000v_23_two_voices_may_be_followed_by_the_double_counter() -> None:
    for calls, outcome, scores in (
        ((kems("A"), double("C"), counter2("A", "#2")), "four_kems", (4, 0)),
        ((counter2("A", "#2"), double("A")), "four_kems", (4, 0)),
        ((kems("A"), double("C")), "double", (2, 0)),
    ):
        table = Table("expert", hands=ALL_FOUR, double="two_voices", **BONUS)
        table.do(*calls)
        table.wait(3)
        assert (table.outcome, table.scores) == (outcome, scores)


def test_000v_24_without_a_goal_near_at_hand_the_match_goes_on() -> None:
    table = Table("expert", hands={"A": KINGS}, scores=(500, 400), target=999)
    table.do(kems("C"))
    assert (table.phase, table.state.games) == ("over", (0, 0))
    table.do(next_round())
