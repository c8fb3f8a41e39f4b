"""A feature is a folder and a line: the bot does without it."""

import subprocess
import sys
from pathlib import Path

import pytest

from bot import compose

ROOT = Path(__file__).parents[2]
SHOWN_BY = {"ui.daily": ["ui.daily_post"], "ui.night": ["site"], "ui.ladder": ["site", "ui.night"]}
"""By feature: what shows it, and is gone without it."""
REMOVABLE = ["site", *(f"ui.{name}" for name in compose.FEATURES)]


@pytest.mark.long
@pytest.mark.parametrize("rooms", [REMOVABLE, *([room, *SHOWN_BY.get(room, ())] for room in REMOVABLE)], ids=" ".join)
def test_a_bot_without_a_feature_starts_and_opens_a_table(rooms: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.integration.without", *rooms],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
