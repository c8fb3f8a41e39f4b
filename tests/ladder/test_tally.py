"""What each seat did and what stood out, read from the log of a round played by the core; places and streaks."""

from dataclasses import replace
from typing import Any

import pytest

from bot.game.events import CallKind, CallMargin, CardsDealt, MatchPaused, MatchResumed, MatchStarted, SignSettled
from bot.game.rules import house_rules
from bot.game.rules.presets import PRESETS
from bot.ladder.columns import COLUMNS, SeatTally
from bot.ladder.outcomes import is_early, leader, outcome, places, rounds_of, streaks
from bot.ladder.tally import BARE_WINS, PARTNERS, QUICK_MS, Feat, Highlights, _merit, highlights, tally
from tests.game.matches import play_at_random
from tests.rules.table import Table
from tests.together import together

KINGS, ACES, NOTHING = "KS KH KD KC", "AS AH AD AC", "7S 8S 9S TS"
NONE = SeatTally()


def played(*moves: str | int, **options: Any) -> Table:
    """A table after these moves; between them so many seconds pass."""
    table = Table(**options)
    for move in moves:
        if isinstance(move, int):
            table.wait(move)
        else:
            table.do(move)
    return table


def told(table: Table) -> tuple[SeatTally, ...]:
    return tally((*table.opening, *table.log))


def stood_out(table: Table) -> Highlights:
    return highlights((*table.opening, *table.log))


CALLED, DOUBLED = SeatTally(kems=1, kems_ms=12_000), SeatTally(kems=1, doubles=1, kems_ms=2_000)
WRONG, CAUGHT, BAIT = SeatTally(false_calls=1), SeatTally(caught=1), SeatTally(bluffs=1, baits=1)
COUNTER, FALSE_COUNTER = SeatTally(counters=1), SeatTally(false_counters=1)
SWEPT: Any = {"hands": {"A": KINGS}, "pool": "7H 8H 9H TH", "stock": "7D 8D 9D TD"}
FAILS: Any = {"hands": {"A": NOTHING, "C": "9H TH JH QH"}, "pool": "7H 8H 9D TD"}
TALLIES: dict[str, Any] = {
    "a kems, and a sweep that opens no new hunt": (
        SWEPT, (7, "B sweep", "A yes", "C yes", "D yes", 5, "C kems"), (CALLED, NONE, CALLED, NONE)
    ),
    "a double": ({"hands": {"B": KINGS, "D": ACES}}, (2, "D double"), (NONE, DOUBLED, NONE, DOUBLED)),
    "a false kems": ({"hands": {"A": NOTHING}}, ("A kems",), (WRONG, NONE, NONE, NONE)),
    "a false double": ({"hands": {"A": NOTHING}}, ("A double",), (WRONG, NONE, NONE, NONE)),
    "a counter": ({"hands": {"A": KINGS}}, ("B counter A",), (CAUGHT, COUNTER, NONE, NONE)),
    "a team counter": (
        {"preset": "expert", "hands": {"A": KINGS, "C": ACES}}, ("D counter2 #1",), (CAUGHT, NONE, CAUGHT, COUNTER)
    ),
    "a counter without effect": ({"hands": {"A": KINGS, "C": ACES}}, ("B counter A",), (NONE,) * 4),
    "the sign is no bluff": (
        {"hands": {"A": NOTHING}}, ("A react 👀", "B counter A"), (NONE, FALSE_COUNTER, NONE, NONE)
    ),
    "a false counter that ends the round": (
        {"preset": "yokai", **FAILS}, ("A react 🎈", "B counter A"), (BAIT, FALSE_COUNTER, NONE, NONE)
    ),
    "a false team counter that ends the round": (
        {"preset": "expert", **FAILS}, ("A react 🎈", "B counter #1"), (BAIT, FALSE_COUNTER, NONE, NONE)
    ),
    "a guess": ({}, ("A guess #2 🍀",), (NONE,) * 4),
}  # fmt: skip


@together(("options", "moves", "expected"), TALLIES.values())
def test_the_deeds_of_each_seat_are_counted(
    options: Any, moves: tuple[Any, ...], expected: tuple[SeatTally, ...]
) -> None:
    assert told(played(*moves, **options)) == expected


@pytest.mark.parametrize(
    ("moves", "options", "kems_of"),
    [
        (("D kems",), {"players": 9, "deck": 52, "team_size": 3}, [1, 0, 0, 1, 0, 0, 0, 0, 0]),
        (("C kems", 4), {"preset": "linternaute"}, [1, 0, 1, 0]),
    ],
    ids=["the idle partner of three has no part", "of two voices the first caller has the part"],
)
def test_the_holder_and_the_caller_are_both_credited_with_a_kems(
    moves: tuple[Any, ...], options: Any, kems_of: list[int]
) -> None:
    table = played(*moves, hands={"A": KINGS}, **options)
    assert (table.outcome, [seat.kems for seat in told(table)]) == ("kems", kems_of)


@pytest.mark.parametrize("waited", [30_000, 30_001])
def test_a_false_counter_soon_after_a_bluff_counts_as_provoked(waited: int) -> None:
    table = played(2, "A react 🎲", "A react 🎈", "C react 🎈", hands={"A": NOTHING})
    table.now += waited
    table.do("B counter A")
    baited = SeatTally(bluffs=2, baits=int(waited == 30_000))
    assert told(table) == (baited, SeatTally(false_counters=1), SeatTally(bluffs=1), NONE)


@pytest.mark.parametrize("preset", ["classic", "linternaute"])
@pytest.mark.parametrize("taken", [QUICK_MS - 1, QUICK_MS])
def test_a_kems_is_quick_after_the_partners_sign_not_after_ones_own(preset: str, taken: int) -> None:
    """What the partner does while a second voice may come is too late."""
    table = played("C react 👀", 9, "A react 👀", preset=preset, hands={"A": KINGS})
    table.now += taken
    table.do("C kems")
    table.now += 1
    table.do("A react 👀")
    table.wait(4)
    assert (table.outcome, [seat.quick for seat in told(table)]) == ("kems", [0, 0, int(taken < QUICK_MS), 0])
    assert not any(seat.quick for seat in told(played("C react 👀", "C kems", hands={"A": KINGS})))


@pytest.mark.parametrize(
    ("earlier", "shown", "is_read"),
    [("", "A react 👀", 1), ("", "A react 🎈", 0), ("A react 👀", "A react 👀", 0), ("B react 👀", "C react 👀", 1)],
    ids=["new", "no sign", "shown in the round before", "nobody's sign before"],
)
def test_a_counter_reads_a_sign_that_is_new_in_the_match(earlier: str, shown: str, is_read: int) -> None:
    before, table = Table(hands={"A": NOTHING}), played(shown, "B counter A", hands={"A": KINGS})
    before.do(*filter(None, [earlier]), "A kems")
    dealt = [event for event in table.opening if not isinstance(event, (MatchStarted, SignSettled))]
    again = [replace(event, round=2) if isinstance(event, CardsDealt) else event for event in dealt]
    counted = tally((*before.opening, *before.log, *again, *table.log))[1]
    assert (counted.counters, counted.read) == (1, is_read)


def test_a_sign_that_follows_a_bluff_is_read_by_a_counter() -> None:
    counted = told(played("A react 🍩", "A react 👀", "B counter A", hands={"A": KINGS}))
    assert (counted[0].bluffs, counted[1].counters, counted[1].read) == (1, 1, 1)


def test_badges_for_ten_need_ten() -> None:
    assert (PARTNERS, BARE_WINS) == (10, 10), "their words say so"


def test_a_mean_has_a_separate_name_in_files() -> None:
    names = {column.key: column.name for column in COLUMNS}
    assert (names["kems"], names["kems_ms"]) == ("kems", "seconds_to_kems")


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_matches_of_every_preset_are_tallied(preset: str) -> None:
    rules = house_rules.preset(preset)
    for seed in range(3):
        log = play_at_random(rules, 4, seed, moves=600)
        seats = tally(log)
        assert len(seats) == 4
        ends = [type(event).__name__ for event in log].count("RoundEnded")
        assert sum(seat.counters for seat in seats) <= ends
        assert all(seat.doubles <= seat.kems <= ends and seat.baits <= seat.bluffs * ends for seat in seats)
        assert all(seat.quick <= seat.kems and seat.read <= seat.counters for seat in seats)


def test_a_match_without_feats_has_no_feats() -> None:
    assert stood_out(played("A kems")) == Highlights()


@pytest.mark.parametrize(
    ("hands", "moves", "best", "quickest"),
    [
        ({"A": KINGS}, (9, "C kems"), (0, 2), Feat(2, 9_000)),
        ({"A": KINGS}, (15, "C kems"), (0, 2), Feat(2, 15_000)),
        ({"A": KINGS}, (16, "C kems"), (0, 2), None),
        ({"A": KINGS, "B": ACES}, ("C counter B",), (2,), None),
        ({"A": KINGS, "B": ACES}, ("C counter B", "- next"), (2,), None),
        ({"A": KINGS}, ("C react 🍩", "B counter C", "C kems"), (2,), Feat(2, 0)),
        ({"A": KINGS}, ("C counter B", "C kems"), (0,), Feat(2, 0)),
        ({"B": KINGS, "D": ACES}, (2, "D double"), (1, 3), Feat(3, 2_000)),
    ],
    ids=[
        "both",
        "just in time",
        "slow",
        "a counter",
        "a counter, and a round begun",
        "a bluff that provoked",
        "no mistake",
        "a double",
    ],
)
def test_the_best_and_the_quickest_deeds_are_kept(
    hands: dict[str, str], moves: tuple[Any, ...], best: tuple[int, ...], quickest: Feat | None
) -> None:
    found = stood_out(played(*moves, hands=hands))
    assert (found.best, found.quickest) == (best, quickest)


def test_the_first_of_equal_feats_is_shown() -> None:
    table = played(1, "C react 🍩", 1, "C react 🎈", 1, "C kems", hands={"A": KINGS})
    *before, end = table.log
    log = [*before, CallMargin(end.at, 2, 1, CallKind.COUNTER, 40), end]
    dealt = [event for event in table.opening if not isinstance(event, (MatchStarted, SignSettled))]
    again = [replace(event, round=2) if isinstance(event, CardsDealt) else event for event in dealt]
    found = highlights((*table.opening, *log, *again, *log))
    assert (found.bluff, found.quickest) == (Feat(2, 1_000, 2), Feat(2, 3_000))
    assert found.closest == Feat(2, 40)


def test_each_round_is_shown_as_it_ended_with_every_gesture_explained() -> None:
    table = played("C react 🍩", "A react 👀", 1, "C kems", hands={"A": KINGS}, signs_told="match")
    (ended,) = rounds_of((*table.opening, *table.log))
    assert [(made.seat, made.is_sign) for made in ended.gestures] == [(2, False), (0, True)]
    assert ended.result is not None
    assert (ended.result.outcome, ended.scores) == ("kems", (1, 0))
    assert rounds_of(table.opening) == ()


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (SeatTally(kems=2), SeatTally(kems=1, baits=9)),
        (SeatTally(kems=1, doubles=1), SeatTally(kems=1, baits=9)),
        (SeatTally(counters=2), SeatTally(kems=1, bluffs=9)),
        (SeatTally(kems=2, counters=1), SeatTally(kems=3, false_calls=1)),
        (SeatTally(kems=2, counters=1), SeatTally(kems=3, false_counters=1)),
        (SeatTally(kems=1, baits=1, caught=5), SeatTally(kems=1, bluffs=9)),
        (SeatTally(kems=1, caught=1), SeatTally(kems=1, caught=2, bluffs=9)),
        (SeatTally(kems=1, bluffs=1), SeatTally(kems=1, kems_ms=1)),
    ],
    ids=["more kems", "a double", "more counters", "no false call", "no false counter", "provoked more",
         "caught less", "bluffed more"],
)  # fmt: skip
def test_ties_are_broken_by_provoked_counters_then_being_caught_then_bluffs(
    better: SeatTally, worse: SeatTally
) -> None:
    assert _merit(better) > _merit(worse)


@pytest.mark.parametrize(
    ("handovers", "is_caller", "is_bluffer"),
    [((), True, True), ((12_000,), False, True), ((11_000, 13_000), False, True), ((0, 12_000), True, False)],
    ids=["always there", "gone", "gone and back", "late"],
)
def test_deeds_of_a_substitute_do_not_count_for_the_player(
    handovers: tuple[int, ...], is_caller: bool, is_bluffer: bool
) -> None:
    table = played("C react 🍩", 3, "C react 🎈", 9, "C kems", hands={"A": KINGS})
    log, by_seat = (*table.opening, *table.log), ((), (), handovers, ())
    counted, found = tally(log, by_seat)[2], highlights(log, by_seat)
    assert (bool(counted.kems), bool(counted.bluffs)) == (is_caller, is_bluffer)
    assert (found.quickest is not None, found.bluff is not None) == (is_caller, is_bluffer)
    assert is_caller or found.best == (0,)


def test_the_time_to_a_kems_runs_from_the_opening_of_its_hunt() -> None:
    table = played("C kems", hands={"A": KINGS})
    log = [replace(event, at=event.at + 7_000) for event in (*table.opening, *table.log)]
    log[-1] = replace(log[-1], at=log[-1].at + 2_000)
    assert tally(log)[0].kems_ms == 2_000


def test_pauses_do_not_count_into_durations() -> None:
    table = played("C kems", hands={"A": KINGS})
    *before, end = table.log
    log = (*table.opening, *before, MatchPaused(1_000), MatchResumed(7_000), replace(end, at=9_000))
    assert tally(log)[0].kems_ms == 3_000
    assert highlights(log).quickest == Feat(2, 3_000)


def test_the_longest_bluff_runs_from_the_first_to_the_last_gesture_without_a_sign_between() -> None:
    donut, balloon, sign, dice = "A react 🍩", "A react 🎈", "A react 👀", "B react 🎲"
    table = played(5, donut, 4, balloon, 20, sign, 1, dice, 3, dice, donut, "C kems", hands={"A": KINGS})
    assert stood_out(table).bluff == Feat(0, 4_000, 2)
    table.wait(60)
    table.do(dice)
    assert stood_out(table).bluff == Feat(0, 4_000, 2), "between rounds nobody bluffs"


@pytest.mark.parametrize(
    ("winner", "games", "scores", "expected"),
    [
        (0, (0, 0), (10, 4), (0, 1)),
        (1, (0, 0), (9, 10), (1, 0)),
        (None, (0, 0), (6, 6), (0, 0)),
        (0, (2, 1), (3, 9), (0, 1)),
        (2, (0, 0, 0), (5, 8, 10), (2, 1, 0)),
        (2, (0, 0, 0), (8, 8, 10), (1, 1, 0)),
        (None, (0, 0, 0), (8, 8, 3), (0, 0, 2)),
        (0, (2, 1, 0), (1, 2, 9), (0, 1, 2)),
    ],
)
def test_teams_get_their_places(
    winner: int | None, games: tuple[int, ...], scores: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert places(winner, games, scores) == expected


@pytest.mark.parametrize(
    ("placed", "left", "expected"),
    [
        ((0, 1), False, (1, -1)),
        ((0, 0), False, (0, 0)),
        ((0, 1), True, (-1, -1)),
        ((0, 0), True, (-1, -1)),
    ],
)
def test_every_outcome_is_counted(placed: tuple[int, ...], left: bool, expected: tuple[int, ...]) -> None:
    assert tuple(outcome(placed, team, has_left=left) for team in (0, 1)) == expected


@pytest.mark.parametrize(
    ("games", "scores", "expected"),
    [
        ((0, 0), (9, 2), 0),
        ((0, 1), (9, 2), 1),
        ((0, 0), (3, 3), None),
        ((0, 0, 0), (1, 4, 4), None),
        ((0, 0, 0), (4, 4, 1), None),
        ((0, 0, 0), (4, 1, 1), 0),
    ],
)
def test_the_leading_team_is_known(games: tuple[int, ...], scores: tuple[int, ...], expected: int | None) -> None:
    assert leader(games, scores) == expected


@pytest.mark.parametrize(
    ("options", "number", "scores", "expected"),
    [
        ({}, 9, (8, 4), True),
        ({}, 9, (8, 5), False),
        ({"best_of": 3}, 9, (0, 4), True),
        ({"target": 5}, 9, (0, 3), False),
        ({"ends_at": "rounds", "rounds": 8}, 4, (0, 9), True),
        ({"ends_at": "rounds", "rounds": 8}, 5, (9, 0), False),
    ],
)
def test_leaving_before_an_opponent_is_halfway_counts_as_early(
    options: Any, number: int, scores: tuple[int, int], expected: bool
) -> None:
    assert is_early(replace(Table(**options).state, round=number, scores=scores), 0) is expected


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([], (0, 0)),
        ([1], (1, 1)),
        ([1, 1, -1, 1], (1, 2)),
        ([1, 1, -1, -1, -1], (-3, 2)),
        ([1, 1, 0], (0, 2)),
        ([1, 0, 1, 1, 1], (3, 3)),
        ([-1, -1], (-2, 0)),
    ],
)
def test_streaks_are_counted(outcomes: list[int], expected: tuple[int, int]) -> None:
    assert streaks(outcomes) == expected
