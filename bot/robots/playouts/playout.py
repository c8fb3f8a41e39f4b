"""Plays positions out: a random seat after the other moves as a policy says, until the round or the match is over."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.game.events import Outcome
from bot.game.phase import Phase
from bot.robots.playouts.apply import advance, apply
from bot.robots.playouts.legal import legal
from bot.robots.playouts.moves import NEXT
from bot.robots.playouts.position import Position

_READY: Final = Phase.READY
_OVER: Final = Phase.OVER
_MATCH_OVER: Final = Phase.MATCH_OVER

WAIT: Final = -1
"""What a policy returns to let others move first."""

Policy = Callable[[Position, int, int], int]
"""Chooses for a seat: takes the position, the seat and the mask of its legal moves, which is not 0; returns one of
these moves, or WAIT. It sees all cards: what the seat may use of them is the policy's own affair. It changes nothing
but the position's random numbers.
"""


@dataclass(frozen=True, slots=True)
class Playout:
    """What a playout brought.

    `outcome` is how the last round ended, None where it did not. `points` are what each team gained in that round since
    the playout began. `winner` is the team that won the match, None before its end and where it ended level. `rounds`
    counts the rounds that ended, `moves` what the seats did, `milliseconds` the time of play.
    """

    outcome: Outcome | None
    points: tuple[int, ...]
    winner: int | None
    rounds: int
    moves: int
    milliseconds: int


def at_random(position: Position, seat: int, moves: int) -> int:
    """Chooses any of the moves, all equally likely."""
    for _ in range(int(position.rng.random() * moves.bit_count())):
        moves &= moves - 1  # without the lowest
    return (moves & -moves).bit_length() - 1


def play_round(position: Position, policy: Policy = at_random, *, pace: int = 1500, most: int = 10_000) -> Playout:
    """Plays the position's round to its end, or until the seats had `most` chances to move; it changes the position.

    The seat that may move next is drawn by chance, after a time of up to `pace` milliseconds; before the hunt is open
    it is the dealer. A round that is over already is not played.
    """
    return _play_out(position, policy, pace, most, deals=0)


def play_match(
    position: Position, policy: Policy = at_random, *, pace: int = 1500, most: int = 10_000, deals: int = 1_000
) -> Playout:
    """Plays the position's match to its end, or until so many further rounds were dealt; see `play_round`.

    The next round is dealt at once. A round in which the seats had `most` chances to move ends the playout.
    """
    return _play_out(position, policy, pace, most, deals)


def _play_out(position: Position, policy: Policy, pace: int, most: int, deals: int) -> Playout:
    started_at = position.now
    over_before = _rounds_over(position)
    points_before = position.points.copy()
    moves = _finish_round(position, policy, pace, most)
    for _ in range(deals):
        if position.phase is not _OVER:
            break
        apply(position, position.dealer, NEXT)
        points_before = [0] * position.rules.teams
        moves += 1 + _finish_round(position, policy, pace, most)
    return Playout(
        outcome=position.outcome,
        points=tuple(after - before for after, before in zip(position.points, points_before, strict=True)),
        winner=position.winner,
        rounds=_rounds_over(position) - over_before,
        moves=moves,
        milliseconds=position.now - started_at,
    )


def _finish_round(position: Position, policy: Policy, pace: int, most: int) -> int:
    """Plays on until the round is over; returns how many moves were made."""
    random = position.rng.random
    seats = position.rules.seats
    made = 0
    for _ in range(most):
        phase = position.phase
        if phase is _OVER or phase is _MATCH_OVER:
            break
        now = position.now + int(random() * pace)
        if now < position.wake:
            position.now = now
        else:
            advance(position, now)
        seat = position.dealer if position.phase is _READY else int(random() * seats)
        moves = legal(position, seat)
        if moves and position.phase is not _OVER:
            move = policy(position, seat, moves)
            if move >= 0:
                apply(position, seat, move)
                made += 1
    return made


def _rounds_over(position: Position) -> int:
    return position.round - (position.phase is not _OVER and position.phase is not _MATCH_OVER)
