"""What happens at a table to a player who stays away."""

from enum import StrEnum


class Absence(StrEnum):
    """What becomes of the seat of somebody who is awaited in vain; the host's choice."""

    WAIT = "wait"
    ROBOT = "robot"
    SUBSTITUTE = "substitute"
    END = "end"
