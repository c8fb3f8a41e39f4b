"""What is done to finished messages: compare them, date them, take their buttons away. It knows no game."""

from collections.abc import Collection
from typing import Any

import discord

from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import of_round, parse_id

Payload = list[dict[str, Any]]
"""A message's components as Discord gets them; equal payloads need no edit."""


def payload(layout: discord.ui.LayoutView) -> Payload:
    """What a layout would send."""
    sent: Payload = layout.to_components()  # type: ignore[no-untyped-call]  # discord.py leaves it untyped
    return sent


def without_controls(layout: discord.ui.LayoutView) -> discord.ui.LayoutView:
    """The same message with nothing left to press."""
    for item in list(layout.walk_children()):
        if isinstance(item, discord.ui.ActionRow):
            holder = item.parent if isinstance(item.parent, discord.ui.Container) else layout
            holder.remove_item(item)
    return layout


def with_line(layout: discord.ui.LayoutView, line: str) -> discord.ui.LayoutView:
    """The same message, with a line under its heading."""
    heading = next(item for item in layout.walk_children() if isinstance(item, discord.ui.TextDisplay))
    heading.content += "\n" + line
    return layout


def with_picture(layout: Layout, file: discord.File) -> Layout:
    """The same message, with a picture under its heading; the file's description is its alternative text."""
    (container,) = without_picture(layout).children
    assert isinstance(container, discord.ui.Container), "every message of ours is one container"
    heading, *rest = container.children
    container.clear_items()
    picture = discord.MediaGalleryItem(file, description=file.description)
    for item in (heading, discord.ui.MediaGallery[Layout](picture), *rest):
        container.add_item(item)
    return layout


def without_picture(layout: Layout) -> Layout:
    """The same message, words alone."""
    for item in list(layout.walk_children()):
        if isinstance(item, discord.ui.MediaGallery) and isinstance(item.parent, discord.ui.Container):
            item.parent.remove_item(item)
    return layout


def dated(layout: discord.ui.LayoutView, number: int) -> discord.ui.LayoutView:
    """The same message, whose buttons and menus say in which round it was drawn."""
    for item in layout.walk_children():
        if isinstance(item, discord.ui.Button | discord.ui.Select) and item.custom_id is not None:
            item.custom_id = of_round(item.custom_id, number)
    return layout


def at_rest(layout: discord.ui.LayoutView, verbs: Collection[str]) -> discord.ui.LayoutView:
    """The same message while nothing but these verbs can be pressed."""
    for item in layout.walk_children():
        if isinstance(item, discord.ui.Button | discord.ui.Select) and item.custom_id is not None:
            press = parse_id(item.custom_id)
            item.disabled = press is None or press.verb not in verbs
    return layout
