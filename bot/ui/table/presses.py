"""Presses at a running match: seat from the user, action from the id, answer where the press was made.

No rules live here: the table decides, and what it says is shown.
"""

from collections.abc import Mapping
from typing import Final

import discord

from bot.game import actions as a
from bot.game.events import CounterHadNoEffect, SignGuessed, TeamAccused
from bot.game.refusals import Refusal
from bot.game.signs import Strategy
from bot.tables.lobby import LobbyCode, LobbyRefusal
from bot.tables.table import Table
from bot.tables.table_actions import Answer, LiveCode, Refused
from bot.ui.admission.time_limit import in_time
from bot.ui.kit.custom_ids import Press, number_of
from bot.ui.kit.forms import filled
from bot.ui.kit.interactions import field_of, is_private, made_at, reader, say, say_outdated
from bot.ui.kit.names import display_name
from bot.ui.kit.texts import Texts
from bot.ui.messages.presenter import Presenter
from bot.ui.table.panel_pages import PanelPage
from bot.ui.table.press_to_action import ACTING, Sent, action_of, card_in
from bot.ui.table.sign_forms import guess_form, sign_form
from bot.ui.table.verbs import TableVerb
from bot.ui.words.refusals import lobby_refusal_text, refusal_text
from bot.ui.words.sign_reading import SignTextError
from bot.ui.words.sign_refusals import sign_refusal
from bot.ui.words.table_text import TableText, seated

_PAGES: Final[Mapping[str, PanelPage]] = {
    TableVerb.HAND: PanelPage.HAND,
    TableVerb.SIGN_PANEL: PanelPage.SIGN,
    TableVerb.COUNTER: PanelPage.COUNTER,
}


class TablePresses:
    """Answers every press on a table's message and on its players' panels."""

    verbs = frozenset(_PAGES) | ACTING | {TableVerb.OTHER, TableVerb.GUESS}

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when the move was not saved."""
        texts = reader(interaction)
        table = await match_of(interaction, press, self._presenter)
        if table is None:
            return
        seat = table.seat_of(interaction.user.id)
        if seat is None:
            await say(interaction, texts.t("You do not sit at this table: watch, or open one with `/kems start`."))
            return
        if press.verb in _PAGES:
            await self._presenter.show_panel(interaction, table, seat, _PAGES[press.verb])
        elif press.verb == TableVerb.OTHER:
            view = table.seat_view(seat)
            table_text = TableText(
                view.table, seated(table.lobby), self._presenter.emojis.faces(texts, table.lobby.theme)
            )
            await interaction.response.send_modal(sign_form(view, table_text, table.id))
        elif press.verb == TableVerb.GUESS and (team := number_of(press.arg)) is not None:
            await interaction.response.send_modal(guess_form(table.table_view(), table.id, team, texts))
        else:
            await self._move(interaction, press, table, seat, texts)

    async def _move(
        self, interaction: discord.Interaction, press: Press, table: Table, seat: int, texts: Texts
    ) -> None:
        try:
            action = action_of(press, table.seat_view(seat), texts, _sent(interaction))
        except SignTextError as error:
            await self._answer(interaction, press, table, seat, texts, str(error))
            return
        if action is None:
            await say_outdated(interaction)
            return
        board = self._presenter.board(table.lobby)
        is_on_board = interaction.message is not None and interaction.message.id == board.place.message_id
        with self._presenter.panels.held(table, interaction.user.id):
            if not is_on_board:
                outcome = await _submit(table, action, interaction, press)
                notice = self._notice(table, seat, action, outcome, texts)
                await self._answer(interaction, press, table, seat, texts, notice)
                return
            with board.held():
                outcome = await _submit(table, action, interaction, press)
                notice = self._notice(table, seat, action, outcome, texts)
                if notice is None:
                    await board.answer(interaction)
                else:
                    await say(interaction, notice)

    async def _answer(
        self, interaction: discord.Interaction, press: Press, table: Table, seat: int, texts: Texts, notice: str | None
    ) -> None:
        """On a panel, the panel itself in its present state; elsewhere (an old message) a private line."""
        if is_private(interaction.message):
            may_go_on = table.seat_view(seat).may_change_sign  # not when that settled the last sign: cards are dealt
            page = PanelPage.SIGN if press.verb in _ABOUT_SIGNS and may_go_on else PanelPage.HAND
            await self._presenter.panels.answer(interaction, table, seat, texts, page, notice)
        else:
            await say(interaction, notice or texts.t("Done. The newest message shows it."))

    def _notice(self, table: Table, seat: int, action: a.Action | Refusal, outcome: Answer, texts: Texts) -> str | None:
        """What the presser alone has to know, if anything."""
        if isinstance(outcome, Refused):
            return self._refusal(table, seat, action, outcome, texts)
        for event in outcome:
            match event:
                case CounterHadNoEffect():
                    return texts.t("No counter works against two Kem's: the hunt goes on.")
                case SignGuessed():
                    return _guessed(event, texts)
                case TeamAccused():
                    return _accused(event, texts)
        return None

    def _refusal(self, table: Table, seat: int, action: a.Action | Refusal, refusal: Refused, texts: Texts) -> str:
        if not isinstance(action, Refusal):
            said = sign_refusal(refusal.code, action, table.seat_view(seat), texts)
            if said is not None:
                return said
        if refusal.code is LiveCode.PAUSED:
            told = self._presenter.told(table.id, texts)
            if told is not None:
                return told
        card = card_in(action)
        taker = None if card is None else self._presenter.taker(table.id, card)
        player = None if taker is None else table.lobby.players[taker]
        by = None if player is None else display_name(player)
        named = None if card is None else self._presenter.emojis.faces(texts, table.lobby.theme).name(card)
        return refusal_text(refusal.code, texts, card=named, by=by)


async def match_of(interaction: discord.Interaction, press: Press, presenter: Presenter) -> Table | None:
    """The match that a press is about; without one, that is the answer."""
    table = presenter.directory.table(press.table_id)
    if table is None:
        await say(interaction, lobby_refusal_text(LobbyRefusal(LobbyCode.UNKNOWN_TABLE), reader(interaction)))
    return table


_ABOUT_SIGNS = frozenset({TableVerb.PROPOSE, TableVerb.ACCEPT, TableVerb.KEEP, TableVerb.SIGN_TEXT})
"""Presses that are answered with the sign panel while there is anything to settle; after all others it is the hand."""


async def _submit(table: Table, action: a.Action | Refusal, interaction: discord.Interaction, press: Press) -> Answer:
    if isinstance(action, Refusal):
        return action
    move = table.submit(action, press_id=interaction.id, made_at=made_at(interaction), of_round=press.round)
    return await in_time(move)


def _sent(interaction: discord.Interaction) -> Sent:
    usable = frozenset(emoji.id for emoji in interaction.client.emojis)
    values = field_of(interaction, "values")
    chosen = [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
    return Sent(chosen, filled(interaction), usable)


def _guessed(event: SignGuessed, texts: Texts) -> str:
    is_one = len(event.signs) == 1
    if event.is_right:
        return texts.t("That is their sign: they may change it now.") if is_one else texts.t("Those are their signs.")
    return texts.t("That is not their sign.") if is_one else texts.t("Those are not their signs, or not all of them.")


def _accused(event: TeamAccused, texts: Texts) -> str:
    if event.strategy is Strategy.TOTAL:
        if event.is_right:
            return texts.t("Right: they played total, and have to choose one single sign.")
        return texts.t("No: they do not play total.")
    return (
        texts.t("Right: they have to stop pre-sign.") if event.is_right else texts.t("No: they do not play pre-sign.")
    )
