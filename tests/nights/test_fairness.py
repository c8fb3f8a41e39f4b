"""Evenings of every format and size that some miss, come late to or leave: who leads, and who rests."""

from collections import Counter
from random import Random

import pytest

from bot.nights.changes import Duty
from bot.nights.formats import FORMATS, ROUND_ROBIN, NightFormat
from bot.nights.night import Night
from bot.nights.people import sign_up
from bot.nights.results.history import playing_pairs
from bot.nights.results.standings import standings, winners
from bot.nights.rounds import Pairing, Presence
from bot.nights.timetable import due, next_at
from tests.examples import combined, mostly_long, seeds
from tests.nights.evenings import MINUTE, MOST_DUTIES, STARTS_AT, after, come_and_go, pair, planned, scored

PEOPLE = (5, 7, 13, 26, 60)
SIZES = (4, 6, 8)
NO_SHOW = 0.12
EVENINGS = pytest.mark.parametrize("seeds", seeds(2, 12))

Drawn = list[tuple[Night, Pairing]]
Side = tuple[int, ...]


def held(form: NightFormat, size: int, robots: bool, people: int, seed: int) -> tuple[Night, frozenset[int], Drawn]:
    """An evening, who came to a table of it, and each round with the night before it.

    One of eight does not come, most of whom do not answer the check-in either. Some of those who come back are late.
    """
    rng = Random(f"{people} {seed}")
    night = planned(people, format=form, size=size, fills_with_robots=robots).open_check_in()
    for one in range(0, people - 1, 2) if form.has_pairs else ():
        night = night.pair(one, one + 1) if rng.random() < 0.7 else night
    away = {number for number in range(people) if rng.random() < NO_SHOW}
    for number in range(people):
        night = night if number in away and rng.random() < 0.7 else sign_up.ready(night, 100 + number)
    came, drawn, now = set[int](), Drawn(), 0
    for _ in range(MOST_DUTIES):
        if (at := next_at(night)) is None:
            return night, frozenset(came), drawn
        now = max(now, at)
        duty = due(night, now)
        assert duty is not None, "the timetable wakes its reader for nothing"
        if duty is not Duty.START_ROUND:
            night = after(night, duty, now)
            continue
        drawn.append((night, pair(night, rng)))
        night = night.start_round(drawn[-1][1], now)
        for table in [table for table in night.rounds[-1].tables if table.result is None]:
            missed = away.intersection(table.people())
            came |= set(table.people()) - missed
            night = night.record_result(table.number, scored(table, rng), now + 10 * MINUTE, missed)
            for number in missed:
                night = night.mark_absent(number)
        if now < night.plan.sign_up_until:
            night = come_and_go(night, rng, now)
            away -= {one.number for one in night.entrants if one.presence is Presence.IN and night.rounds}
    raise AssertionError("the evening does not end")


def sides(night: Night, drawn: Pairing) -> tuple[list[Side], list[Side]]:
    """The sides of a round that have a table, but for the final, and those that rest: pairs, or people."""
    tables = drawn.tables[drawn.has_final :]
    teams = [table[team :: len(table) // 2] for table in tables for team in range(len(table) // 2)]
    seated = [tuple(seat for seat in team if seat is not None) for team in teams]
    if not night.plan.format.has_pairs:
        return [(number,) for team in seated for number in team], [(number,) for number in drawn.byes]
    pairs, alone = playing_pairs(night)
    whole = [each for each in pairs if set(each) <= set(drawn.byes)]
    return [team for team in seated if team], [*whole, *((number,) for number in alone)]


@pytest.mark.parametrize(
    ("form", "size", "robots", "people"), combined([*FORMATS.values()], SIZES, [False, True], PEOPLE)
)
@EVENINGS
def test_byes_go_round_among_all_who_come(
    form: NightFormat, size: int, robots: bool, people: int, seeds: range
) -> None:
    for seed in seeds:
        night, came, drawn = held(form, size, robots, people, seed)
        none_who_did_not_come_is_among_the_first(night, came)
        nobody_rests_twice_before_all_have_once(drawn)
        nobody_rests_all_evening(night, drawn)


def none_who_did_not_come_is_among_the_first(night: Night, came: frozenset[int]) -> None:
    first = {number for line in standings(night) if line.place <= 3 for number in line.entrants}
    assert first <= came
    assert {*winners(night)} <= came


def nobody_rests_twice_before_all_have_once(rounds: Drawn) -> None:
    """A pair that was put together during the evening has rested as often as the one of the two who did so more."""
    byes = Counter[int]()
    for night, drawn in rounds:
        playing, resting = sides(night, drawn)
        least = min((max(byes[number] for number in side) for side in playing), default=None)
        for side in resting if least is not None else ():
            assert max(byes[number] for number in side) <= least, (len(night.rounds) + 1, side)
        byes.update(drawn.byes)


def nobody_rests_all_evening(night: Night, drawn: Drawn) -> None:
    """Nobody who is there from the beginning."""
    there = [{one.number for one in before.present} for before, _ in drawn]
    stayed = set.intersection(*there) if len(there) > 1 else set()
    seated = {number for table in night.all_tables for number in table.people()}
    assert stayed <= seated, stayed - seated
    assert night.plan.format.is_open or night.rounds == () or night.rounds[0].began_at == STARTS_AT


@pytest.mark.parametrize("form", [form for form in FORMATS.values() if form.eliminates], ids=str)
@pytest.mark.parametrize("people", mostly_long(PEOPLE, *PEOPLE[:-1]))
@EVENINGS
def test_the_winner_of_a_knock_out_has_at_most_one_bye_more_than_other_finalists(
    form: NightFormat, people: int, seeds: range
) -> None:
    for seed in seeds:
        for size in SIZES:
            night, _, drawn = held(form, size, bool(seed % 2), people, seed)
            byes, won = Counter(number for _, each in drawn for number in each.byes), {*winners(night)}
            finalists = [] if not won else [max(byes[one] for one in side) for side in sides(*drawn[-1])[0]]
            most = max((byes[number] for number in won), default=0)
            assert most - min(finalists, default=most) < 2, (seed, size)


def test_two_pairs_play_the_final_when_all_of_another_group_have_gone() -> None:
    night, _, _ = held(ROUND_ROBIN, 8, True, 26, 9)
    assert night.rounds[-1].has_final
    assert night.rounds[-1].tables[0].teams == 2
