"""Places and their tie-breaks, computed by hand; what stood out in a night, streaks of attendance, badges."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.nights.changes import HostStep, StepKind
from bot.nights.formats import KNOCKOUT, LOUNGE, ROTATION, ROUND_ROBIN, SWISS, NightFormat
from bot.nights.night import Night
from bot.nights.people import sign_up
from bot.nights.plan import TieBreak
from bot.nights.results.history import eliminated_entrants, played_tables, turnout
from bot.nights.results.recap import Badge, Honour, HonourKind, NightEntry, attendance, badges, entry_of, feat, honours
from bot.nights.results.standings import Standing, standings, winners
from bot.nights.rounds import Pairing, Presence, ResultKind, TableResult
from bot.nights.steps import apply_step, last_step, undo_step
from tests.examples import examples, mostly_long
from tests.nights.evenings import MINUTE, STARTS_AT, come_and_go, next_round, pair, planned, with_pairs

Table = tuple[tuple[int | None, ...], tuple[int, ...]]


def round_of(night: Night, *tables: Table, byes: tuple[int, ...] = ()) -> Night:
    """The night after a round of these tables: entrants by seat, scores by team."""
    night = night.start_round(Pairing(tuple(seats for seats, _ in tables), byes), STARTS_AT)
    for number, (_, scores) in enumerate(tables, 1):
        night = night.record_result(number, TableResult(scores), STARTS_AT + 1)
    return night


def line(night: Night, entrant: int) -> Standing:
    return next(each for each in standings(night) if entrant in each.entrants)


def value(night: Night, entrant: int, tie_break: TieBreak) -> float:
    return line(night, entrant).values[night.plan.format.tie_breaks.index(tie_break)]


def places(night: Night) -> list[tuple[int, tuple[int, ...]]]:
    return [(each.place, each.entrants) for each in standings(night)]


def points(night: Night) -> list[tuple[tuple[int, ...], float]]:
    return [(each.entrants, each.points) for each in standings(night)]


def test_before_the_first_table_everybody_is_level() -> None:
    assert places(planned(3)) == [(1, (0,)), (1, (1,)), (1, (2,))]
    assert standings(planned(0)) == ()


def test_standings_of_a_rotation_agree_with_a_count_by_hand() -> None:
    night = round_of(planned(5), ((0, 1, 2, 3), (4, 1)), byes=(4,))  # 0 and 2 beat 1 and 3
    night = round_of(night, ((0, 4, 1, 2), (3, 3)), byes=(3,))  # 0 and 1 draw with 4 and 2
    lines = [(each.entrants[0], each.points, each.won, each.tables) for each in standings(night)]
    assert lines == [(0, 3, 1, 2), (2, 3, 1, 2), (4, 2, 0, 1), (1, 1, 0, 2), (3, 1, 0, 1)]
    assert [each.byes for each in standings(night)] == [0, 0, 1, 0, 1]
    # opponents: 0 met 1, 3 and 4, 2; 2 met 1, 3 and 0, 1
    assert [value(night, number, TieBreak.OPPONENTS) for number in (0, 2)] == [1 + 1 + 2 + 3, 1 + 1 + 3 + 1]
    assert [value(night, number, TieBreak.SCORE_DIFFERENCE) for number in range(5)] == [3, -3, 3, -3, 0]
    # a bye counts as two opponents with one's own points
    assert value(night, 4, TieBreak.OPPONENTS) == 3 + 1 + 2 * 2
    assert [each.place for each in standings(night)] == [1, 2, 3, 4, 5]
    assert [each.entrants[0] for each in standings(night, after_round=1)] == [0, 2, 4, 1, 3]


def test_entrants_level_in_everything_share_a_place() -> None:
    night = round_of(planned(8), ((0, 1, 2, 3), (4, 1)), ((4, 5, 6, 7), (4, 1)))
    assert [each.place for each in standings(night)] == [1, 1, 1, 1, 5, 5, 5, 5]


def test_at_large_tables_only_the_first_place_counts() -> None:
    night = round_of(planned(8, size=8), ((0, 1, 2, 3, 4, 5, 6, 7), (3, 3, 1, 0)))
    assert [each.points for each in standings(night)] == [1, 1, 1, 1, 0, 0, 0, 0]
    assert [value(night, number, TieBreak.SCORE_DIFFERENCE) for number in range(4)] == [0, 0, -2, -3]


def test_standings_of_a_swiss_agree_with_a_count_by_hand() -> None:
    night = round_of(with_pairs(5, format=SWISS), ((0, 2, 1, 3), (5, 0)), ((4, 6, 5, 7), (2, 2)), byes=(8, 9))
    night = round_of(night, ((0, 8, 1, 9), (1, 0)), ((4, 2, 5, 3), (3, 0)), byes=(6, 7))
    assert points(night) == [((0, 1), 4), ((6, 7), 3), ((4, 5), 3), ((8, 9), 2), ((2, 3), 0)]
    # Buchholz: 6 and 7 met 4 and 5 (3 points) and had a bye (their own 3); 4 and 5 met them (3) and 2 and 3 (0)
    assert value(night, 6, TieBreak.OPPONENTS) == 6
    assert value(night, 4, TieBreak.OPPONENTS) == 3
    # Sonneborn-Berger, doubled: a draw with 3 points and a win over 0
    assert value(night, 4, TieBreak.DEFEATED) == 3
    assert value(night, 0, TieBreak.DEFEATED) == 2 * 0 + 2 * 2


def test_a_round_robin_ranks_level_pairs_by_their_direct_match() -> None:
    night = round_of(with_pairs(4, format=ROUND_ROBIN), ((0, 2, 1, 3), (1, 2)), ((4, 6, 5, 7), (1, 2)))
    night = round_of(night, ((0, 4, 1, 5), (9, 0)), ((2, 6, 3, 7), (2, 0)))
    night = round_of(night, ((0, 6, 1, 7), (9, 0)), ((2, 4, 3, 5), (0, 1)))
    # 0-1 and 2-3 have four points, and 2-3 have beaten 0-1; 4-5 and 6-7 have two, and 6-7 have beaten 4-5
    assert places(night) == [(1, (2, 3)), (2, (0, 1)), (3, (6, 7)), (4, (4, 5))]
    assert value(night, 0, TieBreak.HEAD_TO_HEAD) == 0
    assert value(night, 2, TieBreak.HEAD_TO_HEAD) == 2


def test_a_knock_out_ranks_by_rounds() -> None:
    night = round_of(with_pairs(4, format=KNOCKOUT), ((0, 2, 1, 3), (5, 0)), ((4, 6, 5, 7), (2, 1)))
    assert [value(night, each, TieBreak.ROUNDS_SURVIVED) for each in (0, 2, 4, 6)] == [1, 0, 1, 0]
    night = round_of(night, ((0, 4, 1, 5), (1, 3)))
    assert places(night) == [(1, (4, 5)), (2, (0, 1)), (3, (6, 7)), (4, (2, 3))]
    assert [value(night, each, TieBreak.ROUNDS_SURVIVED) for each in (0, 2, 4, 6)] == [1, 0, 2, 0]


def test_the_last_present_pair_is_ranked_above_pairs_that_left() -> None:
    night = round_of(with_pairs(4, format=KNOCKOUT), ((0, 2, 1, 3), (5, 0)), ((4, 6, 5, 7), (2, 1)))
    for user_id in (100, 101):
        night = sign_up.leave(night, user_id)
    assert [value(night, each, TieBreak.ROUNDS_SURVIVED) for each in (0, 2, 4, 6)] == [1, 0, 2, 0]


@pytest.mark.parametrize(
    ("result", "points", "out"),
    [
        (TableResult((0, 0), ResultKind.DESERTED), [0, 0], {0, 1, 2, 3}),
        (TableResult((0, 0), ResultKind.FORFEIT), [0, 0], {2, 3}),
        (TableResult((1, 0), ResultKind.FORFEIT), [2, 0], {2, 3}),
        (TableResult((0, 0), ResultKind.TIMED), [1, 1], {2, 3}),
    ],
)
def test_a_deserted_table_scores_nothing(result: TableResult, points: list[int], out: set[int]) -> None:
    night = with_pairs(2, format=KNOCKOUT).start_round(Pairing(((0, 2, 1, 3),)), STARTS_AT)
    night = night.with_entrant(replace(night.entrants[0], strength=9.0)).record_result(1, result, STARTS_AT + 1)
    assert [line(night, each).points for each in (0, 2)] == points
    assert eliminated_entrants(night) == out


def test_open_tables_are_ranked_by_points_per_table() -> None:
    night = planned(6, format=LOUNGE)
    for at, (seats, scores) in enumerate((((0, 1, 2, 3), (1, 0)), ((1, 0, 3, 2), (5, 0)), ((1, 4, 3, 5), (0, 2)),
                                          ((1, 0, 3, 2), (2, 0)), ((1, None, None, None), (2, 0)))):  # fmt: skip
        night = night.start_round(Pairing((seats,)), STARTS_AT + at)
        night = night.record_result(at + 1, TableResult(scores), STARTS_AT + at)
    averages = {number: value(night, number, TieBreak.AVERAGE) for number in range(6)}
    # 1 sat at four tables and one of robots, which counts half; 4 and 5 at one, for which two and a quarter count
    expected = {0: 2 / 3, 1: 5 / 4.5, 2: 2 / 3, 3: 1, 4: 2 / 2.25, 5: 2 / 2.25}
    assert averages == pytest.approx(expected)
    assert [line.entrants[0] for line in standings(night)] == [1, 3, 4, 5, 0, 2]


def test_tables_without_a_result_do_not_count() -> None:
    night = planned(4).start_round(Pairing(((0, 1, 2, 3),)), STARTS_AT)
    assert {each.tables for each in standings(night)} == {0}


def test_points_belong_to_people_and_a_pair_shows_the_mean_of_its_two_people() -> None:
    night = round_of(with_pairs(2, format=SWISS), ((0, 2, 1, 3), (5, 0)))
    left = sign_up.leave(night, 101)
    assert points(left) == [((0, 1), 2), ((2, 3), 0)]
    late = sign_up.join(left, 999, "Late", STARTS_AT).pair(0, 4)
    assert points(late) == [((1,), 2), ((0, 4), 1), ((2, 3), 0)]
    assert line(late, 0).own == (2, 0)
    assert points(sign_up.leave(sign_up.leave(left, 100), 102)) == [((0, 1), 2), ((2, 3), 0)]


def test_a_substitute_wins_for_themselves() -> None:
    night = round_of(with_pairs(2, format=SWISS), ((0, 2, 1, 3), (5, 0)))
    night = sign_up.join(night, 999, "Late", STARTS_AT).mark_absent(1)
    night = round_of(night, ((0, 2, 4, 3), (5, 0)))
    assert line(night, 0).entrants == (0, 1)
    assert (line(night, 0).points, line(night, 0).own) == (3, (4, 2))
    assert line(night, 4).own == (2,)


@pytest.mark.parametrize("people", mostly_long([7, 13, 26, 60], 7, 13, 26))
def test_nobody_loses_points_that_they_won(people: int) -> None:
    for seed in range(12):
        rng, night = Random(seed), planned(people, format=SWISS, rounds=4)
        for number in range(4):
            night, _ = next_round(night, rng, STARTS_AT + number * MINUTE)
            night = come_and_go(night, rng, STARTS_AT + number * MINUTE)
        own = {one: points for each in standings(night) for one, points in zip(each.entrants, each.own, strict=True)}
        for one, record in played_tables(night).items():
            assert own[one] >= sum(each.points for each in record)


def test_a_bye_without_a_partner_gives_no_points() -> None:
    night = round_of(sign_up.join(with_pairs(2, format=SWISS), 999, "Alone", 9), ((0, 2, 1, 3), (5, 0)), byes=(4,))
    assert (line(night, 4).points, line(night, 4).byes) == (0, 0)


def test_a_person_who_left_before_playing_is_not_in_the_standings() -> None:
    assert [each.entrants for each in standings(sign_up.leave(planned(2), 100))] == [(1,)]
    assert standings(sign_up.leave(with_pairs(1, format=SWISS), 100))[0].entrants == (1,)


@pytest.mark.parametrize("form", [ROTATION, LOUNGE], ids=str)
@settings(max_examples=examples(10))
@given(seed=st.integers(0, 10**6))
def test_points_add_up_over_rounds(form: NightFormat, seed: int) -> None:
    rng, night = Random(seed), planned(14, format=form)
    for number in range(1 if form is LOUNGE else 2):
        night, _ = next_round(night, rng, STARTS_AT + number)
        night = sign_up.leave(night, 100 + number)
    lines = standings(night)
    people = {entrant for each in lines for entrant in each.entrants}
    byes = sum(number in people for each in night.rounds for number in each.byes)
    assert sum(each.points for each in lines) == 4 * len(night.all_tables) + byes


def missed_round(night: Night, *tables: Table, no_shows: tuple[int, ...], byes: tuple[int, ...] = ()) -> Night:
    """The night after a round of these tables, to which some did not come: robots played for them."""
    night = night.start_round(Pairing(tuple(seats for seats, _ in tables), byes), STARTS_AT)
    for number, (seats, scores) in enumerate(tables, 1):
        absent = set(no_shows).intersection(one for one in seats if one is not None)
        night = night.record_result(number, TableResult(scores), STARTS_AT + 1, absent)
    return night


def test_a_robots_win_counts_for_the_present_partner_only() -> None:
    night = missed_round(with_pairs(2, format=KNOCKOUT), ((0, 2, 1, 3), (10, 4)), no_shows=(1,)).end(STARTS_AT + 2)
    assert winners(night) == (0,)
    assert places(night) == [(1, (0,)), (2, (2, 3))]
    assert turnout(night) == ({0, 2, 3}, {1})
    removed = night.with_entrant(replace(night.entrants[1], presence=Presence.OUT, partner=None, is_removed=True))
    assert (winners(removed), turnout(removed)[1]) == ((0,), {1}), "who is removed did not come, either"
    assert entry_of(night, 101) is None


@pytest.mark.parametrize("form", [KNOCKOUT, ROTATION, SWISS], ids=str)
def test_robots_win_nothing_for_a_side_that_nobody_came_for(form: NightFormat) -> None:
    night = planned(4, format=form)
    night = night.pair(0, 2).pair(1, 3) if form.has_pairs else night
    night = missed_round(night, ((0, 1, 2, 3), (10, 4)), no_shows=(0, 2)).end(STARTS_AT + 2)
    assert winners(night) == (1, 3)
    assert {number for each in standings(night) for number in each.entrants} == {1, 3}
    assert night.rounds[0].tables[0].ended_as is ResultKind.FORFEIT
    assert [one.entrants for one in honours(night)] == []


def test_nobody_wins_a_night_to_which_nobody_came() -> None:
    night = missed_round(planned(4), ((0, 1, 2, 3), (10, 4)), no_shows=(0, 1, 2, 3)).end(STARTS_AT + 2)
    assert (winners(night), standings(night), turnout(night)) == ((), (), (frozenset(), {0, 1, 2, 3}))
    drawn = round_of(planned(4), ((0, 1, 2, 3), (3, 3)))
    assert winners(drawn) == (), "nobody has won a table"
    entry = entry_of(drawn, 100)
    assert entry is not None
    assert badges([entry], [3]) == {Badge.NEWCOMER: 1}


def test_a_bye_gives_no_points_to_a_no_show() -> None:
    night = sign_up.ready(sign_up.ready(sign_up.ready(planned(5).open_check_in(), 101), 102), 103)
    night = round_of(night, ((0, 1, 2, 3), (4, 1)), byes=(4,))
    assert 4 not in {number for each in standings(night) for number in each.entrants}
    assert turnout(night) == ({0, 1, 2, 3}, {4})
    assert line(sign_up.ready(night, 104), 4).points == 1


def test_a_side_counts_as_having_come_when_the_host_enters_its_result() -> None:
    night = missed_round(planned(4), ((0, 1, 2, 3), (10, 4)), no_shows=(0, 2))
    step = HostStep(StepKind.ENTER_RESULT, round=1, table=1, scores=(10, 4))
    entered = apply_step(night, step, 4, STARTS_AT + 2)
    assert winners(entered) == (0, 2)
    assert winners(undo_step(entered, last_step(entered), STARTS_AT + 3)) == (1, 3)


def evening() -> Night:
    """Entrant 3 loses the first round high, and wins the others; a robot sits at the second table."""
    night = round_of(planned(7), ((0, 1, 2, 3), (5, 0)), ((4, 5, 6, None), (2, 1)))
    night = round_of(night, ((0, 1, 3, 2), (4, 1)), ((4, 5, None, 6), (1, 0)))
    return round_of(night, ((3, 0, 1, 4), (3, 0)), ((2, 5, 6, None), (0, 1)))


def made(night: Night, kind: HonourKind, number: int, table: int, seat: int, milliseconds: int) -> Honour:
    return feat(kind, number, night.rounds[number - 1].tables[table - 1], seat, milliseconds)


def test_honours_name_the_player_and_the_table() -> None:
    night = evening()
    feats = [
        made(night, HonourKind.BEST_BLUFF, 2, 1, 1, 30_000),
        made(night, HonourKind.BEST_BLUFF, 3, 1, 0, 20_000),
        made(night, HonourKind.QUICKEST_KEMS, 1, 2, 0, 4_000),
        made(night, HonourKind.QUICKEST_KEMS, 2, 1, 2, 4_000),
        made(night, HonourKind.QUICKEST_KEMS, 3, 1, 3, 9_000),
    ]
    assert honours(night, feats) == (
        Honour(HonourKind.BEST_TABLE, (0, 2), 5, 1, 1),
        Honour(HonourKind.BEST_BLUFF, (1,), 30_000, 2, 1, 1),
        Honour(HonourKind.QUICKEST_KEMS, (4,), 4_000, 1, 2, 1),
        Honour(HonourKind.BIGGEST_CLIMB, (3,), 4, None, None),
    )


def test_a_robot_earns_no_honours() -> None:
    assert feat(HonourKind.BEST_BLUFF, 1, evening().rounds[0].tables[1], 3, 90_000) is None


def test_a_night_without_feats_has_no_honours() -> None:
    assert honours(planned(4)) == honours(round_of(planned(4), ((0, 1, 2, 3), (2, 2)))) == ()


def test_a_knock_out_has_no_honour_for_the_biggest_climb() -> None:
    night = round_of(with_pairs(4, format=KNOCKOUT), ((0, 2, 1, 3), (5, 0)), ((4, 6, 5, 7), (2, 1)))
    night = round_of(night, ((0, 4, 1, 5), (1, 3)))
    assert [honour.kind for honour in honours(night)] == [HonourKind.BEST_TABLE]


def test_everybody_who_played_a_night_gets_an_entry() -> None:
    night = round_of(planned(5), ((0, 1, 2, 3), (5, 0)), byes=(4,))
    night = replace(night, honours=honours(night))
    won, lost = NightEntry(3, 1, 5, (HonourKind.BEST_TABLE,)), NightEntry(3, 4, 5)
    assert [entry_of(night, user_id) for user_id in (100, 101, 102, 103)] == [won, lost, won, lost]
    assert entry_of(night, 104) is entry_of(night, 999) is None


@pytest.mark.parametrize(
    ("attended", "held", "streak"),
    [
        ({1, 2, 3}, [1, 2, 3], (3, 3)),
        ({1, 2, 4}, [1, 2, 3, 4], (1, 2)),
        ({1, 2}, [1, 2, 3], (0, 2)),
        ({1, 5}, [5, 1], (2, 2)),  # nights that did not take place break nothing
        ({}, [1, 2], (0, 0)),
        ({}, [], (0, 0)),
    ],
)
def test_streaks_of_attendance_are_counted(attended: set[int], held: list[int], streak: tuple[int, int]) -> None:
    assert attendance(attended, held) == streak


def test_badges_count_wins_podiums_and_honours() -> None:
    nights = [NightEntry(number, 1 if number <= 3 else 9, 12) for number in range(1, 7)]
    nights[0] = NightEntry(1, 1, 4, (HonourKind.BEST_BLUFF, HonourKind.BEST_TABLE))
    nights[4] = NightEntry(5, 3, 8, (HonourKind.QUICKEST_KEMS, HonourKind.BIGGEST_CLIMB))
    once = dict.fromkeys(set(Badge) - {Badge.PILLAR}, 1)
    assert badges(nights, range(1, 7)) == once | {Badge.WINNER: 3, Badge.PODIUM: 3}
    assert badges([], [1, 2, 3]) == {}


def test_a_person_who_never_came_has_no_place_whatever_result_the_host_enters() -> None:
    night = planned(4, rounds=1).open_check_in()
    for user_id in (100, 101, 102):
        night = sign_up.ready(night, user_id)
    night = night.start_round(pair(night, Random(1)), STARTS_AT)
    scores = (10, 5) if night.rounds[0].tables[0].team_of(3) == 0 else (5, 10)
    night = night.record_result(1, TableResult((0, 0), ResultKind.DESERTED), STARTS_AT + MINUTE, (0, 1, 2, 3))
    night = apply_step(night, HostStep(StepKind.DROP, entrant=3), 4, STARTS_AT + 2 * MINUTE)
    night = apply_step(night, HostStep(StepKind.ENTER_RESULT, table=1, scores=scores), 4, STARTS_AT + 3 * MINUTE)
    night = night.end(STARTS_AT + 4 * MINUTE)
    assert 3 not in {entrant for each in standings(night) for entrant in each.entrants}
    assert 3 not in winners(night)
