"""Presses that open a table or explain the game, wherever they stand: help, quick start, rematch, the same again."""

from collections.abc import Coroutine
from random import Random
from typing import Any

import discord

from bot.game.rules import Rules
from bot.live.house import House
from bot.live.lobby import Lobby, LobbyRefusal
from bot.live.people import Place, Player
from bot.live.server import ServerSettings
from bot.live.table import Table
from bot.ui.answers import reader, say
from bot.ui.customs import Customs, refusal_here
from bot.ui.ids import Press, Verb
from bot.ui.lobby_presses import with_robot
from bot.ui.lobby_view import help_panel
from bot.ui.panels import Page
from bot.ui.patience import or_later
from bot.ui.presenter import Presenter
from bot.ui.sentences import lobby_refusal_text
from bot.ui.table_presses import TablePresses
from bot.ui.texts import Language

_QUICK_SIZE = 4


class OpeningPresses:
    """Answers the buttons of greetings and of tables that are over."""

    verbs = frozenset({Verb.HELP, Verb.QUICK, Verb.REMATCH, Verb.REOPEN})

    def __init__(
        self,
        house: House,
        presenter: Presenter,
        tables: TablePresses,
        rng: Random,
        *,
        quick_rules: Rules,
        customs: Customs,
    ) -> None:
        """`quick_rules` are those of a table opened by the quick start."""
        self._house = house
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
        lobby = self._house.lobby(table_id)
        rules = self._quick_rules if lobby is None else lobby.rules
        await interaction.response.send_message(view=help_panel(rules, reader(interaction)), ephemeral=True)

    async def _rematch(self, interaction: discord.Interaction, table_id: int) -> None:
        """The same people again, in a new lobby. Raises StoreError when it was not saved."""
        texts = reader(interaction)
        lobby = await self._in_time(self._house.rematch(table_id, interaction.user.id))
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
        lobby = await self._in_time(self._house.reopen(table_id, host, interaction.channel_id))
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
        await self._tables.open_panel(interaction, started, seat, Page.SIGN)

    async def _with_robots(
        self, place: Place, host: Player, locale: Language, settings: ServerSettings
    ) -> Table | LobbyRefusal:
        opened = await self._house.open_lobby(
            place=place,
            host=host,
            rules=self._quick_rules,
            size=_QUICK_SIZE,
            locale=locale,
            absence=settings.absence,
            afk_seconds=settings.afk_seconds,
        )
        for _ in range(_QUICK_SIZE - 1):
            await self._house.update(opened.id, lambda lobby: with_robot(lobby, self._rng))
        return await self._house.start(opened.id)

    async def _in_time(self, change: Coroutine[Any, Any, Lobby | LobbyRefusal]) -> Lobby | LobbyRefusal:
        return await or_later(change, late=self._presenter.caught_up)
