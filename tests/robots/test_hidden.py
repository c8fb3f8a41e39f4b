"""A robot sees no hidden card: whatever the others hold and the stock brings, it thinks the same."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.game.build_view import seat_view
from bot.game.cards import Card
from bot.game.decide import start_match
from bot.game.evolve import evolve_all
from bot.game.rules.presets import PRESETS
from bot.game.state import Phase, Slots, State
from bot.robots import Robot
from tests.robots.driver import Record, next_move, submit

SEAT = 1


@pytest.mark.parametrize("preset", PRESETS)
def test_permuted_hidden_cards_change_no_thought(preset: str) -> None:
    """Two robots of one seed live through two rounds: one sees the match, its twin one with other hidden cards."""
    rng = Random(5)
    opening = start_match(PRESETS[preset], seats=4, teams=2, dealer=3, now=0)
    record = Record(evolve_all(None, opening), list(opening))
    robots = {seat: Robot(Random(seat)) for seat in range(4)}
    twin = Robot(Random(SEAT))
    shuffled = 0
    while len(record.rounds) < 2 and record.moves < 600:
        other = _permuted(record.state, rng)
        shuffled += other != record.state
        mirrored = twin.think(seat_view(other, SEAT, record.now), record.now)
        thoughts, action, at = next_move(record, robots)
        assert mirrored == thoughts[SEAT]
        record.now = max(record.now, at)
        submit(record, action, rng)
    assert len(record.rounds) == 2
    assert shuffled > 30


def _permuted(state: State, rng: Random) -> State:
    """The same for this seat, but every card it cannot see lies elsewhere."""
    if state.phase in (Phase.SIGNS, Phase.OVER, Phase.MATCH_OVER):
        return state
    others = [seat for seat in range(len(state.seats)) if seat != SEAT]
    hidden = [card for seat in others for card in state.seats[seat].cards] + [*state.stock, *state.discard]
    rng.shuffle(hidden)
    cards = iter(hidden)
    seats = tuple(
        seat if number == SEAT else replace(seat, hand=_filled(seat.hand, cards))
        for number, seat in enumerate(state.seats)
    )
    stock = tuple(next(cards) for _ in state.stock)
    return replace(state, seats=seats, stock=stock, discard=tuple(cards))


def _filled(hand: Slots, cards: Iterator[Card]) -> Slots:
    return tuple(None if slot is None else next(cards) for slot in hand)
