"""What a view offers is what `decide` takes; and legal moves stay the same until the view says otherwise."""

from dataclasses import replace
from itertools import islice

import pytest

from bot.game.actions import PutDown, Take
from bot.game.build_view import legal_moves, legal_until, player_view, seat_view, table_view
from bot.game.checks.check import duel_from
from bot.game.events import CallKind, MatchPaused
from bot.game.evolve import evolve
from bot.game.views import Offers
from tests.game.offered import ANSWER, OPEN, SWEEP, random_moments, taken
from tests.rules.table import Table


def named(offers: Offers) -> frozenset[str]:
    others = {OPEN: offers.may_open, SWEEP: offers.may_sweep, ANSWER: offers.may_answer}
    return offers.calls | {name for name, may in others.items() if may}


@pytest.mark.parametrize("stride", [36, pytest.param(2, marks=pytest.mark.long)])
def test_a_view_offers_exactly_the_moves_that_the_core_accepts(stride: int) -> None:
    for state, now in islice(random_moments(), None, None, stride):
        table = table_view(state)
        by_seat = [taken(state, seat, now) for seat in range(len(state.seats))]
        assert named(table.offers) == frozenset().union(*by_seat)
        for seat, moves in enumerate(by_seat):
            view, legal = seat_view(state, seat, table), legal_moves(state, seat, now)
            assert named(view.offers) == moves
            assert view.may_put_down is any(isinstance(move, PutDown) for move in legal)
            assert view.may_take is any(isinstance(move, Take) for move in legal)
            assert view.may_swap is (view.may_put_down and state.rules.exchange.swap)


def test_legal_moves_stay_the_same_until_the_time_that_the_view_names() -> None:
    for number, (state, now) in enumerate(islice(random_moments(), None, None, 4)):
        seat = number % len(state.seats)
        until = legal_until(state, seat, now)
        last = now + 60_000 if until is None else until - 1
        assert legal_moves(state, seat, last) == legal_moves(state, seat, now)
        assert last >= now


def test_in_a_duel_the_view_says_when_a_call_becomes_legal() -> None:
    table = Table(players=2, quiet=1)
    assert player_view(table.state, 0, table.now).legal_until == table.state.last_exchange + 1000
    table.wait(2)
    assert player_view(table.state, 0, table.now).legal_until is None
    table.do("A react 👀")
    assert player_view(table.state, 0, table.now).legal_until == table.now + 3000


def test_a_duellists_bluff_counts_from_its_first_sign() -> None:
    table = Table(players=2, hands={"A": "KS KH KD 7S"})
    table.do("A react 👀")
    first = table.now
    table.wait(2)
    table.do("A react 👀")
    assert len(table.state.gestures) == 2
    assert duel_from(table.state, 0) == first + 3000


def test_only_the_seat_that_lost_its_right_to_counter_may_not_counter() -> None:
    rules = {"false_counter_ends": False, "counter_lost": True, "double": "two_voices", "double_counters": False}
    table = Table("yokai", hands={"B": "KS"}, **rules)
    table.do("A counter B", "B put KS")
    assert seat_view(table.state, 0).offers.calls == {CallKind.KEMS}
    assert seat_view(table.state, 1).offers.calls == {CallKind.KEMS, CallKind.COUNTER}
    assert table_view(table.state).offers.calls == {CallKind.KEMS, CallKind.COUNTER}
    nobody = tuple(replace(held, can_counter=False) for held in table.state.seats)
    assert table_view(replace(table.state, seats=nobody)).offers.calls == {CallKind.KEMS}


def test_a_pause_offers_nothing() -> None:
    table = Table(strategies="presign total")
    paused = evolve(table.state, MatchPaused(table.now))
    for view in (table_view(paused), seat_view(paused, 0)):
        assert view.offers == Offers()
    assert (view.may_put_down, view.may_take, view.may_swap, view.may_guess, view.special_moves) == (*[False] * 4, ())
    assert player_view(paused, 0, table.now).legal_until is None
