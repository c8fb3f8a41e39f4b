"""What the host of a night decides before it begins."""

from dataclasses import dataclass, replace
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

    From `sign_up_until` on nobody new joins; an instant after `starts_at` lets people in late. A knock-out and a round
    robin let nobody in once they have begun. At most `most` people play at once, and others wait; None: no bound.

    `rounds` bounds a rotation and a Swiss; a knock-out and a round robin have as many rounds as their pairs ask for. A
    round lasts `round_minutes`, 0: as long as its longest match; `break_minutes` lie between two. A lounge lasts
    `rounds` x `round_minutes`, from its planned beginning on.

    `size` people sit at a table, in teams of two; at 6 and 8 fewer may, where that spares byes. `fills_with_robots`:
    robots take the seats that nobody has, instead of byes. `channel_id` is where the sign-up message stands and the
    tables open. `wants_talk_thread`: onlookers get a thread to talk in.
    `wants_event`: Discord lists the night among the server's events. `calls_role`: the server's role for players is
    mentioned in the sign-up message, once. The recap is due at `recap_at`, None: with the
    night's end. `is_weekly`: the same night is planned again a week later.
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
    most: int | None = None
    break_minutes: int = 3
    wants_talk_thread: bool = False
    wants_event: bool = False
    calls_role: bool = False
    recap_at: int | None = None

    def moved(self, starts_at: int) -> "NightPlan":
        """The same plan at another time: sign-up and recap keep their distance from the beginning."""
        later = starts_at - self.starts_at
        recap_at = None if self.recap_at is None else self.recap_at + later
        return replace(self, starts_at=starts_at, sign_up_until=self.sign_up_until + later, recap_at=recap_at)
