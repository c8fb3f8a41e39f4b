"""Presses that cross a change: the button became another one in the moment in which it was pressed."""

from typing import Final

from bot.game.phase import Phase
from bot.game.views import TableView
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.texts import Texts
from bot.ui.table.verbs import TableVerb

CROSSING_MS: Final = 1000
"""A player who presses sooner after a change has not seen it."""


def crossing_text(press: Press, view: TableView, made_at: int, texts: Texts) -> str | None:
    """What the button was, and what it is now; None for a press that was meant. `made_at` is in milliseconds."""
    if made_at - view.phase_at >= CROSSING_MS or press.round != view.round:
        return None
    if press.verb == TableVerb.SWEEP and view.phase is Phase.HUNT:
        return texts.t("The hunt has just opened: this button asks for a sweep now. Nothing was done.")
    if press.verb == TableVerb.NEXT and view.phase is Phase.OVER:
        return texts.t("The round has just ended: this button deals the next one now. Nothing was done.")
    return None
