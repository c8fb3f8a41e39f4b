"""The settings of a server, and the language of its public messages."""

from typing import Final

import discord

from bot.discord.api.interactions import guild_id_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.text.texts import Texts, supported_language, texts_for
from bot.tables.servers.settings import ServerSettings, ServerStore


def community_language(guild: discord.Guild | None) -> str | None:
    """Return the language that a server has chosen on Discord; None if it has none, or if the bot does not speak it.

    Only Community servers choose one: for any other server Discord says "en-US".
    Source: https://discord.com/developers/docs/resources/guild#guild-object, `preferred_locale`
    """
    return None if guild is None or "COMMUNITY" not in guild.features else supported_language(guild.preferred_locale)


class ServerDefaults:
    """Reads a server's settings. Methods that await it raise StoreError if they cannot be read."""

    def __init__(self, servers: ServerStore, locale: str) -> None:
        """Read from the store; `locale` is the language if nobody has chosen one."""
        self._locale: Final = locale
        self.read: Final = servers.read

    async def of(self, interaction: discord.Interaction) -> ServerSettings:
        """Return the settings of an interaction's server."""
        return await continue_when_slow(self.read(guild_id_of(interaction)))

    async def public_texts(self, interaction: discord.Interaction) -> Texts:
        """Return the texts of public messages in an interaction's server."""
        settings = await self.of(interaction)
        return texts_for(self.language(settings, interaction.guild, interaction.locale))

    def language(
        self, settings: ServerSettings, guild: discord.Guild | None, person: discord.Locale | None = None
    ) -> str:
        """Return the language of a server's public messages.

        It is the first of these that the bot speaks: the language in the bot's settings for the server, the server's
        own on Discord, that of the `person` behind the message, the default.
        """
        known = (settings.language, community_language(guild), supported_language(person), self._locale)
        return next(code for code in known if code is not None)
