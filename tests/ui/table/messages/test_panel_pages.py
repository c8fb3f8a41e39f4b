"""The page on which a hand panel comes back after a restart."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.ui.table.messages.ephemeral_panels import _page
from bot.ui.table.pages.panel_state import PanelPage


@pytest.mark.parametrize(
    ("round_number", "page", "shown"),
    [(3, "counter", PanelPage.COUNTER), (2, "counter", PanelPage.HAND), (3, "of a version before", PanelPage.HAND)],
)
def test_a_panel_is_restored_on_its_page_only_in_the_same_round(round_number: int, page: str, shown: PanelPage) -> None:
    saved: Any = SimpleNamespace(round=round_number, page=page)
    table: Any = SimpleNamespace(table_view=lambda: SimpleNamespace(round=3))
    assert _page(saved, table) is shown
