"""The verbs of the deal of the day, and of moments that are played again; all stand on table 0."""

from bot.ui.admission.budgets import COMPUTATIONS, FREE, POSTS, Verb
from bot.ui.table.verbs import DAILY, MOMENT


class DailyVerb(Verb):
    """A comment names the argument."""

    MINE = DAILY, FREE  # opens the presser's own day
    START = "daily_start", FREE  # a scene: its day and number, with a full stop between
    MOVE = "daily_move", FREE  # a scene, and what the same button of a hand panel asks for, after colons
    SHARE = "daily_share", POSTS  # a day
    BOARD = "daily_board", FREE  # "day" or "week"


class MomentVerb(Verb):
    """A comment names the argument."""

    AGAIN = MOMENT, COMPUTATIONS  # the moment, on the presser's own seat
    MOVE = "moment_move", FREE  # the moment with its seat, and what the button of a hand panel asks for, after colons
    CHALLENGE = "challenge", POSTS  # posts the moment, on the presser's own seat
    TAKE = "challenge_try", COMPUTATIONS  # the moment with its seat, which its player has posted
