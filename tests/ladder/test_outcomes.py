"""Places, outcomes and streaks."""

import pytest

from bot.ladder.outcomes import outcome, places, streaks


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
def test_places(winner: int | None, games: tuple[int, ...], scores: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert places(winner, games, scores) == expected


@pytest.mark.parametrize(
    ("placed", "left", "shielded", "expected"),
    [
        ((0, 1), False, False, (1, -1)),
        ((0, 0), False, False, (0, 0)),
        ((0, 1), True, False, (-1, -1)),
        ((0, 1), False, True, (1, 0)),
        ((0, 0), True, True, (-1, -1)),
    ],
)
def test_outcomes(placed: tuple[int, ...], left: bool, shielded: bool, expected: tuple[int, ...]) -> None:
    assert tuple(outcome(placed, team, has_left=left, is_shielded=shielded) for team in (0, 1)) == expected


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
def test_streaks(outcomes: list[int], expected: tuple[int, int]) -> None:
    assert streaks(outcomes) == expected
