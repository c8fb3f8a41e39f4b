"""Presses on a table's message by people who need not sit there: go on after a pause, step in for somebody."""

import discord

from bot.records.player import Player
from bot.tables.lobby import Lobby, LobbyCode, LobbyRefusal
from bot.tables.pausing import ANYBODY_MINUTES, for_anybody_at
from bot.tables.table import Table
from bot.tables.table_actions import Refused, Resume
from bot.ui.admission.time_limit import in_time, or_later
from bot.ui.kit.answers import made_at, reader, say
from bot.ui.kit.custom_ids import Press, Verb, number_of
from bot.ui.kit.texts import Texts
from bot.ui.messages.presenter import Presenter
from bot.ui.messages.private_panels import PanelPage
from bot.ui.table.presses import TablePresses, match_of
from bot.ui.table.which_table import may_decide
from bot.ui.words.refusals import lobby_refusal_text, refusal_text
from bot.ui.words.table_text import countdown


class PeoplePresses:
    """Answers the buttons of `bot.ui.table.people_buttons`."""

    verbs = frozenset({Verb.RESUME, Verb.SUBSTITUTE})

    def __init__(self, presenter: Presenter, tables: TablePresses) -> None:
        self._presenter = presenter
        self._tables = tables

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when it was not saved."""
        table = await match_of(interaction, press, self._presenter)
        if table is None:
            return
        if press.verb is Verb.RESUME:
            await self._resume(interaction, table)
        else:
            await self.step_in(interaction, table, number_of(press.arg))

    async def step_in(self, interaction: discord.Interaction, table: Table, seat: int | None) -> None:
        """Take an open seat, and see its hand. Raises StoreError when it was not saved."""
        user_id = interaction.user.id
        player = Player(interaction.user.display_name, user_id)
        if seat is not None and table.seat_of(user_id) == seat and not table.is_over:
            await or_later(self._presenter.directory.seating.seen(table, user_id))
            await self._tables.open_panel(interaction, table, seat, PanelPage.HAND)  # one's own, and so it is kept
            return
        if seat is None:
            taken: Lobby | LobbyRefusal = LobbyRefusal(LobbyCode.SEAT_TAKEN)
        else:
            taken = await or_later(self._presenter.directory.seating.take_over(table, seat, player))
        if isinstance(taken, LobbyRefusal):
            await say(interaction, lobby_refusal_text(taken, reader(interaction)))
        elif seat is not None:
            await self._tables.open_panel(interaction, table, seat, PanelPage.HAND)

    async def _resume(self, interaction: discord.Interaction, table: Table) -> None:
        texts = reader(interaction)
        told = may_not_resume(interaction, table, texts) or await self._presenter.still_unseen(table, texts)
        if told is not None:
            await say(interaction, told)
            return
        board = self._presenter.board(table.lobby)
        with board.held():
            outcome = await in_time(table.submit(Resume(), press_id=interaction.id))
            if isinstance(outcome, Refused):
                await say(interaction, refusal_text(outcome.code, texts))
            else:
                await board.answer(interaction)


def may_not_resume(interaction: discord.Interaction, table: Table, texts: Texts) -> str | None:
    """Why somebody cannot let a match go on; None for who may decide, and in time for every player."""
    pause = table.pause
    if may_decide(interaction, table.lobby):
        return None
    if pause is None or table.seat_of(interaction.user.id) is None:
        return texts.t("Only the host, or a member who may manage messages, can do that.")
    free_at = for_anybody_at(pause)
    if free_at <= made_at(interaction):
        return None
    return texts.t(
        "The host, or a member who may manage messages, can go on; every player can {minutes} minutes after the pause:"
        " {when}.",
        minutes=ANYBODY_MINUTES,
        when=countdown(free_at),
    )
