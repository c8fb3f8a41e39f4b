"""Agreeing on a sign, in private; reading what players type as one."""

from collections.abc import Collection, Sequence

import discord

from bot.game.signs import Sign
from bot.game.views import SeatView
from bot.live.people import Player
from bot.ui.texts import Texts


class SignTextError(ValueError):
    """The text is no sign; the message is a sentence in the reader's language."""


def read_sign(text: str, texts: Texts, usable: Collection[int] | None = None) -> Sign:
    """The sign that a player typed: one emoji or a phrase of up to five, server emojis (`<:name:id>`) among them.

    `usable` are the ids of the server emojis that the bot can show, None for all.

    Raises:
        SignTextError: no emoji, something else besides, too long, or a server emoji the bot cannot show.
    """
    raise NotImplementedError


def sign_panel(
    view: SeatView,
    people: Sequence[Player],
    table_id: int,
    texts: Texts,
    notice: str | None = None,
    *,
    order_seed: int,
) -> discord.ui.LayoutView:
    """The team's sign: proposal, acceptance, a choice of four; between rounds also the next round."""
    raise NotImplementedError


class SignModal(discord.ui.Modal):
    """Type a sign. Its custom id is `k1:<table>:sign_text`; the router reads `typed(interaction)`."""

    def __init__(self, table_id: int, texts: Texts) -> None:
        raise NotImplementedError


class GuessModal(discord.ui.Modal):
    """Type what the opponents' sign might be. Its custom id is `k1:<table>:guess_text:<team>`."""

    def __init__(self, table_id: int, team: int, texts: Texts) -> None:
        raise NotImplementedError


def typed(interaction: discord.Interaction) -> str:
    """The text of a submitted `SignModal` or `GuessModal`."""
    raise NotImplementedError
