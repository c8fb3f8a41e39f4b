"""What a player's figures say in words: singulars, streaks of both kinds, no place where one is alone."""

from dataclasses import replace

import pytest

from bot.game.rules.house_rules import override
from bot.game.rules.presets import CLASSIC
from bot.records.history import Mate, RatingPoint
from bot.ui.ladder.ladder_reader import attendance_line, stats_picture, stats_words
from bot.ui.words.rule_names import rules_line
from tests.ui.screens.common import AT, ZONE
from tests.ui.screens.ladder import STATS
from tests.ui.walk import EN, FR


@pytest.mark.parametrize(
    ("streak", "best", "told"),
    [
        (-1, 3, "Série — 1 (défaite · record : 3 victoires)"),
        (-2, 0, "Série — 2 (défaites)"),
        (1, 1, "Série — 1 (victoire · record : 1 victoire)"),
    ],
)
def test_a_streak_is_shown_with_what_it_counts(streak: int, best: int, told: str) -> None:
    stats = replace(STATS, streak=streak, best_streak=best)
    said = stats_words(stats_picture(stats, None, ZONE, FR), FR)
    assert told in said.replace("\u202f", " ").replace("\xa0", " ")


def test_one_match_won_is_singular() -> None:
    stats = replace(STATS, partner=Mate(2, "Bruno", 1, 1), opponent=Mate(3, "Dora", 1, 1))
    said = stats_words(stats_picture(stats, None, ZONE, FR), FR)
    assert "1 gagnée sur 1" in said
    assert "1 perdue sur 1" in said


def test_a_table_for_eight_is_described_as_8_players() -> None:
    assert "8 joueurs" in rules_line(override(CLASSIC, {"players": "8"}), FR)
    assert "Nombre de joueurs" not in rules_line(override(CLASSIC, {"players": "8"}), FR)


@pytest.mark.parametrize(
    ("nights", "running", "longest", "told"),
    [
        (0, 0, 0, None),
        (1, 1, 1, "**Nights** 1 attended"),
        (7, 3, 5, "**Nights** 7 attended · 3 in a row · at best 5 in a row"),
        (7, 5, 5, "**Nights** 7 attended · 5 in a row"),
        (7, 0, 2, "**Nights** 7 attended · at best 2 in a row"),
    ],
)
def test_attendance_is_shown_with_its_streaks(nights: int, running: int, longest: int, told: str | None) -> None:
    assert attendance_line(nights, running, longest, EN) == told


@pytest.mark.parametrize(("points", "ranked", "has_curve"), [(2, 2, True), (1, 2, False), (2, 1, False)])
def test_a_rating_has_a_history_from_the_second_ranked_match_on(points: int, ranked: int, has_curve: bool) -> None:
    history = tuple(RatingPoint(AT + number, 1000) for number in range(points))
    picture = stats_picture(replace(STATS, rating_history=history, ranked=ranked), None, ZONE, EN)
    assert (picture.curve is not None) is has_curve
