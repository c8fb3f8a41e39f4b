"""Thinks a choice of hands over: plays each of them out in worlds that chance guesses by what the seat has seen.

All candidates are tried in the same worlds. The number of playouts is fixed, so that the same views and random numbers
give the same choice on any machine.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from bot.game.cards import HAND_SIZE, JOKER_GROUP, Card
from bot.game.phase import Phase
from bot.game.seeded import SeededRandom
from bot.game.views import SeatView
from bot.robots.collect import Goal
from bot.robots.memory import Memory
from bot.robots.playouts import WAIT, Hidden, Position, apply, bits, from_view, guess_hidden, mask_of, play_round
from bot.robots.playouts import moves as m
from bot.robots.playouts.masks import IS_THREE_ALIKE, KEMS_HANDS, MEMBERS

# Of so many guesses the world is taken in which hands hold most cards alike, as hands do that were collected.
_GUESSES: Final = 3
# A playout stops after so many chances to move, and is judged by the best hands then.
_CHANCES: Final = 60
_ALIKE_WORTH: Final = (0.0, 0.0, 0.05, 0.25, 0.6)
# How often a partner reads the sign of a Kem's at a chance to call.
_READS: Final = 0.5


def likeliest_goal(
    goals: Sequence[Goal], view: SeatView, memory: Memory, rng: Random, now: int, *, playouts: int
) -> Goal:
    """Returns the goal that brings the team most in `playouts` playouts, shared by all goals.

    All goals are played out from the same guesses with the same random numbers: close goals differ by a hundredth of a
    point, and chance alone by a whole one.
    """
    totals = [0.0] * len(goals)
    held: dict[int, list[Card]] = {}
    for card, seat in memory.held.items():
        if seat is not None:
            held.setdefault(seat, []).append(card)
    for _ in range(max(1, playouts // len(goals))):
        try:
            hidden = _guess(view, rng, held, sorted(memory.gone))
        except ValueError:  # views were missed, and what is remembered contradicts the table
            return goals[0]
        start, seed = from_view(view, hidden, rng, now), rng.getrandbits(32)
        for number, goal in enumerate(goals):
            totals[number] += _try(start.copy(SeededRandom(seed)), view, goal)
    return goals[max(range(len(goals)), key=lambda number: (totals[number], -number))]


def _guess(view: SeatView, rng: Random, held: dict[int, list[Card]], gone: list[Card]) -> Hidden:
    guesses = [guess_hidden(view, rng, held=held, gone=gone) for _ in range(_GUESSES)]
    return max(guesses, key=lambda hidden: sum(_most_alike(mask_of(hand)) ** 2 for hand in hidden.hands))


def _try(position: Position, view: SeatView, goal: Goal) -> float:
    """Returns what a goal brought the seat's team, compared with the best other team."""
    seat = view.seat
    down, up = _exchange(position, seat, goal)
    for card in down:
        if position.phase is Phase.HUNT:
            apply(position, seat, card)
    for card in up:
        if position.phase is Phase.HUNT and position.owes[seat]:
            apply(position, seat, m.TAKE + card)
    playout = play_round(position, collecting, most=_CHANCES)
    teams = position.rules.teams
    worths = [float(points) for points in playout.points]
    if playout.outcome is None:
        for other, hand in enumerate(position.hands):
            team = other % teams
            worths[team] = max(worths[team], _ALIKE_WORTH[_most_alike(hand)])
    return worths[view.team] - max(worth for team, worth in enumerate(worths) if team != view.team)


def _exchange(position: Position, seat: int, goal: Goal) -> tuple[list[int], list[int]]:
    """Returns the cards to put down and to take, as numbers."""
    down, up = [], []
    for group in range(JOKER_GROUP + 1):
        wanted = goal.counts.get(group, 0)
        own = bits(position.hands[seat] & 0b1111 << MEMBERS * group)
        down += own[wanted:]
        up += bits(position.pool & 0b1111 << MEMBERS * group)[: max(0, wanted - len(own))]
    return down, up


def collecting(position: Position, seat: int, moves: int) -> int:
    """A policy: collects what the hand has most of, calls for a partner's Kem's, sweeps what is of no use to it."""
    hand = position.hands[seat]
    if moves >> m.KEMS & 1 and any(position.hands[other] in KEMS_HANDS for other in position.rules.partners[seat]):
        return m.KEMS if position.rng.random() < _READS else WAIT
    if position.phase is Phase.READY:
        return m.OPEN
    if hand in KEMS_HANDS:
        return m.AGREE if moves >> m.AGREE & 1 else WAIT
    counts: dict[int, int] = {}
    for card in bits(hand):
        counts[card // MEMBERS] = counts.get(card // MEMBERS, 0) + 1
    pool = bits(position.pool)
    best = max(pool, key=lambda card: counts.get(card // MEMBERS, 0), default=WAIT)
    if position.owes[seat]:
        return m.TAKE + best if best >= 0 else WAIT
    step = _improvement(position, hand, best, counts) if best >= 0 else WAIT
    if position.phase is Phase.SWEEP:
        answer = m.AGREE if step < 0 else m.REFUSE
        return answer if moves >> answer & 1 else WAIT
    if step >= 0:
        return step if moves >> step & 1 else WAIT
    return m.ASK if moves >> m.ASK & 1 else WAIT


def _improvement(position: Position, hand: int, best: int, counts: dict[int, int]) -> int:
    """Returns the card to put down for the best one of the pool, WAIT where that does not help."""
    gained = counts.get(best // MEMBERS, 0)
    choices = [card for card in bits(hand) if card // MEMBERS != best // MEMBERS]
    if not gained or not choices:
        return WAIT
    worst = min(choices, key=lambda card: counts[card // MEMBERS])
    group = worst // MEMBERS * MEMBERS
    is_dangerous = position.rules.ends_at_three and IS_THREE_ALIKE[(position.pool | 1 << worst) >> group & 0b1111]
    return WAIT if counts[worst // MEMBERS] > gained or is_dangerous else worst


def _most_alike(hand: int) -> int:
    """Returns how many cards a hand has of its best group; jokers join it."""
    jokers = (hand >> MEMBERS * JOKER_GROUP & 0b11).bit_count()
    return min(HAND_SIZE, jokers + max((hand >> MEMBERS * group & 0b1111).bit_count() for group in range(JOKER_GROUP)))
