"""A person's attempt at a scene of a day, or at a moment of a match."""

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple

from bot.daily.practice_round import SILENCE_MS, PracticeRound, write_moves
from bot.daily.scene import TASKS

_DAY_KEY: Final = re.compile(rf"([1-9][0-9]{{0,6}})\.([0-{len(TASKS) - 1}])")
_MOMENT_KEY: Final = re.compile(r"([1-9][0-9]{0,14})\.([1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})(?:\.([0-9]{1,2})|[a-z])?")
MOST_CHALLENGES: Final = 4
"""The most challenges of one match."""
MOST_BETTER: Final = 6
_NO_SEAT: Final = -1
"""Stands in a key for the seat of the person who presses the button."""


class DayKey(NamedTuple):
    """Scene `number` of a day, from 0."""

    day: date
    number: int


class MomentKey(NamedTuple):
    """A step of the replay of a round (`bot.game.replay_steps`), and the seat whose moment it was."""

    table_id: int
    round: int
    step: int
    seat: int


Key = DayKey | MomentKey


def write_key(key: Key) -> str:
    """Return a key as text: its numbers with full stops between them; a day is a number, `date.toordinal()`."""
    return ".".join(str(part.toordinal() if isinstance(part, date) else part) for part in key)


def read_key(word: str) -> Key | None:
    """Return the key of a text from `write_key`; None for other texts.

    A moment may end in a seat, a letter or nothing.
    """
    if (found := _DAY_KEY.fullmatch(word)) is not None:
        day, number = map(int, found.groups())
        return DayKey(date.fromordinal(day), number) if day <= date.max.toordinal() else None
    if (found := _MOMENT_KEY.fullmatch(word)) is not None:
        return MomentKey(*(int(number or _NO_SEAT) for number in found.groups()))
    return None


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's attempt. Instants are Discord's, in milliseconds.

    - `guild_id`: the server where it began; for a scene of a day, where the day's first one did.
    - `result`: how long the scene took (milliseconds), or the lead that the seat's team won from the moment on
      (points); None while it runs and if it was missed.
    - `reference`: the same of a robot, or of the match.
    - `moves`: those of an attempt that is not over (`bot.daily.practice_round.write_moves`).
    - `is_posted`: the person has posted the day's result, or made the moment a challenge.
    - `sign`: what the person has chosen for their team instead of a known one; "" for that of the match.
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
        """Return whether the attempt is neither over nor abandoned."""
        return not self.is_over and now < self.pressed_at + SILENCE_MS

    def after(self, run: PracticeRound, pressed_at: int, *, is_over: bool) -> "Attempt":
        """Return the attempt after a button was pressed."""
        moves = "" if is_over else write_moves(run.moves)
        return replace(self, pressed_at=pressed_at, result=run.result, is_over=is_over, moves=moves)

    def as_missed(self) -> "Attempt":
        """Return the attempt as over, without a result."""
        return replace(self, is_over=True, moves="")


@dataclass(frozen=True, slots=True)
class Challenge:
    """A moment that its own player has offered for others to try.

    - `tried`: how many others have finished an attempt.
    - `better`: the ids of those who did better, first one first, without those who are on no boards; at most
      `MOST_BETTER`.
    """

    key: MomentKey
    tried: int = 0
    better: tuple[int, ...] = ()
