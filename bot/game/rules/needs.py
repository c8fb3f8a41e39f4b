"""The rules that have an effect only with others: the reasons for refusing a house rule without effect.

Pure data and one question about it; it knows `Rules` alone, and not which values a host has changed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.game.decks import DeckKind
from bot.game.rules.parts import CounterTwo, DoubleCall, EndsAt, Excess, Guess, Names, Rules, Shows, SweptTo

PLAYERS: Final = "players"
"""The axis of the numbers of players; which of them sit down is chosen with the table."""


@dataclass(frozen=True, slots=True)
class Need:
    """What must hold for an axis to have an effect. `axis` and `value` are one way to get there, as KGN writes them."""

    axis: str
    value: str
    is_met: Callable[[Rules], bool]


_REDRAWS: Final = Need("excess", Excess.REDRAW, lambda rules: rules.deal.excess in (Excess.REDRAW, Excess.HAND))
_ACTS_ON_EXCESS: Final = Need("excess", Excess.REDRAW, lambda rules: rules.deal.excess is not Excess.KEEP)
_JOKERS: Final = Need("deck", DeckKind.D54, lambda rules: rules.deal.deck is DeckKind.D54)
_MUST_EXCHANGE: Final = Need("must_exchange", "yes", lambda rules: rules.sweep.must_exchange)
_DISCARDS: Final = Need("swept", SweptTo.DISCARD, lambda rules: rules.sweep.swept is SweptTo.DISCARD)
_CHAINS: Final = Need(
    "double",
    DoubleCall.TWO_VOICES,
    lambda rules: rules.calls.double is DoubleCall.TWO_VOICES or plays_four_kems(rules),
)
_DUELS: Final = Need(PLAYERS, "2", lambda rules: 2 in rules.seating.players)
_COUNTS_TWO: Final = Need("counter_two", CounterTwo.COUNTS, lambda rules: rules.calls.counter_two is CounterTwo.COUNTS)
_DOUBLE_COUNTERS: Final = Need("double_counters", "yes", lambda rules: rules.calls.double_counters)
_NAMES_PLAYER: Final = Need("counter_names", Names.PLAYER, lambda rules: rules.calls.counter_names is Names.PLAYER)
_GOES_ON: Final = Need("false_counter_ends", "no", lambda rules: not rules.calls.false_counter_ends)
_SHOWS: Final = Need("shows", Shows.ACCUSED, lambda rules: rules.penalty.shows is not Shows.NOBODY)
_SHOWS_SEVERAL: Final = Need("show_count", "2", lambda rules: rules.penalty.show_count > 1)
_GUESSES: Final = Need("guess", Guess.POINTS, lambda rules: rules.signs.guess is Guess.POINTS)
_TO_TARGET: Final = Need("ends_at", EndsAt.TARGET, lambda rules: rules.end.ends_at is EndsAt.TARGET)
_FIXED_ROUNDS: Final = Need("ends_at", EndsAt.ROUNDS, lambda rules: rules.end.ends_at is EndsAt.ROUNDS)

# Cards are shown between two players while the hunt goes on: never where a whole team is accused.
_CAN_SHOW: Final = (_GOES_ON, _NAMES_PLAYER)

NEEDS: Final[dict[str, tuple[Need, ...]]] = {
    "redrawn": (_REDRAWS,),
    "excess_jokers": (_ACTS_ON_EXCESS, _JOKERS),
    "refusal_grace": (_MUST_EXCHANGE,),
    "stock_out": (_DISCARDS,),
    "chain": (_CHAINS,),
    "duel_delay": (_DUELS,),
    "counter_of_two": (_COUNTS_TWO,),
    "double_counter": (_DOUBLE_COUNTERS,),
    "false_double_counter": (_DOUBLE_COUNTERS,),
    "false_double_counter_own": (_DOUBLE_COUNTERS,),
    "four_kems": (_DOUBLE_COUNTERS,),
    "shows": _CAN_SHOW,
    "show_count": (*_CAN_SHOW, _SHOWS),
    "show_different": (*_CAN_SHOW, _SHOWS, _SHOWS_SEVERAL),
    "show_delay": (*_CAN_SHOW, _SHOWS),
    "counter_lost": (_GOES_ON,),
    "guess_right": (_GUESSES,),
    "guess_wrong": (_GUESSES,),
    "guess_wrong_own": (_GUESSES,),
    "guess_wrong_all": (_GUESSES,),
    "target": (_TO_TARGET,),
    "win_by": (_TO_TARGET,),
    "best_of": (_TO_TARGET,),
    "rounds": (_FIXED_ROUNDS,),
}
"""By axis; an axis without an entry matters under any rules."""


def unmet(rules: Rules, axis: str) -> Need | None:
    """Returns the first need of an axis that these rules do not meet, None where the axis has an effect."""
    return next((need for need in NEEDS.get(axis, ()) if not need.is_met(rules)), None)


def plays_four_kems(rules: Rules) -> bool:
    """Returns whether a team may add the other word to a true double Kem's or double counter."""
    return rules.calls.double_counters and rules.scoring.four_kems > 0
