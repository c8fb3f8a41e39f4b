"""Sheet 000, main rules: calls, counters, points and the single sign. Clause numbers go on from `test_classic`."""

import pytest

from bot.game.build_view import seat_view, table_view
from bot.game.events import CardsShown, CounterHadNoEffect, SignGuessed
from bot.game.signs import emoji_sign
from tests.rules.table import Table

FOUR_KINGS = "KS KH KD KC"
FOUR_ACES = "AS AH AD AC"
NOTHING = "7S 8S 9S TS"


def test_000_36_the_partners_kems_is_worth_one_point() -> None:
    table = Table(hands={"A": FOUR_KINGS})
    table.do("A react 👀", "C kems")
    assert (table.outcome, table.scores) == ("kems", (1, 0))


def test_000_37_only_the_partner_can_say_it() -> None:
    table = Table(hands={"A": FOUR_KINGS, "C": NOTHING})
    table.do("A kems")
    assert (table.outcome, table.scores) == ("false_kems", (0, 1))


def test_000_38_a_double_is_worth_two_points() -> None:
    table = Table(hands={"A": FOUR_KINGS, "C": FOUR_ACES})
    table.do("C double")
    assert (table.outcome, table.scores) == ("double", (2, 0))


@pytest.mark.parametrize("hands", [{"A": FOUR_KINGS}, {"C": FOUR_KINGS}, {}], ids=["partner", "caller", "nobody"])
def test_000_39_a_double_needs_both(hands: dict[str, str]) -> None:
    table = Table(hands=hands)
    table.do("C double")
    assert (table.outcome, table.scores) == ("false_double", (0, 1))


def test_000_40_a_counter_before_the_kems_is_worth_one_point() -> None:
    table = Table(hands={"A": FOUR_KINGS})
    table.do("B counter A")
    assert (table.outcome, table.scores) == ("counter", (0, 1))
    table.refuses("round_over", "C kems")


def test_000_41_the_first_call_counts() -> None:
    table = Table(hands={"A": FOUR_KINGS})
    table.do("C kems")
    table.refuses("round_over", "B counter A", "C kems", "A double", "A put KS", "B sweep")
    assert table.scores == (1, 0)


def test_000_42_a_counter_names_a_player() -> None:
    table = Table(hands={"A": FOUR_KINGS})
    table.refuses("not_allowed", "B counter #1", "B counter2 #1")
    table.refuses("own_team", "B counter D", "B counter B")
    table.refuses("unknown_player", "B counter E")
    table.do("B counter C")
    assert table.phase == "hunt"


def test_000_43_a_double_cannot_be_countered() -> None:
    table = Table(hands={"A": FOUR_KINGS, "C": FOUR_ACES})
    table.do("B counter A")
    assert (table.phase, table.scores) == ("hunt", (0, 0))
    assert isinstance(table.log[-1], CounterHadNoEffect)
    assert (table.state.pending_shows, table.state.seats[1].can_counter) == ((), True)
    table.do("A double")
    assert table.scores == (2, 0)


def test_000_44_a_false_kems_gives_the_other_team_a_point() -> None:
    table = Table()
    table.do("B kems")
    assert (table.outcome, table.scores) == ("false_kems", (1, 0))


def test_000_45_with_three_teams_each_opponent_gets_the_point() -> None:
    table = Table(players=6)
    table.do("B kems")
    assert table.scores == (1, 0, 1)


def test_000_46_a_false_counter_costs_the_own_team_a_point_and_the_hunt_goes_on() -> None:
    table = Table()
    table.do("B counter A")
    assert (table.phase, table.outcome, table.scores) == ("hunt", None, (0, -1))
    table.do("A counter B")
    assert table.scores == (-1, -1)


def test_000_47_the_accused_shows_two_cards_to_the_accuser_alone() -> None:
    table = Table(hands={"A": NOTHING})
    table.do("B counter A")
    assert table_view(table.state).seats[0].must_show_to == 1
    table.refuses("not_pending", "B show 7S 8S")
    table.refuses("not_in_hand", "A show 7S KS")
    table.refuses("not_allowed", "A show 7S", "A show 7S 8S 9S")
    table.refuses("cards_not_different", "A show 7S 7S")
    table.do("A show 7S 8S")
    assert [table.shown(name) for name in "ABCD"] == [[], [("A", {"7S", "8S"})], [], []]
    assert [len(seat_view(table.state, seat).shown) for seat in range(4)] == [0, 1, 0, 0]
    table.refuses("not_pending", "A show 7S 8S")


def test_000_47_nobody_gets_out_of_showing_by_putting_cards_down() -> None:
    table = Table(hands={"A": NOTHING}, pool="JH QD KS AC", take_limit=0)
    table.do("B counter A", *(f"A put {card}" for card in NOTHING.split()[:3]))
    table.refuses("not_allowed", "A show TS")
    table.wait(60)
    assert table.shown("B") == []
    table.do("A take JH")
    table.wait(0)
    assert table.shown("B") == [("A", {"TS", "JH"})]


def test_000_48_two_cards_of_one_rank_may_be_shown() -> None:
    table = Table(hands={"A": "7S 7H 9S TS"})
    table.do("B counter A", "A show 7S 7H")
    assert table.shown("B") == [("A", {"7S", "7H"})]


def test_000_49_chance_chooses_the_cards_of_who_waits_too_long() -> None:
    table = Table(hands={"A": NOTHING})
    table.do("B counter A")
    table.wait(19.999)
    assert table.shown("B") == []
    table.wait(0.001)
    ((whose, shown),) = table.shown("B")
    assert (whose, len(shown), shown < set(NOTHING.split())) == ("A", 2, True)
    assert isinstance(table.log[-1], CardsShown)


def test_000_50_who_was_wrong_may_not_counter_again_in_this_round() -> None:
    table = Table(hands={"C": FOUR_KINGS})
    table.do("B counter A")
    table.refuses("counter_lost", "B counter C", "B counter A")
    table.do("D counter C")
    assert table.outcome == "counter"
    table.do("- next", "A open", "B counter A")


def test_000_51_a_card_that_is_taken_is_in_the_hand_and_counts_at_once() -> None:
    table = Table(hands={"A": "KS KH KD 7S"}, pool="KC 8S 9S TS")
    table.do("A put 7S", "A take KC", "B counter A")
    assert table.outcome == "counter"


def test_000_52_three_cards_and_a_take_owed_are_no_kems() -> None:
    table = Table(hands={"A": FOUR_KINGS})
    table.do("A put KS", "C kems")
    assert table.outcome == "false_kems"


def test_000_53_a_call_needs_no_sign() -> None:
    table = Table(hands={"A": FOUR_KINGS})
    table.do("C kems")
    assert table.outcome == "kems"


def test_000_54_with_the_sign_required_a_kems_counts_only_once_it_was_signed() -> None:
    for signs, outcome in (([], "false_kems"), (["🎩"], "false_kems"), (["🎩", "👀"], "kems")):
        table = Table(hands={"A": FOUR_KINGS}, sign_required=True)
        table.do(*(f"A react {sign}" for sign in signs), "C kems")
        assert table.outcome == outcome


def test_000_55_a_sign_made_before_the_fourth_card_does_not_count_where_it_is_required() -> None:
    table = Table(hands={"A": "KS KH KD 7S"}, pool="KC 8S 9S TS", sign_required=True)
    table.do("A react 👀", "A put 7S", "A take KC", "C kems")
    assert table.outcome == "false_kems"


def test_000_56_whoever_finds_the_sign_reports_it_and_the_team_may_change_it_at_once() -> None:
    table = Table()
    table.refuses("not_allowed", "A sign 🎲")
    table.refuses("own_team", "B guess #2 🍀")
    table.refuses("unknown_team", "B guess #3 👀")
    table.do("B guess #1 👀")
    assert (table.phase, table.scores) == ("hunt", (0, 0))
    table.refuses("already_answered", "D guess #1 👀")
    table.refuses("sign_taken", "A sign 👀")
    table.do("A sign 🎲", "C accept 🎲")
    assert table.state.teams[0].plan.signs == (emoji_sign("🎲"),)
    table.refuses("not_allowed", "A sign 🦊")


def test_000_57_a_found_sign_may_be_kept() -> None:
    table = Table()
    table.refuses("not_pending", "A keep")
    table.do("B guess #1 👀", "C keep")
    assert table.state.teams[0].plan.signs == (emoji_sign("👀"),)
    table.refuses("not_allowed", "A sign 🎲")


def test_000_58_a_wrong_report_changes_nothing() -> None:
    table = Table()
    table.do("B guess #1 🎩")
    assert [event.is_right for event in table.log if isinstance(event, SignGuessed)] == [False]
    assert (table.phase, table.scores) == ("hunt", (0, 0))
    table.refuses("not_allowed", "A sign 🎲")


def test_000_59_signs_may_change_between_rounds() -> None:
    table = Table()
    table.do("B kems", "C sign 🎲", "A accept 🎲")
    assert table.state.teams[0].plan.signs == (emoji_sign("🎲"),)
    table.do("- next")
    assert table.state.teams[0].plan.signs == (emoji_sign("🎲"),)


def test_000_60_bluffs_are_legal_and_nobody_is_told_until_the_round_is_over() -> None:
    table = Table(hands={"A": NOTHING})
    table.do("A react 👀", "B react 👀", "C react 🎩")
    assert [gesture.is_sign for gesture in table_view(table.state).gestures] == [None] * 3
    table.do("C kems")
    assert [gesture.is_sign for gesture in table_view(table.state).gestures] == [True, False, False]


def test_000_61_hands_are_laid_open_when_the_round_is_over() -> None:
    table = Table(hands={"A": FOUR_KINGS})
    assert table_view(table.state).result is None
    table.do("C kems")
    result = table_view(table.state).result
    assert result is not None
    assert result.hands == tuple(seat.hand for seat in table.state.seats)
    assert result.kems_holders == (0,)


def test_000_62_in_a_team_of_three_any_partner_may_call() -> None:
    for caller in "DG":
        table = Table(players=9, deck="52", hands={"A": FOUR_KINGS})
        table.do(f"{caller} kems")
        assert table.scores == (1, 0, 0)
    table = Table(players=9, deck="52", hands={"A": FOUR_KINGS, "D": FOUR_ACES})
    table.do("G double")
    assert (table.outcome, table.scores) == ("false_double", (0, 1, 1))


def test_000_63_a_duellist_calls_for_oneself_once_the_sign_was_open_for_three_seconds() -> None:
    table = Table(players=2, hands={"A": FOUR_KINGS})
    table.refuses("too_early", "A kems")
    table.do("A react 👀")
    table.wait(2.999)
    table.refuses("too_early", "A kems")
    table.wait(0.001)
    table.refuses("not_allowed", "A double")
    table.do("A kems")
    assert (table.outcome, table.scores) == ("kems", (1, 0))


def test_000_64_a_duellists_opponent_counters_in_time() -> None:
    table = Table(players=2, hands={"A": FOUR_KINGS})
    table.do("A react 👀", "B counter A")
    assert (table.outcome, table.scores) == ("counter", (0, 1))


def test_000_65_a_duellists_sign_made_before_the_kems_leaves_no_time_to_counter() -> None:
    table = Table(players=2, hands={"A": "KS KH KD 7S"}, pool="KC 8S 9S TS")
    table.do("A react 👀", "A put 7S")
    table.wait(3)
    table.do("A take KC")
    table.refuses("too_early", "A kems")
    table.do("A react 👀")
    table.wait(3)
    table.do("A kems")
    assert table.outcome == "kems"


def test_000_66_a_duellists_bluff_ends_as_a_false_kems() -> None:
    table = Table(players=2, hands={"A": "KS KH KD 7S"})
    table.do("A react 👀")
    table.wait(3)
    table.do("A kems")
    assert (table.outcome, table.scores) == ("false_kems", (0, 1))


def test_000_67_a_team_that_agrees_on_no_sign_gets_one_by_chance() -> None:
    table = Table.starting()
    table.do("A sign 🎲", "C accept 🎲")
    table.wait(89.999)
    assert table.phase == "signs"
    table.wait(0.001)
    assert table.phase == "ready"
    assert [len(team.plan.signs) for team in table.state.teams] == [1, 1]
    assert table.state.teams[0].plan.signs == (emoji_sign("🎲"),)
