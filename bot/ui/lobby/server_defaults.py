"""What a server has chosen for its tables: the language of public messages, and the channels for tables."""

import discord

from bot.tables.server_settings import ServerSettings, ServerStore
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.interactions import guild_of
from bot.ui.kit.languages import LANGUAGES
from bot.ui.kit.texts import Texts, texts_for


class ServerDefaults:
    """Every method raises StoreError when the server's settings cannot be read."""

    def __init__(self, servers: ServerStore, locale: str) -> None:
        """`locale` is for servers that are set to none of the bot's languages, and have chosen none."""
        self._servers = servers
        self._locale = locale

    async def of(self, interaction: discord.Interaction) -> ServerSettings:
        """The settings of the server in which somebody acts."""
        return await or_later(self._servers.read(guild_of(interaction)))

    async def read(self, guild_id: int) -> ServerSettings:
        """The settings of a server, however long that takes."""
        return await self._servers.read(guild_id)

    async def public_texts(self, interaction: discord.Interaction) -> Texts:
        """The texts of messages that everybody in the server sees."""
        return texts_for(self.language(interaction, await self.of(interaction)))

    def language(self, interaction: discord.Interaction, settings: ServerSettings) -> str:
        """The language that the server has chosen, else its own on Discord if we speak it, else the default."""
        return self.public_language(settings, str(interaction.guild_locale or ""))

    def public_language(self, settings: ServerSettings, guild_locale: str) -> str:
        """The same where nobody acts; `guild_locale` is Discord's setting of the server, such as "en-GB"."""
        known = (settings.language or "", guild_locale.split("-", maxsplit=1)[0], self._locale)
        return next(code for code in known if code in LANGUAGES)


def refusal_here(interaction: discord.Interaction, settings: ServerSettings, texts: Texts) -> str | None:
    """Why no table may be opened in this channel; None where one may."""
    channel, guild = interaction.channel, interaction.guild
    if settings.allows_table_in(interaction.channel_id, getattr(channel, "parent_id", None)):
        return None
    known = [number for number in settings.table_channels if guild is None or guild.get_channel(number) is not None]
    if not known:
        return texts.t("The channels chosen for tables are gone: `/kems-admin config` chooses others.")
    return texts.t("No table may be opened here: go to {channels}.", channels=" ".join(f"<#{one}>" for one in known))
