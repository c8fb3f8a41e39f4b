"""The verbs of the lobby."""

from typing import Final

from bot.discord.interactions.admission.allowances import FREE, POSTS, STARTS, TABLES, Verb

FILL: Final = "fill"


class LobbyVerb(Verb):
    """The verbs of the buttons of a lobby; a comment names the argument."""

    JOIN = "join", FREE
    LEAVE = "leave", FREE
    START = "start", STARTS  # `FILL`: robots take the free seats
    ARRANGE = "arrange", FREE  # a setting that stands on the message, of `bot.ui.lobby.settings`
    VOTE = "vote", FREE  # opens the presser's ballot
    BALLOT = "ballot", FREE  # a control of the ballot, of `bot.ui.lobby.settings`
    INVITE = "invite", FREE  # opens the choice of whom
    INVITE_PEOPLE = "invite_people", POSTS  # a select menu of members
    INVITE_ROLE = "invite_role", POSTS  # the server's role for players
    REOPEN = "reopen", TABLES


class SettingsVerb(Verb):
    """The settings of the host."""

    SETTINGS = "settings", FREE
    SWAP = "swap", FREE  # a select menu; its values are two seats
    ADD_ROBOT = "add_robot", FREE
    REMOVE_ROBOT = "remove_robot", FREE
    SET = "set", FREE  # a setting of `bot.ui.lobby.settings`, and what its button asks for
