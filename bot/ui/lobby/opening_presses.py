"""Presses that open a table or explain the game, wherever they stand: help, quick start, rematch, the same again."""

from collections.abc import Coroutine
from random import Random
from typing import Any

import discord

from bot.game.rules import Rules
from bot.records.player import Player
from bot.tables.directory import TableDirectory
from bot.tables.lobby import Lobby, LobbyRefusal
from bot.tables.place import Place
from bot.tables.server_settings import ServerSettings
from bot.tables.table import Table
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.answers import reader, say
from bot.ui.kit.custom_ids import Press, Verb
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.lobby.lobby_board import help_panel
from bot.ui.lobby.presses import with_robot
from bot.ui.lobby.server_defaults import ServerDefaults, refusal_here
from bot.ui.messages.presenter import Presenter
from bot.ui.messages.private_panels import PanelPage
from bot.ui.table.presses import TablePresses
from bot.ui.words.refusals import lobby_refusal_text

_QUICK_SIZE = 4


class OpeningPresses:
    """Answers the buttons of greetings and of tables that are over."""

    verbs = frozenset({Verb.HELP, Verb.QUICK, Verb.REMATCH, Verb.REOPEN})

    def __init__(
        self,
        directory: TableDirectory,
        presenter: Presenter,
        tables: TablePresses,
        rng: Random,
        *,
        quick_rules: Rules,
        customs: ServerDefaults,
    ) -> None:
        """`quick_rules` are those of a table opened by the quick start."""
        self._directory = directory
        self._presenter = presenter
        self._tables = tables
        self._rng = rng
        self._quick_rules = quick_rules
        self._customs = customs

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when a table was not saved."""
        match press.verb:
            case Verb.QUICK:
                await self._quick_start(interaction)
            case Verb.REMATCH:
                await self._rematch(interaction, press.table_id)
            case Verb.REOPEN:
                await self._reopen(interaction, press.table_id)
            case _:
                await self._help(interaction, press.table_id)

    async def _help(self, interaction: discord.Interaction, table_id: int) -> None:
        """How to play, by the rules of the table if there is one."""
        lobby = self._directory.lobby(table_id)
        rules = self._quick_rules if lobby is None else lobby.rules
        await interaction.response.send_message(
            view=PreparedView(help_panel(rules, reader(interaction))), ephemeral=True
        )

    async def _rematch(self, interaction: discord.Interaction, table_id: int) -> None:
        """The same people again, in a new lobby. Raises StoreError when it was not saved."""
        texts = reader(interaction)
        lobby = await self._in_time(self._directory.rematch(table_id, interaction.user.id))
        if isinstance(lobby, LobbyRefusal):
            await say(interaction, lobby_refusal_text(lobby, texts))
            return
        self._presenter.board(lobby).ask()
        channel = f"<#{lobby.place.channel_id}>"
        await say(interaction, texts.t("The table for the rematch is in {channel}.", channel=channel))

    async def _reopen(self, interaction: discord.Interaction, table_id: int) -> None:
        """A table like the one that nobody started, for whoever asks. Raises StoreError when it was not saved."""
        texts, host = reader(interaction), Player(interaction.user.display_name, interaction.user.id)
        refusal = refusal_here(interaction, await self._customs.of(interaction), texts)
        if refusal is not None:
            await say(interaction, refusal)
            return
        lobby = await self._in_time(self._directory.reopen(table_id, host, interaction.channel_id))
        if isinstance(lobby, LobbyRefusal):
            await say(interaction, lobby_refusal_text(lobby, texts))
            return
        self._presenter.board(lobby).ask()
        await say(interaction, texts.t("The new table is in {channel}.", channel=f"<#{lobby.place.channel_id}>"))

    async def _quick_start(self, interaction: discord.Interaction) -> None:
        """A table with the presser and robots, started at once; the answer is the presser's panel."""
        texts = reader(interaction)
        if interaction.guild_id is None or interaction.channel_id is None:
            await say(interaction, texts.t("Tables are opened in a server's channel."))
            return
        settings = await self._customs.of(interaction)
        refusal = refusal_here(interaction, settings, texts)
        if refusal is not None:
            await say(interaction, refusal)
            return
        place = Place(interaction.guild_id, interaction.channel_id)
        host = Player(interaction.user.display_name, interaction.user.id)
        locale = self._customs.language(interaction, settings)
        started = await or_later(self._with_robots(place, host, locale, settings))
        if isinstance(started, LobbyRefusal):
            await say(interaction, lobby_refusal_text(started, texts))
            return
        seat = started.seat_of(interaction.user.id)
        assert seat is not None, "the host has a seat"
        await self._tables.open_panel(interaction, started, seat, PanelPage.SIGN)

    async def _with_robots(
        self, place: Place, host: Player, locale: str, settings: ServerSettings
    ) -> Table | LobbyRefusal:
        opened = await self._directory.open_lobby(
            place=place,
            host=host,
            rules=self._quick_rules,
            size=_QUICK_SIZE,
            locale=locale,
            absence=settings.absence,
            afk_seconds=settings.afk_seconds,
        )
        for _ in range(_QUICK_SIZE - 1):
            await self._directory.update(opened.id, lambda lobby: with_robot(lobby, self._rng))
        return await self._directory.start(opened.id)

    async def _in_time(self, change: Coroutine[Any, Any, Lobby | LobbyRefusal]) -> Lobby | LobbyRefusal:
        return await or_later(change, late=self._presenter.caught_up)
