"""What goes into a running table, and what comes out: actions, presses, answers."""

from dataclasses import dataclass
from enum import StrEnum

from bot.game.actions import Action
from bot.game.checks.refusals import Refusal
from bot.game.events import Event


@dataclass(frozen=True, slots=True)
class Pressed:
    """The press that asked for a move; empty for robots and timers.

    `made_at` is when it was made (milliseconds) by Discord's clock, `round` the round that its message showed.
    """

    id: int | None = None
    made_at: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the clock of the match; `by_itself`: the table does it, because all players are absent.

    `at_any_time`: even shortly after a former pause, as moderators may who do not play.
    """

    by_itself: bool = False
    at_any_time: bool = False


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the clock run again."""


TableAction = Action | Pause | Resume
"""What a table may be asked to do: the game's actions, and what only a table knows."""


class LiveCode(StrEnum):
    """Why a table refuses a move that it does not pass to the core. KGN has no code for these: no log holds them.

    The sentences are in the catalogues.
    """

    CALL_PENDING = "call_pending"
    FORMER_ROUND = "former_round"
    PAUSED = "paused"
    PAUSED_LATELY = "paused_lately"


@dataclass(frozen=True, slots=True)
class LiveRefusal:
    """A move that the table itself refused; it changed nothing."""

    code: LiveCode


Refused = Refusal | LiveRefusal

Answer = tuple[Event, ...] | Refusal | LiveRefusal
"""What a move leads to: durable events, or a refusal."""
