"""Why a move was refused: the codes are a public contract (docs/engine.md); the sentences live in the catalogues."""

from enum import StrEnum

from bot.game.events import Phase
from bot.game.value import value


class Code(StrEnum):
    HUNT_CLOSED = "hunt_closed"
    NOT_IN_HAND = "not_in_hand"
    NOT_IN_POOL = "not_in_pool"
    HAND_FULL = "hand_full"
    TAKE_FIRST = "take_first"
    TOO_EARLY = "too_early"
    EXCHANGE_PENDING = "exchange_pending"
    SWEEP_RUNNING = "sweep_running"
    NO_SWEEP = "no_sweep"
    ALREADY_ANSWERED = "already_answered"
    MUST_EXCHANGE = "must_exchange"
    CALL_CLOSED = "call_closed"
    COUNTER_LOST = "counter_lost"
    OWN_TEAM = "own_team"
    UNKNOWN_PLAYER = "unknown_player"
    UNKNOWN_TEAM = "unknown_team"
    NOT_ALLOWED = "not_allowed"
    NOT_DEALER = "not_dealer"
    ROUND_OVER = "round_over"
    MATCH_OVER = "match_over"
    CARDS_NOT_DIFFERENT = "cards_not_different"
    NOT_PENDING = "not_pending"
    SIGN_TAKEN = "sign_taken"
    SIGN_FORBIDDEN = "sign_forbidden"
    GUESS_SPENT = "guess_spent"
    THREE_ALIKE_PUT = "three_alike_put"


@value
class Refusal:
    """A move that was refused and changed nothing. It is a value: a press may come too late."""

    code: Code


def closed(phase: Phase) -> Code:
    """Returns why a move of a round under way is refused in another phase."""
    match phase:
        case Phase.MATCH_OVER:
            return Code.MATCH_OVER
        case Phase.SIGNS | Phase.DEAL | Phase.READY:
            return Code.HUNT_CLOSED
        case Phase.SWEEP:
            return Code.SWEEP_RUNNING
        case Phase.CHAIN | Phase.OVER:
            return Code.ROUND_OVER
        case Phase.HUNT:  # pragma: no branch  # mypy proves the match complete
            return Code.NOT_ALLOWED
