"""What a server has chosen for its tables: the language of public messages, and the channels for tables."""

import discord

from bot.tables.server_settings import ServerSettings, ServerStore
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.interactions import guild_of
from bot.ui.kit.languages import LANGUAGES
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.words.refusals import RefusedError


class ServerDefaults:
    """Every method raises StoreError when the server's settings cannot be read."""

    def __init__(self, servers: ServerStore, locale: str) -> None:
        """`locale` is the language of servers that neither chose one nor are set to one of the bot's."""
        self._servers = servers
        self._locale = locale

    async def of(self, interaction: discord.Interaction) -> ServerSettings:
        """The settings of the presser's server."""
        return await or_later(self._servers.read(guild_of(interaction)))

    async def read(self, guild_id: int) -> ServerSettings:
        """The settings of a server, however long that takes."""
        return await self._servers.read(guild_id)

    async def public_texts(self, interaction: discord.Interaction) -> Texts:
        """The texts of messages that everybody in the server sees."""
        return texts_for(self.language(interaction, await self.of(interaction)))

    def language(self, interaction: discord.Interaction, settings: ServerSettings) -> str:
        """The language that the server has chosen, else its own on Discord if the bot speaks it, else the default."""
        return self.public_language(settings, str(interaction.guild_locale or ""))

    def public_language(self, settings: ServerSettings, guild_locale: str) -> str:
        """The same without a press; `guild_locale` is Discord's setting of the server, such as "en-GB"."""
        known = (settings.language or "", guild_locale.split("-", maxsplit=1)[0], self._locale)
        return next(code for code in known if code in LANGUAGES)


def check_channel(interaction: discord.Interaction, settings: ServerSettings, texts: Texts) -> None:
    """Raises RefusedError where the server wants no table in this channel."""
    channel, guild = interaction.channel, interaction.guild
    if settings.allows_table_in(interaction.channel_id, getattr(channel, "parent_id", None)):
        return
    known = [f"<#{one}>" for one in settings.table_channels if guild is None or guild.get_channel(one) is not None]
    if not known:
        raise RefusedError(texts.t("The channels chosen for tables are gone: `/kems-admin config` chooses others."))
    raise RefusedError(texts.t("No table may be opened here: go to {channels}.", channels=" ".join(known)))
