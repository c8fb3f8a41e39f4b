"""The verbs of a running match."""

from enum import StrEnum
from typing import Final

from bot.ui.rules.verbs import RulesVerb


class TableVerb(StrEnum):
    """What a press on a table, a hand panel or a result asks for; a comment names its argument."""

    # Signs
    SIGN_PANEL = "sign_panel"
    CHOOSE = "choose"  # opens the choice of a sign
    PROPOSE = "propose"  # an emoji or a phrase of them, in normal form; of a double, one for each that was found
    OTHER = "other"  # opens the form whose id is SIGN_TEXT
    SIGN_TEXT = "sign_text"
    ACCEPT = "accept"  # the short name of the plan that is accepted (`bot.ui.words.panel_text.plan_digest`)
    KEEP = "keep"
    GUESS = "guess"  # a team; opens the form whose id is GUESS_TEXT
    GUESS_TEXT = "guess_text"  # a team
    DECLARE_TOTAL = "total"  # a team
    STOP_PRESIGN = "stop_presign"  # a team
    GESTURE = "gesture"  # an emoji or a phrase of them
    # The table and the hand
    HAND = "hand"
    OPEN = "open"
    PUT = "put"  # a card's code; where one of the middle is chosen, for that one
    TAKE = "take"  # a card's code; where nothing is owed, it is chosen, or chosen no longer
    SWEEP = "sweep"
    YES = "yes"
    NO = "no"
    KEMS = "kems"
    DOUBLE = "double"
    COUNTER = "counter"  # opens the choice of targets
    COUNTER_AT = "counter_at"  # a seat
    COUNTER_TEAM = "counter_team"  # a team
    COUNTER_TWO = "counter2"  # a team: a double counter
    SHOWING = "showing"  # opens the choice of cards to show
    SHOW = "show"  # the codes of the cards
    NEXT = "next"
    COACH = "coach"  # "on" or "away"
    LEVEL = "level"  # a `HelpLevel`
    # The end of a round or a match: other features answer these
    FILM = "film"  # what onlookers saw of the round that stands before the verb
    REMATCH = "rematch"
    SHUFFLE = "shuffle"
    WATCH = "watch"
    SHARE = "share_match"
    REVIEW = "review"
    PLAY = "play"  # on table 0: a seat at the call of the channel, which the first press opens
    FRIENDS = "friends"  # on table 0: a lobby, and the choice of whom to invite
    # People
    RESUME = "resume"
    SUBSTITUTE = "substitute"  # a seat
    CLAIM = "claim"  # the seat of a robot, from the next deal on; without one the presser watches on
    EMPTY = "empty"  # a slot without a card: always disabled; the argument only keeps ids apart


class DepartureVerb(StrEnum):
    """What a press on a question about leaving, closing or removing asks for.

    The argument is the cost that the question has told (`bot.ui.table.departures.Cost`).
    """

    ASK_END = "ask_end"  # opens the question
    LEAVE_NOW = "leave_now"
    END_NOW = "end_now"
    KICK_NOW = "kick_now"  # a user's id, a full stop and the cost
    STAY = "stay"


DAILY: Final = "daily"
"""The presser's deal of the day; on table 0."""
MOMENT: Final = "moment_again"
"""Plays a moment of a match again: its table, round and step of the replay, with full stops between, and a letter that
keeps ids apart; on table 0.
"""
ELSEWHERE: Final[frozenset[str]] = frozenset(
    {
        TableVerb.REMATCH,
        TableVerb.SHUFFLE,
        TableVerb.WATCH,
        TableVerb.SHARE,
        TableVerb.REVIEW,
        TableVerb.PLAY,
        TableVerb.FRIENDS,
        TableVerb.FILM,
        TableVerb.CLAIM,
    }
)
"""What others answer: all but the film of a round and a claim is for the end of a match."""
AT_REST: Final[frozenset[str]] = frozenset(
    {TableVerb.HAND, TableVerb.SIGN_PANEL, TableVerb.RESUME, TableVerb.SUBSTITUTE, RulesVerb.HELP}
)
"""What can be pressed while a match is paused."""
