"""The verbs of the lobby."""

from enum import StrEnum


class LobbyVerb(StrEnum):
    """What a press on a lobby asks for; a comment names its argument."""

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
    REOPEN = "reopen"
