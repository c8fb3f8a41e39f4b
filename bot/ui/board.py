"""The public table. Gets public views alone."""

from collections.abc import Collection, Sequence

import discord

from bot.game.views import SeatView, TableView
from bot.live.people import Player
from bot.ui.texts import Texts


def table_board(
    view: TableView, people: Sequence[Player], table_id: int, texts: Texts, opened_hands: Collection[int]
) -> discord.ui.LayoutView:
    """The table message in every phase; once the round is over, its result (`bot.ui.result`).

    `people` by seat; `opened_hands` are the seats whose panel is open.
    """
    raise NotImplementedError
