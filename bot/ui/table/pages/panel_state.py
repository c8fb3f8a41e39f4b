"""What a private panel shows of its table."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.tables.match.table import Table
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from bot.ui.words.card_faces import Faces


@dataclass(frozen=True, slots=True)
class PanelState:
    """What a player sees on their panel: a page by its name, and for a while the answer to a press.

    `notice` is that answer, and `option` what a view-only button has set, "" for nothing; `until` is when they lapse
    (milliseconds).
    """

    table: Table
    seat: int
    user_id: int
    texts: Texts
    page: str
    notice: str | None = None
    option: str = ""
    until: int = 0


DrawPage = Callable[[PanelState, Faces, str | None, int], Layout]
"""Draws a page of a panel at an instant; the text says why the table's public message cannot be shown."""
