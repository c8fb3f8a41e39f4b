"""What a press at a running table asks of the game: custom id -> action. The seat is the presser's, never the id's."""

from collections.abc import Sequence

from bot.game import actions as a
from bot.game.cards import Card
from bot.game.sign_plans import one_sign
from bot.game.signs import GestureKind
from bot.ui.ids import Press, Verb, card_of, cards_of, number_of
from bot.ui.sign_view import read_sign
from bot.ui.texts import Texts


def action_of(press: Press, seat: int, texts: Texts, chosen: Sequence[str] = ()) -> a.Action | None:
    """The action, or None for an id that the present messages do not carry. `chosen` are a menu's values.

    Raises:
        SignTextError: the sign or gesture in the id is none.
    """
    match press.verb:
        case Verb.OPEN:
            return a.OpenHunt(seat)
        case Verb.PUT | Verb.TAKE:
            card = card_of(press.arg)
            if card is None:
                return None
            return a.PutDown(seat, card) if press.verb is Verb.PUT else a.Take(seat, card)
        case Verb.SWEEP:
            return a.AskSweep(seat)
        case Verb.YES | Verb.NO:
            return a.AnswerSweep(seat, agrees=press.verb is Verb.YES)
        case Verb.KEMS:
            return a.CallKems(seat)
        case Verb.DOUBLE:
            return a.CallDouble(seat)
        case Verb.COUNTER_AT | Verb.COUNTER_TEAM | Verb.COUNTER_TWO:
            return _counter(press, seat)
        case Verb.SHOW:
            cards = cards_of(chosen[0] if chosen else press.arg)
            return None if cards is None else a.ShowCards(seat, cards)
        case Verb.PROPOSE:
            return a.ProposeSign(seat, one_sign(read_sign(press.arg, texts)))
        case Verb.ACCEPT:
            return a.AcceptSign(seat, one_sign(read_sign(press.arg, texts)))
        case Verb.KEEP:
            return a.KeepSign(seat)
        case Verb.GESTURE:
            read_sign(press.arg, texts)
            return a.MakeGesture(seat, GestureKind.POST, press.arg)
        case Verb.NEXT:
            return a.NextRound(seat)
        case _:
            return None


def card_in(action: a.Action) -> Card | None:
    """The card that a put-down or a take is about."""
    return action.card if isinstance(action, a.PutDown | a.Take) else None


def _counter(press: Press, seat: int) -> a.Action | None:
    target = number_of(press.arg)
    if target is None:
        return None
    if press.verb is Verb.COUNTER_AT:
        return a.CounterPlayer(seat, target)
    return a.CounterTeam(seat, target, is_double=press.verb is Verb.COUNTER_TWO)
