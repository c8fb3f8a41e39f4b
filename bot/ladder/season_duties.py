"""The duties of a season's end, done once each: post its podium, give its champion's role; and when to try them.

A change of the boards of a season that is over asks for its duties again: the podium is corrected, the role moves.
Instants are milliseconds since the Unix epoch.
"""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import chain, islice, repeat
from typing import Final

from bot.ladder.seasons import Season

_MINUTE: Final = 60_000
_HOUR: Final = 60 * _MINUTE

GRACE_MS: Final = _MINUTE
"""How long after a boundary of the calendar a season is settled: results that are just being saved are in by then."""
FRESH_MS: Final = 7 * 24 * _HOUR
"""So long after a season's end its podium is no news any more."""
_WAITS: Final = (_MINUTE, 10 * _MINUTE, _HOUR)
_THEN: Final = 6 * _HOUR
MOST_TRIES: Final = 30
"""How often a correction is tried, which has no date: about a week."""


class SeasonDuty(StrEnum):
    """Something to be done once for a season that is over."""

    PODIUM = "podium"
    CHAMPION = "champion"


class Progress(StrEnum):
    """How far a duty is. NOTHING: there was nothing to do, or it was not worth doing any more."""

    DUE = "due"
    DONE = "done"
    NOTHING = "nothing"
    GIVEN_UP = "given_up"


class DutyProblem(StrEnum):
    """Why a duty failed."""

    NO_CHANNEL = "no_channel"
    MAY_NOT_POST = "may_not_post"
    NO_ROLE = "no_role"
    MAY_NOT_GIVE = "may_not_give"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Task:
    """A duty that is due. Messages with the same `nonce` are one message to Discord.

    `tries` counts its failures, `problem` is the last one. `asked` counts how often it was asked for again; `told` is
    what it was done for the last time: None if it never was, "" if that is not known. A podium that was posted is the
    message `message_id` in `channel_id`.
    """

    guild_id: int
    season: Season
    duty: SeasonDuty
    nonce: str
    until: int
    tries: int = 0
    problem: DutyProblem | None = None
    asked: int = 0
    told: str | None = None
    channel_id: int | None = None
    message_id: int | None = None

    @property
    def is_correction(self) -> bool:
        return self.told is not None


@dataclass(frozen=True, slots=True)
class DutyReport:
    """The result of a task: DUE, with the problem, if it is to be tried again. A podium that is DONE is a message.

    `told` says for what it is DONE, in at most 32 characters: two that are equal show the same.
    """

    progress: Progress
    problem: DutyProblem | None = None
    channel_id: int | None = None
    message_id: int | None = None
    told: str | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """A duty that failed so far, or for good."""

    season: Season
    duty: SeasonDuty
    problem: DutyProblem
    is_given_up: bool
    is_correction: bool = False


def digest(*shown: object) -> str:
    """Returns what a task was done for, as in `DutyReport.told`."""
    return sha256(repr(shown).encode()).hexdigest()[:32]


def until(duty: SeasonDuty, ended_at: int, settled_at: int) -> int:
    """Returns until when a duty is worth doing. A podium is news; a champion is one until the next."""
    return (ended_at if duty is SeasonDuty.PODIUM else settled_at) + FRESH_MS


def retry_at(task: Task, at: int) -> int | None:
    """Returns when a task that has just failed is tried again, less and less often; None for never."""
    wait = next(islice(chain(_WAITS, repeat(_THEN)), task.tries, None))
    is_worth_it = task.tries < MOST_TRIES if task.is_correction else at + wait < task.until
    return at + wait if is_worth_it else None
