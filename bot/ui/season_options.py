"""The seasons of a server, as commands offer them."""

from typing import Final

import discord
import structlog
from discord.app_commands import Choice

from bot.live.ladder import SeasonBook
from bot.live.ports import StoreError
from bot.ui.answers import reader
from bot.ui.leaderboard_view import season_name
from bot.ui.patience import or_later
from bot.ui.rules_options import MAX_CHOICE, MAX_CHOICES

MOST_SEASONS: Final = 10_000

_log = structlog.get_logger(__name__)


async def offer_seasons(seasons: SeasonBook, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
    """The seasons whose names hold what was typed."""
    assert interaction.guild_id is not None, "the commands are for servers alone"
    try:
        listed = await or_later(seasons.listed(interaction.guild_id))
    except StoreError as error:
        _log.warning("choices.not_read", problem=str(error))
        return []
    names = [(season_name(season, reader(interaction))[:MAX_CHOICE], season.number) for season in listed]
    wanted = str(current).casefold()
    return [Choice(name=name, value=number) for name, number in names if wanted in name.casefold()][:MAX_CHOICES]
