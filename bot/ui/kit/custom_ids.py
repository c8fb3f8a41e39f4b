"""Self-describing custom ids, `k1:<table>:<verb>:<argument>`: they survive restarts, and never say who presses.

On the messages of a match they say the round as well, `k1:<table>.<round>:<verb>:<argument>`: what was meant for one
round must not act in the next.

This module knows the shape of an id, not what a press does; the seat comes from the user, never from the id.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.game.cards import Card, parse_card

MAX_ID: Final = 100  # Discord's limit for a custom id
MAX_ARG: Final = MAX_ID - len("k1:9223372036854775807.9999:remove_robot:")
_SHAPE: Final = re.compile(r"k1:(0|[1-9][0-9]{0,18})(?:\.(0|[1-9][0-9]{0,3}))?:([a-z0-9_]+)(?::(.+))?", re.DOTALL)


class Verb(StrEnum):
    """What a press asks for; the comment names its argument."""

    # The lobby
    JOIN = "join"
    LEAVE = "leave"
    ADD_ROBOT = "add_robot"
    REMOVE_ROBOT = "remove_robot"
    TEAMS = "teams"  # "random" or "chosen"
    SIT = "sit"  # a team
    START = "start"
    CANCEL = "cancel"
    VOTE = "vote"  # opens the presser's ballot
    BALLOT = "ballot"  # a select menu; its values are the strategies said yes to
    BALLOT_NO = "ballot_no"  # no to all
    NO_VOTE = "no_vote"
    FACES = "faces"  # a select menu; its value is a theme
    QUICK = "quick"  # on table 0: a table with three robots at once
    # The rules of the table, while its lobby is open
    RULES = "rules"
    RULES_PAGE = "rules_page"  # a menu of parts or of axes, which the argument keeps apart
    RULES_PRESET = "rules_preset"  # a menu of presets
    RULES_SET = "rules_set"  # an axis; a menu of its values, or the form for a number
    RULES_NUMBER = "rules_number"  # an axis; opens the form whose id is RULES_SET
    RULES_RESET = "rules_reset"
    RULES_TEXT = "rules_text"  # opens the form whose id is RULES_LINE
    RULES_LINE = "rules_line"
    RULES_SAVE = "rules_save"  # opens the form whose id is RULES_NAME
    RULES_NAME = "rules_name"
    RULES_LOAD = "rules_load"
    RULES_SAVED = "rules_saved"  # a menu of the server's sets
    # Signs
    SIGN_PANEL = "sign_panel"
    PROPOSE = "propose"  # an emoji or a phrase of them, in normal form; of a double, one for each that was found
    OTHER = "other"  # opens the form whose id is SIGN_TEXT
    SIGN_TEXT = "sign_text"
    ACCEPT = "accept"  # the short name of the plan that is accepted (`bot.ui.words.sign_plans.plan_digest`)
    KEEP = "keep"
    GUESS = "guess"  # a team; opens the form whose id is GUESS_TEXT
    GUESS_TEXT = "guess_text"  # a team
    DECLARE_TOTAL = "total"  # a team
    STOP_PRESIGN = "stop_presign"  # a team
    GESTURE = "gesture"  # an emoji or a phrase of them
    # The table and the hand
    HAND = "hand"
    OPEN = "open"
    PUT = "put"  # a card's code
    TAKE = "take"  # a card's code
    SWEEP = "sweep"
    YES = "yes"
    NO = "no"
    KEMS = "kems"
    DOUBLE = "double"
    COUNTER = "counter"  # opens the choice of targets
    COUNTER_AT = "counter_at"  # a seat
    COUNTER_TEAM = "counter_team"  # a team
    COUNTER_TWO = "counter2"  # a team: a double counter
    SHOW = "show"  # a select menu; its value is the codes of the cards, run together
    NEXT = "next"
    REMATCH = "rematch"
    REOPEN = "reopen"
    RESUME = "resume"
    SUBSTITUTE = "substitute"  # a seat
    REPLAY = "replay"  # a step and a letter that keeps ids apart; its round stands before the verb
    SHARE = "share"  # posts the round that stands before the verb as a moving picture
    HELP = "help"
    # Records, on table 0
    HISTORY = "history"  # a user id (0 for everybody) and a spot: "1000:a1800000000000.17"
    BOARD = "board"  # a board, a season's number and a spot
    BOARDS = "boards"  # a season's number; a menu of boards
    FORGET = "forget"  # everything on the presser
    # The settings of the server, on table 0
    CONFIG = "config"  # a field; a menu of its values, or a form
    CONFIG_ZONE = "config_zone"  # opens the form whose id is CONFIG
    EMPTY = "empty"  # a slot without a card: always disabled; the argument only keeps ids apart


@dataclass(frozen=True, slots=True)
class Press:
    """A custom id that was read; `arg` is "" where the verb has none, `round` None where the message knew of none."""

    table_id: int
    verb: Verb
    arg: str = ""
    round: int | None = None


def make_id(table_id: int, verb: Verb, arg: str = "", round: int | None = None) -> str:  # noqa: A002 - the game's word
    """The custom id of a button, a menu or a form.

    Raises:
        ValueError: it would not fit Discord's 100 characters.
    """
    text = f"k1:{table_id}" + ("" if round is None else f".{round}") + f":{verb}" + (f":{arg}" if arg else "")
    if len(text) > MAX_ID:
        raise ValueError(f"no custom id can be made of table {table_id}, {verb.value!r} and {arg!r}")
    return text


@dataclass(frozen=True, slots=True)
class Ids:
    """Makes the custom ids of one message of a match: `ids(Verb.PUT, "7S")`. `round` is the one that it shows."""

    table_id: int
    round: int

    def __call__(self, verb: Verb, arg: str = "") -> str:
        """The custom id of a button or a menu. Raises ValueError where `make_id` does."""
        return make_id(self.table_id, verb, arg, self.round)


def verb_of(custom_id: str) -> str:
    """The word for what a press asks, in a custom id that `make_id` made."""
    return custom_id.split(":", 3)[2]


def parse_id(text: str) -> Press | None:
    """Read a custom id; None for anything that `make_id` does not make."""
    found = _SHAPE.fullmatch(text) if len(text) <= MAX_ID else None
    if found is None or found[3] not in _VERBS:
        return None
    return Press(int(found[1]), Verb(found[3]), found[4] or "", None if found[2] is None else int(found[2]))


def card_of(arg: str) -> Card | None:
    """The card that an argument names, None for anything else."""
    try:
        card = parse_card(arg)
    except ValueError:
        return None
    return card if card.code == arg else None


def cards_of(arg: str) -> tuple[Card, ...] | None:
    """The cards whose codes are run together (`7S9D`), None for anything else."""
    cards = [card_of(arg[at : at + 2]) for at in range(0, len(arg), 2)]
    known = tuple(card for card in cards if card is not None)
    return known if known and len(known) == len(cards) else None


def number_of(arg: str) -> int | None:
    """The seat or team that an argument names, None for anything else."""
    return int(arg) if re.fullmatch(r"0|[1-9][0-9]?", arg) else None


_VERBS: Final = frozenset(verb.value for verb in Verb)
