"""Days in Paris, draws by person, streaks and places."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.daily.day import POOL, SAME_MS, Score, day_of, hour_at, hour_of, places, scene_of, streak, week_of
from bot.daily.scene import TASKS

TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        (datetime(2026, 11, 22, 22, 59, 59, tzinfo=UTC), date(2026, 11, 22)),
        (datetime(2026, 11, 22, 23, 0, tzinfo=UTC), date(2026, 11, 23)),
        (datetime(2026, 7, 1, 21, 59, 59, tzinfo=UTC), date(2026, 7, 1)),
        (datetime(2026, 7, 1, 22, 0, tzinfo=UTC), date(2026, 7, 2)),
    ],
)
def test_a_day_begins_at_midnight_in_paris(instant: datetime, day: date) -> None:
    at = round(instant.timestamp() * 1000)
    assert day_of(at) == day
    assert hour_at(day, hour_of(at)) <= at < hour_at(day, hour_of(at)) + 3_600_000


def test_every_scene_of_the_pool_is_drawn_for_some_person_and_day() -> None:
    for number, kind in enumerate(TASKS):
        of_people = Counter(scene_of(b"s", TODAY, user, number) for user in range(2000))
        of_days = Counter(scene_of(b"s", TODAY + timedelta(day), 1, number) for day in range(2000))
        for drawn in (of_people, of_days):
            assert drawn.keys() == set(POOL[kind])
            assert max(drawn.values()) < 2 * 2000 / len(POOL[kind])


def test_another_secret_year_or_kind_draws_other_scenes() -> None:
    def drawn(secret: bytes = b"s", day: date = TODAY, number: int = 0) -> list[int]:
        """The places in the pool of what a hundred people play."""
        scenes = POOL[TASKS[number]]
        return [scenes.index(scene_of(secret, day, user, number)) for user in range(100)]

    usual = drawn()
    for other in (drawn(secret=b"t"), drawn(day=TODAY.replace(year=2027)), drawn(number=1)):
        same = sum(one == another for one, another in zip(usual, other, strict=True))
        assert same < 20


@pytest.mark.parametrize(
    ("missed", "days"),
    [
        ((), 30),
        ((0,), 29),  # today is not over
        ((3,), 29),
        ((1,), 29),
        ((3, 10), 28),
        ((3, 9), 8),
        ((3, 11, 14), 12),  # the last missed day counts
        ((1, 2), 1),
        ((0, 1, 2), 0),
        (tuple(range(30)), 0),
    ],
)
def test_a_streak_survives_one_missed_day_a_week(missed: tuple[int, ...], days: int) -> None:
    """`as_missed` counts days back from today; thirty days were there to be played."""
    played = {TODAY - timedelta(back) for back in range(30)} - {TODAY - timedelta(back) for back in missed}
    assert streak(played, TODAY) == days


@given(st.lists(st.builds(Score, st.integers(), st.integers(0, 3), st.just(0), st.integers(-900, 900)), max_size=8))
def test_places_depend_on_scenes_then_on_time_and_close_times_share_a_place(scores: list[Score]) -> None:
    placed = places(scores)
    assert Counter(score for _, score in placed) == Counter(scores)
    for number, (place, score) in enumerate(placed):
        first = placed[place - 1][1]
        assert place <= number + 1
        assert (first.right, placed[place - 1][0]) == (score.right, place)
        assert 0 <= score.over_ms - first.over_ms <= SAME_MS
    for (place, score), (after, other) in pairwise(placed):
        assert (score.right, -score.over_ms) >= (other.right, -other.over_ms)
        assert after in (place, placed.index((after, other)) + 1)


def test_a_week_begins_on_monday() -> None:
    assert {week_of(TODAY + timedelta(day)) for day in range(7)} == {TODAY}


def test_equal_scores_have_a_stable_order() -> None:
    scores = [Score(user, 2, 0, 0) for user in (9, 3, 7)]
    assert [score.user_id for _, score in places(scores)] == [3, 7, 9]


def test_times_that_differ_by_network_delay_share_a_place() -> None:
    scores = [Score(user, 3, 0, over) for user, over in ((1, 0), (2, SAME_MS), (3, SAME_MS + 1))]
    assert [place for place, _ in places(scores)] == [1, 1, 3]
