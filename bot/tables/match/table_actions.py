"""What goes into a running table, and what comes out: actions, presses, answers; and how the table pauses."""

from dataclasses import dataclass
from typing import Final

from bot.game.actions import Action
from bot.game.checks.refusals import Code, Refusal
from bot.game.decide import Decision
from bot.game.events import Event, MatchPaused, MatchResumed, Phase
from bot.game.evolve import evolve_all
from bot.game.state import State
from bot.game.value import Worded


@dataclass(frozen=True, slots=True)
class PressOrigin:
    """The press that asked for a move; empty for robots and timers.

    `made_at` is when it was made (milliseconds) by Discord's clock, `round` the round that its message showed.
    """

    id: int | None = None
    made_at: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the clock of the match; `by_itself`: the table does it, because all players are absent.

    `at_any_time`: also shortly after a former pause, which moderators who do not play may ask for.
    """

    by_itself: bool = False
    at_any_time: bool = False


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the clock run again."""


TableAction = Action | Pause | Resume
"""What a table may be asked to do: the game's actions, and what only a table knows."""


class TableRefusalCode(Worded):
    """Why a table refuses a move that it does not pass to the core. KGN has no code for these: no log holds them."""

    CALL_PENDING = "call_pending", "Somebody has just called: wait a moment."
    FORMER_ROUND = "former_round", "The round has changed: nothing was done."
    PAUSED = "paused", "Paused: the host or a moderator resumes it."
    PAUSED_LATELY = "paused_lately", "Paused a moment ago: play on a little first."
    SWEEP_SOON = "sweep_soon", "🧹 {when}"
    ANSWER_AWAITED = "answer_awaited", "A sign awaits its answer: {when}."


@dataclass(frozen=True, slots=True)
class TableRefusal:
    """A move that the table itself refused; it changed nothing.

    `until`: when it is made by itself (milliseconds), or may be made again.
    """

    code: TableRefusalCode
    until: int | None = None


Refused = Refusal | TableRefusal

MoveOutcome = tuple[Event, ...] | Refusal | TableRefusal
"""What a move leads to: durable events, or a refusal."""


ANYBODY_MINUTES: Final = 10
"""For how long only the host and moderators may end a pause that a person asked for."""
_LONGEST_REST_MS: Final = ANYBODY_MINUTES * 60_000


def stopped_or_started(state: State, action: Pause | Resume, now: int) -> Decision | Refusal:
    """Return the event that stops or starts the clock; none if it is stopped or started already."""
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
    """Return whether the match may be paused now. A match that is paused or over refuses nothing here."""
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
