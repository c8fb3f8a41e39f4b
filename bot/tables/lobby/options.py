"""What a host chooses for a table beside its rules."""

from enum import StrEnum


class Absence(StrEnum):
    """What happens to the seat of a missing player; the host's choice."""

    WAIT = "wait"
    ROBOT = "robot"
    SUBSTITUTE = "substitute"
    END = "end"


class Coaching(StrEnum):
    """`LESSONS`: the match teaches its host the game first (`bot.lessons`).

    `AWAY`: the people have sent their coach away, or it has stepped back, and they can call it.
    """

    NONE = "none"
    LESSONS = "lessons"
    ON = "on"
    AWAY = "away"
