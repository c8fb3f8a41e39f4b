"""Places of teams, wins and losses of players, and streaks of them."""

from collections.abc import Sequence
from itertools import groupby


def places(winner: int | None, games: tuple[int, ...], scores: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the place of each team, 0 the best; level teams share one. Games count before points."""
    ranks = [(team == winner, *pair) for team, pair in enumerate(zip(games, scores, strict=True))]
    return tuple(sum(other > rank for other in ranks) for rank in ranks)


def outcome(placed: tuple[int, ...], team: int, *, has_left: bool = False, is_shielded: bool = False) -> int:
    """Returns 1 for a match that a player has won, 0 for a level one, -1 for a lost one.

    A player who left has lost. A shielded player, whose partner left, has not.
    """
    if has_left:
        return -1
    if placed[team] == 0:
        return 1 if placed.count(0) == 1 else 0
    return 0 if is_shielded else -1


def streaks(outcomes: Sequence[int]) -> tuple[int, int]:
    """Returns the running streak and the longest one of wins, from outcomes in order: 1 won, 0 level, -1 lost.

    The running one is negative for losses in a row, and 0 after a level match.
    """
    runs = [(outcome, sum(1 for _ in run)) for outcome, run in groupby(outcomes)]
    last, length = runs[-1] if runs else (0, 0)
    return last * length, max((count for outcome, count in runs if outcome == 1), default=0)
