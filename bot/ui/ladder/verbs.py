"""The verbs of the ladder."""

from enum import StrEnum


class LadderVerb(StrEnum):
    """What a press on the ladder's messages asks for, on table 0; a comment names its argument."""

    BOARD = "board"  # a board, a season's number and a spot
    BOARDS = "boards"  # a season's number; a menu of boards
    SEASON_END = "season_end"  # a season's number
    VOID = "void"  # a match's number; a form with the reason
