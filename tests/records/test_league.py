"""The league of a season, by hand."""

from dataclasses import replace

from bot.nights.night import Night, NightStatus
from bot.nights.results.standings import standings
from bot.nights.rounds import Presence
from bot.records.history import FIRST, After, Before, Nth
from bot.records.league import Scale, held, league, page_of
from tests.nights.evenings import STARTS_AT, planned
from tests.nights.test_standings import round_of

EVEN = Scale.EVEN


def evening(*order: int, people: int = 4) -> Night:
    """A night of a rotation that is over: two of the `order` have beaten the two behind them."""
    first, second, third, fourth = order
    night = round_of(planned(people), ((first, third, second, fourth), (5, 0)))
    return night.ended(STARTS_AT + 2)


def lines(*nights: Night, best: int | None = None, left_out: tuple[int, ...] = ()) -> list[tuple[int, int, int]]:
    """Place, person and points of each line."""
    return [(line.place, line.user_ids[0] - 100, line.value) for line in league(nights, EVEN, best, left_out)]


def test_places_bring_points_and_those_who_share_one_get_the_same() -> None:
    assert lines(evening(0, 1, 2, 3)) == [(1, 0, 10), (1, 1, 10), (3, 2, 6), (3, 3, 6)]
    assert lines(evening(0, 1, 2, 3), evening(0, 2, 1, 3)) == [(1, 0, 20), (2, 1, 16), (2, 2, 16), (4, 3, 12)]


def test_the_best_nights_count_and_between_equals_the_best_single_one() -> None:
    nights = evening(0, 1, 2, 3), evening(2, 3, 0, 1), evening(2, 0, 1, 3)
    (first, second, *_) = league(nights, EVEN, 2)
    assert (first.user_ids, first.value, first.matches, first.note) == ((100,), 20, 3, "10 + 10 (6)")
    assert (second.user_ids, second.value, second.note, second.place) == ((102,), 20, "10 + 10 (6)", 1)
    assert [line.value for line in league(nights, EVEN, 1)] == [10, 10, 10, 10]
    assert lines(*nights, best=1)[0][0] == 1
    alone = replace(
        nights[0], entrants=tuple(replace(one, user_id=one.user_id and one.user_id + 50) for one in nights[0].entrants)
    )
    once, twice = league((alone, *nights[1:]), EVEN, None)[:2]
    assert (once.note, twice.note) == ("10 + 10", "10 + 6"), "those who came more often lead"


def test_a_place_beyond_the_scale_is_worth_the_last_points() -> None:
    night = round_of(planned(12), *(((n, n + 1, n + 2, n + 3), (9 - n, 0)) for n in (0, 4, 8))).ended(STARTS_AT + 2)
    found = league((night,), Scale.FLAT, None)
    assert sorted(line.place for line in standings(night))[-4:] == [9, 9, 11, 11]
    assert [(line.place, line.value) for line in found] == [(1, 5)] * 2 + [(3, 3)] * 2 + [(5, 1)] * 8


def test_who_was_absent_removed_or_forgotten_gets_none_and_no_robot_does() -> None:
    night = round_of(planned(5), ((0, 1, 2, None), (5, 0))).missed(1, (1,))
    late = replace(night.entrants[4], presence=Presence.ABSENT)
    night = night.with_entrant(late).ended(STARTS_AT + 2)
    assert [user for _, user, _ in lines(night)] == [0, 2]
    removed = night.with_entrant(replace(night.entrants[0], is_removed=True))
    assert lines(removed) == [(1, 2, 10)], "what they had scored moves nobody up"
    assert [user for _, user, _ in lines(night.forgotten(102))] == [0]
    assert lines(night, left_out=(100,)) == [(1, 2, 10)]


def test_a_night_counts_once_it_is_over_and_somebody_came() -> None:
    night = evening(0, 1, 2, 3)
    nobody = replace(planned(4), status=NightStatus.OVER)
    others = (replace(night, status=NightStatus.CANCELLED), replace(night, status=NightStatus.RUNNING), nobody)
    assert held((*others, night)) == (night,)
    assert league(others, EVEN, None) == ()


def test_the_latest_name_stands_there() -> None:
    night = evening(0, 1, 2, 3)
    renamed = night.with_entrant(replace(night.entrants[0], name="Zoé"))
    nameless = night.with_entrant(replace(night.entrants[0], name=""))
    assert league((night, renamed, nameless), EVEN, None)[0].names == ("Zoé",)


def test_pages_follow_each_other_both_ways_and_begin_anew_from_a_line_that_is_gone() -> None:
    night = round_of(planned(12), *(((n, n + 1, n + 2, n + 3), (9 - n, 0)) for n in (0, 4, 8))).ended(STARTS_AT + 2)
    found = league((night,), EVEN, None)
    first = page_of(found, FIRST, 5)
    second = page_of(found, After(first.lines[-1].key), 5)
    last = page_of(found, After(second.lines[-1].key), 5)
    assert (*first.lines, *second.lines, *last.lines) == found
    pages = (first, second, last)
    assert [(page.has_before, page.has_after) for page in pages] == [(False, True), (True, True), (True, False)]
    assert page_of(found, Before(last.lines[0].key), 5) == second == page_of(found, Nth(2), 5)
    assert page_of(found, After((99, 99)), 5) == page_of(found, Before((99, 99)), 5) == first
