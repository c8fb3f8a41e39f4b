"""Short answers: one private line, also for every error that a press or a command may meet."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import discord
import structlog

from bot.game.house import RulesError
from bot.live.ports import StoreError
from bot.ui.patience import SlowStoreError
from bot.ui.sentences import rules_error_text, slow_store_text, store_error_text
from bot.ui.sign_reading import SignTextError
from bot.ui.texts import LANGUAGES, Language, Texts, texts_for
from bot.ui.which_table import NoTableError

_log = structlog.get_logger(__name__)


def reader(interaction: discord.Interaction) -> Texts:
    """The texts of whoever pressed."""
    return texts_for(interaction.locale)


def public_locale(guild_locale: discord.Locale | None, default: Language) -> Language:
    """The language of a server's public messages: its own if we speak it, else the default."""
    name = str(guild_locale or "").split("-", maxsplit=1)[0]
    return next((language for language in LANGUAGES if language == name), default)


def field_of(interaction: discord.Interaction, name: str) -> Any:
    """A field of what was sent with the press; empty text where there is none."""
    sent: Mapping[str, Any] = interaction.data or {}
    return sent.get(name, "")


def made_at(interaction: discord.Interaction) -> int:
    """When it was made, by Discord's own clock (milliseconds), however long it was under way."""
    return (interaction.id >> 22) + discord.utils.DISCORD_EPOCH


@asynccontextmanager
async def answered(interaction: discord.Interaction) -> AsyncIterator[None]:
    """Answer with a sentence whatever goes wrong meanwhile; what should not have is kept in the log."""
    texts = reader(interaction)
    try:
        yield
    except RulesError as error:
        await say(interaction, rules_error_text(error, texts))
    except (SignTextError, NoTableError) as error:
        await say(interaction, str(error))
    except SlowStoreError as error:
        _log.warning("press.not_in_time", problem=str(error))
        await say(interaction, slow_store_text(texts))
    except StoreError as error:
        _log.warning("press.not_saved", problem=str(error))
        await say(interaction, store_error_text(texts))
    except discord.HTTPException as error:
        _log.warning("answer.refused", status=error.status, code=error.code)
        await say(
            interaction, texts.t("Discord refused that. May the bot post here? Ask somebody who manages this server.")
        )
    except Exception:  # noqa: BLE001 - whatever it was, the presser is told and the log keeps it
        _log.exception("press.failed")
        await say(interaction, texts.t("Something went wrong here; it has been noted. Please try again."))


async def say(interaction: discord.Interaction, line: str) -> None:
    """Tell the presser alone, if the press is not answered yet; an answer that was promised is given now."""
    try:
        if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
            await interaction.edit_original_response(content=line)
        elif not interaction.response.is_done():
            await interaction.response.send_message(line, ephemeral=True)
    except discord.HTTPException as error:
        # The press is older than three seconds, or was answered by another run of the bot.
        _log.warning("answer.failed", status=error.status, code=error.code)
