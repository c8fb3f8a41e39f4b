"""What goes into a live table beside the action, and what comes out: presses and answers."""

from dataclasses import dataclass
from enum import StrEnum

from bot.game.actions import Action
from bot.game.events import Event
from bot.game.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Pressed:
    """The press that asked for a move, as far as it is known: nothing for robots and timers.

    `made_at` is its instant (milliseconds) where somebody saw it better than we; `round` the one it was meant for.
    """

    id: int | None = None
    made_at: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the clock of the match; `by_itself`: the table does it, because nobody can go on."""

    by_itself: bool = False


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the clock run again."""


TableAction = Action | Pause | Resume
"""What may be asked of a table: the game's actions, and what only a table knows."""


class LiveCode(StrEnum):
    """Why a table refuses a move without asking the core; none of KGN's codes, as no record can hold such a refusal.

    The sentences live in the catalogues.
    """

    CALL_PENDING = "call_pending"
    FORMER_ROUND = "former_round"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class LiveRefusal:
    """A move that changed nothing, refused by the table itself."""

    code: LiveCode


Refused = Refusal | LiveRefusal

Answer = tuple[Event, ...] | Refusal | LiveRefusal
"""What came of a move: the durable events that followed from it, or why it was refused."""
