"""Defuses people's names for display."""

from bot.live.people import Player


def display_name(player: Player) -> str:
    """The name for message text: no mentions, no markdown, no invisible controls; robots carry their mark."""
    raise NotImplementedError


def label_name(player: Player) -> str:
    """The name for a button's label or a menu, where markdown means nothing."""
    raise NotImplementedError
