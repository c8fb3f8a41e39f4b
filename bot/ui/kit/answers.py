"""Short answers: one private line, also for every error that a press or a command may meet."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import discord
import structlog

from bot.errors import StoreError
from bot.game.house_rules import RulesError
from bot.ui.admission.time_limit import SlowStoreError, one_patience
from bot.ui.kit.components import Layout
from bot.ui.kit.failures import FAILED, UNREACHED, facts
from bot.ui.kit.permissions import NoPlaceError
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.table.which_table import NoTableError
from bot.ui.words.refusals import rules_error_text, slow_store_text, store_error_text
from bot.ui.words.sign_reading import SignTextError

_log = structlog.get_logger(__name__)


def reader(interaction: discord.Interaction) -> Texts:
    """The texts of whoever pressed."""
    return texts_for(interaction.locale)


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
        with one_patience(interaction.response.is_done):
            yield
    except RulesError as error:
        await say(interaction, rules_error_text(error, texts))
    except (SignTextError, NoTableError, NoPlaceError) as error:
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
    except UNREACHED as error:
        _log.warning("answer.not_sent", **facts(error))
        await say(interaction, texts.t("Something went wrong here; it has been noted. Please try again."))
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
    except FAILED as error:
        # The press is older than three seconds, or was answered by another run of the bot; or Discord is out of reach.
        _log.warning("answer.failed", **facts(error))


async def show(interaction: discord.Interaction, layout: Layout) -> None:
    """Answer with a private panel: in place where it was pressed, else as a new message."""
    if is_private(interaction.message):
        await interaction.response.edit_message(view=PreparedView(layout))
    else:
        await interaction.response.send_message(view=PreparedView(layout), ephemeral=True)


def is_private(message: discord.Message | None) -> bool:
    """Whether a message is seen by one person alone."""
    return message is not None and message.flags.ephemeral
