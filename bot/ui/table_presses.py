"""Presses at a running match: seat from the user, action from the id, answer where the press was made.

No rules live here: the table decides, and what it says is shown.
"""

from collections.abc import Sequence

import discord

from bot.game import actions as a
from bot.game.events import CounterHadNoEffect, Event, SignGuessed, SignProposed
from bot.game.refusals import Refusal
from bot.game.sign_plans import one_sign
from bot.live.table import Table
from bot.ui.answers import field_of, reader, say
from bot.ui.forms import typed
from bot.ui.ids import Press, Verb, number_of
from bot.ui.moves import action_of, card_in
from bot.ui.names import display_name
from bot.ui.panels import Page, is_private
from bot.ui.presenter import Presenter
from bot.ui.sentences import refusal_text
from bot.ui.sign_view import GuessModal, SignModal, SignTextError, read_sign
from bot.ui.texts import Texts

_PAGES = {Verb.HAND: Page.HAND, Verb.SIGN_PANEL: Page.SIGN, Verb.COUNTER: Page.COUNTER}


class TablePresses:
    """Answers every press on a table's message and on its players' panels."""

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter

    async def press(self, interaction: discord.Interaction, press: Press, table: Table) -> None:
        """Answer one press. Raises StoreError when the move was not saved."""
        texts = reader(interaction)
        seat = table.seat_of(interaction.user.id)
        if seat is None:
            await say(interaction, texts.t("You do not sit at this table: watch, or open one with /kems start."))
            return
        if press.verb in _PAGES:
            await self.open_panel(interaction, table, seat, _PAGES[press.verb])
        elif press.verb is Verb.OTHER:
            await interaction.response.send_modal(SignModal(table.id, texts))
        elif press.verb is Verb.GUESS and (team := number_of(press.arg)) is not None:
            await interaction.response.send_modal(GuessModal(table.id, team, texts))
        else:
            await self._move(interaction, press, table, seat, texts)

    async def open_panel(self, interaction: discord.Interaction, table: Table, seat: int, page: Page) -> None:
        """Show a player's private panel, and to all that the hand is open."""
        if await self._presenter.panels.answer(interaction, table, seat, reader(interaction), page, None):
            self._presenter.board(table.lobby).ask()

    async def _move(
        self, interaction: discord.Interaction, press: Press, table: Table, seat: int, texts: Texts
    ) -> None:
        try:
            action = _typed_action(interaction, press, seat, texts)
            action = action or action_of(press, seat, texts, field_of(interaction, "values"))
        except SignTextError as error:
            await self._answer(interaction, press, table, seat, texts, str(error))
            return
        if action is None:
            await say(interaction, texts.t("This button is no longer in use: press one on the newest message."))
            return
        board = self._presenter.board(table.lobby)
        is_on_board = interaction.message is not None and interaction.message.id == board.place.message_id
        with self._presenter.panels.held(table, interaction.user.id):
            if not is_on_board:
                outcome = await table.submit(action, press_id=interaction.id)
                await self._answer(interaction, press, table, seat, texts, self._notice(table, action, outcome, texts))
                return
            with board.held():
                outcome = await table.submit(action, press_id=interaction.id)
                notice = self._notice(table, action, outcome, texts)
                if notice is None:
                    await board.answer(interaction)
                else:
                    await say(interaction, notice)

    async def _answer(
        self, interaction: discord.Interaction, press: Press, table: Table, seat: int, texts: Texts, notice: str | None
    ) -> None:
        """On a panel, the panel itself in its present state; elsewhere (an old message) a private line."""
        if is_private(interaction.message):
            page = Page.SIGN if press.verb in _ABOUT_SIGNS else Page.HAND
            await self._presenter.panels.answer(interaction, table, seat, texts, page, notice)
        else:
            await say(interaction, notice or texts.t("Done. The newest message shows it."))

    def _notice(self, table: Table, action: a.Action, outcome: Sequence[Event] | Refusal, texts: Texts) -> str | None:
        """What the presser alone has to know, if anything."""
        if isinstance(outcome, Refusal):
            card = card_in(action)
            taker = None if card is None else self._presenter.taker(table.id, card)
            player = None if taker is None else table.lobby.players[taker]
            by = None if player is None else display_name(player)
            named = None if card is None else self._presenter.emojis.faces(texts, table.lobby.theme).name(card)
            return refusal_text(outcome.code, texts, card=named, by=by)
        for event in outcome:
            match event:
                case CounterHadNoEffect():
                    return texts.t("No counter works against two Kem's: the hunt goes on.")
                case SignGuessed(is_right=True):
                    return texts.t("That is their sign: they may change it now.")
                case SignGuessed():
                    return texts.t("That is not their sign.")
                case SignProposed() if table.seat_view(event.seat).proposal is not None:
                    return texts.t("Proposed: your partner has to accept it.")
        return None


_ABOUT_SIGNS = frozenset({Verb.PROPOSE, Verb.ACCEPT, Verb.KEEP, Verb.SIGN_TEXT})


def _typed_action(interaction: discord.Interaction, press: Press, seat: int, texts: Texts) -> a.Action | None:
    """The action of a form that was filled in; None for a button.

    Raises:
        SignTextError: what was typed is no sign.
    """
    if press.verb is Verb.SIGN_TEXT:
        return a.ProposeSign(seat, one_sign(read_sign(typed(interaction), texts, _usable(interaction))))
    team = number_of(press.arg)
    if press.verb is Verb.GUESS_TEXT and team is not None:
        return a.GuessSign(seat, team, (read_sign(typed(interaction), texts),))
    return None


def _usable(interaction: discord.Interaction) -> frozenset[int]:
    return frozenset(emoji.id for emoji in interaction.client.emojis)
