"""A person or a robot at a table."""

from dataclasses import dataclass, field

from bot.records.help_level import HelpLevel
from bot.robots.level import RobotLevel


@dataclass(frozen=True, slots=True)
class Player:
    """A person, or a robot, which has no user id.

    `is_away`: a robot plays for this person until they are back. `is_open`: other users may take the seat.
    `robot_level` is how well a robot plays on this seat; None: as well as the table's robots do. `handed_over` are the
    instants (milliseconds) at which others began, and ceased, to play in this player's place, in turn. `help_level` is
    how much this person's panel marks, None where it was not read yet; `is_bare`: it has marked nothing since the match
    began. `heir_id` and `heir_name` are the person to whom the place of this robot is promised, from the next deal on.
    """

    name: str
    user_id: int | None = None
    is_away: bool = False
    is_open: bool = False
    robot_level: RobotLevel | None = None
    handed_over: tuple[int, ...] = field(default=(), compare=False)
    help_level: HelpLevel | None = None
    is_bare: bool = False
    heir_id: int | None = None
    heir_name: str = ""

    @property
    def is_robot(self) -> bool:
        return self.user_id is None

    def was_replaced(self, at: int) -> bool:
        """Whether another player, or a robot, played in this player's place at an instant (milliseconds)."""
        return sum(turn <= at for turn in self.handed_over) % 2 == 1

    @property
    def is_played_by_robot(self) -> bool:
        return self.is_robot or self.is_away
