"""When a match stands still: how it comes to that, and who may let it go on."""

from typing import Final

from bot.game.events import Event, MatchPaused, MatchResumed
from bot.game.phase import Phase
from bot.game.refusals import Code, Refusal
from bot.game.state import State
from bot.tables.table_actions import Pause, Resume

ANYBODY_MINUTES: Final = 10
"""How long a pause that somebody asked for is in the hands of the host and of moderators."""


def stopped_or_started(state: State, action: Pause | Resume, now: int) -> tuple[Event, ...] | Refusal:
    """Stop or start the clock; asked for twice, it is done once."""
    if state.phase is Phase.MATCH_OVER:
        return Refusal(Code.MATCH_OVER)
    match action:
        case Pause(by_itself=by_itself):
            return () if state.pause is not None else (MatchPaused(now, by_itself),)
        case Resume():
            return () if state.pause is None else (MatchResumed(now),)


def for_anybody_at(pause: MatchPaused) -> int:
    """From when on every player may let the match go on, in milliseconds."""
    return pause.at if pause.by_itself else pause.at + ANYBODY_MINUTES * 60_000
