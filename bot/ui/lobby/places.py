"""Where a table may stand: whether a table can be opened in a channel, and whether it gets a thread there."""

from dataclasses import dataclass

import discord

from bot.tables.server_settings import ServerSettings
from bot.ui.kit.errors import SentenceError
from bot.ui.kit.interactions import reader
from bot.ui.kit.permissions import IN_THREAD, can_hold_threads, missing, needed_here, permission_names
from bot.ui.kit.texts import Texts
from bot.ui.lobby.server_defaults import ServerDefaults, refusal_here


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A channel that will do; `is_apart`: the table gets a thread of its own in it."""

    channel_id: int
    is_apart: bool
    settings: ServerSettings


class NoPlaceError(SentenceError):
    """No table can stand here."""


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
        refusal = refusal_here(interaction, settings, texts)
        if refusal is not None:
            raise NoPlaceError(refusal)
        is_wanted = self._in_thread if wants_thread is None else wants_thread
        return TablePlace(interaction.channel_id, is_wanted and can_hold_threads(channel) and not lacks, settings)


def _lacking(flags: tuple[str, ...], texts: Texts) -> str:
    names = ", ".join(permission_names(flags, texts))
    return texts.t("I cannot open a table here: I lack these permissions in this channel: {names}.", names=names)
