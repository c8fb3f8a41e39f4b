"""What a press or a form at a match asks of the game: custom id -> action, for the presser's seat and from its view."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.game import actions as a
from bot.game.cards import Card, parse_card
from bot.game.checks.refusals import Code, Refusal
from bot.game.signs.sign import GestureKind, Strategy
from bot.game.signs.sign_plans import PlanKind, one_sign
from bot.game.views import SeatView
from bot.ui.kit.custom_ids import Press, number_of
from bot.ui.kit.texts import Texts
from bot.ui.table.panel.sign_panel import KIND, PRESIGN, SIGNS, YES, words_possible
from bot.ui.table.verbs import TableVerb
from bot.ui.words.sign_plans import plan_digest
from bot.ui.words.sign_reading import read_plan, read_sign, read_signs, successors


@dataclass(frozen=True, slots=True)
class Sent:
    """What came with a press: a form's `fields`.

    `usable` are the ids of the server emojis that the bot can show, None for all.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    usable: Collection[int] | None = None


_NOTHING = Sent()


_PLAIN: Final[Mapping[str, Callable[[int], a.Action]]] = {
    TableVerb.OPEN: a.OpenHunt,
    TableVerb.SWEEP: a.AskSweep,
    TableVerb.KEMS: a.CallKems,
    TableVerb.DOUBLE: a.CallDouble,
    TableVerb.NEXT: a.NextRound,
    TableVerb.KEEP: a.KeepSign,
}
"""The verbs whose action says no more than who acts."""


MOVES: Final = frozenset[str](_PLAIN) | {
    TableVerb.PUT,
    TableVerb.TAKE,
    TableVerb.YES,
    TableVerb.NO,
    TableVerb.SHOW,
    TableVerb.GESTURE,
}
"""The verbs of `move_of`."""


def action_of(press: Press, view: SeatView, texts: Texts, sent: Sent = _NOTHING) -> a.Action | Refusal | None:
    """The action; a refusal where the view tells that it is out of date; None for an id that no message carries.

    Raises:
        SignTextError: what was typed, or what the id names, is no sign or gesture.
    """
    seat = view.seat
    match press.verb:
        case verb if verb in MOVES:
            return move_of(press, seat, texts)
        case TableVerb.PROPOSE:
            signs = read_signs(press.arg, texts)
            plan = successors(view, signs, texts) if view.is_half_found else one_sign(signs[0])
            return a.ProposeSign(seat, plan)
        case TableVerb.SIGN_TEXT:
            return _typed_plan(view, texts, sent)
        case TableVerb.ACCEPT:
            proposal = view.proposal
            if proposal is None or plan_digest(proposal.plan) != press.arg:
                return Refusal(Code.NOT_PENDING)
            return a.AcceptSign(seat, proposal.plan)
        case _:
            target = number_of(press.arg)
            return None if target is None else _against(press.verb, target, view, texts, sent)


def move_of(press: Press, seat: int, texts: Texts) -> a.Action | None:
    """The action of one of `MOVES`, which needs no view; None for an id that no message carries.

    Raises:
        SignTextError: what the id names is no gesture.
    """
    match press.verb:
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
        case verb:
            return _PLAIN[verb](seat)


def card_in(action: a.Action | Refusal) -> Card | None:
    """The card that a put-down or a take is about."""
    return action.card if isinstance(action, a.PutDown | a.Take) else None


def card_of(arg: str) -> Card | None:
    """The card that an argument names, None for anything else."""
    try:
        card = parse_card(arg)
    except ValueError:
        return None
    return card if card.code == arg else None


def cards_of(arg: str) -> tuple[Card, ...] | None:
    """The cards whose codes are run together (`7S9D`), None for anything else."""
    cards = [card_of(arg[at : at + 2]) for at in range(0, len(arg), 2)]
    known = tuple(card for card in cards if card is not None)
    return known if known and len(known) == len(cards) else None


def _typed_plan(view: SeatView, texts: Texts, sent: Sent) -> a.Action | None:
    """What a filled-in form proposes; questions that it did not ask have the plain answer."""
    plain = PlanKind.DOUBLE if view.is_half_found else PlanKind.SINGLE
    kind = sent.fields.get(KIND, plain.value)
    if kind not in {known.value for known in PlanKind}:
        return None
    presign = sent.fields.get(PRESIGN) == YES
    written = sent.fields.get(SIGNS, "")
    return a.ProposeSign(view.seat, read_plan(PlanKind(kind), written, view, texts, sent.usable, presign=presign))


def _against(verb: str, target: int, view: SeatView, texts: Texts, sent: Sent) -> a.Action | None:
    """What is called or said against a player or a team."""
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
