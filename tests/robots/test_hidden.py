"""A robot sees no hidden card: whatever the others hold and the stock brings, it thinks the same."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.game.build_view import player_view
from bot.game.cards import Card
from bot.game.decide import draw_sign_cards, start_match
from bot.game.evolve import evolve_all
from bot.game.rules.presets import PRESETS
from bot.game.signs import PlanKind, SignPlan, Strategy, emoji_sign, one_sign
from bot.game.state import Phase, Slots, State, Team
from bot.robots import LEVELS, Robot, RobotLevel
from tests.examples import combined
from tests.robots.driver import Record, next_move, submit

SEAT = 1
LEAST = 36
"""Of positions that have a twin: all presets and levels together look at a thousand."""


@pytest.mark.parametrize(("preset", "level"), combined([*PRESETS], [*RobotLevel]))
def test_a_robot_decides_alike_when_only_hidden_cards_differ(preset: str, level: RobotLevel) -> None:
    """Two robots of one seed live through two rounds: one sees the match, its twin one with other hidden cards.

    In the twin's world the other team has another sign as well.
    """
    rng = Random(5)
    rules = PRESETS[preset]
    opening = start_match(
        rules, seats=4, teams=2, dealer=3, now=0, sign_cards=draw_sign_cards(rules, 2, rng), strategies=tuple(Strategy)
    )
    record = Record(evolve_all(None, opening), list(opening))
    robots = {seat: Robot(Random(seat), LEVELS[level]) for seat in range(4)}
    twin = Robot(Random(SEAT), LEVELS[level])
    differing = 0
    while (len(record.rounds) < 2 or differing < LEAST) and record.moves < 900:
        other = _elsewhere(record.state, rng)
        differing += other != record.state
        mirrored = twin.think(player_view(other, SEAT, record.now), record.now)
        thoughts, action, at = next_move(record, robots)
        assert mirrored == thoughts[SEAT]
        submit(record, action, at, rng)
    assert len(record.rounds) >= 2
    assert differing >= LEAST


def test_a_robot_that_saw_a_hidden_card_would_be_caught() -> None:
    """The twin worlds do differ in hands, in the stock and in the other team's sign."""
    rng = Random(1)
    opening = start_match(PRESETS["classic"], seats=4, teams=2, dealer=3, now=0)
    record = Record(evolve_all(None, opening), list(opening))
    robots = {seat: Robot(Random(seat)) for seat in range(4)}
    while record.state.phase is not Phase.HUNT:
        submit(record, *next_move(record, robots)[1:], rng)
    other = _elsewhere(record.state, rng)
    assert any(record.state.seats[seat].hand != other.seats[seat].hand for seat in (0, 2, 3))
    assert record.state.stock != other.stock
    assert record.state.teams[0].plan != other.teams[0].plan
    assert player_view(record.state, SEAT, record.now) == player_view(other, SEAT, record.now)
    assert player_view(record.state, 0, record.now) != player_view(other, 0, record.now)


def _elsewhere(state: State, rng: Random) -> State:
    """The same for this seat, but every card it cannot see lies elsewhere, and the other team signals otherwise."""
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
    teams = (_signing_otherwise(state.teams[0], rng), *state.teams[1:])
    return replace(state, seats=seats, stock=stock, discard=tuple(cards), teams=teams)


def _signing_otherwise(team: Team, rng: Random) -> Team:
    plans = [one_sign(emoji_sign("🪩")), one_sign(emoji_sign("🪩"), presign=True), SignPlan(PlanKind.TOTAL)]
    return replace(team, plan=rng.choice(plans))


def _filled(hand: Slots, cards: Iterator[Card]) -> Slots:
    return tuple(None if slot is None else next(cards) for slot in hand)
