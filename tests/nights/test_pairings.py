"""Pairings of those who play for themselves: properties over many evenings, an exact solver for small ones."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random
from time import process_time

import networkx  # noqa: F401  # imported here, so that no example measures its import
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.nights.changes import NightCode
from bot.nights.formats import LOUNGE, ROTATION, SWISS
from bot.nights.formats.matching import assign_tables, cheapest_matching, table_sizes
from bot.nights.night import Night
from bot.nights.people import pairs, sign_up
from bot.nights.plan import Format
from bot.nights.results.history import meetings, pair_key
from bot.nights.results.standings import standings
from bot.nights.rounds import Pairing, TableResult
from tests.examples import examples, mostly_long, seeds
from tests.nights.evenings import (
    MINUTE,
    STARTS_AT,
    all_rounds,
    begun,
    check_seats,
    code,
    come_and_go,
    next_round,
    pair,
    perfect,
    planned,
    with_results,
)

ROUNDS = settings(max_examples=examples(15), suppress_health_check=[HealthCheck.too_slow])
SIZES = st.sampled_from([4, 6, 8])


def evening(night: Night, rng: Random, rounds: int) -> Iterator[tuple[Night, Pairing]]:
    """Each round of an evening with people coming and going: the night before it, and how it is paired."""
    for number in range(rounds):
        now = STARTS_AT + number * MINUTE
        after, pairing = next_round(night, rng, now)
        yield night, pairing
        night = come_and_go(after, rng, now)
        if len(night.present) < 5:
            return


def test_two_people_with_robots_play_against_each_other_or_together_as_they_choose() -> None:
    night = planned(2, size=8, fills_with_robots=True)
    (apart,) = pair(night, Random(1)).tables
    assert apart.count(None) == 2
    assert (apart.index(0) - apart.index(1)) % 2 == 1
    night = pairs.accept(pairs.ask(night, 100, 1), 101, 0)
    for number in range(2):
        (together,) = pair(night, Random(number)).tables
        assert (together.index(0) - together.index(1)) % 2 == 0
    night = begun(night)
    table = night.all_tables[0]
    night = night.record_result(table.number, TableResult((3, 1) if 0 in table.members(0) else (1, 3)), STARTS_AT)
    assert [(line.place, line.points) for line in standings(night)] == [(1, 1), (1, 1)], "against robots alone: a half"
    night = sign_up.join(night, 102, "P2", STARTS_AT + 1)
    assert sorted(pair(night, Random(2)).tables[0], key=str) == [0, 1, 2, None]
    assert code(lambda: pairs.ask(night, 102, 0)) is NightCode.NO_PAIRS


@pytest.mark.parametrize("plan", [{"fills_with_robots": False}, {"format": LOUNGE, "fills_with_robots": True}])
def test_two_people_cannot_choose_to_be_partners_when_no_such_table_follows(plan: dict[str, object]) -> None:
    assert code(lambda: pairs.ask(planned(2, **plan), 100, 1)) is NightCode.NO_PAIRS


def fewest_repeats(night: Night) -> tuple[int, int]:
    """The least possible turns without a table, then repeated partners, by trying out everything."""
    before = meetings(night)
    people = tuple(entrant.number for entrant in night.present)
    byes = len(people) % 4 if night.plan.size == 4 else len(people) % 2
    best = (10**9, 10**9)
    for resting in combinations(people, byes):
        turns = sum(before.byes[number] ** 2 for number in resting)
        if turns > best[0]:
            continue
        playing = tuple(number for number in people if number not in resting)
        repeats = min(sum(before.partners[pair_key(*edge)] ** 2 for edge in edges) for edges in perfect(playing))
        best = min(best, (turns, repeats))
    return best


def repeats(night: Night, pairing: Pairing) -> tuple[int, int]:
    before = meetings(night)
    turns = sum(before.byes[number] ** 2 for number in pairing.byes)
    teams = [edge for table in pairing.tables for edge in zip(table, opposite(table), strict=True)]
    return turns, sum(before.partners[pair_key(a, b)] ** 2 for a, b in teams if None not in (a, b) and a < b)


def opposite(table: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """The partner of each seat."""
    half = len(table) // 2
    return table[half:] + table[:half]


@ROUNDS
@given(people=st.integers(5, 9), size=SIZES, seed=st.integers(0, 10**6))
def test_no_partner_or_bye_is_repeated_when_an_exact_solver_finds_a_way(people: int, size: int, seed: int) -> None:
    night, rng = planned(people, size=size), Random(seed)
    for before, pairing in evening(night, rng, 5):
        if len(before.present) <= 10:
            assert repeats(before, pairing) == fewest_repeats(before)


@ROUNDS
@given(people=st.integers(5, 28), size=SIZES, seed=st.integers(0, 10**6))
def test_byes_rotate_while_people_come_and_go(people: int, size: int, seed: int) -> None:
    for before, pairing in evening(planned(people, size=size), Random(seed), 5):
        check_seats(before, pairing)
        had = meetings(before).byes
        expected = sorted(had[entrant.number] for entrant in before.present)[: len(pairing.byes)]
        assert sorted(had[number] for number in pairing.byes) == expected
        assert len(pairing.byes) == len(before.present) % (4 if size == 4 else 2)


@ROUNDS
@given(people=st.integers(2, 28), size=SIZES, seed=st.integers(0, 10**6))
def test_robots_fill_seats_and_rotate(people: int, size: int, seed: int) -> None:
    for before, pairing in evening(planned(people, size=size, fills_with_robots=True), Random(seed), 5):
        check_seats(before, pairing)
        assert pairing.byes == ()
        had = meetings(before).robots
        partners = [edge for table in pairing.tables for edge in zip(table, opposite(table), strict=True)]
        with_robot = [one for one, other in partners if one is not None and other is None]
        assert (None, None) not in partners
        expected = sorted(had[entrant.number] for entrant in before.present)[: len(with_robot)]
        assert sorted(had[number] for number in with_robot) == expected


@pytest.mark.parametrize("people", mostly_long([4, 8, 12, 16], 4, 12))
def test_everybody_partners_everybody_once(people: int) -> None:
    night, rng = planned(people), Random(people)
    for number in range(people - 1):
        night, _ = next_round(night, rng, STARTS_AT + number)
    counts = meetings(night).partners
    assert set(counts.values()) == {1}
    assert len(counts) == people * (people - 1) // 2


@pytest.mark.parametrize(
    ("people", "rounds", "most"),
    [
        (12, 4, 18),
        (16, 5, 0),
        pytest.param(20, 4, 4, marks=pytest.mark.long),
        pytest.param(24, 4, 2, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("seeds", seeds(1, 4))
def test_few_meet_twice_in_a_rotation(people: int, rounds: int, most: int, seeds: range) -> None:
    """Of 12 three more meet again in each round: three tables cannot part four who sat together."""
    for seed in seeds:
        night, _ = all_rounds(replace(planned(people, rounds=rounds), seed=seed), Random(seed))
        met = meetings(night)
        assert set(met.partners.values()) == {1}
        assert sum(times - 1 for times in (met.partners + met.opponents).values()) <= most


def test_two_of_fifty_people_have_byes() -> None:
    """So many are not searched whole."""
    pairing = pair(planned(50), Random(1))
    assert (len(pairing.tables), len(pairing.byes)) == (12, 2)
    assert sorted([*pairing.byes, *(seat for table in pairing.tables for seat in table)]) == list(range(50))


def test_twenty_six_people_play_three_rounds() -> None:
    night, rng = planned(26), Random(3)
    for number in range(3):
        night, pairing = next_round(night, rng, STARTS_AT + number)
        assert (len(pairing.tables), len(pairing.byes)) == (6, 2)
    met = meetings(night)
    assert set(met.byes.values()) == set(met.partners.values()) == set(met.opponents.values()) == {1}


@pytest.mark.slow
@pytest.mark.long
@settings(max_examples=10)
@given(people=st.integers(41, 200), size=SIZES, seed=st.integers(0, 10**6))
def test_large_nights_repeat_no_partner(people: int, size: int, seed: int) -> None:
    night = planned(people, size=size)
    for before, pairing in evening(night, Random(seed), 3):
        check_seats(before, pairing)
        assert repeats(before, pairing) == (0, 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format_", "size"),
    [(ROTATION, 4), pytest.param(ROTATION, 8, marks=pytest.mark.long), pytest.param(SWISS, 4, marks=pytest.mark.long)],
)
def test_two_hundred_people_are_paired_in_under_three_seconds_of_one_core(format_: Format, size: int) -> None:
    night, rng, taken = planned(200, format=format_, size=size), Random(5), []
    for number in range(3):
        before = process_time()
        pairing = pair(night, rng)
        taken.append(process_time() - before)
        night = with_results(night.start_round(pairing, STARTS_AT + number), rng, STARTS_AT + number)
    assert max(taken) < 3


@pytest.mark.parametrize("seed", mostly_long([1, 2], 1))
@pytest.mark.parametrize(("size", "most_strangers"), [(6, 112), (8, 80)])
def test_opponents_repeat_evenly_at_large_tables(size: int, most_strangers: int, seed: int) -> None:
    """By lot 117 and more of 276 couples never meet at tables of 6, 80 and more at tables of 8; some meet 4 times."""
    night, rng = planned(24, size=size), Random(seed)
    for number in range(4):
        night, _ = next_round(night, rng, STARTS_AT + number)
    counts = meetings(night).opponents
    times = [counts[edge] for edge in combinations(range(24), 2)]
    assert max(times) <= 3
    assert times.count(0) <= most_strangers


@given(teams=st.integers(2, 60), most=st.sampled_from([3, 4]))
def test_tables_are_as_even_as_possible(teams: int, most: int) -> None:
    sizes = table_sizes(teams, most)
    assert sum(sizes) == teams
    assert 2 <= min(sizes) <= max(sizes) <= most
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(("teams", "most"), [(1, 2), (3, 2), (1, 4), (0, 3)])
def test_teams_that_fit_no_table_are_refused(teams: int, most: int) -> None:
    with pytest.raises(ValueError, match="do not go into tables"):
        table_sizes(teams, most)


@given(teams=st.integers(2, 40), most=st.sampled_from([3, 4]))
@settings(max_examples=examples(25))
def test_every_team_has_one_table(teams: int, most: int) -> None:
    tables = assign_tables(teams, most, lambda one, other: one * other % 7, Random(teams))
    assert sorted(team for table in tables for team in table) == list(range(teams))
    assert sorted(map(len, tables)) == sorted(table_sizes(teams, most))


def test_an_impossible_matching_is_refused() -> None:
    with pytest.raises(ValueError, match="3 nodes with 3 edges have no perfect matching"):
        cheapest_matching(3, lambda one, other: 1, lambda one, other: False)


def test_more_candidates_are_tried_when_few_are_not_enough() -> None:
    """Nodes are cheapest within groups of seven, which have no perfect matching of their own."""

    def cost(one: int, other: int) -> int | None:
        return 1 if one // 7 == other // 7 else 1000 if (one + other) % 14 == 5 else None

    found = cheapest_matching(70, cost, lambda one, other: False)
    assert sorted(node for edge in found for node in edge) == list(range(70))
    assert all(cost(*edge) is not None for edge in found)
