"""Sheet 001."""

import pytest

from bot.game.build_view import seat_view, table_view
from bot.game.events import CardsDealt, CounterHadNoEffect, ExcessRedrawn
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


def test_001_07_everybody_plays_at_the_same_time() -> None:
    table = Table("escale", hands={"A": NOTHING, "B": "JS QS KS AS"}, pool="7H 8H 9H TH")
    table.do("A put 7S", "B put JS", "B take 7H", "A take 8H")
    assert table.pool == {"7S", "JS", "9H", "TH"}


def test_001_08_one_to_four_cards_are_put_down_first_then_as_many_taken() -> None:
    table = Table("escale", hands={"A": NOTHING}, pool="7H 8H 9H TH")
    table.refuses("hand_full", "A take 7H")
    table.do(*swap("A", NOTHING, "7H 8H 9H TH"))
    table.refuses("hand_full", "A take 7S")


def test_001_09_a_sweep_after_some_quiet_seconds_when_all_agree() -> None:
    table = Table("escale", pool="7H 8H 9H TH", stock="7S 8S 9S TS JS")
    table.refuses("too_early", "A sweep")
    table.wait(5)
    table.do("A sweep", "B yes", "C yes", "D yes")
    assert (table.phase, table.pool) == ("hunt", {"7S", "8S", "9S", "TS"})


def test_001_10_who_refuses_the_sweep_has_to_exchange() -> None:
    table = Table("escale", hands={"B": "JS QS KS AS"}, pool="7H 8H 9H TH")
    table.wait(5)
    table.do("A sweep", "B no")
    table.refuses("must_exchange", "A sweep")
    table.do(*swap("B", "JS", "7H"))
    table.wait(5)
    table.do("A sweep")


def test_001_11_no_call_from_the_asking_until_the_hunt_is_open_again() -> None:
    table = Table("escale", hands={"A": KINGS}, stock="7S 8S 9S TS JS")
    table.wait(5)
    table.do("B sweep")
    table.refuses("call_closed", "C kems")
    table.do("A yes", "C yes", "D yes", "C kems")


def test_001_12_swept_cards_lie_face_down_in_the_discard_pile() -> None:
    table = Table("escale", pool="7H 8H 9H TH", stock="7S 8S 9S TS JS")
    table.wait(5)
    table.do("A sweep", "B yes", "C yes", "D yes")
    assert codes(table.state.discard) >= {"7H", "8H", "9H", "TH"}
    assert "8H" not in {card.code for card in table.state.pool_cards}


def test_001_13_the_shuffled_discard_pile_becomes_the_stock() -> None:
    table = Table("escale", pool="7H 8H 9H TH", stock="JS QS")
    table.wait(5)
    table.do("A sweep", "B yes", "C yes", "D yes")
    assert (len(table.pool), table.state.discard) == (4, ())


def test_001_14_three_alike_in_the_pool_stop_the_round_on_purpose_too() -> None:
    table = Table("escale", hands={"A": "KS 7H 8H 9H"}, pool="KH KD 7S 8S")
    table.do("A put KS")
    assert (table.outcome, table.scores) == ("three_alike", (0, 0))


def test_001_15_a_kems_is_worth_two_points() -> None:
    table = Table("escale", hands={"A": KINGS})
    table.do("C kems")
    assert (table.outcome, table.scores) == ("kems", (2, 0))


def test_001_16_a_double_is_worth_four_points() -> None:
    table = Table("escale", hands={"A": KINGS, "C": ACES})
    table.do("A double")
    assert (table.outcome, table.scores) == ("double", (4, 0))
    table = Table("escale", hands={"A": KINGS})
    table.do("A double")
    assert (table.outcome, table.scores) == ("false_double", (0, 1))


def test_001_17_a_true_counter_is_worth_one_point() -> None:
    table = Table("escale", hands={"A": KINGS})
    table.refuses("not_allowed", "B counter #1", "B counter2 #1")
    table.do("B counter A")
    assert (table.outcome, table.scores) == ("counter", (0, 1))


def test_001_18_a_counter_has_no_effect_against_a_double() -> None:
    table = Table("escale", hands={"A": KINGS, "C": ACES})
    table.do("B counter A")
    assert (table.phase, table.scores) == ("hunt", (0, 0))
    assert isinstance(table.log[-1], CounterHadNoEffect)


@pytest.mark.parametrize("holder", ["A", "C"])
def test_001_19_a_kems_is_false_only_when_nobody_of_the_team_has_four_alike(holder: str) -> None:
    table = Table("escale", hands={holder: KINGS})
    table.do("A kems")
    assert table.outcome == "kems"


def test_001_20_a_false_kems_gives_the_other_team_one_point() -> None:
    table = Table("escale", hands={"B": KINGS})
    table.do("A kems")
    assert (table.outcome, table.scores) == ("false_kems", (0, 1))


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


def test_001_25_the_most_points_win_and_a_match_of_rounds_may_end_level() -> None:
    for scores, winner in (((3, 1), 0), ((1, 1), 1), ((1, 0), None)):
        table = Table("escale", ends_at="rounds", rounds=1, scores=scores)
        table.do("A kems")
        assert (table.phase, table.state.winner) == ("match_over", winner)


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


def test_001_28_signs_that_mean_nothing_are_allowed() -> None:
    table = Table("escale", hands={"A": NOTHING})
    table.do("A react 👀", "A react 🎩", "A kems")
    assert table.outcome == "false_kems"


def test_001_29_a_word_is_a_sign_only_if_everybody_accepts() -> None:
    Table.starting("escale").refuses("sign_forbidden", "A sign say:what_weather")
    table = Table("escale", strategies="spoken", plans={"#1": "say:what_weather"})
    table.do('A say "what weather"')
    assert table.state.gestures[0].sign is not None
