"""The commands as Discord gets them: `/kems …` and `/kems-admin …`, made of what the features list."""

from collections.abc import Iterable
from typing import Any

import discord
import structlog
from discord import app_commands
from discord.app_commands import locale_str

from bot.errors import StoreError
from bot.ui.admission.admission import Admission
from bot.ui.admission.command_values import has_fitting_values
from bot.ui.admission.rights import has_rights_for_command
from bot.ui.feature import Feature
from bot.ui.kit.interactions import reader, say
from bot.ui.kit.texts import mark, texts_for
from bot.ui.words.refusals import not_managing_text

_log = structlog.get_logger(__name__)


class CatalogueTranslator(app_commands.Translator):
    """Translates the names and descriptions of commands, options and choices."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, _context: app_commands.TranslationContextTypes
    ) -> str | None:
        translated = texts_for(locale).t(string.message)
        return None if translated == string.message else translated


def command_groups(features: Iterable[Feature]) -> tuple[app_commands.Group, app_commands.Group]:
    """`/kems` for everybody and `/kems-admin` for people who may manage the server, with all features' commands."""
    players = _group("kems", mark("Play Kem's, the card game of secret signs"), None)
    managers = _group("kems-admin", mark("Set Kem's up for this server"), discord.Permissions(manage_guild=True))
    for feature in features:
        for command in feature.commands:
            players.add_command(command)
        for command in feature.manager_commands:
            managers.add_command(command)
    return players, managers


class _ServerGroup(app_commands.Group):
    """Commands for servers alone, said by `contexts`: discord.py adds the field that Discord has deprecated for it.

    Source: https://discord.com/developers/docs/interactions/application-commands#application-command-object
    """

    def to_dict(self, tree: app_commands.CommandTree[discord.Client]) -> dict[str, Any]:
        payload = super().to_dict(tree)
        payload.pop("dm_permission", None)
        return payload


def _group(name: str, description: str, permissions: discord.Permissions | None) -> app_commands.Group:
    return _ServerGroup(
        name=name,
        description=locale_str(description),
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        default_permissions=permissions,
    )


class KemsTree(app_commands.CommandTree[discord.Client]):
    """Carries out commands that are admitted; answers those that no longer exist."""

    def __init__(self, client: discord.Client, admission: Admission) -> None:
        super().__init__(client)
        self._admission = admission

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Whether a command may act, or suggestions be made while it is typed."""
        if not await self._admission.lets_in(interaction):
            return False
        if not has_fitting_values(interaction):
            _log.warning("command.malformed")
            await _say_changed(interaction)
            return False
        if not has_rights_for_command(interaction):
            await _say_not_managing(interaction)
            return False
        return True

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        if isinstance(error, app_commands.CommandInvokeError) and isinstance(error.original, StoreError):
            _log.warning("command.not_saved", problem=str(error.original))
        elif isinstance(error, app_commands.CommandInvokeError):
            _log.error("command.failed", exc_info=error.original)
        else:
            _log.warning("command.unknown", problem=str(error))
        await _say_changed(interaction)


async def _say_not_managing(interaction: discord.Interaction) -> None:
    if interaction.type is discord.InteractionType.autocomplete:
        await interaction.response.autocomplete([])
    else:
        await say(interaction, not_managing_text(reader(interaction)))


async def _say_changed(interaction: discord.Interaction) -> None:
    if interaction.type is discord.InteractionType.application_command:
        await say(interaction, reader(interaction).t("This command has changed: type it again, or reload Discord."))
