"""The end of a round and of a match."""

from collections.abc import Sequence

import discord

from bot.game.views import TableView
from bot.live.people import Player
from bot.ui.texts import Texts


def result_board(view: TableView, people: Sequence[Player], table_id: int, texts: Texts) -> discord.ui.LayoutView:
    """The result of the round, or of the match where it is over."""
    raise NotImplementedError
