"""What a press or a form at a running table asks of the game: custom id -> action. It knows the presser's view alone.

The seat is the presser's, never the id's.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from bot.game import actions as a
from bot.game.cards import Card
from bot.game.refusals import Code, Refusal
from bot.game.sign_plans import PlanKind, one_sign
from bot.game.signs import GestureKind, Strategy
from bot.game.views import SeatView
from bot.ui.kit.custom_ids import Press, card_of, cards_of, number_of
from bot.ui.kit.texts import Texts
from bot.ui.table.sign_forms import KIND, PRESIGN, SIGNS, YES, words_possible
from bot.ui.table.verbs import TableVerb
from bot.ui.words.sign_plans import plan_digest
from bot.ui.words.sign_reading import read_plan, read_sign, read_signs, successors


@dataclass(frozen=True, slots=True)
class Sent:
    """What came with a press: a menu's `chosen` values, a form's `fields`.

    `usable` are the ids of the server emojis that the bot can show, None for all.
    """

    chosen: Sequence[str] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    usable: Collection[int] | None = None


_NOTHING = Sent()

ACTING = frozenset[str](
    {
        TableVerb.OPEN,
        TableVerb.PUT,
        TableVerb.TAKE,
        TableVerb.SWEEP,
        TableVerb.YES,
        TableVerb.NO,
        TableVerb.KEMS,
        TableVerb.DOUBLE,
        TableVerb.COUNTER_AT,
        TableVerb.COUNTER_TEAM,
        TableVerb.COUNTER_TWO,
        TableVerb.SHOW,
        TableVerb.GESTURE,
        TableVerb.NEXT,
        TableVerb.PROPOSE,
        TableVerb.SIGN_TEXT,
        TableVerb.ACCEPT,
        TableVerb.KEEP,
        TableVerb.GUESS_TEXT,
        TableVerb.DECLARE_TOTAL,
        TableVerb.STOP_PRESIGN,
    }
)
"""What `action_of` understands."""


def action_of(press: Press, view: SeatView, texts: Texts, sent: Sent = _NOTHING) -> a.Action | Refusal | None:
    """The action; a refusal where the view tells that it is out of date; None for an id that no message carries.

    Raises:
        SignTextError: what was typed, or what the id names, is no sign or gesture.
    """
    seat = view.seat
    match press.verb:
        case TableVerb.OPEN:
            return a.OpenHunt(seat)
        case TableVerb.PUT | TableVerb.TAKE:
            card = card_of(press.arg)
            if card is None:
                return None
            return a.PutDown(seat, card) if press.verb == TableVerb.PUT else a.Take(seat, card)
        case TableVerb.SWEEP:
            return a.AskSweep(seat)
        case TableVerb.YES | TableVerb.NO:
            return a.AnswerSweep(seat, agrees=press.verb == TableVerb.YES)
        case TableVerb.KEMS:
            return a.CallKems(seat)
        case TableVerb.DOUBLE:
            return a.CallDouble(seat)
        case TableVerb.COUNTER_AT | TableVerb.COUNTER_TEAM | TableVerb.COUNTER_TWO:
            return _counter(press, seat)
        case TableVerb.SHOW:
            cards = cards_of(sent.chosen[0] if sent.chosen else press.arg)
            return None if cards is None else a.ShowCards(seat, cards)
        case TableVerb.GESTURE:
            read_sign(press.arg, texts)
            return a.MakeGesture(seat, GestureKind.POST, press.arg)
        case TableVerb.NEXT:
            return a.NextRound(seat)
        case _:
            return _about_signs(press, view, texts, sent)


def card_in(action: a.Action | Refusal) -> Card | None:
    """The card that a put-down or a take is about."""
    return action.card if isinstance(action, a.PutDown | a.Take) else None


def _about_signs(press: Press, view: SeatView, texts: Texts, sent: Sent) -> a.Action | Refusal | None:
    seat = view.seat
    match press.verb:
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
        case TableVerb.KEEP:
            return a.KeepSign(seat)
        case TableVerb.GUESS_TEXT | TableVerb.DECLARE_TOTAL | TableVerb.STOP_PRESIGN:
            return _about_opponents(press, view, texts, sent)
        case _:
            return None


def _typed_plan(view: SeatView, texts: Texts, sent: Sent) -> a.Action | None:
    """What a filled-in form proposes; questions that it did not ask have the plain answer."""
    plain = PlanKind.DOUBLE if view.is_half_found else PlanKind.SINGLE
    kind = sent.fields.get(KIND, plain.value)
    if kind not in {known.value for known in PlanKind}:
        return None
    presign = sent.fields.get(PRESIGN) == YES
    written = sent.fields.get(SIGNS, "")
    return a.ProposeSign(view.seat, read_plan(PlanKind(kind), written, view, texts, sent.usable, presign=presign))


def _about_opponents(press: Press, view: SeatView, texts: Texts, sent: Sent) -> a.Action | None:
    team = number_of(press.arg)
    if team is None:
        return None
    if press.verb == TableVerb.GUESS_TEXT:
        signs = read_signs(sent.fields.get(SIGNS, ""), texts, spoken=words_possible(view.table))
        return a.GuessSign(view.seat, team, signs)
    strategy = Strategy.TOTAL if press.verb == TableVerb.DECLARE_TOTAL else Strategy.PRESIGN
    return a.AccuseTeam(view.seat, team, strategy)


def _counter(press: Press, seat: int) -> a.Action | None:
    target = number_of(press.arg)
    if target is None:
        return None
    if press.verb == TableVerb.COUNTER_AT:
        return a.CounterPlayer(seat, target)
    return a.CounterTeam(seat, target, is_double=press.verb == TableVerb.COUNTER_TWO)
