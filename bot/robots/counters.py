"""What a counter is worth: from which odds of a Kem's it brings more points than it risks."""

from typing import Final

from bot.game.rules.rules import Rules, Shows

# What is lost besides points: the right to counter in this round, and what cards that are shown tell.
_RIGHT: Final = 0.3
_SHOWN_CARDS: Final = 0.1
STOP: Final = 0.6
"""From so much of the break-even odds on, it is better to end the round without points."""


def break_even(rules: Rules) -> float:
    """Returns the odds of a Kem's from which a counter of one player, or team, gains more points than it risks.

    A true counter brings its points, and the opponents lose those of the Kem's that they would have called.
    """
    scoring = rules.scoring
    gain = scoring.counter - scoring.counter_accused + scoring.kems
    risk = scoring.false_counter + scoring.false_counter_all - scoring.false_counter_own + 0.1
    if rules.penalty.counter_lost:
        risk += _RIGHT
    if rules.penalty.shows is not Shows.NOBODY:
        risk += _SHOWN_CARDS
    return min(0.95, max(0.1, risk / max(0.1, gain + risk)))
