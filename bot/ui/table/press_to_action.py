"""Turns a press or a modal at a match into an action of the game, for the presser's seat and from its view."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.discord.api.custom_ids import Press, number_of
from bot.discord.text.texts import Texts
from bot.game import actions as a
from bot.game.cards import Card
from bot.game.checks.refusals import Code, Refusal
from bot.game.events import Phase
from bot.game.signs import GestureKind, PlanKind, Strategy, one_sign
from bot.game.views import SeatView, TableView
from bot.tables.match.table_actions import MoveOutcome
from bot.ui.table.pages.sign_panel import KIND, PRESIGN, SIGNS, YES, words_possible
from bot.ui.table.verbs import TableVerb, card_of, cards_of
from bot.ui.words.plan_text import plan_digest
from bot.ui.words.signs import read_plan, read_sign, read_signs, successors

CROSSING_MS: Final = 1000
"""A player who presses sooner after a change has not seen it."""
LAPSED_MS: Final = 5000
"""Time after a choice of a card has lapsed in which a press on the hand is still meant for it."""


@dataclass(frozen=True, slots=True)
class PressContents:
    """The contents of a press.

    - `fields`: the fields of a modal.
    - `usable`: the ids of the server emojis that the bot can show; None for all.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    usable: Collection[int] | None = None


_NOTHING = PressContents()


_PLAIN: Final[Mapping[str, Callable[[int], a.Action]]] = {
    TableVerb.OPEN: a.OpenHunt,
    TableVerb.SWEEP: a.AskSweep,
    TableVerb.KEMS: a.CallKems,
    TableVerb.DOUBLE: a.CallDouble,
    TableVerb.NEXT: a.NextRound,
    TableVerb.KEEP: a.KeepSign,
}
"""The verbs whose action has no argument but the seat."""


def action_of(
    press: Press, seat: int, view_of: Callable[[], SeatView], texts: Texts, sent: PressContents = _NOTHING
) -> a.Action | Refusal | None:
    """Return the action of a press.

    Args:
        press: The press.
        seat: The presser's seat.
        view_of: Returns the seat's view, which most moves do without.
        texts: The presser's texts.
        sent: The contents of the press.

    Returns:
        The action; a refusal if the view shows that it is out of date; None for an id that no message carries.

    Raises:
        SignTextError: What was typed, or what the id names, is no sign or gesture.
    """
    match press.verb:
        case verb if verb in _PLAIN:
            return _PLAIN[verb](seat)
        case TableVerb.PUT | TableVerb.TAKE:
            card = card_of(press.arg)
            if card is None:
                return None
            return a.PutDown(seat, card) if press.verb == TableVerb.PUT else a.Take(seat, card)
        case TableVerb.YES | TableVerb.NO:
            return a.AnswerSweep(seat, agrees=press.verb == TableVerb.YES)
        case TableVerb.SHOW:
            cards = cards_of(press.arg)
            return None if cards is None else a.ShowCards(seat, cards)
        case TableVerb.GESTURE:
            read_sign(press.arg, texts)
            return a.MakeGesture(seat, GestureKind.POST, press.arg)
        case TableVerb.PROPOSE:
            view = view_of()
            signs = read_signs(press.arg, texts)
            plan = successors(view, signs, texts) if view.is_half_found else one_sign(signs[0])
            return a.ProposeSign(seat, plan)
        case TableVerb.SIGN_TEXT:  # questions that the form did not ask have the plain answer
            view = view_of()
            kind = sent.fields.get(KIND, (PlanKind.DOUBLE if view.is_half_found else PlanKind.SINGLE).value)
            if kind not in set(PlanKind):
                return None
            presign, written = sent.fields.get(PRESIGN) == YES, sent.fields.get(SIGNS, "")
            return a.ProposeSign(seat, read_plan(PlanKind(kind), written, view, texts, sent.usable, presign=presign))
        case TableVerb.ACCEPT:
            proposal = view_of().proposal
            if proposal is None or plan_digest(proposal.plan) != press.arg:
                return Refusal(Code.NOT_PENDING)
            return a.AcceptSign(seat, proposal.plan)
        case _:
            target = number_of(press.arg)
            return None if target is None else _against(press.verb, target, view_of(), texts, sent)


def card_in(action: a.Action | Refusal) -> Card | None:
    """Return the card that is put down or taken; of a swap, the card that is taken."""
    if isinstance(action, a.Swap):
        return action.taken
    return action.card if isinstance(action, a.PutDown | a.Take) else None


def is_choice(action: a.Action | Refusal, outcome: MoveOutcome, view: SeatView) -> bool:
    """Return whether a refused take (nothing is owed) chooses the card to be swapped for the next card put down.

    Call it after the refusal: a put-down that is still being saved counts.
    """
    if not isinstance(action, a.Take) or outcome != Refusal(Code.HAND_FULL):
        return False
    return view.may_swap and action.card in view.table.pool


def _against(verb: str, target: int, view: SeatView, texts: Texts, sent: PressContents) -> a.Action | None:
    """Return the action of a call or a statement against a player or a team."""
    match verb:
        case TableVerb.COUNTER_AT:
            return a.CounterPlayer(view.seat, target)
        case TableVerb.COUNTER_TEAM | TableVerb.COUNTER_TWO:
            return a.CounterTeam(view.seat, target, is_double=verb == TableVerb.COUNTER_TWO)
        case TableVerb.GUESS_TEXT:
            signs = read_signs(sent.fields.get(SIGNS, ""), texts, spoken=words_possible(view.table))
            return a.GuessSign(view.seat, target, signs)
        case TableVerb.DECLARE_TOTAL:
            return a.AccuseTeam(view.seat, target, Strategy.TOTAL)
        case TableVerb.STOP_PRESIGN:
            return a.AccuseTeam(view.seat, target, Strategy.PRESIGN)
        case _:
            return None


def crossing_text(press: Press, view: TableView, made_at: int, texts: Texts) -> str | None:
    """Return the answer to a press that crossed a change which its presser could not see yet; None for other presses.

    `made_at` is in milliseconds. A sweep that comes too early is kept (`bot.tables.match.logged_match.EarlyMoves`).
    """
    if made_at - view.phase_at >= CROSSING_MS or press.round != view.round:
        return None
    if press.verb == TableVerb.SWEEP and view.phase is Phase.HUNT and (view.sweep_from or 0) <= made_at:
        return texts.t("The hunt has just opened: nothing was done.")
    if press.verb == TableVerb.NEXT and view.phase is Phase.OVER:
        return texts.t("The round has just ended: nothing was done.")
    return None
