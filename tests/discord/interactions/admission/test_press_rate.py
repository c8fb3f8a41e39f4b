"""How fast one person may act, on a clock that the test turns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.interactions.admission.admission import (
    BURST,
    PER_SECOND,
    TOLD_AGAIN_MS,
    Admission,
    PressRate,
    RateVerdict,
)
from tests.discord.interactions.admission.test_discord_clock import Instant

NOON = 1_800_000_000_000
ANA, BRUNO = 1, 2
ADMITTED, TOLD, HUSHED = RateVerdict.ADMITTED, RateVerdict.TOLD, RateVerdict.HUSHED


def taps(pace: PressRate, per_second: int, seconds: float) -> list[RateVerdict]:
    """What becomes of taps at an even pace."""
    return [pace.judge(ANA, NOON + 1000 * number // per_second) for number in range(int(seconds * per_second))]


def test_no_player_is_stopped_in_a_hunt() -> None:
    assert set(taps(PressRate(), 5, 600)) == {ADMITTED}, "five taps a second, for ten minutes"
    assert set(taps(PressRate(), 8, 6)) == {ADMITTED}, "four exchanges a second, for six seconds"
    assert set(taps(PressRate(), 1000, 0.02)) == {ADMITTED}, "twenty taps that arrive at once"


def test_a_script_is_admitted_five_times_a_second_and_seldom_warned() -> None:
    verdicts = taps(PressRate(), 100, 60)
    assert verdicts.count(ADMITTED) - BURST in range(int(59 * PER_SECOND), int(61 * PER_SECOND))
    assert verdicts.count(TOLD) == 60_000 // TOLD_AGAIN_MS
    assert verdicts.index(TOLD) < verdicts.index(HUSHED)


def test_a_member_who_was_too_fast_is_admitted_again_after_a_moment() -> None:
    pace = PressRate(burst=2, per_second=5)
    assert [pace.judge(ANA, NOON) for _ in range(4)] == [ADMITTED, ADMITTED, TOLD, HUSHED]
    assert pace.judge(ANA, NOON + 199) is HUSHED
    assert pace.judge(ANA, NOON + 200) is ADMITTED
    assert pace.judge(ANA, NOON + 201) is HUSHED
    assert pace.judge(ANA, NOON + 2000) is ADMITTED
    assert pace.judge(ANA, NOON + 2000) is ADMITTED, "full again"


def test_a_member_who_is_too_fast_is_warned_again_after_ten_seconds() -> None:
    pace = PressRate(burst=1, per_second=0.01)
    assert [pace.judge(ANA, NOON + at) for at in (0, 1, 10_000, 10_001)] == [ADMITTED, TOLD, HUSHED, TOLD]


def test_a_late_press_does_not_set_the_count_back() -> None:
    pace = PressRate(burst=1, per_second=1)
    assert pace.judge(ANA, NOON + 5000) is ADMITTED
    assert pace.judge(ANA, NOON) is TOLD
    assert pace.judge(ANA, NOON + 5999) is HUSHED
    assert pace.judge(ANA, NOON + 6000) is ADMITTED


def test_a_clock_that_was_wrong_stops_nobody() -> None:
    pace = PressRate(burst=2, per_second=1)
    assert pace.admits(ANA, NOON + 3_600_000)
    assert [pace.judge(ANA, NOON + second * 1000) for second in range(20)] == [ADMITTED] * 20


def test_an_unanswerable_event_empties_the_bucket_and_the_next_press_gets_the_sentence() -> None:
    pace = PressRate(burst=3, per_second=1)
    assert [pace.admits(ANA, NOON) for _ in range(4)] == [True, True, True, False]
    assert [pace.judge(ANA, NOON) for _ in range(2)] == [TOLD, HUSHED]
    assert pace.admits(ANA, NOON + 1000)
    assert pace.admits(BRUNO, NOON)


@pytest.mark.parametrize("wrong_by", [0, -3_600_000, 3_600_000])
def test_gestures_and_presses_share_a_bucket_even_when_the_bots_clock_is_wrong(wrong_by: int) -> None:
    here = Instant(wrong_by)
    here.answers()
    admission = Admission(here.clock, PressRate(burst=3, per_second=0.1))
    assert [admission.lets_gesture(ANA) for _ in range(4)] == [True, True, True, False]
    assert admission._rate.judge(ANA, here.at + 10) is TOLD
    assert admission._rate.judge(ANA, here.at + 15_000) is ADMITTED


def test_idle_members_are_forgotten() -> None:
    pace = PressRate()
    for user in range(1000):
        pace.judge(user, NOON)
    assert len(pace._buckets) == 1000
    pace.judge(ANA, NOON + TOLD_AGAIN_MS - 1)
    pace.judge(BRUNO, NOON + TOLD_AGAIN_MS)
    assert len(pace._buckets) == 2
    for hour in range(500):
        pace.judge(hour, NOON + 3_600_000 * (hour + 1))
    assert len(pace._buckets) == 1


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4000)), max_size=200))
def test_a_forgotten_member_has_a_full_bucket(steps: list[tuple[int, int]]) -> None:
    """One that never forgets judges the same."""
    pace, elephant, now = PressRate(burst=3, per_second=1), PressRate(burst=3, per_second=1), NOON
    elephant._idle_ms = 10**15
    for user, pause in steps:
        now += pause
        assert pace.judge(user, now) is elephant.judge(user, now)


def test_at_most_twenty_presses_at_once_are_admitted() -> None:
    """As docs/hosting.md says."""
    pace = PressRate()
    assert [pace.judge(ANA, NOON) for _ in range(22)] == [ADMITTED] * 20 + [TOLD, HUSHED]
