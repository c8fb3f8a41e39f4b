"""The report of thirty days: what counts as new, as back and as the best hour, by the clocks of the server."""

from dataclasses import replace

from bot.base.times import DAY_MS, HOUR_MS
from bot.nights.night import NightStatus
from bot.nights.rounds import ResultKind, TableResult
from bot.records.history import Activity
from bot.records.report import DAYS, report_of
from tests.nights.evenings import begun, planned

UNTIL = 1_800_000_000_000  # 15 January 2027, 08:00 UTC
SINCE = UNTIL - DAYS * DAY_MS


def test_players_and_hours_are_counted_in_the_time_zone_of_the_server() -> None:
    starts = (SINCE - HOUR_MS, SINCE + 12 * HOUR_MS, UNTIL - DAY_MS - 12 * HOUR_MS, UNTIL - 2 * HOUR_MS)
    report = report_of(Activity(starts, (None, SINCE - DAYS * DAY_MS, SINCE - 1)), (), UNTIL, "Europe/Paris")
    assert (report.players, report.new, report.back, report.matches) == (3, 1, 1, 4)
    assert (report.hour, report.matches_then) == (21, 2), "20:00 UTC is 21:00 in Paris"
    assert (report.daily[0], report.daily[-1], sum(report.daily)) == (2, 1, 4), "it began before, and ended since"


def test_attendance_counts_people_who_played_a_table() -> None:
    night = begun(planned(9))
    first, second = night.rounds[0].tables
    night = night.record_result(1, TableResult((3, 1)), 0).record_result(2, TableResult((0, 0), ResultKind.DESERTED), 0)
    for entrant in (first.seats[0], *second.seats):
        night = night.mark_absent(entrant or 0)
    over, called_off = night.end(0), planned(4).cancel(0)
    report = report_of(Activity((), ()), (over, called_off), UNTIL, "UTC")
    assert (report.nights, report.attendance, report.missing) == (1, 3, 5)
    back = replace(over, rounds=(*over.rounds, *over.rounds))
    assert report_of(Activity((), ()), (back,), UNTIL, "UTC").attendance == 4, "absent from a later table alone"
    assert report_of(Activity((), ()), (), UNTIL, "UTC").hour is None


def test_a_match_that_begins_at_the_end_of_the_period_counts_for_the_last_day() -> None:
    report = report_of(Activity((SINCE, UNTIL, UNTIL + DAY_MS), ()), (), UNTIL, "UTC")
    assert (report.daily[0], report.daily[-1], len(report.daily)) == (1, 2, 30)


def test_a_night_without_a_round_did_not_take_place() -> None:
    night = replace(planned(4), status=NightStatus.OVER)
    assert report_of(Activity((), ()), (night,), UNTIL, "UTC").nights == 0
