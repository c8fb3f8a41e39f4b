"""Days, and what they are worth: who plays which scenes, streaks, and places on a board."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from hmac import digest
from typing import Final
from zoneinfo import ZoneInfo

from bot.daily.attempt import Try
from bot.daily.pool import POOL
from bot.daily.scene import KINDS, Scene

ZONE: Final = ZoneInfo("Europe/Paris")
"""A day begins at midnight here, for all."""
SCENES: Final = len(KINDS)
SAME_MS: Final = 300
"""Networks differ by as much: times that do not differ more share a place."""
FORGIVEN_DAYS: Final = 7
"""A streak survives one missed day in so many."""


def day_of(at: int) -> date:
    return datetime.fromtimestamp(at / 1000, ZONE).date()


def hour_of(at: int) -> int:
    return datetime.fromtimestamp(at / 1000, ZONE).hour


def hour_at(day: date, hour: int) -> int:
    """When an hour of a day begins (milliseconds)."""
    return round(datetime.combine(day, time(hour), ZONE).timestamp() * 1000)


def scene_of(secret: bytes, day: date, user_id: int, number: int) -> Scene:
    """The scene that a person plays as number 0, 1 or 2 of a day."""
    kind = KINDS[number]
    drawn = digest(secret, f"{day} {user_id} {kind}".encode(), sha256)
    return POOL[kind][int.from_bytes(drawn) % len(POOL[kind])]


@dataclass(frozen=True, slots=True)
class Score:
    """How many scenes a person got right, in what time altogether, and by how much that is over the references."""

    user_id: int
    right: int
    time_ms: int
    over_ms: int


def score_of(tries: Collection[Try]) -> Score:
    """Raises StopIteration without a try."""
    done = [(one.result, one.reference) for one in tries if one.result is not None]
    user_id = next(iter(tries)).user_id
    return Score(user_id, len(done), sum(time for time, _ in done), sum(time - usual for time, usual in done))


def places(scores: Iterable[Score]) -> list[tuple[int, Score]]:
    """The scores with their places, the best first. Scores within `SAME_MS` of the first of a place share it."""
    placed: list[tuple[int, Score]] = []
    place, first = 0, None
    for count, score in enumerate(sorted(scores, key=lambda one: (-one.right, one.over_ms, one.user_id)), 1):
        if first is None or score.right != first.right or score.over_ms - first.over_ms > SAME_MS:
            place, first = count, score
        placed.append((place, score))
    return placed


def streak(played: Collection[date], today: date) -> int:
    """How many days in a row were played until now; of two missed days one breaks the row if they are close."""
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
    """The Monday of a day's week."""
    return day - timedelta(day.weekday())
