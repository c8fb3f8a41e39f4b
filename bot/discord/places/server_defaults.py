"""The settings of a server, and the language of its public messages."""

from typing import Final

import discord

from bot.discord.api.interactions import RefusedError, guild_id_of, texts_of
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


def check_allows_table(
    interaction: discord.Interaction, settings: ServerSettings, sentence: str, *channel_ids: int | None
) -> None:
    """Check that a table may be opened in a channel; for a thread, the ids are its own and its parent's.

    Raises:
        RefusedError: The server has chosen others, which `sentence` names as {channels}.
    """
    if settings.allows_table_in(*channel_ids):
        return
    t, guild = texts_of(interaction).t, interaction.guild
    known = [chosen for chosen in settings.table_channels if guild is None or guild.get_channel(chosen) is not None]
    if not known:
        raise RefusedError(t("The channels chosen for tables are gone: {/config} chooses others."))
    raise RefusedError(t(sentence, channels=" ".join(f"<#{channel_id}>" for channel_id in known)))
