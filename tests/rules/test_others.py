"""Published sheets of other games of the family: Kemps, Kent, Gemsch, Gämsh Alpin. The axes that they ask for."""

import pytest

from bot.game.build_view import seat_view, table_view
from bot.game.events import ExcessRedrawn
from tests.rules.table import Table, codes

KINGS, NOTHING = "KS KH KD KC", "7S 8S 9S TS"
POOL = "JH QD KS AC"


@pytest.mark.parametrize("hand", ["7S 7H 7D AS", "7S 7H 7D 7C"])
@pytest.mark.parametrize("where", ["shuffled", "under"])
def test_others_06_the_whole_hand_is_redrawn(hand: str, where: str) -> None:
    table, events = Table.dealt("classic", [hand], excess="hand", redrawn=where, deck="52")
    redrawn = [event for event in events if isinstance(event, ExcessRedrawn)]
    assert codes(redrawn[0].cards) == set(hand.split())
    if where == "under":
        assert codes(redrawn[0].stock[-4:]) == set(hand.split())
        assert not table.hand("A") & set(hand.split())
    assert len(table.hand("A")) == 4


def test_others_07_the_other_cards_of_that_hand_are_not_shown() -> None:
    table, _ = Table.dealt("classic", ["7S 7H 7D AS"], excess="hand", redrawn="under", deck="52")
    assert [(item.seat, codes(item.cards)) for item in table_view(table.state).excess] == [(0, {"7S", "7H", "7D"})]


def counting() -> Table:
    table = Table(pool=POOL, hands={"A": NOTHING}, sweep_by="dealer", sweep_vote=4, three_alike="allowed")
    table.wait(5)
    return table


def test_others_08_only_the_dealer_sweeps_after_a_count() -> None:
    table = counting()
    table.refuses("not_dealer", "A sweep", "B sweep", "C sweep")
    assert [seat_view(table.state, seat).offers.may_sweep for seat in range(4)] == [False] * 3 + [True]
    table.do("D sweep")
    table.refuses("call_closed", "A kems")
    table.wait(3)
    assert (table.phase, table.pool) == ("sweep", set(POOL.split()))
    table.wait(1)
    assert table.phase == "hunt"
    assert not table.pool & set(POOL.split())


def test_others_08_players_may_agree_to_a_sweep_before_the_count_is_over() -> None:
    table = counting()
    table.do("D sweep", "A yes", "B yes", "C yes")
    assert not table.pool & set(POOL.split())


def test_others_09_a_put_down_stops_the_count_and_words_do_not() -> None:
    table = counting()
    table.do("D sweep")
    table.refuses("not_allowed", "A no")
    table.refuses("sweep_running", "A take JH")
    table.do("A put 7S")
    assert (table.phase, table.state.vote) == ("hunt", None)
    table.do("A take JH")
    table.wait(4)
    assert table.pool == {"7S", "QD", "KS", "AC"}
    table.refuses("too_early", "D sweep")


def test_others_11_cards_are_swept_at_the_deal_itself_too() -> None:
    rules = {"deck": "52", "three_alike": "sweeps", "stock_out": "ends"}
    table = Table(players=12, pool="7S 7H 7D AC", opened=False, **rules)
    order = next(event.order for event in table.opening if hasattr(event, "order"))
    table.do("L open", "A kems")
    table.rng.shuffle = lambda x: x.__setitem__(slice(None), order)
    table.do("- next")
    assert (table.phase, table.outcome) == ("over", "stock_out")


def test_others_12_a_sign_is_never_changed_between_rounds() -> None:
    table = Table(sign_change="never", hands={"A": KINGS})
    table.do("C kems")
    assert not seat_view(table.state, 0).may_change_sign
    table.refuses("not_allowed", "A sign 🎲")
    table = Table(hands={"A": KINGS})
    table.do("C kems")
    assert seat_view(table.state, 0).may_change_sign
    table.do("A sign 🎲")


@pytest.mark.parametrize("strategy", ["total", "double"])
def test_others_13_a_found_sign_among_several_is_not_changed_either(strategy: str) -> None:
    plan = "total" if strategy == "total" else "A 👀 C 🎩"
    table = Table(sign_change="never", strategies=strategy, plans={"#1": plan}, hands={"A": KINGS})
    if strategy == "double":
        table.do("B guess #1 👀", "C kems", "A sign A 🎲 C 🎩")
    else:
        table.do("B accuse #1 total", "C kems", "A sign 🎲")
