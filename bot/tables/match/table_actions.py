"""The input and output of a running table: actions, presses, outcomes; and the rules of pauses."""

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
    """The press that requested a move; all fields are None for robots and timers.

    - `id`: of the interaction.
    - `made_at`: when it was made, in Unix milliseconds of Discord's clock.
    - `round`: the round that the pressed message showed.
    """

    id: int | None = None
    made_at: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the clock of the match.

    - `by_itself`: the table does it, because all players are absent.
    - `at_any_time`: even shortly after another pause, as moderators without a seat may.
    """

    by_itself: bool = False
    at_any_time: bool = False


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the clock run again."""


TableAction = Action | Pause | Resume
"""The actions of the game, and those of a table alone."""


class TableRefusalCode(Worded):
    """Why a table refuses a move before the core sees it. KGN has no codes for these, which no log has."""

    CALL_PENDING = "call_pending", "Somebody has just called: wait a moment."
    FORMER_ROUND = "former_round", "The round has changed: nothing was done."
    PAUSED = "paused", "Paused: the host or a moderator resumes it."
    PAUSED_LATELY = "paused_lately", "Paused a moment ago: play on a little first."
    SWEEP_SOON = "sweep_soon", "🧹 {when}"
    ANSWER_AWAITED = "answer_awaited", "A sign awaits its answer: {when}."


@dataclass(frozen=True, slots=True)
class TableRefusal:
    """A move that the table itself has refused, without any change.

    `until` is when the move is made by itself, or may be made again (Unix milliseconds).
    """

    code: TableRefusalCode
    until: int | None = None


Refused = Refusal | TableRefusal

MoveOutcome = tuple[Event, ...] | Refusal | TableRefusal
"""The outcome of a move: durable events, or a refusal."""


ANYBODY_MINUTES: Final = 10
"""For how many minutes only the host and moderators may end a pause that a person has requested."""
_LONGEST_REST_MS: Final = ANYBODY_MINUTES * 60_000


def stopped_or_started(state: State, action: Pause | Resume, now: int) -> Decision | Refusal:
    """Return the event that stops or starts the clock; none if the clock is in that state already."""
    if state.phase is Phase.MATCH_OVER:
        return Refusal(Code.MATCH_OVER)
    match action:
        case Pause(by_itself=by_itself):
            return after(state, () if state.pause is not None else (MatchPaused(now, by_itself),))
        case Resume():
            return after(state, () if state.pause is None else (MatchResumed(now),))


def after(state: State, events: tuple[Event, ...]) -> Decision:
    """Return these events, which no rule of the game has caused, as a decision."""
    return Decision(events, evolve_all(state, events))


def may_pause(pause: Pause, state: State, next_pause_at: int, now: int) -> bool:
    """Return whether the match may be paused now; True for one that is paused or over, as others check that."""
    is_running = state.pause is None and state.phase is not Phase.MATCH_OVER
    return pause.by_itself or pause.at_any_time or not is_running or next_pause_at <= now


def for_anybody_at(pause: MatchPaused) -> int:
    """Return from when on every player may end the pause (Unix milliseconds)."""
    return pause.at if pause.by_itself else pause.at + ANYBODY_MINUTES * 60_000


def next_pause_at(pause: MatchPaused, resumed: MatchResumed) -> int:
    """Return when a player may pause the match again after a person's pause (Unix milliseconds).

    The match has to go on for as long as it was paused, at most ten minutes, so that no host can prevent play.
    """
    return resumed.at + min(resumed.at - pause.at, _LONGEST_REST_MS)
