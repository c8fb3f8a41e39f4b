"""Presses on a table's message by whoever may decide about its people and its clock, seated or not."""

import discord

from bot.live.moves import Refused, Resume
from bot.live.table import Table
from bot.ui.answers import reader, say
from bot.ui.ids import Press, Verb
from bot.ui.patience import in_time
from bot.ui.presenter import Presenter
from bot.ui.sentences import refusal_text
from bot.ui.which_table import may_decide

PEOPLE_VERBS = frozenset({Verb.RESUME})


class PeoplePresses:
    """Answers the buttons of `bot.ui.people_view`."""

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter

    async def press(self, interaction: discord.Interaction, _press: Press, table: Table) -> None:
        """Answer one press. Raises StoreError when it was not saved."""
        await self._resume(interaction, table)

    async def _resume(self, interaction: discord.Interaction, table: Table) -> None:
        texts = reader(interaction)
        if not may_resume(interaction, table):
            await say(interaction, texts.t("Only the host, or somebody who may manage messages, can do that."))
            return
        board = self._presenter.board(table.lobby)
        with board.held():
            outcome = await in_time(table.submit(Resume(), press_id=interaction.id))
            if isinstance(outcome, Refused):
                await say(interaction, refusal_text(outcome.code, texts))
            else:
                await board.answer(interaction)


def may_resume(interaction: discord.Interaction, table: Table) -> bool:
    """Whoever may decide; and every player, where the table stopped because nobody was there."""
    pause = table.table_view().pause
    is_player = table.seat_of(interaction.user.id) is not None
    return may_decide(interaction, table.lobby) or (pause is not None and pause.by_itself and is_player)
