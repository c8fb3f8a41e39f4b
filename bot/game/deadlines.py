"""Deadlines of a state. Time is data: a timer only submits a `Tick`, and `decide` looks at the deadline again."""

from typing import Final

from bot.game.evolve import milliseconds
from bot.game.phase import HUNT, Phase
from bot.game.state import PendingShow, State

REDEAL: Final = 3.0
"""Seconds after which a round that ended with its deal is followed by the next one, whatever the pace."""


def next_deadline(state: State) -> int | None:
    """Returns the instant (milliseconds) at which a `Tick` takes effect, None for never. It may lie in the past."""
    if state.pause is not None:
        return None
    deadline = phase_deadline(state)
    deadlines = [] if deadline is None else [deadline]
    if state.pending_shows:
        deadlines += [show.ends_at for show in possible_shows(state)]
    limit = state.rules.exchange.take_limit
    if limit > 0 and state.phase is HUNT:
        deadlines += [own.owes_since + milliseconds(limit) for own in state.seats if own.owes_since is not None]
    return min(deadlines, default=None)


def take_deadline(state: State, seat: int) -> int | None:
    """Returns the instant at which chance takes what a seat owes, None for never.

    It is counted from the put-down that left the hand short, so that swapping on and on gains no time.
    """
    since = state.seats[seat].owes_since
    if since is None or state.phase is not HUNT or state.pause is not None:
        return None
    limit = state.rules.exchange.take_limit
    return since + milliseconds(limit) if limit > 0 else None


def phase_deadline(state: State) -> int | None:
    """Returns the instant at which the phase ends by the clock, None for never, as in a pause."""
    if state.pause is not None:
        return None
    rules = state.rules
    match state.phase:
        case Phase.HUNT:
            # An exchange under way is finished first; the overdue sweep follows at once.
            return None if state.duty is None or state.is_exchange_pending else state.duty.ends_at
        case Phase.READY:
            return _after(state, rules.pace.auto_open)
        case Phase.OVER if state.ended_at_deal:
            return _after(state, REDEAL)
        case Phase.OVER:
            return _after(state, rules.pace.auto_next)
        case Phase.SIGNS:
            return _after(state, rules.signs.sign_deadline)
        case Phase.SWEEP:
            return None if state.vote is None else state.vote.ends_at
        case Phase.CHAIN:
            return state.phase_at + milliseconds(rules.calls.chain)
        case Phase.DEAL | Phase.MATCH_OVER:
            return None


def possible_shows(state: State) -> tuple[PendingShow, ...]:
    """Returns the pending shows whose player has cards enough in hand. The others stay pending."""
    count = state.rules.penalty.show_count
    return tuple(show for show in state.pending_shows if len(state.seats[show.seat].cards) >= count)


def _after(state: State, seconds: float) -> int | None:
    return state.phase_at + milliseconds(seconds) if seconds > 0 else None
