"""Streaks: matches in a row with the same outcome."""

from collections.abc import Sequence
from itertools import groupby


def streaks(outcomes: Sequence[int]) -> tuple[int, int]:
    """Returns the running streak and the longest one of wins, from outcomes in order: 1 won, 0 level, -1 lost.

    The running one is negative for losses in a row, and 0 after a level match.
    """
    runs = [(outcome, sum(1 for _ in run)) for outcome, run in groupby(outcomes)]
    last, length = runs[-1] if runs else (0, 0)
    return last * length, max((count for outcome, count in runs if outcome == 1), default=0)
