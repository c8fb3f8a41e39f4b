"""Opens a match with robots for the person who asks: the button *Play now*, `/kems practice` and `/kems tutorial`."""

from collections.abc import Awaitable, Callable

import discord

from bot.records.player import Player
from bot.tables.directory import TableDirectory
from bot.tables.lobby.coaching import Coaching
from bot.tables.lobby.lobby import LobbyCode, LobbyRefusal
from bot.tables.lobby.place import Place
from bot.tables.match.table import Table
from bot.tables.server_settings import ServerSettings
from bot.ui.kit.interactions import guild_of, reader
from bot.ui.lobby.openings import Openings
from bot.ui.lobby.places import find_channel
from bot.ui.lobby.robot_matches import RobotMatches
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.presenter import Presenter
from bot.ui.words.refusals import RefusedError, accepted, former_table_text


class RobotOpenings:
    """One opening at a time for each person."""

    def __init__(
        self,
        directory: TableDirectory,
        presenter: Presenter,
        defaults: ServerDefaults,
        openings: Openings,
        robot_matches: RobotMatches,
    ) -> None:
        self._directory = directory
        self._presenter = presenter
        self._defaults = defaults
        self._openings = openings
        self._robot_matches = robot_matches

    async def find_channel(self, interaction: discord.Interaction) -> tuple[int, ServerSettings]:
        """See `bot.ui.lobby.places.find_channel`, with its errors."""
        return await find_channel(interaction, self._defaults, self._presenter.requests)

    async def begin(
        self,
        interaction: discord.Interaction,
        settings: ServerSettings,
        channel: Callable[[str], Awaitable[int]],
        coaching: Coaching | None = None,
    ) -> Table:
        """The match of the presser, or the one that an earlier press of theirs has begun.

        `channel` gives the id of where a new match is played, in the server's language. `coaching` as in
        `RobotMatches.begin`.

        Raises:
            RefusedError: the sentence says why, or where a lobby is that an earlier command has opened.
            StoreError: it was not saved.
        """
        locale = self._defaults.language(interaction, settings)
        host = Player(interaction.user.display_name, interaction.user.id)

        async def make() -> Table | LobbyRefusal:
            place = Place(guild_of(interaction), await channel(locale))
            return await self._robot_matches.begin(place, host, locale, settings, coaching)

        opened = await self._openings.open(interaction, make)
        table = self._directory.table(opened.table_id)
        if table is None:
            texts = reader(interaction)
            lobby = accepted(self._directory.lobby(opened.table_id) or LobbyRefusal(LobbyCode.UNKNOWN_TABLE), texts)
            raise RefusedError(former_table_text(lobby.place, texts))
        return table
