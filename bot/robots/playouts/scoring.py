"""Points, and the rounds, games and matches that they end; the sibling of `bot.game.effects.scoring`."""

from collections.abc import Sequence
from typing import Final

from bot.game.effects.scoring import timed_winner
from bot.game.events import Outcome
from bot.game.phase import Phase
from bot.game.rules.parts import EndsAt
from bot.robots.playouts.compiled_rules import NEVER
from bot.robots.playouts.position import Position

_OVER: Final = Phase.OVER
_AFTER_ROUNDS: Final = EndsAt.ROUNDS


def end_round(position: Position, outcome: Outcome, points: Sequence[int] = ()) -> None:
    """Ends the round, and with it the game or the match where the score says so. `points` are by team."""
    position.phase = _OVER
    position.phase_at = position.now
    position.outcome = outcome
    position.agreed = 0
    position.duty = -1
    position.chain = None
    position.wake = position.now + position.rules.auto_next
    award(position, points)


def award(position: Position, points: Sequence[int]) -> None:
    """Adds points by team, and ends the game or the match where the score says so."""
    for team, gained in enumerate(points):
        position.scores[team] += gained
        position.points[team] += gained
    _judge_score(position)


def _judge_score(position: Position) -> None:
    end = position.rules.rules.end
    if end.ends_at is _AFTER_ROUNDS:
        if position.outcome is not None and position.round >= end.rounds:
            _end_match(position, _leader(position.scores, 1))
            return
    elif not position.game_won and max(position.scores) >= end.target:
        winner = _leader(position.scores, end.win_by)
        if winner is not None:
            position.game_won = True
            position.games[winner] += 1
            if position.games[winner] > end.best_of // 2:
                _end_match(position, winner)
                return
    if position.is_time_called and position.outcome is not None:
        _end_match(position, timed_winner(position.games, position.scores, game_won=position.game_won))


def _end_match(position: Position, winner: int | None) -> None:
    position.phase = Phase.MATCH_OVER
    position.phase_at = position.now
    position.wake = NEVER
    position.winner = winner
    position.agreed = 0
    position.duty = -1


def _leader(scores: Sequence[int], lead: int) -> int | None:
    """Returns the team that leads by so much, None where no team does."""
    first, second = sorted(scores, reverse=True)[:2]
    return scores.index(first) if first - second >= max(1, lead) else None
