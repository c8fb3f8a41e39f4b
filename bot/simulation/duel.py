"""Duels: is one side better than another? Pairs of matches with swapped seats, and a test that may stop at any time.

The interval is a confidence sequence (Robbins' normal mixture): it holds the true rate in 95 of 100 duels however
often one looks at it, so a duel may end as soon as it says enough.
"""

from dataclasses import dataclass
from math import log, sqrt
from typing import Final

# A pair's score lies between 0 and 1, so its variance is a quarter at most.
_VARIANCE: Final = 0.25
# Where the interval is narrowest: after about forty pairs.
_MIXTURE: Final = 10.0
_MISS: Final = 0.05


@dataclass(frozen=True, slots=True)
class DuelGoal:
    """What a duel has to show: a rate of at least `rate`, with the whole interval above `floor`."""

    rate: float = 0.60
    floor: float = 0.55
    most_pairs: int = 500


@dataclass(frozen=True, slots=True)
class Duel:
    """The score so far: `score` is the sum over `pairs` of the share of each pair that the first side won.

    A drawn match is half won.
    """

    pairs: int = 0
    score: float = 0.0

    def after(self, won: float) -> "Duel":
        """Returns the duel after one more pair; `won` is the first side's share of it (0 to 1)."""
        return Duel(self.pairs + 1, self.score + won)

    @property
    def rate(self) -> float:
        return self.score / self.pairs if self.pairs else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Returns where the true rate lies, in 95 of 100 duels, whenever one stops."""
        if not self.pairs:
            return 0.0, 1.0
        spent = self.pairs * _VARIANCE + _MIXTURE
        reach = sqrt(spent * (log(spent / _MIXTURE) + 2 * log(1 / _MISS))) / self.pairs
        return max(0.0, self.rate - reach), min(1.0, self.rate + reach)

    def has_shown(self, goal: DuelGoal) -> bool:
        return self.rate > goal.rate and self.interval[0] > goal.floor

    def is_over(self, goal: DuelGoal) -> bool:
        """Returns whether more pairs are needless: it is shown or out of reach, or no more are allowed."""
        return self.has_shown(goal) or self.interval[1] < goal.rate or self.pairs >= goal.most_pairs
