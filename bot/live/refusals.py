"""Why a live table refuses a move without asking the core. These codes are none of KGN's: no record can hold them."""

from dataclasses import dataclass
from enum import StrEnum

from bot.game.events import Event
from bot.game.refusals import Refusal


class LiveCode(StrEnum):
    """The sentences live in the catalogues."""

    CALL_PENDING = "call_pending"


@dataclass(frozen=True, slots=True)
class LiveRefusal:
    """A move that changed nothing, refused by the table itself."""

    code: LiveCode


Refused = Refusal | LiveRefusal

Answer = tuple[Event, ...] | Refusal | LiveRefusal
"""What came of a move: the durable events that followed from it, or why it was refused."""
