"""What the table message and the panels offer is what the core takes: neither more nor less."""

from collections import Counter

import pytest

from bot.discord.api.components import Layout
from bot.game.build_view import seat_view
from bot.game.events import CallKind, Phase
from tests.game.offered import ANSWER, OPEN, SWEEP, random_moments, taken
from tests.ui.table.pages.shown import board, counters, hand
from tests.ui.walk import EN, enabled

COUNTERS = {CallKind.COUNTER.value, CallKind.DOUBLE_COUNTER.value}
TARGETS = {"counter_at": CallKind.COUNTER.value, "counter_team": CallKind.COUNTER.value, "counter2": "double_counter"}
ON_THE_BOARD = {CallKind.KEMS.value, CallKind.COUNTER.value}  # everything else is for the hand panel


def offered(view: Layout) -> frozenset[str]:
    """The moves whose buttons are enabled; whom to counter, or the button that asks, stands for both kinds."""
    verbs = enabled(view)
    if verbs & TARGETS.keys():
        verbs = verbs | {"counter"}
    assert ("yes" in verbs) == ("no" in verbs)
    return frozenset(verbs & {"kems", "double", "counter", "open", "sweep"} | ({"answer"} if "yes" in verbs else set()))


def as_offered(moves: frozenset[str]) -> frozenset[str]:
    names = {"kems", "double", OPEN, SWEEP, ANSWER}
    return frozenset(moves & names) | ({"counter"} if moves & COUNTERS else set())


@pytest.mark.parametrize(("stride", "least"), [(25, 1), pytest.param(5, 20, marks=pytest.mark.long)])
def test_the_buttons_of_every_phase_offer_what_the_core_accepts(stride: int, least: int) -> None:
    """Of every so many moments: drawing is slow."""
    seen: Counter[str] = Counter()
    for number, (state, now) in enumerate(random_moments()):
        if number % stride or state.phase in (Phase.SIGNS, Phase.OVER, Phase.MATCH_OVER):
            continue
        count = len(state.seats)
        by_seat = [taken(state, seat, now) for seat in range(count)]
        by_anybody = as_offered(frozenset().union(*by_seat)) & ON_THE_BOARD
        assert offered(board(state, EN)) == by_anybody, f"{state.phase}, {state.rules.preset}"
        seat = number // stride % count
        view = seat_view(state, seat)
        on_hand = offered(hand(view, EN))
        shows = view.table.seats[seat].must_show_to is not None and state.phase is not Phase.SWEEP
        possible = as_offered(by_seat[seat]) - ({SWEEP} if shows else set())  # the cards to show take that row
        assert on_hand == possible, f"{state.phase}, {state.rules.preset}, seat {seat}"
        targets = enabled(counters(view, EN)) & TARGETS.keys()
        assert {TARGETS[verb] for verb in targets} == by_seat[seat] & COUNTERS
        seen.update(on_hand)
    assert min(seen[move] for move in ("kems", "double", "counter", OPEN, SWEEP, ANSWER)) >= least, seen
