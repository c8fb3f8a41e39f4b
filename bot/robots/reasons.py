"""Why a robot does what it does, as a value: the coach makes a sentence of it, and tests read it."""

from enum import StrEnum

from bot.game.actions import Action
from bot.game.value import value


class Motive(StrEnum):
    """What speaks for an action. In brackets: what else a `MoveReason` with this motive holds."""

    COLLECTS = "collects"
    """An exchange towards four of a group (group)."""
    STARTS = "starts"
    """The same, of a group of which the hand has none yet (group)."""
    BLOCKS = "blocks"
    """An exchange that takes, or keeps, what an opponent collects (group, seat: the opponent)."""
    FEEDS = "feeds"
    """A card goes down that a partner collects (group, seat: the partner)."""
    MAKES_ROOM = "makes_room"
    """An exchange that only has to be one: a take that is owed, or one after a refused sweep."""
    STOPS = "stops"
    """The third alike goes down on purpose: it ends the round (seat: the opponent who seems to hold a Kem's, odds)."""
    NOTHING_FITS = "nothing_fits"
    """No card of the pool helps: a sweep is asked for, or agreed to."""
    STILL_FITS = "still_fits"
    """A card of the pool helps, so the sweep is refused (group)."""
    HAS_KEMS = "has_kems"
    """The seat holds a Kem's: it signs, or lets a sweep pass (group; None with jokers alone)."""
    PRESIGNS = "presigns"
    """The seat holds three alike, and its team may sign then (group)."""
    BLUFFS = "bluffs"
    """A gesture that means nothing."""
    ANSWERS_SIGN = "answers_sign"
    """A partner has made the team's sign (seat: the partner)."""
    HOLDS_ONE_TOO = "holds_one_too"
    """A partner has made the sign, and the seat holds a Kem's as well (seat: the partner)."""
    SIGNED_IN_VAIN = "signed_in_vain"
    """The seat calls for its own Kem's, where the rules allow it."""
    READS_SIGN = "reads_sign"
    """A gesture of an opponent seems to be the sign of a Kem's (seat, odds)."""
    READS_TWO = "reads_two"
    """Two opponents of one team seem to hold a Kem's (team)."""
    KNOWS_SIGN = "knows_sign"
    """Gestures that came before opened hands betray a team's sign (team, odds)."""
    SAW_STRATEGY = "saw_strategy"
    """What came before opened hands betrays how a team signals (team)."""
    NO_SIGN = "no_sign"
    """The team has no sign, or one of them was found."""
    SIGN_SHOWN = "sign_shown"
    """The last result showed the team's sign, or opponents have seen it often."""
    PARTNER_ASKS = "partner_asks"
    """A partner proposes a sign (seat: the partner)."""
    TELLS_LEAST = "tells_least"
    """The cards to be shown that tell least."""
    IS_DEALER = "is_dealer"
    """The dealer opens the hunt."""
    ROUND_OVER = "round_over"
    """The next round can be dealt."""
    WAITS = "waits"
    """Nothing is worth doing now."""


@value
class MoveReason:
    """Why an action is done: a motive, and what it is about; `odds` from 0 to 1. What does not apply is None."""

    why: Motive
    group: int | None = None
    seat: int | None = None
    team: int | None = None
    odds: float | None = None


WAITS = MoveReason(Motive.WAITS)

Advice = tuple[Action | None, MoveReason]
"""What to do, and why; no action if it is best to wait."""
