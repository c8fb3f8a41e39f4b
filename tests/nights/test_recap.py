"""What stood out in a night, streaks of attendance, badges."""

from __future__ import annotations

import pytest

from bot.nights.night import Night
from bot.nights.plan import Format
from bot.nights.recap import (
    Badge,
    EarnedBadge,
    Honour,
    HonourKind,
    NightEntry,
    SeatFeat,
    TableFeats,
    attendance,
    badges,
    entries,
    honours,
)
from tests.nights.evenings import planned, with_pairs
from tests.nights.test_standings import round_of


def evening() -> Night:
    """Entrant 3 loses the first round high, and wins the others; a robot sits at the second table."""
    night = round_of(planned(7), ((0, 1, 2, 3), (5, 0)), ((4, 5, 6, None), (2, 1)))
    night = round_of(night, ((0, 1, 3, 2), (4, 1)), ((4, 5, None, 6), (1, 0)))
    return round_of(night, ((3, 0, 1, 4), (3, 0)), ((2, 5, 6, None), (0, 1)))


def test_honours_name_who_and_where() -> None:
    night = evening()
    feats = [
        TableFeats(1, 2, bluff=SeatFeat(3, 90_000), quickest=SeatFeat(0, 4_000)),  # seat 3 is a robot
        TableFeats(2, 1, bluff=SeatFeat(1, 30_000), quickest=SeatFeat(2, 4_000)),
        TableFeats(3, 1, bluff=SeatFeat(0, 20_000), quickest=SeatFeat(3, 9_000)),
    ]
    assert honours(night, feats) == (
        Honour(HonourKind.BEST_TABLE, (0, 2), 5, 1, 1),
        Honour(HonourKind.BEST_BLUFF, (1,), 30_000, 2, 1),
        Honour(HonourKind.QUICKEST_KEMS, (4,), 4_000, 1, 2),
        Honour(HonourKind.BIGGEST_CLIMB, (3,), 4, None, None),
    )


def test_feats_of_tables_that_are_not_there_count_nothing() -> None:
    feats = [TableFeats(9, 1, bluff=SeatFeat(0, 1)), TableFeats(1, 9, bluff=SeatFeat(0, 1))]
    feats.append(TableFeats(1, 1, quickest=SeatFeat(7, 1)))
    kinds = [honour.kind for honour in honours(evening(), feats)]
    assert kinds == [HonourKind.BEST_TABLE, HonourKind.BIGGEST_CLIMB]


def test_a_night_without_anything_has_no_honours() -> None:
    assert honours(planned(4)) == ()
    drawn = round_of(planned(4), ((0, 1, 2, 3), (2, 2)))
    assert honours(drawn) == ()


def test_nobody_climbs_in_a_knock_out() -> None:
    night = with_pairs(4, format=Format.KNOCKOUT)
    night = round_of(night, ((0, 2, 1, 3), (5, 0)), ((4, 6, 5, 7), (2, 1)))
    night = round_of(night, ((0, 4, 1, 5), (1, 3)))
    assert [honour.kind for honour in honours(night)] == [HonourKind.BEST_TABLE]


def test_a_night_gives_an_entry_to_everybody_who_played() -> None:
    night = round_of(planned(5), ((0, 1, 2, 3), (5, 0)), byes=(4,))
    found = entries(night, honours(night))
    assert found == {
        0: NightEntry(3, 1, 5, (HonourKind.BEST_TABLE,)),
        2: NightEntry(3, 1, 5, (HonourKind.BEST_TABLE,)),
        1: NightEntry(3, 4, 5),
        3: NightEntry(3, 4, 5),
    }


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
    assert badges(nights, range(1, 7)) == (
        EarnedBadge(Badge.NEWCOMER, 1),
        EarnedBadge(Badge.REGULAR, 1),
        EarnedBadge(Badge.STREAK, 1),
        EarnedBadge(Badge.WINNER, 3),
        EarnedBadge(Badge.CHAMPION, 1),
        EarnedBadge(Badge.PODIUM, 3),
        EarnedBadge(Badge.BLUFFER, 1),
        EarnedBadge(Badge.LIGHTNING, 1),
        EarnedBadge(Badge.CLIMBER, 1),
    )
    assert badges([], [1, 2, 3]) == ()
