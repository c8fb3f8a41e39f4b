"""Answers every error of a press or a command with one private sentence, and counts what became of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import discord
import structlog

from bot import metrics
from bot.errors import StoreError
from bot.game.rules.house_rules import RulesError
from bot.ui.admission.admission import SlowStoreError, one_patience
from bot.ui.kit.failures import UNREACHED, SentenceError, facts
from bot.ui.kit.interactions import reader, say
from bot.ui.words.refusals import rules_error_text, slow_store_text, store_error_text

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class PressOutcome:
    """A press or a command while it is answered: the verb or the command's name, and what came of it."""

    what: str
    outcome: str = "answered"


@asynccontextmanager
async def answered(interaction: discord.Interaction, what: str = "unknown") -> AsyncIterator[PressOutcome]:
    """Enclose a press or a command. The log keeps the errors that are not the presser's."""
    handling = PressOutcome(what)
    began = asyncio.get_running_loop().time()
    texts = reader(interaction)
    try:
        with one_patience(interaction.response.is_done):
            yield handling
    except RulesError as error:
        handling.outcome = "refused"
        await say(interaction, rules_error_text(error, texts))
    except SentenceError as error:
        handling.outcome = "refused"
        await say(interaction, str(error))
    except SlowStoreError as error:
        handling.outcome = "store_slow"
        _log.warning("press.not_in_time", problem=str(error))
        await say(interaction, slow_store_text(texts))
    except StoreError as error:
        handling.outcome = "not_saved"
        _log.warning("press.not_saved", problem=str(error))
        await say(interaction, store_error_text(texts))
    except discord.HTTPException as error:
        handling.outcome = "discord_refused"
        _log.warning("answer.refused", status=error.status, code=error.code)
        line = texts.t("Discord refused that. May the bot post here? Ask an admin of this server.")
        await say(interaction, line)
    except Exception as error:  # noqa: BLE001 - every press gets an answer, the log keeps the error
        handling.outcome = "failed"
        if isinstance(error, UNREACHED):
            handling.outcome = "unreached"
            _log.warning("answer.not_sent", **facts(error))
        else:
            _log.exception("press.failed")
        await say(interaction, texts.t("Something went wrong here; it has been noted. Please try again."))
    finally:
        metrics.PRESSES.labels(handling.what, handling.outcome).inc()
        metrics.ANSWER_SECONDS.observe(asyncio.get_running_loop().time() - began)
