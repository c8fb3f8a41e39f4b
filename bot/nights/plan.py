"""What the host of a night decides before it begins."""

from dataclasses import dataclass
from enum import StrEnum

from bot.game.rules.parts import Rules


class Format(StrEnum):
    """How the people of a night meet.

    `LOUNGE`: a queue fills tables as people come. `ROTATION`: a new partner and new opponents each round, everybody for
    themselves. `SWISS`: fixed pairs meet pairs of equal score, none twice. `KNOCKOUT`: fixed pairs, the loser is out.
    `ROUND_ROBIN`: fixed pairs, each meets each.
    """

    LOUNGE = "lounge"
    ROTATION = "rotation"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    ROUND_ROBIN = "round_robin"

    @property
    def has_pairs(self) -> bool:
        """Whether two people stay partners for the whole night."""
        return self in (Format.SWISS, Format.KNOCKOUT, Format.ROUND_ROBIN)


@dataclass(frozen=True, slots=True)
class NightPlan:
    """One night. Instants in milliseconds since the Unix epoch.

    `rounds` and `round_minutes` bound a rotation and a Swiss; a knock-out and a round robin have as many rounds as
    their pairs ask for; a lounge lasts `rounds` x `round_minutes`. `size` people sit at a table, in teams of two.
    `fills_with_robots`: robots take the seats that nobody has, instead of byes. `channel_id` is where the sign-up
    message stands and the tables open. `is_weekly`: the same night is planned again a week later.
    """

    title: str
    starts_at: int
    sign_up_until: int
    format: Format
    rounds: int
    round_minutes: int
    size: int
    rules: Rules
    rule_set: str | None
    is_ranked: bool
    fills_with_robots: bool
    channel_id: int
    is_weekly: bool = False
