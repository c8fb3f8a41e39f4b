"""Whether a table's people have a coach."""

from enum import StrEnum


class Coaching(StrEnum):
    """`AWAY`: the people have sent their coach away, and can call it back."""

    NONE = "none"
    ON = "on"
    AWAY = "away"
