"""Days and their scores: who plays which scenes, streaks, places."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from hmac import digest
from typing import Final
from zoneinfo import ZoneInfo

from bot.daily.attempt import Attempt
from bot.daily.scene import TASKS, Scene, SceneTask

ZONE: Final = ZoneInfo("Europe/Paris")
"""The zone in which a day begins at midnight, for everybody."""
SCENES: Final = len(TASKS)
SAME_MS: Final = 300
"""Times that differ by no more share a place: networks differ as much."""
FORGIVEN_DAYS: Final = 7
"""Days in which a streak survives one missed day."""


def day_of(at: int) -> date:
    """Return the day (in `ZONE`) of a time in Unix milliseconds."""
    return datetime.fromtimestamp(at / 1000, ZONE).date()


def hour_of(at: int) -> int:
    """Return the hour of the day (in `ZONE`) of a time in Unix milliseconds."""
    return datetime.fromtimestamp(at / 1000, ZONE).hour


def hour_at(day: date, hour: int) -> int:
    """Return the instant (milliseconds) at which an hour of a day (in `ZONE`) begins."""
    return round(datetime.combine(day, time(hour), ZONE).timestamp() * 1000)


def scene_of(secret: bytes, day: date, user_id: int, number: int) -> Scene:
    """Return scene `number`, from 0, of a person's day; it follows from the secret."""
    kind = TASKS[number]
    drawn = digest(secret, f"{day} {user_id} {kind}".encode(), sha256)
    return POOL[kind][int.from_bytes(drawn) % len(POOL[kind])]


@dataclass(frozen=True, slots=True)
class Score:
    """A person's day: scenes solved, their total time, and how much that exceeds the references."""

    user_id: int
    right: int
    time_ms: int
    over_ms: int


def score_of(tries: Collection[Attempt]) -> Score:
    """Return the score of a person's attempts, of which there is at least one."""
    done = [(attempt.result, attempt.reference) for attempt in tries if attempt.result is not None]
    user_id = next(iter(tries)).user_id
    return Score(user_id, len(done), sum(time for time, _ in done), sum(time - usual for time, usual in done))


def places(scores: Iterable[Score]) -> list[tuple[int, Score]]:
    """Return the scores with their places, best first.

    A score at most `SAME_MS` slower than the first of a place shares that place.
    """
    placed: list[tuple[int, Score]] = []
    place, first = 0, None
    for count, score in enumerate(sorted(scores, key=lambda each: (-each.right, each.over_ms, each.user_id)), 1):
        if first is None or score.right != first.right or score.over_ms - first.over_ms > SAME_MS:
            place, first = count, score
        placed.append((place, score))
    return placed


def streak(played: Collection[date], today: date) -> int:
    """Return how many days in a row were played up to now.

    A missed day ends the row only if another one was missed less than `FORGIVEN_DAYS` days later.
    """
    day = today if today in played else today - timedelta(1)
    first, count, missed = min(played, default=today), 0, None
    while day >= first:
        if day in played:
            count += 1
        elif missed is not None and (missed - day).days < FORGIVEN_DAYS:
            break
        else:
            missed = day
        day -= timedelta(1)
    return count


def week_of(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(day.weekday())


def _scenes(kind: SceneTask, measured: str) -> tuple[Scene, ...]:
    """Return the scenes found by `tests.daily.fill_pool`: each seed with a robot's time to solve it (milliseconds)."""
    pairs = (map(int, pair.split(":")) for pair in measured.split())
    return tuple(Scene(kind, seed, time) for seed, time in pairs)


POOL: Final[Mapping[SceneTask, tuple[Scene, ...]]] = {
    SceneTask.SIGN: _scenes(
        SceneTask.SIGN,
        """
        7:18302 23:20633 44:15681 53:23459 85:16995 94:24347 133:14782 144:19308 147:14850 190:23354 243:16688
        254:23601 274:23331 306:19404 355:23179 372:17073 375:24146 382:19312 417:22421 423:18843 460:24171
        461:22941 462:24614 479:23712
        """,
    ),
    SceneTask.COUNTER: _scenes(
        SceneTask.COUNTER,
        """
        12:18033 34:23931 43:24470 49:20580 79:24533 94:19422 105:19080 110:19114 118:16796 132:23800
        136:20841 139:20195 141:16478 168:16389 171:16196 185:17891 222:15038 225:18415 247:17675 260:21608
        263:21724 264:16697 271:15221 286:22543
        """,
    ),
    SceneTask.COLLECT: _scenes(
        SceneTask.COLLECT,
        """
        6:15441 84:24513 97:16081 100:17993 102:16018 103:22779 174:17806 308:19808 317:16626 319:18666
        390:18114 395:22385 403:16364 437:19767 504:17276 547:22445 571:15586 705:15900 710:15802 726:19958
        729:23308 754:22555 773:23709 775:18984
        """,
    ),
}
