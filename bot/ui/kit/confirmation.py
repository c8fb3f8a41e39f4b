"""The question before what cannot be undone: what it costs, and the button that does it."""

from collections.abc import Iterable

from bot.ui.kit.components import DANGER, Layout, button, layout, row, text
from bot.ui.kit.palette import RED


def confirmation(title: str, costs: Iterable[str], label: str, custom_id: str) -> Layout:
    """A private question; nothing happens before its button is pressed."""
    return layout(text(f"## {title}", *costs), row(button(label, custom_id, style=DANGER)), colour=RED)
