"""Where a table may stand: whether one can be opened in a channel, and a thread for it."""

from dataclasses import dataclass
from typing import Final

import discord
import structlog

from bot.tables.server_settings import ServerSettings
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.interactions import reader
from bot.ui.kit.names import inert
from bot.ui.kit.permissions import IN_THREAD, can_hold_threads, missing, needed_here, permission_names
from bot.ui.kit.texts import Texts
from bot.ui.lobby.server_defaults import ServerDefaults, check_channel
from bot.ui.messages.limits.bot_requests import BotRequests
from bot.ui.messages.private_threads import check_is_added
from bot.ui.words.refusals import RefusedError

_ARCHIVE_MINUTES: Final = 1440

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A channel that will do; `is_apart`: the table gets a thread of its own in it."""

    channel_id: int
    is_apart: bool
    settings: ServerSettings


async def find_place(
    interaction: discord.Interaction,
    defaults: ServerDefaults,
    requests: BotRequests,
    *,
    wants_thread: bool | None,
    in_thread: bool,
) -> TablePlace:
    """The channel of a command; without a wish, `in_thread` says whether the table gets a thread where it can.

    Raises:
        RefusedError: the sentence names what is missing.
        StoreError: the server's settings cannot be read.
    """
    texts, channel = reader(interaction), interaction.channel
    lacks = missing(interaction.app_permissions, IN_THREAD) if can_hold_threads(channel) else ()
    if wants_thread and lacks:
        raise RefusedError(_lacking(lacks, texts))
    channel_id, settings = await find_channel(interaction, defaults, requests)
    is_wanted = in_thread if wants_thread is None else wants_thread
    return TablePlace(channel_id, is_wanted and can_hold_threads(channel) and not lacks, settings)


async def find_channel(
    interaction: discord.Interaction, defaults: ServerDefaults, requests: BotRequests
) -> tuple[int, ServerSettings]:
    """The id of the channel of a command or a press, which can show a table, and the settings of its server.

    Raises:
        RefusedError: no table may be opened there; the sentence says why.
        StoreError: the server's settings cannot be read.
    """
    texts = reader(interaction)
    lacks = missing(interaction.app_permissions, needed_here(interaction.channel))
    if lacks or interaction.channel_id is None:
        raise RefusedError(_lacking(lacks, texts))
    settings = await defaults.of(interaction)
    check_channel(interaction, settings, texts)
    await check_is_added(interaction, interaction.channel_id, requests)
    return interaction.channel_id, settings


async def open_thread(interaction: discord.Interaction, announcement: str, texts: Texts, requests: BotRequests) -> int:
    """Announces a table and opens a thread under the announcement; gives the id of where to play.

    That is the channel itself where Discord refuses the thread. Raises discord.HTTPException without the announcement.
    """
    said = await interaction.response.send_message(announcement, allowed_mentions=discord.AllowedMentions.none())
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel), "only text channels are asked for threads"
    assert said.message_id is not None, "a message was sent"
    thread_id = await thread_under(channel, said.message_id, interaction.user.display_name, texts, requests)
    return thread_id or channel.id


def can_open_thread(interaction: discord.Interaction) -> bool:
    """Whether a thread can be opened under a message of the channel of a press."""
    return can_hold_threads(interaction.channel) and not missing(interaction.app_permissions, IN_THREAD)


async def thread_under(
    channel: discord.TextChannel, message_id: int, host: str, texts: Texts, requests: BotRequests
) -> int | None:
    """Opens a thread under a message; gives its id, None where Discord refuses it."""
    try:
        name = texts.t("Kem's — {name}", name=inert(host) or "?")
        async with requests.slot(is_urgent=True) as slot:
            slot.request()
            message = channel.get_partial_message(message_id)
            thread = await message.create_thread(name=name, auto_archive_duration=_ARCHIVE_MINUTES)
    except FAILED as error:
        _log.warning("thread.refused", channel=channel.id, **facts(error))
        return None
    return thread.id


def _lacking(flags: tuple[str, ...], texts: Texts) -> str:
    names = ", ".join(permission_names(flags, texts))
    return texts.t("I cannot open a table here: I lack these permissions in this channel: {names}.", names=names)
