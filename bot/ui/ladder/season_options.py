"""The seasons of a server, as commands offer them."""

from typing import Final

import discord
import structlog
from discord.app_commands import Choice

from bot.errors import StoreError
from bot.ui.admission.time_limit import or_later
from bot.ui.feature import MAX_CHOICE, MAX_CHOICES
from bot.ui.kit.interactions import guild_of, reader
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import season_name

MOST_SEASONS: Final = 10_000
ALL_SEASONS: Final = 0
"""What stands for all seasons together, where a command can add them up."""

_log = structlog.get_logger(__name__)


async def offer_seasons(
    ladder: LadderReader, interaction: discord.Interaction, current: str, *, all_too: bool = False
) -> list[Choice[int]]:
    """The seasons whose names hold what was typed, the running one first, and perhaps all of them together."""
    texts = reader(interaction)
    try:
        running, listed = await or_later(ladder.seasons(guild_of(interaction)))
    except StoreError as error:
        _log.warning("choices.not_read", problem=str(error))
        return []
    names = [(texts.t("All seasons"), ALL_SEASONS)] if all_too else []
    if running is not None:  # a season of the calendar is not listed before its first match
        now = texts.t("{season} (running)", season=season_name(running, texts))
        names.append((now, running.number))
    names += [(season_name(season, texts), season.number) for season in listed if season != running]
    names = [(name[:MAX_CHOICE], number) for name, number in names]
    wanted = str(current).casefold()
    return [Choice(name=name, value=number) for name, number in names if wanted in name.casefold()][:MAX_CHOICES]
