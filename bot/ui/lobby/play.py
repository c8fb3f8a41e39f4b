"""`/kems play`, and *Play* wherever it stands: one press seats a person at the call of the channel, or opens it."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.base.clock import Clock
from bot.discord.api.custom_ids import Press
from bot.discord.api.interactions import RefusedError, guild_of, reader
from bot.discord.api.patience import or_later
from bot.discord.api.responses import defer
from bot.discord.interactions.admission.budgets import TABLES, Verb
from bot.discord.interactions.feature import CommandSet, command
from bot.discord.places.permissions import check_may_post
from bot.discord.places.server_defaults import ServerDefaults
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.text.texts import mark
from bot.game.rules.rules import Rules
from bot.tables.directory import TableDirectory
from bot.tables.lobby.place import Place
from bot.ui.lobby.calls import Calls
from bot.ui.lobby.places import Openings, TablePlace, find_shared_place, lobby_of
from bot.ui.table.messages.private_panels import PrivatePanels
from bot.ui.table.presses import show_seat
from bot.ui.table.verbs import TableVerb
from bot.ui.table.which_table import running_match

HasPlayed = Callable[[int, int], Coroutine[Any, Any, bool]]
"""Whether a user has played a match of a server to its end: `(guild_id, user_id)`. Raises StoreError."""


@dataclass(eq=False, repr=False)
class PlayCommand(CommandSet):
    """Seats people at calls. A person who plays already gets their panel.

    The button gives a person who has never finished a match in this server their first match (`_teach`), unless others
    wait.
    """

    verbs = frozenset[Verb]({TableVerb.PLAY})

    _clock: Clock
    _directory: TableDirectory
    _panels: PrivatePanels
    _requests: BotRequests
    _defaults: ServerDefaults
    _openings: Openings
    _calls: Calls
    _rules: Rules
    _has_played: HasPlayed
    _teach: Callable[[discord.Interaction], Coroutine[Any, Any, None]]
    _in_thread: bool

    @command("play", mark("Play with the people who come in the next seconds, else with robots"), draws=TABLES)
    async def play(self, interaction: discord.Interaction) -> None:
        place = await self._find_place(interaction)
        if not await self._is_playing(interaction):
            await self._sit_down(interaction, place)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        if interaction.guild_id is None:
            raise RefusedError(reader(interaction).t("Tables are opened in a server's channel."))
        place = await self._find_place(interaction)
        if await self._is_playing(interaction):
            return
        is_called = self._calls.open_in(Place(interaction.guild_id, place.channel_id)) is not None
        if is_called or await or_later(self._has_played(interaction.guild_id, interaction.user.id)):
            await self._sit_down(interaction, place)
        else:
            await self._teach(interaction)

    async def _find_place(self, interaction: discord.Interaction) -> TablePlace:
        return await find_shared_place(
            interaction, self._defaults, self._requests, in_thread=self._in_thread, posts=False
        )

    async def _is_playing(self, interaction: discord.Interaction) -> bool:
        """Whether the presser plays a match just now: it is shown then."""
        table = running_match(self._directory, interaction)
        if table is not None:
            await show_seat(interaction, table, self._panels, is_below=True)
        return table is not None

    async def _sit_down(self, interaction: discord.Interaction, place: TablePlace) -> None:
        """Whoever sits down at a call need not be one who may write there; whoever opens it does."""
        if self._calls.open_in(Place(guild_of(interaction), place.channel_id)) is None:
            check_may_post(interaction, place.channel_id)
        lobby = lobby_of(interaction, place, self._defaults, self._rules)
        starts_at = self._clock.now() + place.settings.call_seconds * 1000
        call = replace(lobby, wants_thread=place.is_apart, starts_at=starts_at)
        opened = await self._openings.open(interaction, lambda: self._calls.sit_down(call))
        await defer(interaction, is_new=True)
        await self._calls.promise(interaction, opened.table_id)
