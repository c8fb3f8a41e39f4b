"""The examples in docstrings are run, and say what they print."""

import doctest
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

FRONT_DOORS: Final = (
    "bot.base.worker",
    "bot.game.cards",
    "bot.game.match",
    "bot.nights.formats.format",
    "bot.store.engine.database",
)


@pytest.mark.parametrize("name", FRONT_DOORS)
def test_examples_print_what_they_say(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = doctest.testmod(import_module(name))
    assert outcome.attempted
    assert not outcome.failed
