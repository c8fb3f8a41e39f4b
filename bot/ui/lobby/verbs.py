"""The verbs of the lobby."""

from typing import Final

from bot.ui.admission.budgets import FREE, POSTS, STARTS, TABLES, Verb

FILL: Final = "fill"


class LobbyVerb(Verb):
    """What a press on a lobby asks for; a comment names its argument."""

    JOIN = "join", FREE
    LEAVE = "leave", FREE
    START = "start", STARTS  # `FILL`: robots take the free seats
    SEATS = "seats", FREE  # a select menu; its value is a number of players
    LENGTH = "length", FREE  # a select menu; its value is a length such as `target=5`
    VOTE = "vote", FREE  # opens the presser's ballot
    BALLOT = "ballot", FREE  # a select menu; its values are the strategies said yes to
    BALLOT_NO = "ballot_no", FREE  # no to all
    INVITE = "invite", FREE  # opens the choice of whom
    INVITE_PEOPLE = "invite_people", POSTS  # a select menu of members
    INVITE_ROLE = "invite_role", POSTS  # the server's role for players
    REOPEN = "reopen", TABLES


class SettingsVerb(Verb):
    """What the host sets."""

    SETTINGS = "settings", FREE
    SWAP = "swap", FREE  # a select menu; its values are two seats
    ADD_ROBOT = "add_robot", FREE
    REMOVE_ROBOT = "remove_robot", FREE
    SET = "set", FREE  # a setting of `bot.ui.lobby.settings`
    PROPOSE_VOTE = "propose_vote", FREE
    NO_VOTE = "no_vote", FREE
