"""A person or a robot at a table."""

from dataclasses import dataclass


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
