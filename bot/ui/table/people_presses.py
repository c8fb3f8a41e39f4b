"""Presses about the people of a table: go on after a pause, step in for somebody, ask for a rematch."""

import discord

from bot.records.player import Player
from bot.tables.lobby import Lobby, LobbyCode, LobbyRefusal
from bot.tables.pausing import ANYBODY_MINUTES, for_anybody_at
from bot.tables.table import Table
from bot.tables.table_actions import Refused, Resume
from bot.ui.admission.time_limit import in_time, or_later
from bot.ui.kit.custom_ids import Press, number_of
from bot.ui.kit.interactions import made_at, reader, say
from bot.ui.kit.texts import Texts
from bot.ui.messages.presenter import Presenter
from bot.ui.table.panel_pages import PanelPage
from bot.ui.table.presses import match_of
from bot.ui.table.verbs import TableVerb
from bot.ui.table.which_table import may_decide
from bot.ui.words.refusals import lobby_refusal_text, refusal_text
from bot.ui.words.table_text import countdown


class PeoplePresses:
    """Answers the buttons of `bot.ui.table.people_buttons`, and the one for a rematch."""

    verbs = frozenset[str]({TableVerb.RESUME, TableVerb.SUBSTITUTE, TableVerb.REMATCH})

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when it was not saved."""
        if press.verb == TableVerb.REMATCH:
            await self._rematch(interaction, press.table_id)
            return
        table = await match_of(interaction, press, self._presenter)
        if table is None:
            return
        if press.verb == TableVerb.RESUME:
            await self._resume(interaction, table)
        else:
            await step_in(interaction, table, number_of(press.arg), self._presenter)

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

    async def _rematch(self, interaction: discord.Interaction, table_id: int) -> None:
        """The same people again, in a new lobby."""
        texts = reader(interaction)
        rematch = self._presenter.directory.rematch(table_id, interaction.user.id)
        lobby = await or_later(rematch, late=self._presenter.caught_up)
        if isinstance(lobby, LobbyRefusal):
            await say(interaction, lobby_refusal_text(lobby, texts))
            return
        self._presenter.board(lobby).ask()
        channel = f"<#{lobby.place.channel_id}>"
        await say(interaction, texts.t("The table for the rematch is in {channel}.", channel=channel))


async def step_in(interaction: discord.Interaction, table: Table, seat: int | None, presenter: Presenter) -> None:
    """Take an open seat, and see its hand. Raises StoreError when it was not saved."""
    user_id = interaction.user.id
    player = Player(interaction.user.display_name, user_id)
    if seat is not None and table.seat_of(user_id) == seat and not table.is_over:
        await or_later(presenter.directory.seating.seen(table, user_id))
        await presenter.show_panel(interaction, table, seat, PanelPage.HAND)  # one's own, and so it is kept
        return
    if seat is None:
        taken: Lobby | LobbyRefusal = LobbyRefusal(LobbyCode.SEAT_TAKEN)
    else:
        taken = await or_later(presenter.directory.seating.take_over(table, seat, player))
    if isinstance(taken, LobbyRefusal):
        await say(interaction, lobby_refusal_text(taken, reader(interaction)))
    elif seat is not None:
        await presenter.show_panel(interaction, table, seat, PanelPage.HAND)


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
