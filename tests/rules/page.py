"""Every value of every preset, a line an axis: `python -m tests.rules.page` writes `tests/rules/presets.txt`.

In brackets stands what a preset never asks for, because another of its rules has switched it off.
"""

from pathlib import Path
from typing import Final

from bot.game.rules import house_rules
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import AXES, unmet

RECORDED: Final = Path(__file__).with_name("presets.txt")


def page() -> str:
    rows = [["", *PRESETS]]
    for axis in AXES:
        texts = ((rules, house_rules.text(house_rules.value_of(rules, axis))) for rules in PRESETS.values())
        rows.append([axis, *(text if unmet(rules, axis) is None else f"({text})" for rules, text in texts)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (" ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)


if __name__ == "__main__":
    RECORDED.write_text(page(), encoding="utf-8")
