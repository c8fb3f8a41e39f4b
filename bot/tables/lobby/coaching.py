"""Whether a table's people have a coach."""

from enum import StrEnum


class Coaching(StrEnum):
    """`LESSONS`: the match teaches its host the game first (`bot.lessons`).

    `AWAY`: the people have sent their coach away, or it has stepped back, and they can call it.
    """

    NONE = "none"
    LESSONS = "lessons"
    ON = "on"
    AWAY = "away"
