"""The shortest answer to a press: one private line. It never raises for what Discord does with it."""

from collections.abc import Mapping
from typing import Any

import discord
import structlog

from bot.ui.texts import Texts, texts_for

_log = structlog.get_logger(__name__)


def reader(interaction: discord.Interaction) -> Texts:
    """The texts of whoever pressed."""
    return texts_for(interaction.locale)


def field_of(interaction: discord.Interaction, name: str) -> Any:
    """A field of what was sent with the press; empty text where there is none."""
    sent: Mapping[str, Any] = interaction.data or {}
    return sent.get(name, "")


async def say(interaction: discord.Interaction, line: str) -> None:
    """Tell the presser alone, if the press is not answered yet."""
    if interaction.response.is_done():
        return
    try:
        await interaction.response.send_message(line, ephemeral=True)
    except discord.HTTPException as error:
        # The press is older than three seconds, or was answered by another run of the bot.
        _log.warning("answer.failed", status=error.status, code=error.code)
