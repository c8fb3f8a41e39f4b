"""A card of the middle chosen first, and what all see of exchanges. Sheet 000; the swap is a ruling of ours."""

import pytest

from bot.game.actions import Action
from bot.game.build_view import seat_view, table_view
from bot.game.cards import parse_card
from bot.game.notation.actions import read_action
from bot.game.rules.presets import PRESETS
from bot.game.state import SeenExchange
from tests.rules.table import NAMES, Table, cards

HAND, POOL = "7S 8S 9S TS", "JH QD KS AC"


def moves(*lines: str) -> tuple[Action, ...]:
    return tuple(read_action(line, NAMES, 2) for line in lines)


@pytest.mark.parametrize("preset", PRESETS)
def test_000_79_a_swap_is_both_moves_at_once(preset: str) -> None:
    table = Table(preset, hands={"A": HAND}, pool=POOL)
    table.do(*moves("A swap 7S KS"))
    assert table.hand("A") == {"KS", "8S", "9S", "TS"}
    assert not table.state.is_exchange_pending


def test_000_79_a_refused_part_leaves_both_undone() -> None:
    table = Table(hands={"A": HAND}, pool="JH JD KS AC")
    table.refuses("not_in_pool", *moves("A swap 7S 7H"))
    table.refuses("not_in_hand", *moves("A swap KS JH"))
    table.do(*moves("A put 7S"))
    assert seat_view(table.state, 0).may_swap
    table.do(*moves("A swap 8S KS"))
    assert table.state.seats[0].owes == 1


def test_000_79_a_swap_never_ends_a_round() -> None:
    table = Table(hands={"A": "JS 8S 9S TS"}, pool="JH JD KS AC")
    table.refuses("three_alike_put", *moves("A swap JS KS"))
    assert seat_view(table.state, 0).third_alike == {parse_card("JS")}


def test_000_79_a_swap_stops_the_count_of_a_dealer() -> None:
    table = Table(hands={"A": HAND}, pool=POOL, sweep_by="dealer")
    table.wait(9)
    table.do(*moves("D sweep", "A swap 7S KS"))
    assert table.hand("A") == {"KS", "8S", "9S", "TS"}


def test_000_79_a_rule_turns_swaps_off() -> None:
    table = Table(hands={"A": HAND}, pool=POOL, swap=False)
    table.refuses("not_allowed", *moves("A swap 7S KS"))
    assert not seat_view(table.state, 0).may_swap


def test_000_80_complete_exchanges_are_shown_to_all() -> None:
    table = Table(hands={"A": HAND}, pool=POOL)
    table.do(*moves("A put 7S", "A put 8S", "A take KS"))
    assert table_view(table.state).exchanges == ()
    table.do(*moves("A take AC", "A put 9S", "A take 9S"))
    (seen,) = table_view(table.state).exchanges
    assert seen == SeenExchange(0, cards("7S 8S"), cards("KS AC"))


def test_000_80_a_card_that_chance_took_is_marked() -> None:
    table = Table(hands={"A": HAND}, pool=POOL)
    table.do(*moves("A put 7S"))
    table.wait(45)
    exchanges = table_view(table.state).exchanges
    assert all(seen.by_chance for seen in exchanges)
    assert len(exchanges) == (table.hand("A") != set(HAND.split()))


def test_000_80_a_rule_hides_exchanges() -> None:
    table = Table(hands={"A": HAND}, pool=POOL, takes_seen=False)
    table.do(*moves("A swap 7S KS"))
    assert table_view(table.state).exchanges == ()
