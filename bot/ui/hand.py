"""The private panel of one seat."""

from collections.abc import Sequence

import discord

from bot.game.views import SeatView
from bot.live.people import Player
from bot.ui.texts import Texts


def hand_panel(
    view: SeatView,
    people: Sequence[Player],
    table_id: int,
    texts: Texts,
    notice: str | None = None,
    *,
    order_seed: int,
) -> discord.ui.LayoutView:
    """The seat's panel in every phase. `notice` is a refusal or an answer, in the reader's language.

    `order_seed` draws the order of the gestures; keep it the same for a seat during a round.
    """
    raise NotImplementedError


def counter_panel(view: SeatView, people: Sequence[Player], table_id: int, texts: Texts) -> discord.ui.LayoutView:
    """Whom to counter."""
    raise NotImplementedError
