"""The lobby: who sits where, until the match starts."""

import discord

from bot.game.rules import Rules
from bot.live.lobby import Lobby
from bot.ui.texts import Texts


def lobby_board(lobby: Lobby, texts: Texts) -> discord.ui.LayoutView:
    """The lobby message; where it was cancelled or the match has started, its closed form."""
    raise NotImplementedError


def welcome_board(texts: Texts) -> discord.ui.LayoutView:
    """The sandbox's first message: play at once (`k1:0:quick`)."""
    raise NotImplementedError


def help_panel(rules: Rules, texts: Texts) -> discord.ui.LayoutView:
    """How to play, by these rules."""
    raise NotImplementedError
