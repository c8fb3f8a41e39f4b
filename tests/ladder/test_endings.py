"""When what a season's end asks for is tried, and for how long."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bot.ladder.season_duties import FRESH_MS, MOST_TRIES, SeasonDuty, Task, retry_at, until
from bot.ladder.seasons import Season

MINUTE, HOUR = 60_000, 3_600_000
TASK = Task(1, Season(1, 0, 10), SeasonDuty.PODIUM, "n", until(SeasonDuty.PODIUM, 10, 70))


def test_a_podium_is_news_for_a_week_and_a_champion_stays_one() -> None:
    later = 30 * FRESH_MS
    assert until(SeasonDuty.PODIUM, 10, later) == 10 + FRESH_MS
    assert until(SeasonDuty.CHAMPION, 10, later) == later + FRESH_MS


def test_what_failed_is_tried_soon_and_then_sparsely() -> None:
    waits = [retry_at(replace(TASK, tries=tries), 0) for tries in range(6)]
    assert waits == [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 6 * HOUR, 6 * HOUR]


@given(st.integers(0, 100_000))
def test_it_is_given_up_after_a_week(first: int) -> None:
    task, at = TASK, first
    tries = [at]
    while (again := retry_at(task, at)) is not None:
        task, at = replace(task, tries=task.tries + 1), again
        tries.append(at)
    assert all(before < after < task.until for before, after in pairwise(tries))
    assert 25 < len(tries) < 35


def test_a_correction_is_given_up_after_as_long_and_has_no_date() -> None:
    at, task = 30 * FRESH_MS, replace(TASK, digest="them")
    for tries in range(MOST_TRIES):
        again = retry_at(replace(task, tries=tries), at)
        assert again is not None
        at = again
    assert retry_at(replace(task, tries=MOST_TRIES), at) is None
    assert 0.8 < (at / FRESH_MS - 30) < 1.2
