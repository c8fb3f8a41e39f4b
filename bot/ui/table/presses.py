"""Presses at a match. The presser's seat and the custom id make an action; the table decides on it.

The answer stands where the press was made.
"""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.discord.api.custom_ids import Press, number_of
from bot.discord.api.interactions import RefusedError, is_private, made_at, texts_of
from bot.discord.api.modals import submitted_fields
from bot.discord.api.patience import cancel_when_slow, continue_when_slow
from bot.discord.api.responses import open_modal, reply, reply_outdated
from bot.discord.interactions.admission.allowances import Verb
from bot.discord.interactions.admission.press_notes import record_refusal
from bot.discord.interactions.admission.rights import may_decide
from bot.discord.pictures.card_faces import Faces
from bot.discord.pictures.custom_emojis import CUSTOM_EMOJI
from bot.discord.text.names import disambiguate_players
from bot.discord.text.texts import Texts, mark
from bot.game import actions as a
from bot.game.checks.refusals import Code, Refusal
from bot.game.events import CounterHadNoEffect, Phase, SignGuessed, TeamAccused
from bot.game.signs import Strategy
from bot.records.player import HelpLevel, Player
from bot.tables.directory import TableDirectory
from bot.tables.lobby.help import Coaching
from bot.tables.lobby.refusals import LobbyCode
from bot.tables.match.table import Table
from bot.tables.match.table_actions import (
    ANYBODY_MINUTES,
    MoveOutcome,
    Refused,
    Resume,
    TableRefusal,
    TableRefusalCode,
    for_anybody_at,
)
from bot.tables.seating import Seating
from bot.ui.table.messages.ephemeral_panels import EphemeralPanels
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.pages.panel_state import PanelPage
from bot.ui.table.pages.sign_panel import guess_form, sign_form
from bot.ui.table.press_to_action import LAPSED_MS, PressContents, action_of, card_in, crossing_text, is_choice
from bot.ui.table.verbs import ELSEWHERE, TableVerb, card_of
from bot.ui.words.panel_text import short_name
from bot.ui.words.refusals import lobby_refusal, refusal_text, sign_refusal, unwrap
from bot.ui.words.signs import SignTextError
from bot.ui.words.table_text import TableText, countdown, seated_players

_PAGES: Final[Mapping[str, PanelPage]] = {
    TableVerb.HAND: PanelPage.HAND,
    TableVerb.SIGN_PANEL: PanelPage.SIGN,
    TableVerb.CHOOSE: PanelPage.CHOICE,
    TableVerb.COUNTER: PanelPage.COUNTER,
    TableVerb.SHOWING: PanelPage.SHOW,
}
_GUESSED: Final = {
    (True, True): mark("That is their sign: they may change it now."),
    (True, False): mark("Those are their signs."),
    (False, True): mark("That is not their sign."),
    (False, False): mark("Those are not their signs, or not all of them."),
}
"""The answers to a guess, by whether it is right and whether one sign was named."""
_ACCUSED: Final = {
    (Strategy.TOTAL, True): mark("Right: they played total, and have to choose one single sign."),
    (Strategy.TOTAL, False): mark("No: they do not play total."),
    (Strategy.PRESIGN, True): mark("Right: they have to stop pre-sign."),
    (Strategy.PRESIGN, False): mark("No: they do not play pre-sign."),
}
_ABOUT_SIGNS = frozenset({TableVerb.PROPOSE, TableVerb.ACCEPT, TableVerb.KEEP, TableVerb.SIGN_TEXT})
"""Presses answered with the sign panel while signs are to be agreed; all others are answered with the hand."""
_BETWEEN_EXCHANGES = frozenset({TableVerb.HAND, TableVerb.OPEN, TableVerb.PUT, TableVerb.TAKE})
"""Presses that may post the hand again: no calls and no gestures, after which the next press may be urgent."""


class TablePresses:
    """Answers every press on a table's message and on its players' panels."""

    verbs = frozenset[Verb](TableVerb) - {TableVerb.EMPTY} - ELSEWHERE

    def __init__(self, directory: TableDirectory, messages: TableMessages) -> None:
        self._directory = directory
        self._messages = messages

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press.

        Raises:
            RefusedError: The table is gone, or the presser does not sit there or may not do that.
            StoreError: The move was not saved.
        """  # noqa: DOC501 - `refused` makes one
        texts = texts_of(interaction)
        table = self._directory.table(press.table_id)
        if table is None:
            raise lobby_refusal(LobbyCode.UNKNOWN_TABLE, texts)
        if press.verb == TableVerb.RESUME:
            await self._resume(interaction, table)
            return
        if press.verb == TableVerb.SUBSTITUTE:
            await step_in(interaction, table, number_of(press.arg), self._directory.seating, self._messages.panels)
            return
        seat = table.lobby.seat_of(interaction.user.id)
        if seat is None:
            raise RefusedError(texts.t("You are not at this table: watch, or open one with {/start}."))
        seating = self._directory.seating
        await _SeatPress(seating, self._messages, interaction, press, table, seat, texts).carry_out()

    async def _resume(self, interaction: discord.Interaction, table: Table) -> None:
        texts = texts_of(interaction)
        await check_may_resume(interaction, table, self._messages)
        board = self._messages.message(table.lobby)
        with board.hold():
            outcome = await cancel_when_slow(table.submit(Resume(), press_id=interaction.id))
            if isinstance(outcome, Refused):
                record_refusal(outcome.code)
                await reply(interaction, refusal_text(outcome.code, texts))
            elif is_private(interaction.message) and (seat := table.lobby.seat_of(interaction.user.id)) is not None:
                await self._messages.panels.answer(interaction, table, seat, texts, PanelPage.HAND)
            else:
                await board.answer(interaction)


@dataclass(frozen=True, slots=True, eq=False)
class _SeatPress:
    """A press of the player of a seat."""

    seating: Seating
    messages: TableMessages
    interaction: discord.Interaction
    press: Press
    table: Table
    seat: int
    texts: Texts

    async def carry_out(self) -> None:
        interaction, press, table, texts = self.interaction, self.press, self.table, self.texts
        if press.verb in _PAGES:
            page = _PAGES[press.verb]
            if page is PanelPage.SIGN and table.table_view().phase is Phase.OVER:
                page = PanelPage.CHOICE  # the result stands on the table
            await self._panels.answer(interaction, table, self.seat, texts, page, is_below=self._is_shown_anew())
        elif press.verb == TableVerb.OTHER:
            view = table.seat_view(self.seat)
            table_text = TableText(view.table, seated_players(table.lobby.players), self._faces())
            await open_modal(interaction, sign_form(view, table_text, table.id))
        elif press.verb == TableVerb.GUESS and (team := number_of(press.arg)) is not None:
            await open_modal(interaction, guess_form(table.table_view(), table.id, team, texts))
        elif press.verb == TableVerb.COACH:
            await self._coach()
        elif press.verb == TableVerb.LEVEL:
            await self._choose_level()
        else:
            await self._move()

    async def _coach(self) -> None:
        """Send the coach away, or call it back."""
        wanted = next((each for each in (Coaching.ON, Coaching.AWAY) if each.value == self.press.arg), None)
        if wanted is None or self.table.lobby.coaching is Coaching.NONE:
            await reply_outdated(self.interaction)
            return
        with self._panels.hold(self.table, self.interaction.user.id):
            change = self.seating.change(self.table, lambda lobby: replace(lobby, coaching=wanted))
            unwrap(await continue_when_slow(change), self.texts)
            await self._answer(None)

    async def _choose_level(self) -> None:
        level = next((each for each in HelpLevel if each.value == self.press.arg), None)
        if level is None:
            await reply_outdated(self.interaction)
            return
        user_id = self.interaction.user.id
        with self._panels.hold(self.table, user_id):
            unwrap(await continue_when_slow(self.seating.choose_level(self.table, user_id, level)), self.texts)
            page = self._panels.page(self.table, user_id)
            await self._panels.answer(self.interaction, self.table, self.seat, self.texts, page)

    async def _move(self) -> None:
        interaction, press, table, texts = self.interaction, self.press, self.table, self.texts
        try:
            action = action_of(press, self.seat, lambda: table.seat_view(self.seat), texts, _sent(interaction))
        except SignTextError as error:
            record_refusal("sign_text")
            await self._answer(str(error))
            return
        if action is None:
            await reply_outdated(interaction)
            return
        option, until = self._panels.option(table, interaction.user.id)
        if is_private(interaction.message):
            crossing, chosen = crossing_text(press, table.table_view(), made_at(interaction), texts), card_of(option)
            if chosen is not None and isinstance(action, a.PutDown):
                if made_at(interaction) < until:
                    action = a.Swap(self.seat, action.card, chosen)
                elif made_at(interaction) < until + LAPSED_MS:
                    crossing = texts.t("Too late: {card} is no longer chosen.", card=self._faces().label(chosen))
            if crossing is not None:
                record_refusal("crossed")
                await self._answer(crossing)
                return
        board = self.messages.message(table.lobby)
        is_on_board = interaction.message is not None and interaction.message.id == board.place.message_id
        with self._panels.hold(table, interaction.user.id), board.hold() if is_on_board else nullcontext():
            is_left = press.verb == TableVerb.NEXT and board.is_left
            outcome = await self._submit(action)
            notice = self._notice(action, outcome)
            has_panel = not is_on_board or self._panels.is_open(table, interaction.user.id)
            if press.verb == TableVerb.NEXT and notice is None and (is_left or not has_panel):
                if is_left:  # the panel stands below the table's next message
                    await board.write_in_time()
                await self._panels.answer(interaction, table, self.seat, texts, PanelPage.HAND, is_below=is_left)
            elif not is_on_board:
                choice = "" if press.verb in (TableVerb.PUT, TableVerb.TAKE) else None
                if is_choice(action, outcome, table.seat_view(self.seat)):
                    notice = None
                    choice = "" if option == press.arg and made_at(interaction) < until else press.arg
                await self._answer(notice, choice)
            elif notice is None:
                await board.answer(interaction)
            else:
                await reply(interaction, notice)

    async def _submit(self, action: a.Action | Refusal) -> MoveOutcome:
        if isinstance(action, Refusal):
            return action
        press_id, at = self.interaction.id, made_at(self.interaction)
        return await cancel_when_slow(
            self.table.submit(action, press_id=press_id, made_at=at, of_round=self.press.round)
        )

    async def _answer(self, notice: str | None, option: str | None = None) -> None:
        """Show the panel in its present state if it was pressed; otherwise (an old message) send an ephemeral message.

        `option` is the card that is chosen now; None leaves the choice.
        """
        interaction, table, seat = self.interaction, self.table, self.seat
        if is_private(interaction.message):
            may_go_on = table.seat_view(seat).may_change_sign  # not when that settled the last sign: cards are dealt
            page = PanelPage.SIGN if self.press.verb in _ABOUT_SIGNS and may_go_on else PanelPage.HAND
            is_below, answer = self._is_shown_anew(option), self._panels.answer
            await answer(interaction, table, seat, self.texts, page, notice, option=option, is_below=is_below)
        else:
            await reply(interaction, notice or self.texts.t("Done. The newest message shows it."))

    def _is_shown_anew(self, option: str | None = None) -> bool:
        """Return whether the hand is posted below newer messages, instead of edited in its place.

        It is not while a card is owed, or chosen by this press (`option`) or an earlier one.
        """
        panel, table = self.interaction.message, self.table
        if self.press.verb not in _BETWEEN_EXCHANGES or panel is None or not is_private(panel):
            return False
        if option is None:
            option, until = self._panels.option(table, self.interaction.user.id)
            option = option if made_at(self.interaction) < until else ""
        is_free = not option and not table.seat_view(self.seat).owes
        return is_free and self.messages.message(table.lobby).has_buried(panel)

    def _notice(self, action: a.Action | Refusal, outcome: MoveOutcome) -> str | None:
        """Return what only the presser has to know; None if nothing."""
        if isinstance(outcome, Refused):
            record_refusal(outcome.code)
            return self._refusal(action, outcome)
        for event in outcome:
            match event:
                case CounterHadNoEffect():
                    return self.texts.t("No counter works against two Kem's: the hunt goes on.")
                case SignGuessed(signs=signs, is_right=is_right):
                    return self.texts.t(_GUESSED[is_right, len(signs) == 1])
                case TeamAccused(strategy=strategy, is_right=is_right):
                    return self.texts.t(_ACCUSED[strategy, is_right])
        return None

    def _refusal(self, action: a.Action | Refusal, refusal: Refused) -> str:
        table, texts = self.table, self.texts
        if not isinstance(action, Refusal):
            sentence = sign_refusal(refusal.code, action, table.seat_view(self.seat), texts)
            if sentence is not None:
                return sentence
        if isinstance(action, a.OpenHunt) and refusal.code is Code.NOT_ALLOWED:
            return texts.t("The hunt is already open.")
        if (
            refusal.code is TableRefusalCode.PAUSED
            and (problem := self.messages.outage_line(table.id, texts)) is not None
        ):
            return problem
        if isinstance(refusal, TableRefusal) and refusal.until is not None:
            return refusal_text(refusal.code, texts, until=refusal.until)
        card = card_in(action)
        if card is None:
            return refusal_text(refusal.code, texts)
        taker, named = table.taker(card), self._faces().label(card)
        if refusal.code is Code.NOT_IN_POOL and taker == self.seat:
            return texts.t("You have already taken {card}.", card=named)
        is_seen = table.table_view().rules.exchange.takes_seen or taker == self.seat
        player = disambiguate_players(table.lobby.players)[taker] if taker is not None and is_seen else None
        return refusal_text(refusal.code, texts, card=named, by=None if player is None else short_name(player.name))

    @property
    def _panels(self) -> EphemeralPanels:
        return self.messages.panels

    def _faces(self) -> Faces:
        return self.messages.context.emojis.faces(self.texts, self.table.lobby.theme)


async def step_in(
    interaction: discord.Interaction, table: Table, seat: int | None, seating: Seating, panels: EphemeralPanels
) -> None:
    """Let the presser take an open seat, and show its hand.

    Raises:
        RefusedError: `seat` is None or taken, or the presser may not take it.
        StoreError: The change was not saved.
    """  # noqa: DOC501 - `lobby_refusal` makes one
    user, texts = interaction.user, texts_of(interaction)
    if seat is None:
        raise lobby_refusal(LobbyCode.SEAT_TAKEN, texts)
    if table.lobby.seat_of(user.id) == seat and not table.is_over:
        await continue_when_slow(seating.seen(table, user.id))  # their own, which they keep so
    else:
        unwrap(await continue_when_slow(seating.take_over(table, seat, Player(user.display_name, user.id))), texts)
    await panels.answer(interaction, table, seat, texts, PanelPage.HAND)


async def show_seat(
    interaction: discord.Interaction, table: Table, panels: EphemeralPanels, *, is_below: bool = False
) -> None:
    """Answer a player's press with their panel; `is_below` posts a new message, even if a panel was pressed."""
    seat = table.lobby.seat_of(interaction.user.id)
    assert seat is not None, "the presser plays there"
    page = PanelPage.SIGN if table.seat_view(seat).may_change_sign else PanelPage.HAND
    await panels.answer(interaction, table, seat, texts_of(interaction), page, is_below=is_below)


async def check_may_resume(interaction: discord.Interaction, table: Table, messages: TableMessages) -> None:
    """Check that the presser may resume a match: as host or moderator, or after some minutes as any player.

    Raises:
        RefusedError: They may not, or Discord cannot show the match.
    """  # noqa: DOC501 - `refused` makes one
    texts = texts_of(interaction)
    if not may_decide(interaction, table.lobby):
        if table.pause is None or table.lobby.seat_of(interaction.user.id) is None:
            raise lobby_refusal(LobbyCode.NOT_HOST, texts)
        free_at = for_anybody_at(table.pause)
        if free_at > made_at(interaction):
            raise RefusedError(
                texts.t(
                    "The host, or a member who may manage messages, can go on; every player can {minutes} minutes after"
                    " the pause: {when}.",
                    minutes=ANYBODY_MINUTES,
                    when=countdown(free_at),
                )
            )
    if (problem := await messages.still_unseen(table, texts)) is not None:
        raise RefusedError(problem)


def _sent(interaction: discord.Interaction) -> PressContents:
    fields = submitted_fields(interaction)
    written = {int(found[3]) for text in fields.values() for found in CUSTOM_EMOJI.finditer(text)}
    known = (interaction.client.get_emoji(emoji_id) for emoji_id in written)
    usable = frozenset(emoji.id for emoji in known if emoji is not None and emoji.is_usable())
    return PressContents(fields, usable)
