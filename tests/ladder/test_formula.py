"""The rating formula: what moves a rating, by how much, and what does not."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.base.times import DAY_MS
from bot.ladder.formula import (
    FORMULA,
    Background,
    RankedMatch,
    Rating,
    RunningRatings,
    Side,
    after_idleness,
    displayed_rating,
    formula_with,
    fresh_until,
    is_provisional,
    rate,
    tied_accounts,
    weight,
)

NOW = 1_800_000_000_000
NEW = Rating(FORMULA.mu, FORMULA.sigma, 1, NOW)


def match(*sides: Side, at: int = NOW) -> RankedMatch:
    return RankedMatch(1, at, sides)


TWO = match(Side(0, (1, 2)), Side(1, (3, 4)))


def against(repeats: int) -> Background:
    """Each player has met five opponents so often."""
    met = {user: dict.fromkeys(range(1, 6), repeats) for user in range(1, 13)}
    return Background(met)


UNEVEN = st.integers(0, 350).map(lambda sevenths: sevenths / 7)
"""Floats whose sums depend on their order."""


@st.composite
def matches(draw: st.DrawFn) -> tuple[RankedMatch, dict[int, Rating]]:
    size, teams = draw(st.sampled_from([(1, 3), (2, 2), (2, 3), (3, 2), (3, 4)]))
    users = draw(st.permutations(range(1, size * teams + 1)))
    sides = []
    for team in range(teams):
        people = users[team * size : (team + 1) * size]
        quitters = frozenset(draw(st.sets(st.sampled_from(people), max_size=1)))
        sides.append(Side(draw(st.integers(0, teams - 1)), tuple(people), quitters))
    known = draw(st.sets(st.sampled_from(users)))
    before = {
        user: Rating(draw(UNEVEN), 0.5 + draw(UNEVEN) / 6, 1, NOW - draw(st.integers(0, 200)) * DAY_MS)
        for user in sorted(known)
    }
    return match(*sides), before


@given(matches(), st.integers(0, 4), st.randoms(use_true_random=False))
def test_the_order_of_teams_and_players_does_not_matter(
    given_match: tuple[RankedMatch, dict[int, Rating]], repeats: int, dice: Random
) -> None:
    one, before = given_match
    background = against(repeats)
    sides = [replace(side, users=tuple(dice.sample(side.users, len(side.users)))) for side in one.sides]
    dice.shuffle(sides)
    turned = replace(one, sides=tuple(sides))
    assert rate(turned, dict(reversed(before.items())), background) == rate(one, before, background)


@given(matches())
def test_winners_rise_and_losers_fall(given_match: tuple[RankedMatch, dict[int, Rating]]) -> None:
    one, before = given_match
    sides = tuple(replace(side, place=place, quitters=frozenset()) for place, side in enumerate(one.sides))
    after = rate(replace(one, sides=sides), before)
    assert set(after) == one.people
    for user in sides[0].users:
        assert after[user].mu > before.get(user, NEW).mu
    for user in sides[-1].users:
        assert after[user].mu < before.get(user, NEW).mu


def test_new_players_ratings_move_as_the_model_predicts() -> None:
    after = rate(TWO, {})
    assert [round(after[user].mu, 3) for user in (1, 2, 3, 4)] == [26.964, 26.964, 23.036, 23.036]
    assert {round(rating.sigma, 3) for rating in after.values()} == {8.178}
    assert (displayed_rating(NEW), displayed_rating(after[1]), displayed_rating(after[3])) == (1000, 1097, 940)


def test_a_draw_changes_ratings_only_between_unequal_players() -> None:
    level = match(Side(0, (1, 2)), Side(0, (3, 4)))
    assert {rating.mu for rating in rate(level, {}).values()} == {25.0}
    strong = {user: replace(NEW, mu=32.0, sigma=3.0) for user in (1, 2)}
    after = rate(level, strong)
    assert after[1].mu < 32
    assert after[3].mu > 25


def test_beating_stronger_players_gains_more() -> None:
    strong = {user: replace(NEW, mu=32.0) for user in (3, 4)}
    weak = {user: replace(NEW, mu=18.0) for user in (3, 4)}
    assert rate(TWO, strong)[1].mu > rate(TWO, {})[1].mu > rate(TWO, weak)[1].mu


FOUR: Final = frozenset({4})


@pytest.mark.parametrize(
    ("early", "before", "is_spared"),
    [
        (FOUR, [], True),
        (frozenset[int](), [], False),
        (FOUR, [{5}, set(), set()], True),
        (FOUR, [{4}], False),
        (FOUR, [{5}, {6}], False),
    ],
    ids=["early", "late", "another before", "the same before", "two others before"],
)
def test_the_partner_of_an_early_leaver_is_spared_a_few_times(
    early: frozenset[int], before: list[set[int]], is_spared: bool
) -> None:
    after = rate(match(Side(0, (1, 2)), Side(1, (3, 4), FOUR, early)), {}, Background(deserted={3: before}))
    assert (after[3].mu == 25) is is_spared
    assert after[4].mu < 25


def test_a_partner_who_leaves_each_lost_match_spares_nobody_for_long() -> None:
    """The fault: with half of the matches won, a rating of 3,500 after 150."""
    running, dice = RunningRatings(), Random(1)
    for number in range(150):
        is_lost = dice.random() < 0.5
        mine = Side(int(is_lost), (1, 2), *[frozenset({2})] * 2 if is_lost else [])
        opponents = tuple(dice.sample(range(10, 50), 2))
        running.rate(match(mine, Side(int(not is_lost), opponents), at=NOW + number * DAY_MS // 5))
    assert displayed_rating(running.ratings[1]) < 2000


def test_a_players_earlier_desertions_are_restored_with_their_rating() -> None:
    """Two partners left early, one of them in a match that is remembered, too: with the third nobody is spared."""
    early = [match(Side(1, (1, 7 + n), *[frozenset({7 + n})] * 2), Side(0, (3, 4))) for n in range(3)]
    old, late, now = (replace(one, at=NOW + days * DAY_MS) for one, days in zip(early, (0, 40, 41), strict=True))
    whole = RunningRatings()
    whole.rate(old)
    after_late = whole.rate(late)
    told = RunningRatings()
    told.remember(late, after_late)
    told.remember_player(1, whole.ratings[1], [(old.at, (7,)), (late.at, (8,))])
    assert told.rate(now)[1] == whole.rate(now)[1]
    assert told.ratings[1].mu < after_late[1].mu


def test_a_desertion_that_is_known_already_is_not_restored_again() -> None:
    one, running = match(Side(1, (1, 2), *[frozenset({2})] * 2), Side(0, (3, 4))), RunningRatings()
    running.remember_player(1, running.rate(one)[1], [(one.at, (2,))])
    assert running._background(TWO).deserted[1] == [(2,)]


def test_desertions_of_the_last_nineteen_matches_are_remembered_however_old() -> None:
    running = RunningRatings()
    for days in range(100, 80, -1):
        running.rate(match(Side(1, (1, 2), *[frozenset({2})] * 2), Side(0, (3, 4)), at=NOW - days * DAY_MS))
    for _ in range(2):
        assert running._background(TWO).deserted[1] == [(2,)] * 19


def test_a_quitter_loses_and_the_partner_is_spared() -> None:
    known = {user: replace(NEW, sigma=4.0, matches=5) for user in (1, 2, 3, 4)}
    lost = match(Side(0, (1, 2)), Side(1, (3, 4), FOUR, FOUR))
    after = rate(lost, known)
    assert after[4].mu < 25
    assert (after[3].mu, after[3].sigma, after[3].matches) == (25, 4, 6)
    assert after[1].mu > 25
    won = rate(match(Side(0, (1, 2), frozenset({1})), Side(1, (3, 4))), known)
    assert won[1].mu < 25 < won[2].mu
    assert won[3].mu < 25
    assert won[1].mu == pytest.approx(rate(match(Side(1, (1, 2)), Side(0, (3, 4))), known)[1].mu)


def test_opponents_weigh_less_when_they_meet_again_and_again() -> None:
    assert [weight(count) for count in range(3)] == [1, 0.8, pytest.approx(0.64)]
    assert weight(50) == FORMULA.least_weight
    full, less = rate(TWO, {}), rate(TWO, {}, against(3))
    assert less[1].mu - 25 == pytest.approx((full[1].mu - 25) * 0.8**3)
    assert full[1].sigma < less[1].sigma < FORMULA.sigma


def test_each_opponent_weighs_by_the_matches_against_them_in_a_week() -> None:
    """The fault: one other account at the table made the match weigh in full again."""
    running, first = RunningRatings(), match(Side(0, (1, 2)), Side(1, (3, 5)))
    for one, weights in (
        (first, (1.0, 1.0)),
        (replace(TWO, at=NOW + DAY_MS), (0.8, 1.0)),
        (match(Side(0, (1, 9)), Side(1, (3, 4)), at=NOW + 2 * DAY_MS), (0.64, 0.8)),
        (match(Side(0, (1, 9)), Side(1, (3, 4)), at=NOW + 8 * DAY_MS), (0.8, 0.8)),
    ):
        before = dict(running.ratings)
        start, full = before.get(1, NEW).mu, rate(one, before)[1].mu
        assert running.rate(one)[1].mu - start == pytest.approx((full - start) * sum(weights) / 2)


@pytest.mark.parametrize(
    ("age", "met", "median"),
    [
        (30 * DAY_MS, {}, 0),
        (30 * DAY_MS - 1, {3: 0, 4: 0}, 2),
        (7 * DAY_MS, {3: 0, 4: 0}, 2),
        (7 * DAY_MS - 1, {3: 1, 4: 1}, 2),
    ],
)
def test_opponents_are_known_for_thirty_days_and_weigh_less_for_seven(
    age: int, met: dict[int, int], median: int
) -> None:
    ratings = RunningRatings()
    ratings.rate(replace(TWO, at=NOW - age))
    background = ratings._background(TWO)
    assert (background.opponents_met[1], background.median_opponents) == (met, median)
    assert (background.median_displayed_rating > 0) is (median > 0)


def test_an_account_that_hardly_plays_without_a_player_does_not_count_as_their_opponent() -> None:
    background = Background(tied={1: {3, 4}, 2: {3}, 3: {1}})
    free, after = rate(TWO, {}), rate(TWO, {}, background)
    assert (after[1].mu, after[1].sigma) == (NEW.mu, NEW.sigma), "none is left"
    assert after[2].mu - NEW.mu == pytest.approx((free[2].mu - NEW.mu) / 2)
    assert after[3].mu - NEW.mu == pytest.approx((free[3].mu - NEW.mu) / 2), "a loss counts as little"
    assert after[4] == free[4]


@pytest.mark.parametrize(
    ("with_one", "in_all", "matches", "tied"),
    [
        (3, 4, 10, True),  # with this match 4 of 5
        (2, 4, 10, False),
        (0, 0, 10, True),  # the first match of the account
        (3, 4, 5, False),  # 4 of 6 matches of the server were the player's
        (3, 4, 6, False),
        (0, 0, 0, False),  # the first match of the server
    ],
)
def test_an_account_is_tied_to_a_player_by_four_fifths_of_its_matches_if_others_play_too(
    with_one: int, in_all: int, matches: int, *, tied: bool
) -> None:
    together = {1: {1: 4}, 2: {1: with_one, 2: in_all}}
    assert tied_accounts((1, 2), together, matches)[1] == (frozenset({2}) if tied else frozenset())


def test_accounts_are_tied_only_if_a_server_plays_three_tenths_without_the_player() -> None:
    assert tied_accounts((1, 2), {1: {1: 6}, 2: {1: 6, 2: 6}}, 9)[1] == frozenset({2})


def test_an_account_that_never_played_with_a_player_is_tied_only_by_a_first_match() -> None:
    assert tied_accounts((1, 2), {2: {2: 1}}, 10) == {1: frozenset(), 2: frozenset({1})}
    assert tied_accounts((1, 2), {}, 1) == {1: frozenset({2}), 2: frozenset({1})}


def test_new_ratings_equal_those_of_openskill() -> None:
    """Source: https://openskill.me, the defaults of its models."""
    assert (FORMULA.mu, FORMULA.sigma, FORMULA.beta, FORMULA.tau) == pytest.approx(
        (25, 8.3333, 4.1667, 0.08333), rel=1e-4
    )


@pytest.mark.parametrize(("players", "median"), [(4, 1), (5, 2), (7, 3)])
def test_the_lower_one_of_two_in_the_middle_is_the_median(players: int, median: int) -> None:
    running = RunningRatings()
    each = {user: replace(NEW, mu=25.0 + user, opponents=10 * user) for user in range(players)}
    running.remember(match(*(Side(user, (user,)) for user in each)), each)
    background = running._background(TWO)
    assert background.median_displayed_rating == displayed_rating(each[median])
    assert background.median_opponents == 10 * median


def test_above_the_median_few_opponents_limit_the_daily_gain() -> None:
    known = replace(NEW, mu=30.0, sigma=4.0, matches=50, opponents=4, day_start_rating=1500)
    before = dict.fromkeys((1, 2, 3, 4), known)
    few, many = (
        replace(against(0), median_opponents=11, median_displayed_rating=1730),
        replace(against(0), median_opponents=10),
    )
    free = rate(TWO, before, many)
    assert free[1].mu > 30
    assert (free[1].opponents, free[3].mu) == (5, rate(TWO, before, few)[3].mu), "a loss is never capped"
    assert displayed_rating(rate(TWO, before, few)[1]) == 1733
    assert rate(TWO, before, replace(few, median_displayed_rating=1900)) == free, "up to the median"
    high = {user: replace(known, day_start_rating=1800) for user in (1, 2, 3, 4)}
    assert rate(TWO, high, few)[1].mu == free[1].mu, "up to what was shown in the morning"
    tomorrow = replace(TWO, at=NOW + DAY_MS)
    assert rate(tomorrow, high, few)[1].day_start_rating == displayed_rating(known)


def test_uncertainty_grows_with_time_and_with_a_new_season() -> None:
    known = replace(NEW, sigma=2.0)
    rest, week = FORMULA.rest_days * DAY_MS, 7 * DAY_MS
    assert after_idleness(known, 1, NOW + rest + week - 1) == known
    idle = after_idleness(known, 1, NOW + rest + week)
    assert (idle.mu, idle.sigma) == (25, pytest.approx((4 + 0.25) ** 0.5))
    assert displayed_rating(idle) < displayed_rating(known)
    later = after_idleness(known, 3, NOW)
    assert (later.mu, later.sigma) == (25, pytest.approx((4 + 1) ** 0.5))
    assert after_idleness(replace(known, mu=40.0), 3, NOW).mu == pytest.approx(35), "a third of the way to a newcomer's"
    assert after_idleness(known, 2, NOW) == later
    assert after_idleness(known, 90, NOW + 999 * week).sigma == FORMULA.sigma
    assert after_idleness(known, 0, NOW - week) == known


@given(st.integers(0, 400 * DAY_MS))
def test_a_shown_rating_is_fresh_until_the_next_step(idle: int) -> None:
    known = replace(NEW, sigma=2.0)
    at = NOW + idle
    until = fresh_until(known, at)
    assert until > at
    assert after_idleness(known, 1, until - 1) == after_idleness(known, 1, at)
    assert after_idleness(known, 1, until).sigma > after_idleness(known, 1, at).sigma


def test_a_rating_is_provisional_until_enough_is_known() -> None:
    assert is_provisional(NEW)
    assert is_provisional(replace(NEW, matches=10, partners=frozenset({1, 2})))
    assert is_provisional(replace(NEW, matches=9, partners=frozenset({1, 2, 3})))
    assert not is_provisional(replace(NEW, matches=10, partners=frozenset({1, 2, 3})))


def test_a_place_on_the_board_needs_no_more_than_eight_matches() -> None:
    few, many = formula_with(3, 1), formula_with(50, 2)
    assert (few.sure_matches, few.sure_partners, few.season_matches) == (3, 1, 3)
    assert (many.sure_matches, many.sure_partners, many.season_matches) == (50, 2, 8)
    assert formula_with(FORMULA.sure_matches, FORMULA.sure_partners) == FORMULA


def test_each_partner_is_counted_once_and_only_as_far_as_needed() -> None:
    lineups = ((1, 9, 2), (1, 2, 3), (1, 8, 7))
    running = RunningRatings()
    for n, users in enumerate(lineups):
        running.rate(match(Side(0, users), Side(1, (4, 5, 6)), at=NOW + n))
    assert running.ratings[1].partners == {2, 9, 3}
    assert running.ratings[1].matches == 3


@given(matches())
def test_user_ids_do_not_change_ratings(given_match: tuple[RankedMatch, dict[int, Rating]]) -> None:
    """So that ratings stay exactly the same when a person becomes an unknown one."""
    one, before = given_match
    names = {user: -(user * 7919 % 31) for user in one.people}

    def renamed(users: Iterable[int]) -> tuple[int, ...]:
        return tuple(names[user] for user in users)

    sides = tuple(Side(s.place, renamed(s.users), frozenset(renamed(s.quitters))) for s in one.sides)
    after = rate(replace(one, sides=sides), {names[user]: rating for user, rating in before.items()})
    for user, rating in rate(one, before).items():
        unknown = after[names[user]]
        assert replace(unknown, partners=frozenset()) == replace(rating, partners=frozenset())
        assert unknown.partners == set(renamed(rating.partners))


def test_no_rating_is_shown_below_zero() -> None:
    assert displayed_rating(replace(NEW, mu=-40.0)) == 0


def test_only_the_leaver_of_a_broken_off_match_is_rated_as_losing_to_equals() -> None:
    alone = replace(match(Side(0, (1,), frozenset({1}))), is_broken_off=True)
    for before in (NEW, Rating(40.0, 2.0, 1, NOW)):
        twin = match(Side(0, (2,)), Side(1, (1,)))
        after = rate(alone, {1: before})
        assert after == {1: replace(rate(twin, {1: before, 2: before})[1], opponents=0)}
        assert after[1].mu < before.mu
        assert after[1].matches == 1


def test_repeated_leaving_counts_fully_and_lowers_no_other_weight() -> None:
    left = replace(match(Side(1, (1, 2), frozenset({1, 2})), Side(0, (3, 4), frozenset({3, 4}))), is_broken_off=True)
    assert rate(left, {}, against(5)) == rate(left, {})
    running = RunningRatings()
    first, second, whole = (running.rate(each) for each in (left, left, TWO))
    assert second == rate(left, first)
    assert whole == rate(TWO, second)


def test_a_match_of_half_the_weight_moves_a_rating_half_as_far() -> None:
    whole, short = rate(TWO, {}), rate(replace(TWO, weight=0.5), {})
    assert {short[user].mu - NEW.mu for user in short} == {(whole[user].mu - NEW.mu) / 2 for user in whole}
    assert all(whole[user].sigma < short[user].sigma < NEW.sigma for user in short)
