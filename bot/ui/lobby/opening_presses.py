"""Presses that open a table: a quick start with robots, and once more a table that nobody started."""

from random import Random

import discord

from bot.game.rules import Rules
from bot.records.player import Player
from bot.tables.directory import TableDirectory
from bot.tables.lobby import LobbyRefusal
from bot.tables.place import Place
from bot.tables.server_settings import ServerSettings
from bot.tables.table import Table
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.interactions import reader, say
from bot.ui.lobby.presses import with_robot
from bot.ui.lobby.server_defaults import ServerDefaults, refusal_here
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.messages.presenter import Presenter
from bot.ui.table.panel_pages import PanelPage
from bot.ui.words.refusals import lobby_refusal_text

_QUICK_SIZE = 4


class OpeningPresses:
    """Answers the greeting's button for a quick start, and that of a lobby whose time ran out."""

    verbs = frozenset[str]({LobbyVerb.QUICK, LobbyVerb.REOPEN})

    def __init__(
        self,
        directory: TableDirectory,
        presenter: Presenter,
        rng: Random,
        *,
        quick_rules: Rules,
        defaults: ServerDefaults,
    ) -> None:
        """`quick_rules` are those of a table opened by the quick start."""
        self._directory = directory
        self._presenter = presenter
        self._rng = rng
        self._quick_rules = quick_rules
        self._defaults = defaults

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when a table was not saved."""
        if press.verb == LobbyVerb.QUICK:
            await self._quick_start(interaction)
        else:
            await self._reopen(interaction, press.table_id)

    async def _reopen(self, interaction: discord.Interaction, table_id: int) -> None:
        """Open a table like the one that nobody started, for the presser. Raises StoreError when it was not saved."""
        texts, host = reader(interaction), Player(interaction.user.display_name, interaction.user.id)
        refusal = refusal_here(interaction, await self._defaults.of(interaction), texts)
        if refusal is not None:
            await say(interaction, refusal)
            return
        reopened = self._directory.reopen(table_id, host, interaction.channel_id)
        lobby = await or_later(reopened, late=self._presenter.caught_up)
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
        settings = await self._defaults.of(interaction)
        refusal = refusal_here(interaction, settings, texts)
        if refusal is not None:
            await say(interaction, refusal)
            return
        place = Place(interaction.guild_id, interaction.channel_id)
        host = Player(interaction.user.display_name, interaction.user.id)
        locale = self._defaults.language(interaction, settings)
        started = await or_later(self._with_robots(place, host, locale, settings))
        if isinstance(started, LobbyRefusal):
            await say(interaction, lobby_refusal_text(started, texts))
            return
        seat = started.seat_of(interaction.user.id)
        assert seat is not None, "the host has a seat"
        await self._presenter.show_panel(interaction, started, seat, PanelPage.SIGN)

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
