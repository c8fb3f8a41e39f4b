"""The verbs of the lobby."""

from enum import StrEnum
from typing import Final

FILL: Final = "fill"


class LobbyVerb(StrEnum):
    """What a press on a lobby asks for; a comment names its argument."""

    JOIN = "join"
    LEAVE = "leave"
    START = "start"  # `FILL`: robots take the free seats
    SEATS = "seats"  # a select menu; its value is a number of players
    LENGTH = "length"  # a select menu; its value is a length such as `target=5`
    VOTE = "vote"  # opens the presser's ballot
    BALLOT = "ballot"  # a select menu; its values are the strategies said yes to
    BALLOT_NO = "ballot_no"  # no to all
    INVITE = "invite"  # opens the choice of whom
    INVITE_PEOPLE = "invite_people"  # a select menu of members
    INVITE_ROLE = "invite_role"  # the server's role for players
    REOPEN = "reopen"


class SettingsVerb(StrEnum):
    """What the host sets."""

    SETTINGS = "settings"
    SWAP = "swap"  # a select menu; its values are two seats
    ADD_ROBOT = "add_robot"
    REMOVE_ROBOT = "remove_robot"
    SET = "set"  # a setting of `bot.ui.lobby.settings`
    PROPOSE_VOTE = "propose_vote"
    NO_VOTE = "no_vote"
