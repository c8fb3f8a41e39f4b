"""The few shapes every message is made of: text, rows of at most four buttons, one container. It knows no game.

All views are stopped at birth: discord.py then never stores them, and every press goes through the router.
"""

from collections.abc import Sequence
from typing import Final

import discord
from discord import ButtonStyle, ui

Layout = ui.LayoutView
Part = ui.Item[Layout]
Button = ui.Button[Layout]
Row = ui.ActionRow[Layout]

MAX_PARTS: Final = 40  # Discord's limits for one message
MAX_TEXT: Final = 4000
IN_ROW: Final = 4  # a fifth button would wrap on a phone
MAX_LABEL: Final = 80

PRIMARY: Final = ButtonStyle.primary
SECONDARY: Final = ButtonStyle.secondary
SUCCESS: Final = ButtonStyle.success
DANGER: Final = ButtonStyle.danger


def text(*lines: str | None) -> Part:
    """Lines of markdown; those that are None or empty are left out."""
    return ui.TextDisplay("\n".join(line for line in lines if line))


def button(
    label: str | None,
    custom_id: str,
    *,
    style: ButtonStyle = SECONDARY,
    is_enabled: bool = True,
    emoji: discord.PartialEmoji | None = None,
) -> Button:
    """A button that the router answers."""
    return ui.Button(label=label, custom_id=custom_id, style=style, disabled=not is_enabled, emoji=emoji)


def menu(custom_id: str, placeholder: str, options: list[discord.SelectOption]) -> Row:
    """A row with a menu of which one option is chosen; the router answers it."""
    return Row(ui.Select[Layout](custom_id=custom_id, placeholder=placeholder, options=options))


def rows(buttons: Sequence[Button], in_row: int = IN_ROW) -> list[Part]:
    """The buttons in rows of four, or fewer where they are wide."""
    return [Row(*buttons[start : start + in_row]) for start in range(0, len(buttons), in_row)]


def layout(*parts: Part, colour: int | None = None) -> Layout:
    """One message: its parts in a container."""
    view = Layout(timeout=None)
    view.add_item(ui.Container(*parts, accent_colour=colour))
    view.stop()
    return view
