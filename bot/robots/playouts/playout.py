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
_ENDED: Final = (_OVER, _MATCH_OVER)

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
    started_at = position.now
    before = position.points.copy()
    is_open = position.phase not in _ENDED
    moves, _ = _play(position, policy, pace, most)
    return _playout(position, before, rounds=int(is_open and position.phase in _ENDED), moves=moves, since=started_at)


def play_match(position: Position, policy: Policy = at_random, *, pace: int = 1500, most: int = 100_000) -> Playout:
    """Plays the position's match to its end, or until the seats had `most` chances to move; see `play_round`.

    The next round is dealt at once.
    """
    started_at = position.now
    before = position.points.copy()
    is_open = position.phase not in _ENDED
    moves, left = _play(position, policy, pace, most)
    rounds = int(is_open and position.phase in _ENDED)
    while position.phase is _OVER and left > 0:
        apply(position, position.dealer, NEXT)
        moves += 1
        before = [0] * position.rules.teams
        made, left = _play(position, policy, pace, left)
        moves += made
        rounds += position.phase in _ENDED
    return _playout(position, before, rounds=rounds, moves=moves, since=started_at)


def _play(position: Position, policy: Policy, pace: int, most: int) -> tuple[int, int]:
    """Plays on until the round is over; returns how many moves were made, and how many chances are left of `most`."""
    random = position.rng.random
    seats = position.rules.seats
    made = 0
    while most > 0:
        phase = position.phase
        if phase is _OVER or phase is _MATCH_OVER:
            break
        most -= 1
        now = position.now + int(random() * pace)
        if now < position.wake:
            position.now = now
        else:
            advance(position, now)
        seat = position.dealer if position.phase is _READY else int(random() * seats)
        moves = legal(position, seat)
        if moves:
            move = policy(position, seat, moves)
            if move >= 0:
                apply(position, seat, move)
                made += 1
    return made, most


def _playout(position: Position, before: list[int], *, rounds: int, moves: int, since: int) -> Playout:
    return Playout(
        outcome=position.outcome,
        points=tuple(after - earlier for after, earlier in zip(position.points, before, strict=True)),
        winner=position.winner,
        rounds=rounds,
        moves=moves,
        milliseconds=position.now - since,
    )
