"""Answers every error of a press or a command with one private sentence."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import structlog

from bot.errors import StoreError
from bot.game.rules.house_rules import RulesError
from bot.ui.admission.time_limit import SlowStoreError, one_patience
from bot.ui.kit.failures import UNREACHED, SentenceError, facts
from bot.ui.kit.interactions import reader, say
from bot.ui.words.refusals import rules_error_text, slow_store_text, store_error_text

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def answered(interaction: discord.Interaction) -> AsyncIterator[None]:
    """Enclose a press or a command. The log keeps the errors that are not the presser's."""
    texts = reader(interaction)
    try:
        with one_patience(interaction.response.is_done):
            yield
    except RulesError as error:
        await say(interaction, rules_error_text(error, texts))
    except SentenceError as error:
        await say(interaction, str(error))
    except SlowStoreError as error:
        _log.warning("press.not_in_time", problem=str(error))
        await say(interaction, slow_store_text(texts))
    except StoreError as error:
        _log.warning("press.not_saved", problem=str(error))
        await say(interaction, store_error_text(texts))
    except discord.HTTPException as error:
        _log.warning("answer.refused", status=error.status, code=error.code)
        line = texts.t("Discord refused that. May the bot post here? Ask an admin of this server.")
        await say(interaction, line)
    except Exception as error:  # noqa: BLE001 - every press gets an answer, the log keeps the error
        if isinstance(error, UNREACHED):
            _log.warning("answer.not_sent", **facts(error))
        else:
            _log.exception("press.failed")
        await say(interaction, texts.t("Something went wrong here; it has been noted. Please try again."))
