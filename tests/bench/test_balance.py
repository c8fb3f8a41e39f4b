"""The page about balance: its figures, its plots, and the text around them that stays."""

from xml.etree import ElementTree

import pytest

from bot.robots import RobotLevel
from tests.bench.balance import (
    HOUSE_RULES,
    PAGE,
    house_table,
    length_plot,
    measured,
    outcome_plot,
    preset_table,
    with_figures,
)


def test_figures_replace_their_blocks_and_nothing_else() -> None:
    page = "before\n<!-- one -->\nold\n<!-- /one -->\nbetween\n<!-- two -->\n<!-- /two -->\nafter\n"
    new = with_figures(page, {"one": "1", "two": "2"})
    assert new == "before\n<!-- one -->\n1\n<!-- /one -->\nbetween\n<!-- two -->\n2\n<!-- /two -->\nafter\n"
    assert with_figures(page, {"two": "2"}) == new.replace("1\n<!-- /one", "old\n<!-- /one")
    with pytest.raises(ValueError, match="has the blocks"):
        with_figures(page, {"three": "3"})


def test_tables_and_plots_tell_what_was_played() -> None:
    found = measured(["escale target=2"], RobotLevel.STRONG, 2, jobs=1)
    presets = {"escale": found["escale target=2"]}
    assert "| ends by Kem's |" in preset_table(presets)
    assert "| `escale target=2` | same | same | same | same |" in house_table(found, presets)
    for plot in (outcome_plot(presets), length_plot(presets)):
        root = ElementTree.fromstring(plot)  # noqa: S314  # our own text
        assert any(node.text == "escale" for node in root.iter())


def test_the_page_has_a_row_for_each_house_rule() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"| `{line}` |" in page for line in HOUSE_RULES)
