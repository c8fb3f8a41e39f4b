"""Sheet 000, main rules: calls, counters, points and the single sign. Clause numbers go on from `test_classic`."""

from bot.game.build_view import seat_view, table_view
from bot.game.events import CardsShown, CounterHadNoEffect
from bot.game.signs import emoji_sign
from tests.rules.table import Table, seat_of

FOUR_KINGS = "KS KH KD KC"
FOUR_ACES = "AS AH AD AC"
NOTHING = "7S 8S 9S TS"


def test_000_43_a_double_cannot_be_countered() -> None:
    table = Table(hands={"A": FOUR_KINGS, "C": FOUR_ACES})
    table.do("B counter A")
    assert (table.phase, table.scores) == ("hunt", (0, 0))
    assert isinstance(table.log[-1], CounterHadNoEffect)
    assert (table.state.pending_shows, table.state.seats[1].can_counter) == ((), True)
    table.do("A double")
    assert table.scores == (2, 0)


def test_000_47_the_accused_shows_two_cards_only_to_the_accuser() -> None:
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


def test_000_47_putting_cards_down_does_not_avoid_showing_them() -> None:
    table = Table(hands={"A": NOTHING}, pool="JH QD KS AC", take_limit=0)
    table.do("B counter A", *(f"A put {card}" for card in NOTHING.split()[:3]))
    table.refuses("not_allowed", "A show TS")
    table.wait(60)
    assert table.shown("B") == []
    table.do("A take JH")
    table.wait(0)
    assert table.shown("B") == [("A", {"TS", "JH"})]


def test_000_47_two_accusers_are_shown_cards_in_the_order_of_their_counters() -> None:
    table = Table(hands={"A": NOTHING}, players=6)
    table.do("E counter A", "B counter A")
    for accuser, shown in (("E", "7S 8S"), ("B", "9S TS")):
        assert table_view(table.state).seats[0].must_show_to == seat_of(accuser)
        table.do(f"A show {shown}")
        assert table.shown(accuser) == [("A", set(shown.split()))]


def test_000_48_two_cards_of_one_rank_may_be_shown() -> None:
    table = Table(hands={"A": "7S 7H 9S TS"})
    table.do("B counter A", "A show 7S 7H")
    assert table.shown("B") == [("A", {"7S", "7H"})]


def test_000_49_chance_chooses_the_cards_when_the_accused_waits_too_long() -> None:
    table = Table(hands={"A": NOTHING})
    table.do("B counter A")
    table.wait(19.999)
    assert table.shown("B") == []
    table.wait(0.001)
    ((whose, shown),) = table.shown("B")
    assert (whose, len(shown), shown < set(NOTHING.split())) == ("A", 2, True)
    assert isinstance(table.log[-1], CardsShown)


def test_000_56_a_found_sign_is_reported_and_the_team_may_change_it_at_once() -> None:
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


def test_000_59_a_proposal_ends_with_the_deal() -> None:
    table = Table()
    table.do("B kems", "C sign 🎲")
    assert seat_view(table.state, 0).proposal is not None
    table.do("- next")
    assert seat_view(table.state, 0).proposal is None


def test_000_60_bluffs_are_legal_and_stay_secret_until_the_match_is_over() -> None:
    table = Table(hands={"A": NOTHING}, target=1)
    table.do("A react 👀", "B react 👀", "C react 🎩")
    assert [gesture.is_sign for gesture in table_view(table.state).gestures] == [None] * 3
    table.do("C kems")
    assert [gesture.is_sign for gesture in table_view(table.state).gestures] == [True, False, False]


def test_000_67_a_team_without_an_agreement_gets_a_random_sign() -> None:
    table = Table.starting()
    table.do("A sign 🎲", "C accept 🎲")
    table.wait(89.999)
    assert table.phase == "signs"
    table.wait(0.001)
    assert table.phase == "ready"
    assert [len(team.plan.signs) for team in table.state.teams] == [1, 1]
    assert table.state.teams[0].plan.signs == (emoji_sign("🎲"),)
