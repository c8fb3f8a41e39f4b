"""What every format of game nights does, a new one too."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.nights.changes import Duty
from bot.nights.formats import FORMATS, KNOCKOUT, NightFormat
from bot.nights.night import NightStatus
from bot.nights.results.standings import standings
from tests.examples import examples
from tests.nights.evenings import PLAN, pair, planned, to_the_end

EVENING = settings(max_examples=examples(15), suppress_health_check=[HealthCheck.too_slow])
SIZES = st.sampled_from([4, 6, 8])
SEEDS = st.integers(0, 10**6)


@pytest.mark.parametrize("form", FORMATS.values(), ids=str)
@EVENING
@given(
    people=st.integers(0, 21), size=SIZES, robots=st.booleans(), seed=SEEDS, partners=st.integers(0, 5),
    until_called=st.booleans(), are_restless=st.booleans(),
)  # fmt: skip
def test_a_night_of_each_format_runs_to_its_end(
    form: NightFormat, people: int, size: int, robots: bool, seed: int, partners: int, until_called: bool,
    are_restless: bool,
) -> None:  # fmt: skip
    night = planned(people, format=form, size=size, fills_with_robots=robots, rounds=4)
    for one in range(0, min(2 * partners, people - 1) if form.has_pairs else 0, 2):
        night = night.pair(one, one + 1)
    night, log = to_the_end(night, Random(seed), plays_until_called=until_called, are_restless=are_restless)
    duties = [duty for duty, _ in log]
    if people < form.fewest(night):
        assert night.status is NightStatus.CANCELLED
        return
    assert night.status is NightStatus.OVER
    assert [duty for duty in duties if duty is not Duty.HONOUR][-3:] == [Duty.END_NIGHT, Duty.HAND_OVER, Duty.RECAP]
    assert (Duty.HONOUR in duties) is form.runs_alone
    for each in night.rounds:
        seats = [entrant for table in each.tables for entrant in table.people()]
        assert form.is_open or len(seats) == len(set(seats)), "nobody has two tables in a round"
        assert set(seats).isdisjoint(each.byes)
        assert all(4 <= len(table.seats) <= size and table.people() for table in each.tables)
    for entrant in night.entrants:
        assert entrant.partner is None or night.entrants[entrant.partner].partner == entrant.number
    lines = standings(night)
    placed = [entrant for line in lines for entrant in line.entrants]
    assert len(placed) == len(set(placed)), "nobody has two lines"
    came = {entrant for table in night.all_tables for entrant in table.people()}
    assert set(placed) <= came, "who never came to a table has no place"
    assert are_restless or form.has_pairs or sorted(placed) == list(range(people))
    assert [line.values for line in lines] == sorted((line.values for line in lines), reverse=True)
    assert all(len(line.values) == len(form.tie_breaks) for line in lines)


@pytest.mark.parametrize("form", FORMATS.values(), ids=str)
@EVENING
@given(people=st.integers(2, 30), size=SIZES, robots=st.booleans(), seed=SEEDS)
def test_equal_seeds_give_equal_rounds(form: NightFormat, people: int, size: int, robots: bool, seed: int) -> None:
    night = planned(people, size=size, fills_with_robots=robots, format=form)
    assert pair(night, Random(seed)) == pair(night, Random(seed))
    if people >= 12 and form is not KNOCKOUT:
        assert len({pair(night, Random(other)).tables for other in range(4)}) > 1


def test_a_format_is_stored_by_its_name() -> None:
    assert {"lounge", "rotation", "express", "swiss", "knockout", "round_robin"} <= FORMATS.keys()


def test_an_express_night_takes_half_an_hour_and_needs_no_host() -> None:
    """As docs/nights.md says of Fridays."""
    plan = replace(PLAN, is_ranked=True).with_format(FORMATS["express"])
    assert FORMATS["express"].runs_alone
    assert plan.rules != PLAN.rules
    assert (plan.rounds, plan.round_minutes, plan.break_minutes, plan.size) == (3, 10, 1, 8)
    assert (plan.fills_with_robots, plan.is_weekly, plan.calls_role, plan.is_ranked) == (True, True, True, False)
