"""Which patterns of ranked matches a moderator is shown."""

from dataclasses import replace

import pytest

from bot.ladder.watch import Pattern, WatchedPlay, watched
from tests.examples import mostly_long
from tests.ladder.simulated import LISTED, MAIN, SEEDS, honest, played


def plays(count: int, *, has_left: bool = False, first: int = 1, others: tuple[int, int] = (3, 4)) -> list[WatchedPlay]:
    """Matches that 1 and 2 win against two others, or lose to them where 2 leaves."""
    result = -1 if has_left else 1
    return [
        WatchedPlay(table, user, f"player {user}", team, result if team == 0 else -result, has_left and user == 2, new)
        for table in range(first, first + count)
        for user, team, new in ((1, 0, False), (2, 0, False), (others[0], 1, table == first), (others[1], 1, False))
    ]


def many(count: int) -> list[WatchedPlay]:
    return [play for n in range(count) for play in plays(1, first=100 + n, others=(50 + 2 * n, 51 + 2 * n))]


def crowd(matches: int, *, first: int = 900) -> list[WatchedPlay]:
    """Matches of others, four new ones at each."""
    return [play for n in range(matches) for play in _others(first + n)]


def _others(table: int) -> list[WatchedPlay]:
    users = range(4 * table, 4 * table + 4)
    return [
        WatchedPlay(table, user, "", user % 2, 1 - 2 * (user % 2), has_left=False, is_first=False) for user in users
    ]


def test_who_plays_mostly_against_few_accounts_and_who_only_loses_to_them() -> None:
    found = {(one.user_id, one.pattern): one.matches for one in watched([*plays(8), *crowd(40)])}
    matches = tuple(range(1, 9))
    assert found == {
        **{(user, pattern): matches for user in (1, 2) for pattern in (Pattern.FEW, Pattern.RING, Pattern.BEATS)},
        (3, Pattern.LOSES): matches,
    }
    assert {one.pattern for one in watched([*plays(7), *crowd(40)])} == {Pattern.LOSES}


def test_four_friends_who_are_the_server_are_no_ring() -> None:
    assert watched(plays(20)) == ()
    assert Pattern.RING not in {one.pattern for one in watched([*plays(20), *crowd(8)])}, "most matches are theirs"


def test_accounts_that_play_with_one_person_alone_are_a_ring_however_many_they_are() -> None:
    found = watched([*many(8), *crowd(8)])
    assert {(one.user_id, one.pattern, len(one.matches)) for one in found} == {
        (1, Pattern.RING, 8),
        (2, Pattern.RING, 8),
    }
    elsewhere = [play for n in range(8) for play in plays(1, first=300 + n, others=(50 + 2 * n, 51 + 2 * n))]
    apart = [WatchedPlay(p.table_id, p.user_id + 500 * (p.user_id < 3), "", p.team, 0, False, False) for p in elsewhere]
    assert watched([*many(8), *apart, *crowd(8)]) == (), "each of them plays as often without the two"


@pytest.mark.parametrize("people", [40, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("seeds", [1, pytest.param(SEEDS, marks=pytest.mark.long)])
@pytest.mark.parametrize("ring", mostly_long(LISTED, *[*LISTED][::3]))
def test_a_ring_is_listed_within_two_days(ring: str, people: int, seeds: int) -> None:
    listed = [played(people, LISTED[ring], seed, days=2).listed() for seed in range(seeds)]
    assert sum(MAIN in {user for user, _ in found} for found in listed) >= 0.95 * seeds
    assert {user for found in listed for user, _ in found if 1 < user < MAIN} == set(), "nobody else is accused"


@pytest.mark.parametrize("days", [3, 30])
@pytest.mark.parametrize(
    ("people", "seeds"),
    [(6, 3), (40, 1), pytest.param(6, 40, marks=pytest.mark.long), pytest.param(40, 40, marks=pytest.mark.long)],
)
def test_honest_servers_show_no_pattern(people: int, seeds: int, days: int) -> None:
    for seed in range(seeds):
        assert played(people, honest, seed, days=days - 30).listed() == set()


def test_whose_losses_are_left_by_partners() -> None:
    (found,) = watched(plays(3, has_left=True))
    assert (found.user_id, found.name, found.pattern, found.matches) == (1, "player 1", Pattern.LEFT, (1, 2, 3))
    assert watched(plays(2, has_left=True)) == ()
    by_opponents = [replace(play, has_left=play.user_id == 3) for play in plays(3, has_left=True)]
    assert watched(by_opponents) == (), "an opponent who leaves is no partner"


def test_nobody_beats_those_with_whom_they_are_level() -> None:
    level = [replace(play, outcome=0, is_first=False) for play in plays(8)]
    assert watched([*level, *crowd(40)]) == ()
