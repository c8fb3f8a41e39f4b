"""`/kems move`: a lobby or a running match goes on in another channel, wherever it was until now."""

import discord
import structlog
from discord.app_commands import Choice

from bot.errors import StoreError
from bot.tables.directory import TableDirectory
from bot.ui.admission.time_limit import or_later
from bot.ui.feature import CommandSet, command
from bot.ui.kit.interactions import reader, say
from bot.ui.kit.names import called
from bot.ui.kit.texts import mark, texts_for
from bot.ui.lobby.places import TablePlaces
from bot.ui.lobby.threads import open_thread
from bot.ui.messages.presenter import Presenter
from bot.ui.table.which_table import find_table_to_move, may_decide, offer_tables
from bot.ui.words.refusals import store_error_text

_log = structlog.get_logger(__name__)


class MoveCommand(CommandSet):
    """`/kems move`."""

    def __init__(self, directory: TableDirectory, presenter: Presenter, places: TablePlaces) -> None:
        super().__init__()
        self._directory = directory
        self._presenter = presenter
        self._places = places

    @command(
        mark("move"),
        mark("Bring a table to this channel"),
        options={
            "number": (mark("table"), mark("Which table (your own elsewhere)")),
            "thread": (mark("thread"), mark("Whether the table gets a thread of its own")),
        },
    )
    async def move(
        self, interaction: discord.Interaction, number: int | None = None, thread: bool | None = None
    ) -> None:
        """Post a table's message again here, or in a thread of its own; the former one says where it went."""
        texts = reader(interaction)
        lobby = find_table_to_move(self._directory, interaction, number, texts)
        if not may_decide(interaction, lobby):
            await say(interaction, texts.t("Only the host, or a member who may manage messages, can do that."))
            return
        place = await self._places.here(interaction, wants_thread=thread)
        board = self._presenter.board(lobby)
        if not place.is_apart:
            await or_later(board.move(place.channel_id))
            await say(interaction, texts.t("The table is now in {channel}.", channel=f"<#{place.channel_id}>"))
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
    async def offer(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """The tables that somebody may mean."""
        return offer_tables(self._directory, interaction, current)
