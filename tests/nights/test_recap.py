"""What stood out in a night, streaks of attendance, badges."""

from dataclasses import replace

import pytest

from bot.nights.formats import KNOCKOUT
from bot.nights.night import Night
from bot.nights.recap import (
    Badge,
    Honour,
    HonourKind,
    NightEntry,
    attendance,
    badges,
    entry_of,
    feat,
    honours,
)
from tests.nights.evenings import planned, with_pairs
from tests.nights.test_standings import round_of


def evening() -> Night:
    """Entrant 3 loses the first round high, and wins the others; a robot sits at the second table."""
    night = round_of(planned(7), ((0, 1, 2, 3), (5, 0)), ((4, 5, 6, None), (2, 1)))
    night = round_of(night, ((0, 1, 3, 2), (4, 1)), ((4, 5, None, 6), (1, 0)))
    return round_of(night, ((3, 0, 1, 4), (3, 0)), ((2, 5, 6, None), (0, 1)))


def made(night: Night, kind: HonourKind, number: int, table: int, seat: int, milliseconds: int) -> Honour:
    found = feat(kind, number, night.rounds[number - 1].tables[table - 1], seat, milliseconds)
    assert found is not None
    return found


def test_honours_name_who_and_where() -> None:
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
        Honour(HonourKind.BEST_BLUFF, (1,), 30_000, 2, 1),
        Honour(HonourKind.QUICKEST_KEMS, (4,), 4_000, 1, 2),
        Honour(HonourKind.BIGGEST_CLIMB, (3,), 4, None, None),
    )


def test_a_robot_earns_no_honours() -> None:
    assert feat(HonourKind.BEST_BLUFF, 1, evening().rounds[0].tables[1], 3, 90_000) is None


def test_a_night_without_anything_has_no_honours() -> None:
    assert honours(planned(4)) == ()
    drawn = round_of(planned(4), ((0, 1, 2, 3), (2, 2)))
    assert honours(drawn) == ()


def test_nobody_climbs_in_a_knock_out() -> None:
    night = with_pairs(4, format=KNOCKOUT)
    night = round_of(night, ((0, 2, 1, 3), (5, 0)), ((4, 6, 5, 7), (2, 1)))
    night = round_of(night, ((0, 4, 1, 5), (1, 3)))
    assert [honour.kind for honour in honours(night)] == [HonourKind.BEST_TABLE]


def test_a_night_gives_an_entry_to_everybody_who_played() -> None:
    night = round_of(planned(5), ((0, 1, 2, 3), (5, 0)), byes=(4,))
    night = replace(night, honours=honours(night))
    won, lost = NightEntry(3, 1, 5, (HonourKind.BEST_TABLE,)), NightEntry(3, 4, 5)
    assert [entry_of(night, user_id) for user_id in (100, 101, 102, 103, 104, 999)] == [
        won,
        lost,
        won,
        lost,
        None,
        None,
    ]


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
def test_streaks_of_attendance(attended: set[int], held: list[int], streak: tuple[int, int]) -> None:
    assert attendance(attended, held) == streak


def test_badges_count_what_was_met() -> None:
    nights = [NightEntry(number, 1 if number <= 3 else 9, 12) for number in range(1, 7)]
    nights[0] = NightEntry(1, 1, 4, (HonourKind.BEST_BLUFF, HonourKind.BEST_TABLE))
    nights[4] = NightEntry(5, 3, 8, (HonourKind.QUICKEST_KEMS, HonourKind.BIGGEST_CLIMB))
    assert badges(nights, range(1, 7)) == {
        Badge.NEWCOMER: 1,
        Badge.REGULAR: 1,
        Badge.STREAK: 1,
        Badge.WINNER: 3,
        Badge.CHAMPION: 1,
        Badge.PODIUM: 3,
        Badge.BLUFFER: 1,
        Badge.LIGHTNING: 1,
        Badge.CLIMBER: 1,
    }
    assert badges([], [1, 2, 3]) == {}
