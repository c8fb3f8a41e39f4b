"""Seasons by the calendar of a time zone, split at the very millisecond also where clocks are set.

Time zones as people write them.
"""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.ladder.seasons import (
    Schedule,
    Season,
    SeasonLength,
    find_zone,
    near_zones,
    next_boundary,
    period,
    reschedule,
    season_at,
    start,
    zones,
)
from tests.together import together

PARIS = "Europe/Paris"
# Clocks go forward in March and back in October; at midnight itself; by half an hour; and not at all.
ZONES = [PARIS, "America/Havana", "America/Asuncion", "Asia/Beirut", "Africa/Cairo", "Australia/Lord_Howe", "UTC"]
YEARS = st.integers(
    int(datetime(2001, 1, 1, tzinfo=UTC).timestamp()) * 1000, int(datetime(2037, 1, 1, tzinfo=UTC).timestamp()) * 1000
)
BY_CALENDAR = st.sampled_from([SeasonLength.MONTH, SeasonLength.QUARTER])


def ms(zone: str, *local: int) -> int:
    return int(datetime(*local, tzinfo=ZoneInfo(zone)).timestamp() * 1000)  # type: ignore[arg-type, misc]


def local(zone: str, at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone))


def index(every: SeasonLength, moment: datetime) -> int:
    """The number of a month or quarter."""
    return (moment.year * 12 + moment.month - 1) // (1 if every is SeasonLength.MONTH else 3)


def test_a_month_in_paris_may_begin_in_summer_time() -> None:
    # Clocks go forward on 29 March 2026: the month is one hour short.
    found = period(Schedule(SeasonLength.MONTH, PARIS), ms(PARIS, 2026, 3, 15))
    assert found == (ms("UTC", 2026, 2, 28, 23), ms("UTC", 2026, 3, 31, 22))


def test_a_season_under_another_schedule_ends_at_the_next_boundary() -> None:
    season, at = Season(3, ms(PARIS, 2026, 1, 5), None), ms(PARIS, 2026, 3, 15)
    monthly = reschedule(season, Schedule(SeasonLength.MONTH, PARIS), at)
    assert monthly == replace(season, ends_at=ms("UTC", 2026, 3, 31, 22))
    assert reschedule(monthly, Schedule(SeasonLength.HAND, PARIS), at) == season


def test_a_quarter_may_go_over_new_year() -> None:
    found = period(Schedule(SeasonLength.QUARTER, "UTC"), ms("UTC", 2026, 12, 31))
    assert found == (ms("UTC", 2026, 10, 1), ms("UTC", 2027, 1, 1))


def test_a_day_begins_later_when_its_midnight_does_not_exist() -> None:
    # Paraguay put its clocks forward at midnight of Sunday, 1 October 2017.
    zone = "America/Asuncion"
    found = period(Schedule(SeasonLength.MONTH, zone), ms(zone, 2017, 10, 15))
    assert local(zone, found[0]).strftime("%d %H:%M") == "01 01:00"
    assert local(zone, found[0] - 1).strftime("%d %H:%M") == "30 23:59"


@given(st.sampled_from(ZONES), BY_CALENDAR, YEARS)
@example("America/Asuncion", SeasonLength.MONTH, ms("America/Asuncion", 2017, 10, 1, 1))
@example(PARIS, SeasonLength.QUARTER, ms(PARIS, 2026, 3, 31, 23, 59))
def test_consecutive_periods_touch_without_gap_or_overlap(zone: str, every: SeasonLength, at: int) -> None:
    schedule = Schedule(every, zone)
    found = period(schedule, at)
    begin, end = found
    assert begin <= at < end
    here = index(every, local(zone, at))
    around = [index(every, local(zone, moment)) for moment in (begin - 1, begin, end - 1, end)]
    assert around == [here - 1, here, here, here + 1]
    assert period(schedule, end)[0] == end


@given(st.lists(st.builds(Schedule, st.sampled_from(SeasonLength), st.sampled_from(ZONES)), max_size=8), YEARS)
@example([Schedule(SeasonLength.MONTH, "America/Asuncion")], ms("America/Asuncion", 2017, 9, 30, 23, 59))
@example([Schedule(SeasonLength.MONTH, PARIS), Schedule(SeasonLength.MONTH, "UTC")], ms("UTC", 2026, 3, 31, 22))
def test_the_next_boundary_is_the_earliest_of_all_calendars(schedules: list[Schedule], at: int) -> None:
    found = next_boundary(schedules, at)
    if found is None:
        assert all(schedule.every is SeasonLength.HAND for schedule in schedules)
        return
    assert found > at
    before = [season_at(None, schedule, found - 1) for schedule in schedules]
    assert before == [season_at(None, schedule, at) for schedule in schedules], "nothing was passed over"
    assert before != [season_at(None, schedule, found) for schedule in schedules]


@given(st.sampled_from(ZONES), BY_CALENDAR, st.lists(YEARS, min_size=1, max_size=30))
def test_seasons_follow_each_other_and_contain_their_instants(
    zone: str, every: SeasonLength, instants: list[int]
) -> None:
    schedule, last = Schedule(every, zone), None
    seen: dict[int, int] = {}
    for at in sorted(instants):
        season = season_at(last, schedule, at)
        assert season.contains(at)
        if last is not None and season != last:
            assert season.number == last.number + 1
            assert last.ends_at <= season.starts_at
        assert seen.setdefault(index(every, local(zone, at)), season.number) == season.number
        last = season
    assert last.number == len(seen)


def test_seasons_by_hand_may_leave_gaps() -> None:
    schedule = Schedule(SeasonLength.HAND)
    assert season_at(None, schedule, 5) is None
    first = start(None, schedule, 10, "Été")
    assert first == Season(1, 10, None, "Été")
    assert start(first, schedule, 20) is None
    assert season_at(first, schedule, 20) == first
    over = Season(1, 10, 30, "Été")
    assert season_at(over, schedule, 29) == over
    assert season_at(over, schedule, 30) is None
    assert start(over, schedule, 40) == Season(2, 40, None)
    assert season_at(over, schedule, 9) is None


def test_cities_are_offered_before_other_names_of_zones() -> None:
    is_place = ["/" in name and not name.startswith("Etc/") for name in zones()]
    assert is_place == sorted(is_place, reverse=True)
    assert not is_place[-1]


@pytest.mark.parametrize(
    ("name", "known"), [("Europe/Paris", True), ("Mars/Olympus", False), ("", False), ("../etc", False)]
)
def test_zones_are_known_by_name(name: str, known: bool) -> None:
    assert (name in zones()) is known


@together(
    ("written", "zone"),
    [
        ("Europe/Paris", "Europe/Paris"),
        (" europe/PARIS ", "Europe/Paris"),
        ("paris", "Europe/Paris"),
        ("Montréal", "America/Montreal"),
        ("new york", "America/New_York"),
        ("utc", "UTC"),
        ("Europe", None),
        ("", None),
        ("../etc", None),
        ("Louisville", None),  # there are two of that name
    ],
)
def test_a_zone_is_found_in_any_spelling(written: str, zone: str | None) -> None:
    assert find_zone(written) == zone


@pytest.mark.parametrize(
    ("written", "zone"),
    [("Pariss", "Europe/Paris"), ("Bruxelles", "Europe/Brussels"), ("guadel", "America/Guadeloupe")],
)
def test_a_similar_zone_is_offered_for_a_misspelt_one(written: str, zone: str) -> None:
    assert zone in near_zones(written)


@pytest.mark.parametrize("written", ["America", "Santo Dominga"], ids=["contained", "similar"])
def test_at_most_three_zones_are_offered(written: str) -> None:
    assert len(near_zones(written)) == 3


def test_the_city_of_a_zone_is_compared_even_if_the_zone_has_three_parts() -> None:
    assert find_zone("Ushuaia") == "America/Argentina/Ushuaia"
    assert near_zones("Ushuaja")[0] == "America/Argentina/Ushuaia"


@pytest.mark.parametrize("written", ["", "   ", "xyzzyq", "9" * 64])
def test_nothing_is_offered_when_no_zone_is_similar(written: str) -> None:
    assert near_zones(written) == ()


def test_after_an_end_by_hand_the_next_season_ends_with_the_month() -> None:
    schedule, month = Schedule(SeasonLength.MONTH, "UTC"), (ms("UTC", 2026, 5, 1), ms("UTC", 2026, 6, 1))
    ended = Season(3, month[0], ms("UTC", 2026, 5, 11))
    assert season_at(ended, schedule, ended.ends_at - 1) == ended
    assert season_at(ended, schedule, ended.ends_at) == Season(4, ended.ends_at, month[1])
    assert season_at(ended, schedule, month[1]) == Season(4, month[1], ms("UTC", 2026, 7, 1))
    assert season_at(ended, schedule, month[0] - 1) is None
