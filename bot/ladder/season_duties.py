"""The duties of a season that is over, once each: its podium is posted, its champions get a role; when they are tried.

A change of the boards of an ended season asks for its duties again: the podium is corrected, and the role passes to the
new champions. Instants are milliseconds since the Unix epoch.
"""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import chain, islice, repeat
from typing import Final

from bot.ladder.seasons import Season
from bot.times import HOUR_MS, MINUTE_MS, WEEK_MS

GRACE_MS: Final = MINUTE_MS
"""How long after a boundary of the calendar the duties begin: results that are just being saved are in by then."""
FRESH_MS: Final = WEEK_MS
"""How long a podium is news after the season's end."""
_WAITS: Final = (MINUTE_MS, 10 * MINUTE_MS, HOUR_MS)
_THEN: Final = 6 * HOUR_MS
MOST_TRIES: Final = 30
"""How often a correction is tried, which never becomes old: for about a week."""


class SeasonDuty(StrEnum):
    PODIUM = "podium"
    CHAMPION = "champion"


class Progress(StrEnum):
    """NOTHING: there was nothing to do, or it was too late."""

    DUE = "due"
    DONE = "done"
    NOTHING = "nothing"
    GIVEN_UP = "given_up"


class DutyProblem(StrEnum):
    NO_CHANNEL = "no_channel"
    MAY_NOT_POST = "may_not_post"
    NO_ROLE = "no_role"
    MAY_NOT_GIVE = "may_not_give"
    TWO_FACTOR = "two_factor"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Task:
    """A duty that is due. Messages with the same `nonce` are one message to Discord.

    `tries` is how often it failed, `problem` why it failed the last time, `asked` how often it was asked for again.
    `digest` is that of what it last showed or gave: None if it was never done, "" if that is not known. A podium
    that was posted is the message `message_id` in `channel_id`. `until` is when the duty is not worth doing any more.
    """

    guild_id: int
    season: Season
    duty: SeasonDuty
    nonce: str
    until: int
    tries: int = 0
    problem: DutyProblem | None = None
    asked: int = 0
    digest: str | None = None
    channel_id: int | None = None
    message_id: int | None = None

    @property
    def is_correction(self) -> bool:
        return self.digest is not None


@dataclass(frozen=True, slots=True)
class DutyReport:
    """The outcome of a task: DUE, with a problem, if it is to be tried again. A podium that is DONE has a message.

    `digest` is that of what the task showed or gave: equal ones show the same.
    """

    progress: Progress
    problem: DutyProblem | None = None
    channel_id: int | None = None
    message_id: int | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """A duty that failed, and is tried again unless it `is_given_up`."""

    season: Season
    duty: SeasonDuty
    problem: DutyProblem
    is_given_up: bool
    is_correction: bool = False


def digest_of(*shown: object) -> str:
    """Returns what a task showed or gave, in 32 characters, for `DutyReport.digest`."""
    return sha256(repr(shown).encode()).hexdigest()[:32]


def until(duty: SeasonDuty, ended_at: int, settled_at: int) -> int:
    """Returns until when a duty is worth doing: a podium counts from the season's end, a role from saving."""
    return (ended_at if duty is SeasonDuty.PODIUM else settled_at) + FRESH_MS


def retry_at(task: Task, at: int) -> int | None:
    """When a task that failed at the instant `at` is tried again, less and less often; None: never."""
    wait = next(islice(chain(_WAITS, repeat(_THEN)), task.tries, None))
    is_worth_it = task.tries < MOST_TRIES if task.is_correction else at + wait < task.until
    return at + wait if is_worth_it else None
