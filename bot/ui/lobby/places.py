"""Where a table may stand: whether one can be opened in a channel, a thread for it, and its server's language."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord
import structlog

from bot.tables.server_settings import ServerSettings, ServerStore
from bot.ui.admission.admission import or_later
from bot.ui.kit import permissions
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.interactions import guild_of, reader
from bot.ui.kit.names import inert
from bot.ui.kit.permissions import IN_PRIVATE_THREAD, IN_THREAD, can_hold_threads, missing, needed_here
from bot.ui.kit.texts import LANGUAGES, Texts, texts_for
from bot.ui.live.outage import check_is_added
from bot.ui.live.requests import BotRequests
from bot.ui.words.refusals import RefusedError

_ARCHIVE_MINUTES: Final = 1440
_ARCHIVE_APART_MINUTES: Final = 60
_APART: Final = (
    (discord.ChannelType.private_thread, IN_PRIVATE_THREAD),
    (discord.ChannelType.public_thread, IN_THREAD),
)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A channel that will do; `is_apart`: the table gets a thread of its own in it."""

    channel_id: int
    settings: ServerSettings
    is_apart: bool


class ServerDefaults:
    """Every method raises StoreError when the server's settings cannot be read."""

    def __init__(self, servers: ServerStore, locale: str) -> None:
        """`locale` is the language of servers that neither chose one nor are set to one of the bot's."""
        self._locale = locale
        self.read: Final = servers.read

    async def of(self, interaction: discord.Interaction) -> ServerSettings:
        return await or_later(self.read(guild_of(interaction)))

    async def public_texts(self, interaction: discord.Interaction) -> Texts:
        return texts_for(self.language(interaction, await self.of(interaction)))

    def language(self, interaction: discord.Interaction, settings: ServerSettings) -> str:
        """The language that the server has chosen, else its own on Discord if the bot speaks it, else the default."""
        return self.public_language(settings, str(interaction.guild_locale or ""))

    def public_language(self, settings: ServerSettings, guild_locale: str) -> str:
        """The same without a press; `guild_locale` is Discord's setting of the server, such as "en-GB"."""
        known = (settings.language or "", guild_locale.split("-", maxsplit=1)[0], self._locale)
        return next(code for code in known if code in LANGUAGES)


async def find_place(
    interaction: discord.Interaction,
    defaults: ServerDefaults,
    requests: BotRequests,
    *,
    wants_thread: bool | None = False,
    in_thread: bool = False,
) -> TablePlace:
    """The channel of a command or a press, if it can show a table.

    Without a wish, `in_thread` says whether the table gets a thread where it can. Raises RefusedError: the sentence
    says why no table may be opened there; StoreError: the server's settings cannot be read.
    """
    texts, channel, channel_id = reader(interaction), interaction.channel, interaction.channel_id
    for_thread = missing(interaction.app_permissions, IN_THREAD) if can_hold_threads(channel) else ()
    lacks = (for_thread if wants_thread else ()) or missing(interaction.app_permissions, needed_here(channel))
    if lacks or channel_id is None:
        names = permissions.permission_names(lacks, texts)
        line = texts.t("I cannot open a table here: I lack these permissions in this channel: {names}.", names=names)
        raise RefusedError(line)
    settings = await defaults.of(interaction)
    _check_channel(interaction, settings, texts)
    await check_is_added(interaction, channel_id, requests)
    is_wanted = in_thread if wants_thread is None else wants_thread
    return TablePlace(channel_id, settings, is_apart=is_wanted and can_hold_threads(channel) and not for_thread)


async def thread_apart(interaction: discord.Interaction, locale: str, requests: BotRequests) -> int | None:
    """Opens a thread for the presser alone, or a public one where only those are allowed; gives its id.

    None where neither can be opened, or Discord refuses it.
    """
    channel = interaction.channel
    kind = next((kind for kind, needed in _APART if not missing(interaction.app_permissions, needed)), None)
    if kind is None or not isinstance(channel, discord.TextChannel):
        return None
    name = texts_for(locale).t("Kem's practice — {name}", name=inert(interaction.user.display_name) or "?")
    create = partial(channel.create_thread, name=name, type=kind, auto_archive_duration=_ARCHIVE_APART_MINUTES)
    return await _opened(channel, create, requests, user_id=interaction.user.id)


def can_open_thread(interaction: discord.Interaction) -> bool:
    return can_hold_threads(interaction.channel) and not missing(interaction.app_permissions, IN_THREAD)


async def thread_under(
    channel: discord.TextChannel, message_id: int, host: str, texts: Texts, requests: BotRequests
) -> int | None:
    name, message = texts.t("Kem's — {name}", name=inert(host) or "?"), channel.get_partial_message(message_id)
    create = partial(message.create_thread, name=name, auto_archive_duration=_ARCHIVE_MINUTES)
    return await _opened(channel, create, requests)


async def _opened(
    channel: discord.TextChannel,
    create: Callable[[], Awaitable[discord.Thread]],
    requests: BotRequests,
    user_id: int | None = None,
) -> int | None:
    """The id of a new thread, to which the user is added; None where Discord refuses it."""
    try:
        async with requests.slot(is_urgent=True) as slot:
            slot.request()
            thread = await create()
            if user_id is not None:
                await slot.request_in_turn()
                await thread.add_user(discord.Object(user_id))
    except FAILED as error:
        _log.warning("thread.refused", channel=channel.id, **facts(error))
        return None
    return thread.id


def _check_channel(interaction: discord.Interaction, settings: ServerSettings, texts: Texts) -> None:
    channel, guild = interaction.channel, interaction.guild
    if settings.allows_table_in(interaction.channel_id, getattr(channel, "parent_id", None)):
        return
    known = [f"<#{one}>" for one in settings.table_channels if guild is None or guild.get_channel(one) is not None]
    if not known:
        raise RefusedError(texts.t("The channels chosen for tables are gone: `/kems-admin config` chooses others."))
    raise RefusedError(texts.t("No table may be opened here: go to {channels}.", channels=" ".join(known)))
