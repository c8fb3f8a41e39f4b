"""Pauses of a match: how they begin and end, who may end them, and when the next one may begin."""

from typing import Final

from bot.game.checks.refusals import Code, Refusal
from bot.game.decide import Decision
from bot.game.events import Event, MatchPaused, MatchResumed
from bot.game.evolve import evolve_all
from bot.game.phase import Phase
from bot.game.state import State
from bot.tables.match.table_actions import Pause, Resume

ANYBODY_MINUTES: Final = 10
"""For how long only the host and moderators may end a pause that a person asked for."""
_LONGEST_REST_MS: Final = ANYBODY_MINUTES * 60_000


def stopped_or_started(state: State, action: Pause | Resume, now: int) -> Decision | Refusal:
    """The event that stops or starts the clock; none if it is stopped or started already."""
    if state.phase is Phase.MATCH_OVER:
        return Refusal(Code.MATCH_OVER)
    match action:
        case Pause(by_itself=by_itself):
            return after(state, () if state.pause is not None else (MatchPaused(now, by_itself),))
        case Resume():
            return after(state, () if state.pause is None else (MatchResumed(now),))


def after(state: State, events: tuple[Event, ...]) -> Decision:
    """Events that no rule makes, with the state after them."""
    return Decision(events, evolve_all(state, events))


def may_pause(pause: Pause, state: State, next_pause_at: int, now: int) -> bool:
    """Whether the match may be paused now. A match that is paused or over refuses nothing here."""
    is_running = state.pause is None and state.phase is not Phase.MATCH_OVER
    return pause.by_itself or pause.at_any_time or not is_running or next_pause_at <= now


def for_anybody_at(pause: MatchPaused) -> int:
    """From which instant (milliseconds) every player may end the pause."""
    return pause.at if pause.by_itself else pause.at + ANYBODY_MINUTES * 60_000


def next_pause_at(pause: MatchPaused, resumed: MatchResumed) -> int:
    """From which instant (milliseconds) a player may pause the match again after a pause that a person asked for.

    It goes on for as long as it was paused, at most ten minutes: so a host cannot keep the others from playing.
    """
    return resumed.at + min(resumed.at - pause.at, _LONGEST_REST_MS)
