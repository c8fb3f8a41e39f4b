"""Hands a layout to discord.py, wherever a message is sent or edited."""

from typing import Any, cast

import discord

from bot.ui.kit.components import Layout


class PreparedView(discord.ui.LayoutView):
    """A layout as it is. discord.py never stores a finished view, so that every press goes through the router."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(timeout=None)
        self._layout = layout

    def to_components(self) -> list[dict[str, Any]]:
        return cast("list[dict[str, Any]]", self._layout)

    def has_components_v2(self) -> bool:
        return True

    def is_finished(self) -> bool:
        return True
