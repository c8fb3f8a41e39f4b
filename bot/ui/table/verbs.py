"""The verbs of a running match, and the codes of cards as arguments of custom ids."""

from typing import Final

from bot.discord.interactions.admission.allowances import COMPUTATIONS, FILMS, FREE, PAGES, POSTS, STARTS, TABLES, Verb
from bot.game.cards import Card, parse_card
from bot.ui.rules.verbs import RulesVerb


class TableVerb(Verb):
    """The verbs of the buttons of a table, a hand panel or a result; a comment names the argument."""

    # Signs
    SIGN_PANEL = "sign_panel", FREE
    CHOOSE = "choose", FREE  # opens the choice of a sign
    PROPOSE = "propose", FREE  # an emoji or a phrase of them, in normal form; of a double, one for each that was found
    OTHER = "other", FREE  # opens the form whose id is SIGN_TEXT
    SIGN_TEXT = "sign_text", FREE
    ACCEPT = "accept", FREE  # the short name of the plan that is accepted (`bot.ui.words.plan_text.plan_digest`)
    KEEP = "keep", FREE
    GUESS = "guess", FREE  # a team; opens the form whose id is GUESS_TEXT
    GUESS_TEXT = "guess_text", FREE  # a team
    DECLARE_TOTAL = "total", FREE  # a team
    STOP_PRESIGN = "stop_presign", FREE  # a team
    GESTURE = "gesture", FREE  # an emoji or a phrase of them
    # The table and the hand
    HAND = "hand", FREE
    OPEN = "open", FREE
    PUT = "put", FREE  # a card's code; put down for the chosen one of the middle, if any
    TAKE = "take", FREE  # a card's code; if nothing is owed, chooses it or drops the choice
    SWEEP = "sweep", FREE
    YES = "yes", FREE
    NO = "no", FREE
    KEMS = "kems", FREE
    DOUBLE = "double", FREE
    COUNTER = "counter", FREE  # opens the choice of targets
    COUNTER_AT = "counter_at", FREE  # a seat
    COUNTER_TEAM = "counter_team", FREE  # a team
    COUNTER_TWO = "counter2", FREE  # a team: a double counter
    SHOWING = "showing", FREE  # opens the choice of cards to show
    SHOW = "show", FREE  # the codes of the cards
    NEXT = "next", FREE
    COACH = "coach", FREE  # "on" or "away"
    LEVEL = "level", FREE  # a `HelpLevel`
    # The end of a round or a match: other features answer these
    FILM = "film", FILMS  # what onlookers saw of the round that stands before the verb
    REMATCH = "rematch", STARTS
    SHUFFLE = "shuffle", STARTS
    WATCH = "watch", PAGES
    SHARE = "share_match", POSTS
    REVIEW = "review", COMPUTATIONS
    PLAY = "play", TABLES  # on table 0: a seat at the quick start of the channel, which the first press opens
    FRIENDS = "friends", TABLES  # on table 0: a lobby, and the choice of whom to invite
    CALL_ME = "call_me", POSTS  # on table 0: gives the presser the server's role for players, or takes it
    # People
    RESUME = "resume", FREE
    SUBSTITUTE = "substitute", FREE  # a seat
    CLAIM = "claim", FREE  # the seat of a robot, from the next deal on; without one the presser watches on
    EMPTY = "empty", FREE  # a slot without a card: always disabled; the argument only keeps ids apart


class DepartureVerb(Verb):
    """The verbs of the buttons that confirm leaving, closing or removing.

    The argument is the cost that the confirmation names (`bot.ui.table.departures.LeavingPenalty`).
    """

    ASK_END = "ask_end", FREE  # opens the question
    LEAVE_NOW = "leave_now", FREE
    END_NOW = "end_now", FREE
    KICK_NOW = "kick_now", FREE  # a user's id, the cost and the stamp of the seat, with full stops between
    STAY = "stay", FREE


DAILY: Final = "daily"
"""Shows the presser's deal of the day; on table 0."""
MOMENT: Final = "moment_again"
"""Plays a moment of a match again; on table 0.

The argument is its table, round and step of the replay, separated by full stops, and a letter that keeps ids apart.
"""
CHALLENGE: Final = "challenge"
"""Offers such a moment as a challenge, on the result of its match; on table 0."""
CHALLENGE_TRY: Final = "challenge_try"
"""Tries a challenge; the argument is its key (`bot.daily.attempt.write_key`); on table 0."""
ELSEWHERE: Final[frozenset[str]] = frozenset(
    {
        TableVerb.REMATCH,
        TableVerb.SHUFFLE,
        TableVerb.WATCH,
        TableVerb.SHARE,
        TableVerb.REVIEW,
        TableVerb.PLAY,
        TableVerb.FRIENDS,
        TableVerb.CALL_ME,
        TableVerb.FILM,
        TableVerb.CLAIM,
    }
)
"""The verbs that other features answer: at the end of a match, except a round's film and a claim."""
AT_REST: Final[frozenset[str]] = frozenset(
    {TableVerb.HAND, TableVerb.SIGN_PANEL, TableVerb.RESUME, TableVerb.SUBSTITUTE, RulesVerb.HELP}
)
"""The verbs that can be pressed while a match is paused."""


def card_of(arg: str) -> Card | None:
    """Return the card of an argument; None for anything else."""
    try:
        card = parse_card(arg)
    except ValueError:
        return None
    return card if card.code == arg else None


def cards_of(arg: str) -> tuple[Card, ...] | None:
    """Return the cards of an argument with codes (`7S,9D`); None for anything else."""
    cards = list(map(card_of, arg.split(",")))
    known = tuple(card for card in cards if card is not None)
    return known if len(known) == len(cards) else None
