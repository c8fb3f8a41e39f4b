"""Why a move was refused. The codes are a public contract (docs/engine.md)."""

from bot.game.events import Phase
from bot.game.value import Worded, value


class Code(Worded):
    """The codes of refusals, each with its sentence."""

    HUNT_CLOSED = "hunt_closed", "Not yet: wait for the dealer to open the hunt."
    NOT_IN_HAND = "not_in_hand", "That card is no longer in your hand."
    NOT_IN_POOL = "not_in_pool", "Too late: that card is gone."
    HAND_FULL = "hand_full", "Put a card down first: your hand is full."
    TAKE_FIRST = "take_first", "Take a card from the middle first."
    TOO_EARLY = "too_early", "Too early: wait a few seconds."
    EXCHANGE_PENDING = "exchange_pending", "Wait: a player still has to take a card."
    SWEEP_RUNNING = "sweep_running", "Answer the sweep first, yes or no."
    NO_SWEEP = "no_sweep", "The sweep is already decided."
    ALREADY_ANSWERED = "already_answered", "You have already answered that."
    MUST_EXCHANGE = "must_exchange", "The sweep was refused: first an exchange."
    CALL_CLOSED = "call_closed", "Wait for the end of the sweep to call."
    COUNTER_LOST = "counter_lost", "You cannot counter until the end of the round."
    OWN_TEAM = "own_team", "That is your own team."
    UNKNOWN_PLAYER = "unknown_player", "Nobody sits there."
    UNKNOWN_TEAM = "unknown_team", "There is no such team."
    NOT_ALLOWED = "not_allowed", "The rules of this table do not allow that now."
    NOT_DEALER = "not_dealer", "Only the dealer opens the hunt."
    ROUND_OVER = "round_over", "Too late: the round is over."
    MATCH_OVER = "match_over", "The match is over: ask for a rematch."
    CARDS_NOT_DIFFERENT = "cards_not_different", "Choose cards of different ranks."
    NOT_PENDING = "not_pending", "There is nothing to answer any more."
    SIGN_TAKEN = "sign_taken", "Your team's sign: choose another."
    SIGN_FORBIDDEN = "sign_forbidden", "Not for your team: choose another sign."
    GUESS_SPENT = "guess_spent", "No more guesses for your team in this round."
    THREE_ALIKE_PUT = "three_alike_put", "A third of a kind: put it down on its own."


@value
class Refusal:
    """A move that was refused and changed nothing. It is a value: a press may come too late."""

    code: Code


def phase_refusal(phase: Phase) -> Code:
    """Return why a move of a running round is refused in this phase."""
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
