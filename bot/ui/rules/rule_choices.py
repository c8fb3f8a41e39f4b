"""The rules that a command offers."""

from collections.abc import Collection

import discord
import structlog
from discord.app_commands import Choice

from bot.errors import StoreError
from bot.game.rules.house_rules import name_key
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import Rules
from bot.tables.rule_book import RuleBook
from bot.ui.admission.admission import or_later
from bot.ui.feature import MAX_CHOICE, offered
from bot.ui.kit.components import Option, option
from bot.ui.kit.interactions import guild_of, reader
from bot.ui.kit.names import clean
from bot.ui.kit.texts import Texts
from bot.ui.words.rule_names import preset_about, preset_meant, preset_name

_log = structlog.get_logger(__name__)


async def offer_rules(book: RuleBook, interaction: discord.Interaction, current: str) -> list[Choice[str]]:
    """The presets and the server's sets in which the typed text occurs."""
    texts = reader(interaction)
    presets = [(f"{preset_name(each, texts)} — {preset_about(each, texts)}", each) for each in PRESETS]
    return offered([*presets, *await _sets(book, interaction)], current, name_key)


def preset_options(chosen: Collection[str], texts: Texts) -> list[Option]:
    return [
        option(preset_name(each, texts), each, description=preset_about(each, texts), is_default=each in chosen)
        for each in PRESETS
    ]


async def find_rules(book: RuleBook, interaction: discord.Interaction, written: str) -> tuple[Rules, str | None]:
    """The rules that the presser has written, a preset by its name in any language; with the name of the server's set.

    Raises RulesError: there are no such rules, or they contradict each other; StoreError: the sets cannot be read.
    """
    return await or_later(book.find(guild_of(interaction), preset_meant(written)))


async def offer_sets(book: RuleBook, interaction: discord.Interaction, current: str) -> list[Choice[str]]:
    """The server's sets in which the typed text occurs."""
    return offered(await _sets(book, interaction), current, name_key)


async def _sets(book: RuleBook, interaction: discord.Interaction) -> list[tuple[str, str]]:
    try:
        kept = await or_later(book.sets(guild_of(interaction)))
    except StoreError as error:
        _log.warning("choices.not_read", problem=str(error))
        return []
    return [(clean(f"{each.name} — {each.line}", MAX_CHOICE), each.name) for each in kept]
