"""A person's try at a scene: of a day, or at a moment of a match."""

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple

from bot.daily.run import SILENCE_MS, Run, write_moves

_DAY_KEY: Final = re.compile(r"([1-9][0-9]{0,6})\.([0-2])")
_MOMENT_KEY: Final = re.compile(r"([1-9][0-9]{0,14})\.([1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})(?:\.([0-9]{1,2})|[a-z])?")
MOST_CHALLENGES: Final = 4
"""The most challenges of one match."""
MOST_BETTER: Final = 6
_NO_SEAT: Final = -1
"""The seat of a moment whose word names none: that of the presser."""


class DayKey(NamedTuple):
    """Scene `number` of a day, from 0."""

    day: date
    number: int


class MomentKey(NamedTuple):
    """A step of the replay of a round of a match (`bot.game.replay_steps`), and whose moment it was."""

    table_id: int
    round: int
    step: int
    seat: int


Key = DayKey | MomentKey


def write_key(key: Key) -> str:
    """The numbers of a key with full stops between; of a day `date.toordinal`."""
    return ".".join(str(part.toordinal() if isinstance(part, date) else part) for part in key)


def read_key(word: str) -> Key | None:
    """The key that a word names, of a moment with a seat, a letter or nothing behind it; None for anything else."""
    if (found := _DAY_KEY.fullmatch(word)) is not None:
        day, number = map(int, found.groups())
        return DayKey(date.fromordinal(day), number) if day <= date.max.toordinal() else None
    if (found := _MOMENT_KEY.fullmatch(word)) is not None:
        return MomentKey(*(int(number or _NO_SEAT) for number in found.groups()))
    return None


@dataclass(frozen=True, slots=True)
class Try:
    """A person's try. Instants are Discord's, in milliseconds.

    `guild_id` is the server where it began; for a scene of a day, where the day's first one did. `result` is the time
    that the scene took (milliseconds), or the lead that the seat's team won from the moment on (points); None for a
    try that is missed or runs. `reference` is the same of a robot, or of the match. `moves` are those of a try that is
    not over (`bot.daily.run.write_moves`). `sign` is what the person has chosen for their team, in place of one that
    was known; "" for that of the match. `is_posted`: the person has posted the day's result, or put the
    moment forward as a challenge.
    """

    user_id: int
    key: Key
    guild_id: int
    started_at: int
    pressed_at: int
    reference: int = 0
    result: int | None = None
    is_over: bool = False
    moves: str = ""
    is_posted: bool = False
    sign: str = ""

    def is_running(self, now: int) -> bool:
        return not self.is_over and now < self.pressed_at + SILENCE_MS

    def after(self, run: Run, pressed_at: int, *, is_over: bool) -> "Try":
        """The try after a press."""
        moves = "" if is_over else write_moves(run.moves)
        return replace(self, pressed_at=pressed_at, result=run.result, is_over=is_over, moves=moves)

    def missed(self) -> "Try":
        """The try, ended without a result."""
        return replace(self, is_over=True, moves="")


@dataclass(frozen=True, slots=True)
class Challenge:
    """A moment that its own player has put forward for others to try.

    `tried` is the number of other people whose try is over. `better` are the ids of those who did better than the
    player, the first one first, without those who are on no boards; `MOST_BETTER` at most.
    """

    key: MomentKey
    tried: int = 0
    better: tuple[int, ...] = ()
