"""Sheet 000, "Variante (joueurs confirmés)" (000v)."""

import pytest

from bot.game.build_view import table_view
from bot.game.rules import house_rules
from bot.game.rules.presets import EXPERT
from tests.rules.table import NAMES, Table

KINGS, ACES, TENS, NINES = "KS KH KD KC", "AS AH AD AC", "TS TH TD TC", "9S 9H 9D 9C"


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
    assert table_view(table.state).result.caller == 2


def test_000v_21_there_is_no_bonus_when_double_counters_are_not_played() -> None:
    with pytest.raises(house_rules.RulesError, match="“four_kems” changes nothing here: it needs double_counters=yes"):
        Table("expert", double_counters=False, **BONUS)
