"""What happens at a table to a player who stays away."""

from enum import StrEnum


class Absence(StrEnum):
    """What happens to the seat of a missing player; the host's choice."""

    WAIT = "wait"
    ROBOT = "robot"
    SUBSTITUTE = "substitute"
    END = "end"
