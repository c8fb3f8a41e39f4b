"""The verbs of the deal of the day, and of moments that are played again; all stand on table 0."""

from enum import StrEnum

from bot.ui.table.verbs import DAILY, MOMENT


class DailyVerb(StrEnum):
    """A comment names the argument."""

    MINE = DAILY  # opens the presser's own day
    START = "daily_start"  # a scene: its day and number, with a full stop between
    MOVE = "daily_move"  # a scene, and what the same button of a hand panel asks for, after colons
    SHARE = "daily_share"  # a day
    BOARD = "daily_board"  # "day" or "week"


class MomentVerb(StrEnum):
    """A comment names the argument."""

    AGAIN = MOMENT  # the moment, on the presser's own seat
    MOVE = "moment_move"  # the moment with its seat, and what the same button of a hand panel asks for, after colons
    CHALLENGE = "challenge"  # posts the moment, on the presser's own seat
    TAKE = "challenge_try"  # the moment with its seat, which its player has posted
