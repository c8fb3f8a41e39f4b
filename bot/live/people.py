"""Who plays and where a table is shown. Ids are opaque numbers here; their meaning belongs to the user interface."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at a table; a robot has no user id.

    For whoever `is_away` from a match a robot plays, until they are back; a seat that `is_open` may be taken by others.
    """

    name: str
    user_id: int | None = None
    is_away: bool = False
    is_open: bool = False

    @property
    def is_robot(self) -> bool:
        return self.user_id is None

    @property
    def is_played_by_robot(self) -> bool:
        return self.is_robot or self.is_away


class Absence(StrEnum):
    """What becomes of the seat of somebody who is awaited in vain; the host's choice."""

    WAIT = "wait"
    ROBOT = "robot"
    SUBSTITUTE = "substitute"
    END = "end"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table is shown; `message_id` is None until something was posted.

    `round` is the round that the message shows, 0 for the lobby and the signs; `is_final` says that it shows how the
    match ended, and need not be touched again.
    """

    guild_id: int
    channel_id: int
    message_id: int | None = None
    round: int = 0
    is_final: bool = False
