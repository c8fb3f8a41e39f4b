"""The levels are as docs/balance.md says, and play the same match again by the same chance."""

import re
from math import inf
from pathlib import Path
from typing import Final

import pytest

from bot.game.rules.house_rules import read_rules
from bot.robots import LEVELS, RobotLevel
from bot.robots.level import COACH
from tests.robots.driver import play_match

COLUMN: Final = "docs/balance.md lacks the level's column, or says something else"


def row(title: str) -> list[tuple[float, ...]]:
    """The numbers in the cells of a row of docs/balance.md, each once."""
    page = (Path(__file__).parents[2] / "docs/balance.md").read_text(encoding="utf-8")
    (line,) = (line for line in page.splitlines() if line.startswith(f"| {title}"))
    return [tuple(map(float, re.findall(r"\d+(?:\.\d+)?", cell))) for cell in line.split("|")[2:-1]]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("put-down and take together", "swap"),
        ("Kem's after the sign", "call"),
        ("counter after a gesture", "counter"),
        ("sign after the fourth card", "gesture"),
    ],
)
def test_the_speed_of_levels_is_as_documented(title: str, name: str) -> None:
    waits = [tuple(each / 1000 for each in getattr(level.timing, name)) for level in LEVELS.values()]
    assert row(title) == [*dict.fromkeys(waits)], COLUMN


def test_pace_watchfulness_and_memory_of_levels_are_as_documented() -> None:
    skills = [level.skill for level in LEVELS.values()]
    assert row("share |") == [(100 * level.least_wait,) for level in LEVELS.values()], COLUMN
    assert row("share with which a robot counters it") == [(100 * skill.spots,) for skill in skills]
    assert row("exchanges that it remembers") == [(skill.recalls,) for skill in skills]
    quickest = [level.timing.at_pace(1, 1, level.least_wait).swap for level in LEVELS.values()]
    shown = row("seconds of a put-down and take at the quickest")
    for waits, cells in zip(quickest, shown, strict=True):
        assert cells == pytest.approx([each / 1000 for each in waits], abs=0.051)


def test_a_better_level_makes_fewer_errors_and_takes_more_risks() -> None:
    skills = [level.skill for level in LEVELS.values()]
    for name in ("overlooks", "misses", "misreads"):
        shares = [getattr(skill, name) for skill in skills]
        assert shares == sorted(shares, reverse=True)
        assert len(set(shares)) == len(shares)
    for name in ("daring", "spots", "recalls", "decoys"):
        shares = [getattr(skill, name) for skill in skills]
        assert shares == sorted(shares)
    for name in ("counts", "watches", "is_subtle", "votes"):
        found = [getattr(skill, name) for skill in skills]
        assert found == sorted(found), name
    assert [skill.votes for skill in skills] == [1, *[inf] * (len(skills) - 1)]
    regular, strong = LEVELS[RobotLevel.REGULAR].skill, LEVELS[RobotLevel.STRONG].skill
    assert (regular.counts, regular.watches, strong.watches, strong.is_subtle) == (True, False, True, True)


def test_the_coach_overlooks_nothing_puts_down_before_it_takes_and_signals_plainly() -> None:
    skill = COACH.skill
    assert (skill.overlooks, skill.misses, skill.misreads, skill.swaps) == (0, 0, 0, 0)
    assert (skill.watches, skill.is_subtle) == (True, False)
    assert skill.recalls == LEVELS[RobotLevel.MASTER].skill.recalls
    assert COACH.timing.notice == (0, 0)


SAME: Final = {
    ("classic target=3", 4, RobotLevel.BEGINNER): 31801676,
    ("classic target=3", 4, RobotLevel.REGULAR): 7156218,
    ("classic target=3", 4, RobotLevel.STRONG): 7212475,
    ("classic target=3", 4, RobotLevel.MASTER): 3953010,
    ("classic target=3 deck=54", 4, RobotLevel.MASTER): 23803937,
    ("expert target=3 deck=52", 6, RobotLevel.STRONG): 39561349,
    ("yokai target=4 guess=points", 4, RobotLevel.MASTER): 10670168,
    ("classic target=4 sign_required=yes", 4, RobotLevel.STRONG): 46072626,
}
"""By rules, seats and level, the sum of a match's instants."""


@pytest.mark.parametrize(("rules", "seats", "level"), SAME)
def test_the_same_random_numbers_give_the_same_match(rules: str, seats: int, level: RobotLevel) -> None:
    """If robots are to play otherwise, note the new sums; docs/balance.md is older then."""
    record = play_match(read_rules(rules), seed=5, seats=seats, level=LEVELS[level], max_moves=3000)
    assert sum(event.at for event in record.events) == SAME[rules, seats, level]
