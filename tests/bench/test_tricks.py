"""Tricks do what they are named after, and the rest of the game goes on."""

from itertools import islice

import pytest

from bot.game.rules.house_rules import override
from bot.game.rules.presets import CLASSIC
from bot.robots import LEVELS, RobotLevel
from bot.simulation.match import PlayedRound, play_robots
from tests.bench.balance import PAGE
from tests.bench.tricks import TRICKS, make_robot
from tests.examples import mostly_long

SHORT = override(CLASSIC, {"target": "4"})


def _rounds(trick: str) -> tuple[PlayedRound, ...]:
    levels = [TRICKS[trick], LEVELS[RobotLevel.REGULAR]] * 2
    played = play_robots(SHORT, levels, 3, make=make_robot)
    assert played.winner is not None
    return played.rounds


@pytest.mark.parametrize("trick", mostly_long(TRICKS, *islice(TRICKS, 3)))
def test_a_match_with_a_trick_is_played_to_its_end_and_reported(trick: str) -> None:
    names_signs = trick.startswith("names")
    assert any(played.guesses for played in _rounds(trick)) is names_signs
    assert f"| {trick} |" in PAGE.read_text(encoding="utf-8")


def test_a_robot_that_counters_every_gesture_often_errs() -> None:
    assert sum(played.false_counters for played in _rounds("counters every gesture")) > 2 * sum(
        played.false_counters for played in _rounds("none")
    )
