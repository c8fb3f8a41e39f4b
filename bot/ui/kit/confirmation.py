"""The question before what cannot be undone: what it costs, and the buttons that do it."""

from collections.abc import Iterable

from bot.ui.kit.components import DANGER, Button, Layout, button, layout, row, text
from bot.ui.kit.palette import RED


def confirmation(title: str, costs: Iterable[str | None], *yes: Button, no: Button | None = None) -> Layout:
    """A private question; nothing happens before one of the `yes` is pressed. `no` leads back."""
    return layout(text(f"## {title}", *costs), row(*yes, *([] if no is None else [no])), colour=RED)


def danger(label: str, custom_id: str) -> Button:
    """A button that does what cannot be undone."""
    return button(label, custom_id, style=DANGER)
