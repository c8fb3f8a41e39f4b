"""Every press and every command ends with an answer: one private line for each error that it may meet."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import structlog

from bot.errors import StoreError
from bot.game.house_rules import RulesError
from bot.ui.admission.time_limit import SlowStoreError, one_patience
from bot.ui.kit.errors import SentenceError
from bot.ui.kit.failures import UNREACHED, facts
from bot.ui.kit.interactions import reader, say
from bot.ui.kit.texts import Texts
from bot.ui.words.refusals import rules_error_text, slow_store_text, store_error_text

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def answered(interaction: discord.Interaction) -> AsyncIterator[None]:
    """Answer whatever goes wrong with a sentence; the log keeps what should not have gone wrong."""
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
        await say(
            interaction, texts.t("Discord refused that. May the bot post here? Ask somebody who manages this server.")
        )
    except UNREACHED as error:
        _log.warning("answer.not_sent", **facts(error))
        await say(interaction, _failed(texts))
    except Exception:  # noqa: BLE001 - whatever it was, the presser is told and the log keeps it
        _log.exception("press.failed")
        await say(interaction, _failed(texts))


def _failed(texts: Texts) -> str:
    return texts.t("Something went wrong here; it has been noted. Please try again.")
