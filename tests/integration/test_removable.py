"""A feature is a folder and a line: the bot does without it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REMOVABLE = ("site", "ui.help", "ui.daily", "ui.privacy", "ui.server")
"""The site shows nights: without them it is gone, too."""


@pytest.mark.parametrize(
    "rooms",
    [
        pytest.param([*REMOVABLE, "ui.night"], id="all"),
        *(pytest.param([room], id=room, marks=pytest.mark.long) for room in REMOVABLE),
        pytest.param(["site", "ui.night"], id="ui.night", marks=pytest.mark.long),
    ],
)
def test_a_bot_without_a_feature_starts_and_opens_a_table(rooms: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.integration.without", *rooms],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
