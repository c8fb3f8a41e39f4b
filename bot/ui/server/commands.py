"""`/kems-admin …`, for those who manage the server: `config`, and `rules save | list | delete` for the rules it keeps.

Discord itself holds back the others, unless an administrator allows them these commands in the server's settings.
"""

from typing import Final

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.game.rules_line import MAX_LINE, MAX_NAME
from bot.tables.directory import TableDirectory
from bot.tables.rule_book import MAX_SETS, RuleBook
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.answers import answered, reader, say
from bot.ui.kit.components import layout, text
from bot.ui.kit.names import clean, defuse
from bot.ui.kit.palette import GREEN
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import mark
from bot.ui.rules.autocomplete import lobby_here, offer_sets
from bot.ui.server.config_presses import ConfigPresses

_LINE_LISTED: Final = 70  # characters of a set's line, so that all sets fit one message


class AdminCommands(app_commands.Group):
    """`/kems-admin …`: what concerns a whole server."""

    def __init__(self, config: ConfigPresses, *parts: app_commands.Group) -> None:
        super().__init__(
            name="kems-admin",
            description=locale_str(mark("Set Kem's up for this server")),
            guild_only=True,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            default_permissions=discord.Permissions(manage_guild=True),
        )
        self._config = config
        for part in parts:
            self.add_command(part)

    @app_commands.command(
        name=locale_str(mark("config")), description=locale_str(mark("Set Kem's up: language, channels, seasons, data"))
    )
    async def config(self, interaction: discord.Interaction) -> None:
        """Open the panel of all settings."""
        async with answered(interaction):
            await self._config.open(interaction)


class RulesCommands(app_commands.Group):
    """`/kems-admin rules …`: the server's own rules."""

    def __init__(self, directory: TableDirectory, book: RuleBook) -> None:
        super().__init__(name=locale_str(mark("rules")), description=locale_str(mark("Rules that this server keeps")))
        self._directory = directory
        self._book = book

    @app_commands.command(name=locale_str(mark("save")), description=locale_str(mark("Keep rules under a name")))
    @app_commands.rename(name=locale_str(mark("name")), line=locale_str(mark("text")))
    @app_commands.describe(
        name=locale_str(mark("The name, for /kems start")),
        line=locale_str(mark("A line such as: classic target=12 (the rules of the table here)")),
    )
    async def save(
        self,
        interaction: discord.Interaction,
        name: app_commands.Range[str, 1, MAX_NAME],
        line: app_commands.Range[str, 1, MAX_LINE] | None = None,
    ) -> None:
        """Keep the rules of a line, or of the table in this channel."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            t = reader(interaction).t
            if line is not None:
                rules = self._book.read(line)
            elif (lobby := lobby_here(self._directory, interaction)) is not None:
                rules = lobby.rules
            else:
                await say(interaction, t("There is no table in this channel: give the rules as text."))
                return
            kept = await or_later(self._book.save(interaction.guild_id, clean(name, MAX_NAME), rules))
            if kept is None:
                told = t("This server keeps {most} sets of rules already: delete one first.", most=MAX_SETS)
            else:
                shown = defuse(kept.name, MAX_NAME)
                told = t("Saved as “{name}”: `{line}`", name=shown, line=kept.line)
            await say(interaction, told)

    @app_commands.command(name=locale_str(mark("list")), description=locale_str(mark("List the rules kept here")))
    async def list_all(self, interaction: discord.Interaction) -> None:
        """Show all sets with their lines."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            t = reader(interaction).t
            kept = await or_later(self._book.sets(interaction.guild_id))
            lines = [f"**{defuse(one.name, MAX_NAME)}** — `{clean(one.line, _LINE_LISTED)}`" for one in kept]
            heading = "## " + t("Rules that this server keeps")
            panel = layout(text(heading), text(*lines or [t("This server keeps no rules yet.")]), colour=GREEN)
            await interaction.response.send_message(view=PreparedView(panel), ephemeral=True)

    @app_commands.command(name=locale_str(mark("delete")), description=locale_str(mark("Forget rules kept here")))
    @app_commands.rename(name=locale_str(mark("name")))
    @app_commands.describe(name=locale_str(mark("Which of them")))
    async def delete(self, interaction: discord.Interaction, name: app_commands.Range[str, 1, MAX_NAME]) -> None:
        """Forget a set; tables that play by it go on."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            t, shown = reader(interaction).t, defuse(name, MAX_NAME)
            if await or_later(self._book.delete(interaction.guild_id, name)):
                await say(interaction, t("“{name}” is deleted.", name=shown))
            else:
                await say(interaction, t("This server keeps no rules named “{name}”.", name=shown))

    @delete.autocomplete("name")
    async def offer(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The sets that there are."""
        return await offer_sets(self._book, interaction, current)
