"""Opens tables: in a channel that can show them or in a thread, with the server's settings, one at a time for a person.

The same press twice opens one table: a retry while the store is slow finds the table that the first press opens.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any, Final

import discord
import structlog

from bot.base.errors import StoreError
from bot.discord.api.interactions import RefusedError, guild_id_of, made_at, texts_of
from bot.discord.api.patience import SlowStoreError, continue_when_slow
from bot.discord.interactions.rooms import Rooms
from bot.discord.places import permissions
from bot.discord.places.outage import check_is_added
from bot.discord.places.permissions import (
    IN_CHANNEL,
    IN_PRIVATE_THREAD,
    IN_THREAD,
    can_hold_threads,
    check_may_post,
    may_write,
    missing_permissions,
    needed_in,
    takes_tables,
)
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.places.server_defaults import check_allows_table
from bot.discord.places.threads import NOT_NOW, delete_thread, open_thread
from bot.discord.text.names import disambiguate_players, neutralise
from bot.discord.text.text_width import truncate
from bot.discord.text.texts import Texts, mark, texts_for
from bot.game.rules.rules import Rules
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby, Status, new_lobby
from bot.tables.lobby.refusals import LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.table import Table
from bot.tables.servers.settings import ServerSettings
from bot.ui.table.messages.table_message import TableMessage
from bot.ui.words.refusals import unwrap

SIZE: Final = 4
"""Default number of seats of a table."""
_MAX_NAME: Final = 100  # Discord's limit for a thread's name
_ELSEWHERE: Final = mark("No table may be opened here: go to {channels}.")
_APART: Final = (
    (discord.ChannelType.private_thread, IN_PRIVATE_THREAD),
    (discord.ChannelType.public_thread, IN_THREAD),
)

_log = structlog.get_logger(__name__)

_Outcome = Lobby | Table | LobbyRefusal
SAME_PRESS_MS: Final = 5_000
"""Within this time, by Discord's clock, a second request in the same channel means the table of the first."""


@dataclass(frozen=True, slots=True)
class UsableChannel:
    """A channel that can show a table; `is_apart`: the table gets a thread of its own in it."""

    channel_id: int
    settings: ServerSettings
    is_apart: bool


def may_be_apart(interaction: discord.Interaction) -> bool:
    """Return whether the bot may open a thread here that only the presser can see."""
    is_text = isinstance(interaction.channel, discord.TextChannel)
    return is_text and not missing_permissions(interaction.app_permissions, IN_PRIVATE_THREAD)


def can_open_thread(interaction: discord.Interaction) -> bool:
    """Return whether the bot may open a public thread in the channel of the press."""
    return can_hold_threads(interaction.channel) and not missing_permissions(interaction.app_permissions, IN_THREAD)


def thread_name(lobby: Lobby) -> str:
    """Return the name of a thread: `Léa & Bruno – Marius & Anatole`, or a list of the people before teams are drawn."""
    people, is_drawn = (
        disambiguate_players(lobby.players),
        lobby.status is not Status.OPEN or not lobby.has_random_teams,
    )
    teams = [lobby.members(team) for team in range(lobby.teams)] if is_drawn else [range(lobby.size)]
    sides = [[neutralise(player.name) or "?" for seat in team if (player := people[seat])] for team in teams]
    return truncate(" – ".join(" & ".join(names) for names in sides if names), _MAX_NAME)


async def into_thread(table: Table, board: TableMessage, channel: discord.TextChannel, message_id: int) -> str | None:
    """Move a starting match to a thread under its lobby's message. Return why it stays here; None if it moved."""
    texts, requests = texts_for(table.lobby.locale), board.context.requests
    opened = await open_thread(requests, channel, thread_name(table.lobby), under=message_id)
    stays = None if isinstance(opened, int) else stays_here_line(opened, channel, texts)
    if isinstance(opened, int):
        try:
            await board.open_thread(opened)
        except StoreError as error:  # it has begun: its people are led to the channel that it is in
            _log.warning("thread.not_saved", table=table.id, problem=str(error))
            stays = texts.t("The table stays in this channel.")
            if (thread := channel.get_thread(opened)) is not None:
                await delete_thread(requests, thread)
    await board.write_in_time()
    return stays


def stays_here_line(refusal: DiscordRefusal, channel: discord.TextChannel, texts: Texts) -> str:
    """Return a line that says why a table has no thread of its own."""
    if refusal == NOT_NOW:
        return texts.t("Discord won't open threads right now: the table stays in this channel.")
    stays, why = texts.t("The table stays in this channel."), refusal.words(channel.guild, texts, channel.id)
    return f"{stays} {why}"


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """A table that was opened; `is_former`: an earlier press or command of the same person opened it."""

    table_id: int
    is_former: bool


@dataclass(eq=False)
class Openings:
    """Finds where tables may open, and remembers the latest openings of each person."""

    _rooms: Rooms
    _begun: dict[tuple[int, int], asyncio.Task[_Outcome]] = field(default_factory=dict, init=False)
    """By server and person."""
    _latest: dict[tuple[int | None, int], tuple[int, int]] = field(default_factory=dict, init=False)
    """By channel and person: when, and which table."""

    async def find_place(
        self, interaction: discord.Interaction, *, wants_thread: bool | None = False, posts: bool = True
    ) -> UsableChannel:
        """Return the channel of a command or a press if it can show a table.

        Args:
            interaction: The command or the press.
            wants_thread: Whether the table gets a thread of its own; None for the server's setting.
            posts: The presser must be allowed to write there.

        Raises:
            RefusedError: No table may be opened there; the sentence says why.
            StoreError: The server's settings cannot be read.
        """
        texts, channel, channel_id = texts_of(interaction), interaction.channel, interaction.channel_id
        if channel_id is None or not takes_tables(channel):
            raise RefusedError(texts.t("No table fits in here: choose a text channel or a thread."))
        check_may_post(interaction, *((channel_id,) if posts else ()))
        for_thread = missing_permissions(interaction.app_permissions, IN_THREAD) if can_hold_threads(channel) else ()
        lacks = (for_thread if wants_thread else ()) or missing_permissions(
            interaction.app_permissions, needed_in(channel)
        )
        if lacks:
            names = permissions.permission_names(lacks, texts)
            line = texts.t("I can't open a table here. Missing permissions in this channel: {names}.", names=names)
            raise RefusedError(line)
        settings = await self._rooms.defaults.of(interaction)
        check_allows_table(interaction, settings, _ELSEWHERE, channel_id, getattr(channel, "parent_id", None))
        await check_is_added(interaction, channel_id, self._rooms.requests)
        is_wanted = self._rooms.settings.table_threads if wants_thread is None else wants_thread
        return UsableChannel(channel_id, settings, is_apart=is_wanted and can_hold_threads(channel) and not for_thread)

    async def find_shared_place(self, interaction: discord.Interaction, *, posts: bool = True) -> UsableChannel:
        """Return the channel for a table that is open to everybody: in a thread, the thread's parent channel.

        Args:
            interaction: The command or the press.
            posts: The presser must be allowed to write in the channel.

        Raises:
            RefusedError: No table may be opened there; the sentence says why.
            StoreError: The server's settings cannot be read.
        """
        place = await self.find_place(interaction, wants_thread=None, posts=posts)
        parent = getattr(interaction.channel, "parent", None)
        if not isinstance(parent, discord.TextChannel) or not place.settings.allows_table_in(parent.id):
            return place
        granted = parent.permissions_for(parent.guild.me)
        if missing_permissions(granted, IN_CHANNEL) or not may_write(interaction, parent.id):
            return place
        is_apart = (
            self._rooms.settings.table_threads
            and can_hold_threads(parent)
            and not missing_permissions(granted, IN_THREAD)
        )
        return replace(place, channel_id=parent.id, is_apart=is_apart)

    def lobby_of(
        self, interaction: discord.Interaction, at_place: UsableChannel, rules: Rules, size: int = SIZE
    ) -> Lobby:
        """Return a new lobby hosted by the presser, with the server's settings."""
        place, user = TableChannel(guild_id_of(interaction), at_place.channel_id), interaction.user
        host = Player(user.display_name, user.id)
        new = new_lobby(place=place, host=host, rules=rules, size=size, locale=self._language(interaction, at_place))
        absence, afk_seconds = at_place.settings.absence, at_place.settings.afk_seconds
        return replace(new, absence=absence, afk_seconds=afk_seconds, wants_thread=at_place.is_apart)

    async def thread_apart(self, interaction: discord.Interaction, place: UsableChannel) -> int | DiscordRefusal | None:
        """Open a thread that only the presser can see, or a public one if private threads are not allowed.

        Returns:
            The thread's id; Discord's refusal; None if neither kind can be opened.
        """
        channel = interaction.channel
        kind = next(
            (kind for kind, needed in _APART if not missing_permissions(interaction.app_permissions, needed)), None
        )
        if kind is None or not isinstance(channel, discord.TextChannel):
            return None
        texts, user = texts_for(self._language(interaction, place)), interaction.user
        name = texts.t("Kem's practice — {name}", name=neutralise(user.display_name) or "?")
        return await open_thread(self._rooms.requests, channel, name, kind=kind, archive_minutes=60, user_id=user.id)

    def _language(self, interaction: discord.Interaction, place: UsableChannel) -> str:
        return self._rooms.defaults.language(place.settings, interaction.guild, interaction.locale)

    async def open(
        self, interaction: discord.Interaction, make: Callable[[], Coroutine[Any, Any, _Outcome]], more_s: float = 0.0
    ) -> OpenedTable:
        """Return the table that `make` opens, or the one that the same person's earlier press in this server opened.

        Args:
            interaction: The command or the press.
            make: Opens a table.
            more_s: Seconds that this may take beyond the usual time for an answer.

        Raises:
            SlowStoreError: The table may still be opened; the next call returns it.
            StoreError: It was not saved.
            RefusedError: It was refused.
        """
        key, channel_key = (
            (guild_id_of(interaction), interaction.user.id),
            (interaction.channel_id, interaction.user.id),
        )
        self._forget(made_at(interaction))
        if (latest := self._latest.get(channel_key)) is not None:
            return OpenedTable(latest[1], is_former=True)
        former = self._begun.get(key)
        opening = self._begun[key] = former or asyncio.create_task(make())
        try:
            outcome = await continue_when_slow(opening, more_s)
        except SlowStoreError:
            opening.add_done_callback(self._show_late)
            raise
        if self._begun.get(key) is opening:
            del self._begun[key]
        table_id = unwrap(outcome if isinstance(outcome, LobbyRefusal) else outcome.id, texts_of(interaction))
        self._latest[channel_key] = made_at(interaction), table_id
        return OpenedTable(table_id, is_former=former is not None)

    def _show_late(self, opening: asyncio.Task[_Outcome]) -> None:
        lobby = self._rooms.directory.open_lobby(_table_of(opening) or 0)
        if lobby is not None:
            self._rooms.directory.lobbies.show(lobby)

    def _forget(self, now: int) -> None:
        """Forget openings that failed or are old, and tables that are closed or that their host has left."""
        self._begun = {
            (guild_id, user_id): opening
            for (guild_id, user_id), opening in self._begun.items()
            if not opening.done() or self._is_seated(user_id, _table_of(opening))
        }
        self._latest = {
            channel_key: (at, table_id)
            for channel_key, (at, table_id) in self._latest.items()
            if now - at < SAME_PRESS_MS and self._is_seated(channel_key[1], table_id)
        }

    def _is_seated(self, user_id: int, table_id: int | None) -> bool:
        tables = self._rooms.directory.alive_of(user_id)
        return any(lobby.id == table_id and lobby.seat_of(user_id) is not None for lobby in tables)


def _table_of(opening: asyncio.Task[_Outcome]) -> int | None:
    if opening.cancelled() or opening.exception() is not None:
        return None
    outcome = opening.result()
    return None if isinstance(outcome, LobbyRefusal) else outcome.id
