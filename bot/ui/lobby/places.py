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
from bot.ui.lobby.server_defaults import NoPlaceError, ServerDefaults, check_channel
from bot.ui.messages.coalescer import Budget

_ARCHIVE_MINUTES: Final = 1440

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A channel that will do; `is_apart`: the table gets a thread of its own in it."""

    channel_id: int
    is_apart: bool
    settings: ServerSettings


class TablePlaces:
    """Looks at the channels of commands."""

    def __init__(self, defaults: ServerDefaults, *, in_thread: bool) -> None:
        """`in_thread`: whether a table gets a thread of its own unless its host says otherwise."""
        self._defaults = defaults
        self._in_thread = in_thread

    async def here(self, interaction: discord.Interaction, *, wants_thread: bool | None) -> TablePlace:
        """The channel of a command, with a thread if that is wanted; if nothing is, where it can be had.

        Raises:
            NoPlaceError: with a sentence that names what is missing.
            StoreError: the server's settings cannot be read.
        """
        texts, channel = reader(interaction), interaction.channel
        lacks = missing(interaction.app_permissions, needed_here(channel))
        if lacks or interaction.channel_id is None:
            raise NoPlaceError(_lacking(lacks, texts))
        lacks = missing(interaction.app_permissions, IN_THREAD) if can_hold_threads(channel) else ()
        if wants_thread and lacks:
            raise NoPlaceError(_lacking(lacks, texts))
        settings = await self._defaults.of(interaction)
        check_channel(interaction, settings, texts)
        is_wanted = self._in_thread if wants_thread is None else wants_thread
        return TablePlace(interaction.channel_id, is_wanted and can_hold_threads(channel) and not lacks, settings)


async def open_thread(interaction: discord.Interaction, announcement: str, texts: Texts, budget: Budget) -> int:
    """Announce a table in the channel and open a thread under the announcement; the id of where to play.

    Where Discord refuses the thread after all, that is the channel itself.

    Raises:
        discord.HTTPException: not even the announcement could be posted.
    """
    said = await interaction.response.send_message(announcement, allowed_mentions=discord.AllowedMentions.none())
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel), "only text channels are asked for threads"
    assert said.message_id is not None, "a message was sent"
    try:
        name = texts.t("Kem's — {name}", name=inert(interaction.user.display_name) or "?")
        async with budget.slot(is_urgent=True):
            message = channel.get_partial_message(said.message_id)
            thread = await message.create_thread(name=name, auto_archive_duration=_ARCHIVE_MINUTES)
    except FAILED as error:
        _log.warning("thread.refused", channel=channel.id, **facts(error))
        return channel.id
    return thread.id


def _lacking(flags: tuple[str, ...], texts: Texts) -> str:
    names = ", ".join(permission_names(flags, texts))
    return texts.t("I cannot open a table here: I lack these permissions in this channel: {names}.", names=names)
