"""What a server has chosen, and the language of what all of it reads."""

from typing import Final

import discord

from bot.discord.api.interactions import guild_id_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.text.texts import Texts, supported_language, texts_for
from bot.tables.servers.settings import ServerSettings, ServerStore


def community_language(guild: discord.Guild | None) -> str | None:
    """Return the language that a server has chosen on Discord; None without one, or where the bot does not speak it.

    Only a Community server chooses: Discord says "en-US" of each other one.
    Source: https://discord.com/developers/docs/resources/guild#guild-object, `preferred_locale`
    """
    return None if guild is None or "COMMUNITY" not in guild.features else supported_language(guild.preferred_locale)


class ServerDefaults:
    """Every method raises StoreError when the server's settings cannot be read."""

    def __init__(self, servers: ServerStore, locale: str) -> None:
        """`locale` is the language where nobody has chosen one."""
        self._locale: Final = locale
        self.read: Final = servers.read

    async def of(self, interaction: discord.Interaction) -> ServerSettings:
        return await continue_when_slow(self.read(guild_id_of(interaction)))

    async def public_texts(self, interaction: discord.Interaction) -> Texts:
        settings = await self.of(interaction)
        return texts_for(self.language(settings, interaction.guild, interaction.locale))

    def language(
        self, settings: ServerSettings, guild: discord.Guild | None, person: discord.Locale | None = None
    ) -> str:
        """Return the language of what a whole server reads: the first of these that the bot speaks.

        The one that the server has chosen, its own on Discord, that of the `person` who posts it, the default.
        """
        known = (settings.language, community_language(guild), supported_language(person), self._locale)
        return next(code for code in known if code is not None)
