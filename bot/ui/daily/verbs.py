"""The verbs of scenes: of the deal of the day, and of moments of a match; all stand on table 0."""

from bot.discord.interactions.admission.budgets import COMPUTATIONS, FREE, POSTS, Verb
from bot.ui.table.verbs import DAILY, MOMENT


class SceneVerb(Verb):
    """A comment names the argument; a key is as `bot.daily.attempt.write_key` writes it."""

    MINE = DAILY, FREE  # opens the presser's own day
    START = "daily_start", FREE  # the key of a scene of a day
    MOVE = "daily_move", FREE  # a key, and what the same button of a hand panel asks for, after colons
    SHARE = "daily_share", POSTS  # a day
    BOARD = "daily_board", FREE  # "day" or "week"
    AGAIN = MOMENT, COMPUTATIONS  # the key of a moment, on the presser's own seat
    CHALLENGE = "challenge", POSTS  # posts the moment, on the presser's own seat
    TAKE = "challenge_try", COMPUTATIONS  # the key of a moment that its player has posted
