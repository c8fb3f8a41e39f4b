"""The page of the rules, axis by axis and preset by preset: no value changes unnoticed."""

from dataclasses import replace

from bot.game.rules import house_rules
from bot.game.rules.rules import AXES, Rules
from tests.rules.page import RECORDED, page


def test_the_page_is_as_recorded() -> None:
    assert page() == RECORDED.read_text("utf-8"), "run .venv/bin/python -m tests.rules.page, and read what it changed"


def mutants(rules: Rules, axis: str) -> list[Rules]:
    """The same rules with any other value of the axis; of a number, its neighbours; of several numbers, one less."""
    present, part = house_rules.value_of(rules, axis), AXES[axis].part
    if isinstance(present, bool):
        others: list[object] = [not present]
    elif isinstance(present, str):
        others = [value for value in AXES[axis].kind if value is not present]
    elif isinstance(present, tuple):
        others = [tuple(kept for kept in present if kept != count) for count in present]
    else:
        others = [present - 1, present + 1]
    return [replace(rules, **{part: replace(getattr(rules, part), **{axis: value})}) for value in others]
