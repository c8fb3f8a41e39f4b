"""The verbs of the deal of the day; all stand on table 0."""

from enum import StrEnum

from bot.ui.table.verbs import DAILY


class DailyVerb(StrEnum):
    """A comment names the argument."""

    MINE = DAILY  # opens the presser's own day
    START = "daily_start"  # a scene: its day and number, with a full stop between
    MOVE = "daily_move"  # a scene, and what the same button of a hand panel asks for, after colons
    SHARE = "daily_share"  # a day
    BOARD = "daily_board"  # "day" or "week"
