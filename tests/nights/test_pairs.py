"""Pairings of fixed pairs: Swiss, knock-out, round robin."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.nights.changes import NightRefusedError
from bot.nights.formats import KNOCKOUT, ROUND_ROBIN, SWISS, NightFormat, format_of
from bot.nights.formats.matching import table_sizes
from bot.nights.formats.round_robin import drawn_groups
from bot.nights.people import sign_up
from bot.nights.results.history import advancing_team, eliminated_entrants, has_played_every_round, meetings, pair_key
from bot.nights.results.standings import standings, winners
from bot.nights.rounds import Presence, TableResult
from tests.examples import examples, mostly_long, seeds
from tests.nights.evenings import (
    STARTS_AT,
    all_rounds,
    begun,
    check_seats,
    first_team_wins,
    is_complete,
    next_round,
    pair,
    perfect,
    planned,
    seated,
    with_pairs,
    with_results,
)

LEAVINGS = settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.too_slow])
ROUNDS = settings(max_examples=examples(15), suppress_health_check=[HealthCheck.too_slow])


@ROUNDS
@given(pairs=st.integers(3, 12), seed=st.integers(0, 10**6))
def test_a_swiss_has_no_rematch_when_an_exact_solver_finds_a_way(pairs: int, seed: int) -> None:
    night, rng = with_pairs(pairs, format=SWISS, rounds=9), Random(seed)
    for number in range(pairs - 1 if pairs <= 8 else 5):
        met = meetings(night)
        nodes = tuple(range(pairs + pairs % 2))
        after, pairing = next_round(night, rng, STARTS_AT + number)
        check_seats(night, pairing)
        again = sum(met.opponents[pair_key(table[0], table[1])] ** 2 for table in pairing.tables)  # type: ignore[arg-type]
        turns = sum(met.byes[number] ** 2 for number in pairing.byes[:1])
        if pairs <= 8:
            costs = [
                (
                    sum(met.byes[2 * one] ** 2 for one, other in edges if other == pairs),
                    sum(met.opponents[pair_key(2 * a, 2 * b)] ** 2 for a, b in edges if b < pairs),
                )
                for edges in perfect(nodes)
            ]
            assert (turns, again) == min(costs)
        else:
            assert (turns, again) == (0, 0)
        night = after


def test_in_a_swiss_of_twelve_pairs_equal_pairs_meet() -> None:
    night, rng = with_pairs(12, format=SWISS, rounds=5), Random(8)
    for number in range(5):
        scores = {line.entrants[0] // 2: line.points for line in standings(night)}
        after, pairing = next_round(night, rng, STARTS_AT + number)
        assert len(pairing.tables) == 6
        for table in pairing.tables:
            assert table[2] == table[0] + 1 or table[0] == (table[2] or 0) + 1
            assert abs(scores[table[0] // 2] - scores[(table[1] or 0) // 2]) <= 2
        night = after
    assert set(meetings(night).opponents.values()) == {1}


def test_the_bye_of_a_swiss_rotates_from_the_last_place_up() -> None:
    night, rng = with_pairs(5, format=SWISS, rounds=5), Random(1)
    rested: list[tuple[int, ...]] = []
    for number in range(5):
        points = {number: line.points for line in standings(night) for number in line.entrants}
        night, pairing = next_round(night, rng, STARTS_AT + number)
        if number == 1:
            free = [each for each in range(10) if each not in rested[0]]
            assert points[pairing.byes[0]] == min(points[each] for each in free)
        rested.append(tuple(sorted(pairing.byes)))
    assert sorted(rested) == [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)]


@pytest.mark.parametrize("pairs", mostly_long(range(2, 18), 2, 3, 5, 8, 11))
@pytest.mark.parametrize("size", [4, 6, 8])
def test_a_knock_out_leaves_one_pair(pairs: int, size: int) -> None:
    night = with_pairs(pairs, format=KNOCKOUT, size=size)
    rounds_expected = format_of(night).round_count(night)
    night, pairings = all_rounds(night, Random(pairs), first_team_wins)
    lost = set[int]()
    for pairing, played in zip(pairings, night.rounds, strict=True):
        assert lost.isdisjoint([*seated(pairing), *pairing.byes])
        assert played.number == 1 or not pairing.byes
        lost |= {seat for table in played.tables for team in range(1, table.teams) for seat in table.people(team)}
    winner = standings(night)[0]
    assert winner.place == 1
    assert lost.isdisjoint(winner.entrants)
    assert standings(night)[1].place == 2
    (final,) = night.rounds[-1].tables
    assert winner.entrants == tuple(sorted(final.people(0)))
    assert len(night.rounds) == rounds_expected


def test_the_best_seeds_of_a_knock_out_have_the_byes_and_meet_last() -> None:
    night = with_pairs(6, format=KNOCKOUT)
    for number, strength in enumerate([10, 90, 30, 70, 50, 20]):
        night = night.with_entrant(replace(night.entrants[2 * number], strength=float(strength)))
    pairing = pair(night, Random(1))
    assert set(pairing.byes) == {2, 3, 6, 7}
    assert [{(seat or 0) // 2 for seat in table} for table in pairing.tables] == [{4, 0}, {2, 5}]


def test_earlier_byes_of_a_knock_out_matter_more_than_seeds() -> None:
    night, rng = with_pairs(6, format=KNOCKOUT), Random(1)
    for number, strength in enumerate([10, 90, 30, 70, 50, 20]):
        night = night.with_entrant(replace(night.entrants[2 * number], strength=float(strength)))
    night, first = next_round(night, rng, STARTS_AT, first_team_wins)
    for number in night.rounds[0].tables[0].people(0):  # winners leave: three pairs are left, and one has a bye
        night = sign_up.leave(night, 100 + number)
    second = pair(night, rng)
    assert len(second.byes) == 2
    assert set(second.byes).isdisjoint(first.byes), "the best seed has had a bye"


@pytest.mark.parametrize("people", [5, 7, 9, 13])
def test_without_robots_nobody_has_byes_for_a_whole_knock_out(people: int) -> None:
    for seed in range(6):
        night, _ = all_rounds(planned(people, format=KNOCKOUT), Random(seed))
        alone = [number for number in range(people) if night.entrants[number].partner is None]
        rests = Counter(number for turn in night.rounds for number in turn.byes)
        assert all(rests[number] <= 1 or len(night.rounds) == 1 for number in alone), (seed, rests)


@LEAVINGS
@given(people=st.integers(4, 24), size=st.sampled_from([4, 6, 8]), robots=st.booleans(), seed=st.integers(0, 10**6))
def test_the_winner_of_the_final_wins_a_knock_out_even_if_others_come_back(
    people: int, size: int, robots: bool, seed: int
) -> None:
    """In a break some leave or are absent, those who are away try to come back, and the waiting list moves."""
    rng = Random(seed)
    night = planned(people, format=KNOCKOUT, size=size, fills_with_robots=robots, most=max(4, people - 2))
    for number in range(0, 2 * rng.randrange(people // 2), 2):
        night = night.pair(number, number + 1) if night.has_space or number + 1 < (night.plan.most or 0) else night
    while not is_complete(night):
        for entrant in night.entrants:
            with suppress(NightRefusedError):
                if entrant.presence is not Presence.IN:
                    night = sign_up.join(night, entrant.user_id or 0, "", STARTS_AT, by_host=rng.random() < 0.5)
                elif rng.random() < 0.2:
                    away = rng.random() < 0.5
                    night = night.mark_absent(entrant.number) if away else sign_up.leave(night, entrant.user_id or 0)
        pairing = pair(night, rng)
        if not pairing.tables:
            break
        night = with_results(night.start_round(pairing, STARTS_AT), rng, STARTS_AT)
    night = night.end(STARTS_AT) if night.rounds else night.cancel(STARTS_AT)
    for turn in night.rounds:
        behind = replace(night, rounds=night.rounds[: turn.number - 1])
        assert not eliminated_entrants(behind).intersection(*[table.people() for table in turn.tables] or [()])
        people_of = (seat for table in turn.tables for seat in table.people())
        assert all(has_played_every_round(behind, number) for number in people_of), (
            "a table or a bye in every round before"
        )
    if night.rounds and len(night.rounds[-1].tables) == 1 and not night.rounds[-1].byes:
        final = night.rounds[-1].tables[0]
        best = advancing_team(night, final)
        assert best is not None
        assert {*final.people(best)} & {*standings(night)[0].entrants}
        assert not {*winners(night)} & {*final.people()}.difference(final.people(best))


def test_nobody_advances_from_an_unfinished_table() -> None:
    night = begun(with_pairs(4, format=KNOCKOUT))
    assert {line.values[0] for line in standings(night)} == {0}


def test_a_draw_in_a_knock_out_goes_to_the_better_seed() -> None:
    night = begun(with_pairs(2, format=KNOCKOUT))
    first = night.rounds[0].tables[0].seats[0]
    night = night.record_result(1, TableResult((2, 2)), STARTS_AT + 1)
    assert is_complete(night)
    assert first in standings(night)[0].entrants  # the better seed sits first
    assert standings(night)[1].place == 2


@pytest.mark.parametrize("pairs", range(3, 9))
def test_in_a_round_robin_each_meets_each_once(pairs: int) -> None:
    night, pairings = all_rounds(with_pairs(pairs, format=ROUND_ROBIN), Random(pairs))
    assert {len(pairing.byes) for pairing in pairings} == {2 * (pairs % 2)}
    assert len(night.rounds) == pairs - 1 + pairs % 2
    opponents = meetings(night).opponents
    for one, other in combinations(range(pairs), 2):
        assert opponents[pair_key(2 * one, 2 * other)] == 1
    assert {line.byes for line in standings(night)} == {pairs % 2}


@pytest.mark.parametrize(("pairs", "size"), [(4, 6), (5, 6), (5, 8), (6, 8), (7, 6), (7, 8), (8, 8)])
def test_in_a_round_robin_of_large_tables_each_meets_each(pairs: int, size: int) -> None:
    night, pairings = all_rounds(with_pairs(pairs, format=ROUND_ROBIN, size=size), Random(pairs))
    assert not any(pairing.byes for pairing in pairings)
    opponents = meetings(night).opponents
    assert all(opponents[pair_key(2 * one, 2 * other)] for one, other in combinations(range(pairs), 2))
    assert len(night.rounds) < 2 * pairs


@pytest.mark.parametrize(
    ("pairs", "groups", "size"),
    [
        (9, 2, 4),
        (13, 2, 8),
        (17, 3, 6),
        *(pytest.param(*each, marks=pytest.mark.long) for each in ((13, 2, 4), (17, 3, 4), (30, 4, 4))),
    ],
)
def test_a_round_robin_of_many_pairs_has_groups_and_a_final(pairs: int, groups: int, size: int) -> None:
    night = with_pairs(pairs, format=ROUND_ROBIN, size=size)
    most = format_of(night).round_count(night)
    night, _ = all_rounds(night, Random(pairs))
    assert len(night.rounds) <= most <= 9
    assert [each.has_final for each in night.rounds] == [False] * (len(night.rounds) - 1) + [True]
    met = meetings(replace(night, rounds=night.rounds[:-1])).opponents
    known = [{numbers[0] // 2 for numbers in group if numbers} for group in drawn_groups(night)]
    assert [pairs // groups + (at < pairs % groups) for at in range(groups)] == list(map(len, known))
    for group in known:
        assert all(met[pair_key(2 * one, 2 * other)] for one, other in combinations(group, 2)), (
            "each meets each of its group"
        )
    final = {number // 2 for number in night.rounds[-1].tables[0].people()}
    others = [table.teams for table in night.rounds[-1].tables[1:]]
    assert size == 4 or sorted(others) == sorted(table_sizes(pairs - 2, size // 2)), (
        "beside the final all groups are mixed"
    )
    assert sorted(len(group & final) for group in known) == sorted([1, 1, *[0] * (groups - 2)])
    assert {number // 2 for line in standings(night)[:2] for number in line.entrants} == final


def test_a_swiss_may_end_in_a_final_of_the_two_best_pairs() -> None:
    night = with_pairs(9, format=SWISS, rounds=4, has_final=True)
    assert format_of(night).round_count(night) == 5
    night, _ = all_rounds(night, Random(4))
    before, final = standings(night, after_round=4), night.rounds[4].tables[0]
    assert set(final.people()) == {*before[0].entrants, *before[1].entrants}
    assert len(night.rounds[4].tables) == 4
    for team in (0, 1):
        won = night.with_table(replace(final, result=TableResult((1 - team, team))))
        assert standings(won)[0].entrants == tuple(sorted(final.people(team)))


def test_a_pair_has_a_bye_when_its_opponents_have_left_a_round_robin() -> None:
    night, rng = with_pairs(4, format=ROUND_ROBIN), Random(1)
    night, _ = next_round(night, rng, STARTS_AT)
    night = sign_up.leave(sign_up.leave(night, 100), 101)
    for number in (1, 2):
        night, pairing = next_round(night, rng, STARTS_AT + number)
        assert (len(pairing.tables), len(pairing.byes)) == (1, 2)
    assert is_complete(night)
    counts = meetings(night).opponents
    assert all(counts[pair_key(2 * one, 2 * other)] == 1 for one, other in combinations((1, 2, 3), 2))


def test_a_single_finds_a_partner_for_the_night_and_a_substitute_for_a_round() -> None:
    night = planned(8, format=SWISS).pair(0, 1).pair(2, 3)
    pairing = pair(night, Random(1))
    assert sorted(number for edge in pairing.partners for number in edge) == [4, 5, 6, 7]
    night = night.start_round(pairing, STARTS_AT)
    assert all(entrant.partner is not None for entrant in night.entrants)
    night = with_results(night, Random(1), STARTS_AT)
    night = night.mark_absent(1).mark_absent(3)
    pairing = pair(night, Random(1))
    assert pairing.partners == ()
    assert sorted([*seated(pairing), *pairing.byes]) == [0, 2, 4, 5, 6, 7]
    together = [{table[0], table[2]} for table in pairing.tables] + [{table[1], table[3]} for table in pairing.tables]
    assert {0, 2} in together or {0, 2} == set(pairing.byes)
    assert night.entrants[0].partner == 1


def test_a_person_left_alone_gets_a_person_with_a_bye_or_a_robot_as_partner() -> None:
    night, _ = next_round(sign_up.join(with_pairs(2, format=SWISS), 999, "Late", STARTS_AT), Random(1), STARTS_AT)
    (first,) = night.rounds[0].byes
    (second,) = pair(night, Random(1)).byes
    assert first != second
    alone = sign_up.leave(night, 101)
    assert pair(alone, Random(1)).partners == ((0, 4),)
    with_robot = sign_up.leave(replace(alone, plan=replace(alone.plan, fills_with_robots=True)), 999)
    assert (sorted(seated(pair(with_robot, Random(1)))), pair(with_robot, Random(1)).byes) == ([0, 2, 3], ())


@pytest.mark.parametrize(("form", "people"), [(SWISS, 7), (SWISS, 9), (SWISS, 13), (SWISS, 27), (ROUND_ROBIN, 9)])
@pytest.mark.parametrize("seeds", seeds(2, 12))
def test_nobody_has_a_second_bye_before_everybody_had_one(form: NightFormat, people: int, seeds: range) -> None:
    for seed in seeds:
        night, _ = all_rounds(planned(people, format=form, rounds=9), Random(seed))
        for number in range(1, len(night.rounds) + 1):
            rests = Counter(one for each in night.rounds[:number] for one in each.byes)
            assert max(rests.values()) - min(rests[one] for one in range(people)) <= 1, (seed, number)


@pytest.mark.parametrize("people", [5, 7, 9])
def test_the_last_person_has_a_robot_as_partner_all_night(people: int) -> None:
    night, _ = all_rounds(planned(people, format=ROUND_ROBIN, fills_with_robots=True), Random(people))
    lines = standings(night)
    assert sorted(len(line.entrants) for line in lines) == [1, *[2] * (people // 2)]
    assert {line.tables for line in lines} == {people // 2}
    assert {line.byes for line in lines} == {(people // 2 + 1) % 2}


def test_a_knock_out_is_won_by_the_last_present_pair() -> None:
    night, _ = next_round(with_pairs(4, format=KNOCKOUT), Random(1), STARTS_AT, first_team_wins)
    one, other = (tuple(sorted(table.people(0))) for table in night.rounds[0].tables)
    for left, losers in ((one, other), (other, one)):
        absent = night.mark_absent(losers[0]).mark_absent(losers[1])
        assert is_complete(absent)
        assert standings(absent)[0].entrants == left
        assert (standings(absent)[1].place, standings(absent)[1].entrants) == (2, losers)
