"""A person or a robot at a table, and how much a hand panel marks: each player's choice, or the same for all."""

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from bot.game.value import Worded
from bot.robots.level import RobotLevel


class HelpLevel(Worded):
    """How much a hand panel marks.

    - `GUIDED`: a call lights up once the partner has made a gesture of the plan, and hints are given if there are any.
    - `NORMAL`: all gestures of a partner are marked alike, and no call lights up.
    - `BARE`: nothing is marked.
    """

    GUIDED = "guided", "🧭 Guided"
    NORMAL = "normal", "⚖️ Normal"
    BARE = "bare", "👁️ Naked eye"

    @property
    def marks(self) -> bool:
        """Whether the panel marks any cards."""
        return self is not HelpLevel.BARE


GUIDED_MATCHES: Final = 2
"""So many matches without a coach of a person who has chosen nothing are guided; later ones are normal."""


class HelpSetting(NamedTuple):
    """How much a person's panel marks; `is_first_unguided`: their first match without guidance by default."""

    level: HelpLevel
    is_first_unguided: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """A person, or a robot, which has no user id.

    - `is_away`: a robot plays for this person until they are back. `is_open`: other users may take the seat.
    - `robot_level`: how well a robot plays on this seat; None: as well as the table's robots.
    - `handover_times`: when others started and stopped to play in this player's place (milliseconds), in turn.
    - `help_level`: how much this person's panel marks; None before it is read.
    - `has_no_marks`: the panel has marked nothing since the match began. `is_first_unguided`: see `HelpSetting`.
    - `reserved_for_id`, `reserved_for_name`: the person for whom this robot's seat is reserved, from the next deal on.
    """

    name: str
    user_id: int | None = None
    is_away: bool = False
    is_open: bool = False
    robot_level: RobotLevel | None = None
    handover_times: tuple[int, ...] = field(default=(), compare=False)
    help_level: HelpLevel | None = None
    has_no_marks: bool = False
    is_first_unguided: bool = False
    reserved_for_id: int | None = None
    reserved_for_name: str = ""

    def with_help(self, setting: HelpSetting) -> "Player":
        """Return the player with a setting of the hand panel."""
        return replace(self, help_level=setting.level, is_first_unguided=setting.is_first_unguided)

    @property
    def is_robot(self) -> bool:
        """Whether it is a robot's seat."""
        return self.user_id is None

    def was_replaced(self, at: int) -> bool:
        """Return whether another player, or a robot, played in this player's place at an instant (milliseconds)."""
        return sum(turn <= at for turn in self.handover_times) % 2 == 1

    @property
    def is_played_by_robot(self) -> bool:
        """Whether a robot plays the seat now: its own, or that of an absent person."""
        return self.is_robot or self.is_away
