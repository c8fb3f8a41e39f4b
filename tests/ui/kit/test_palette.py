"""Accents of messages: one palette."""

from __future__ import annotations

import re
from pathlib import Path

import bot
from bot.ui.kit import palette

UI = Path(bot.__file__).parent / "ui"


def test_every_accent_is_of_the_palette_and_no_two_are_alike() -> None:
    found = {
        path.relative_to(UI).as_posix()
        for path in UI.rglob("*.py")
        if re.search(r"\b0x[0-9A-Fa-f]{6}\b", path.read_text(encoding="utf-8"))
    }
    assert found == {"kit/palette.py"}
    values = [value for name, value in vars(palette).items() if name.isupper()]
    assert len(values) >= 8
    assert len(set(values)) == len(values)
