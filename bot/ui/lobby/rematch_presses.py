"""Presses at the end of a match: the same teams at once, or a new lobby with random teams."""

import discord

from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby, LobbyRefusal
from bot.tables.match.table import Table
from bot.tables.rematches import Waiting
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.interactions import guild_of, is_private, reader, say
from bot.ui.kit.names import display_name
from bot.ui.kit.texts import Texts
from bot.ui.messages.presenter import Presenter
from bot.ui.messages.private_threads import check_is_added
from bot.ui.table.panel.panel_pages import PanelPage
from bot.ui.table.verbs import TableVerb
from bot.ui.words.refusals import RefusedError, accepted, former_table_text, lobby_refusal_text


class RematchPresses:
    """Answers *Rematch* and *Shuffle*, on the result's message and on panels."""

    verbs = frozenset[str]({TableVerb.REMATCH, TableVerb.SHUFFLE})

    def __init__(self, directory: TableDirectory, presenter: Presenter) -> None:
        self._directory = directory
        self._presenter = presenter

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when it was not saved."""
        past = self._directory.lobby(press.table_id)
        channel_id = interaction.channel_id if past is None else past.place.channel_id
        if channel_id is not None:
            await check_is_added(interaction, channel_id, self._presenter.requests)
        if press.verb == TableVerb.SHUFFLE:
            await self._shuffle(interaction, press.table_id)
        else:
            await self._rematch(interaction, press.table_id)

    async def _rematch(self, interaction: discord.Interaction, table_id: int) -> None:
        texts = reader(interaction)
        asked = self._directory.rematch(guild_of(interaction), table_id, interaction.user.id)
        outcome = await or_later(asked, late=self._presenter.caught_up)
        if isinstance(outcome, LobbyRefusal):
            raise RefusedError(lobby_refusal_text(outcome, texts))
        if isinstance(outcome, Waiting):
            await self._wait(interaction, outcome, texts)
            return
        table = self._directory.table(outcome.id)
        if isinstance(outcome, Table) and (past := self._directory.table(table_id)) is not None:
            self._presenter.board(past.lobby).ask()
        if table is not None and table.seat_of(interaction.user.id) is not None:
            await self._begin(interaction, table)
        elif isinstance(outcome, Lobby):
            self._presenter.board(outcome).ask()
            await say(interaction, former_table_text(outcome.place, texts))

    async def _wait(self, interaction: discord.Interaction, waiting: Waiting, texts: Texts) -> None:
        """Show who has pressed: on the result's message, and in words where that was not pressed."""
        table = self._directory.table(waiting.past.id)
        board = None if table is None else self._presenter.board(table.lobby)
        message = interaction.message
        if board is not None and message is not None and message.id == board.place.message_id:
            with board.held():
                await board.answer(interaction)
            return
        if board is not None:
            board.ask()
        seats = (waiting.past.seat_of(user_id) for user_id in waiting.awaited)
        players = (waiting.past.players[seat] for seat in seats if seat is not None)
        names = ", ".join(display_name(player) for player in players if player is not None)
        await say(interaction, texts.t("Noted. The rematch begins as soon as they press too: {names}.", names=names))

    async def _begin(self, interaction: discord.Interaction, table: Table) -> None:
        """Answer with the presser's panel, below the message of the new match."""
        seat = table.seat_of(interaction.user.id)
        assert seat is not None, "a player of the match has pressed"
        await self._presenter.board(table.lobby).caught_up()
        page = PanelPage.SIGN if table.seat_view(seat).may_change_sign else PanelPage.HAND
        await self._presenter.show_panel(interaction, table, seat, page, is_below=True)

    async def _shuffle(self, interaction: discord.Interaction, table_id: int) -> None:
        shuffled = self._directory.shuffle(guild_of(interaction), table_id, interaction.user.id)
        lobby: Lobby = accepted(await or_later(shuffled, late=self._presenter.caught_up), reader(interaction))
        self._presenter.board(lobby).ask()
        if is_private(interaction.message) or lobby.place.channel_id != interaction.channel_id:
            channel = f"<#{lobby.place.channel_id}>"
            await say(interaction, reader(interaction).t("The new table is in {channel}.", channel=channel))
        else:
            await interaction.response.defer()  # the lobby comes below
