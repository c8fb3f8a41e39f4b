"""`/kems move`: a lobby or a running match goes on in another channel, wherever it was until now."""

import discord
import structlog
from discord import app_commands
from discord.app_commands import locale_str

from bot.errors import StoreError
from bot.tables.directory import TableDirectory
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.answers import answered, reader, say
from bot.ui.kit.names import called
from bot.ui.kit.texts import mark, texts_for
from bot.ui.lobby.places import TablePlaces
from bot.ui.messages.presenter import Presenter
from bot.ui.messages.threads import open_thread
from bot.ui.table.which_table import find_table_to_move, may_decide, offer_tables
from bot.ui.words.refusals import store_error_text

_log = structlog.get_logger(__name__)


class MoveCommand(app_commands.Group):
    """A source of a command for the group `/kems`: it is never registered itself."""

    def __init__(self, directory: TableDirectory, presenter: Presenter, places: TablePlaces) -> None:
        super().__init__(name="move", description="-")
        self._directory = directory
        self._presenter = presenter
        self._places = places

    def add_to(self, group: app_commands.Group) -> None:
        """Put it under another group."""
        for command in self.commands:
            group.add_command(command)

    @app_commands.command(name=locale_str(mark("move")), description=locale_str(mark("Bring a table to this channel")))
    @app_commands.rename(number=locale_str(mark("table")), thread=locale_str(mark("thread")))
    @app_commands.describe(
        number=locale_str(mark("Which table (your own elsewhere)")),
        thread=locale_str(mark("Whether the table gets a thread of its own")),
    )
    async def move(
        self, interaction: discord.Interaction, number: int | None = None, thread: bool | None = None
    ) -> None:
        """Post a table's message anew here, or in a thread of its own; the former one says where it went."""
        async with answered(interaction):
            texts = reader(interaction)
            lobby = find_table_to_move(self._directory, interaction, number, texts)
            if not may_decide(interaction, lobby):
                await say(interaction, texts.t("Only the host, or a member who may manage messages, can do that."))
                return
            venue = await self._places.here(interaction, wants_thread=thread)
            board = self._presenter.board(lobby)
            if not venue.is_apart:
                await or_later(board.move(venue.channel_id))
                await say(interaction, texts.t("The table is now in {channel}.", channel=f"<#{venue.channel_id}>"))
                return
            public, mover = texts_for(lobby.locale), called(interaction.user.display_name)
            announcement = public.t("♠ {name} brings a table of Kem's here.", name=mover)
            channel_id = await open_thread(interaction, announcement, public, self._presenter.budget)
            try:
                await board.move(channel_id)
            except StoreError as error:  # the table stays where it is, though a thread was announced
                _log.warning("move.not_saved", table=lobby.id, problem=str(error))
                await interaction.followup.send(store_error_text(texts), ephemeral=True)

    @move.autocomplete("number")
    async def offer(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[int]]:
        """The tables that somebody may mean."""
        return offer_tables(self._directory, interaction, current)
