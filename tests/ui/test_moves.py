"""Custom ids become actions of the presser's own seat, whatever the id says."""

from __future__ import annotations

import pytest

from bot.game import actions as a
from bot.game.cards import parse_card
from bot.game.sign_plans import one_sign
from bot.game.signs import GestureKind, emoji_sign
from bot.ui.ids import Verb, parse_id
from bot.ui.moves import action_of, card_in
from bot.ui.sign_view import SignTextError
from bot.ui.texts import texts_for

FR = texts_for("fr")
SEVEN = parse_card("7S")

CASES = {
    "k1:7:open": a.OpenHunt(2),
    "k1:7:put:7S": a.PutDown(2, SEVEN),
    "k1:7:take:7S": a.Take(2, SEVEN),
    "k1:7:sweep": a.AskSweep(2),
    "k1:7:yes": a.AnswerSweep(2, agrees=True),
    "k1:7:no": a.AnswerSweep(2, agrees=False),
    "k1:7:kems": a.CallKems(2),
    "k1:7:double": a.CallDouble(2),
    "k1:7:counter_at:1": a.CounterPlayer(2, 1),
    "k1:7:counter_team:1": a.CounterTeam(2, 1),
    "k1:7:counter2:1": a.CounterTeam(2, 1, is_double=True),
    "k1:7:propose:🍀": a.ProposeSign(2, one_sign(emoji_sign("🍀"))),
    "k1:7:accept:🍀": a.AcceptSign(2, one_sign(emoji_sign("🍀"))),
    "k1:7:keep": a.KeepSign(2),
    "k1:7:gesture:🍀🍀": a.MakeGesture(2, GestureKind.POST, "🍀🍀"),
    "k1:7:next": a.NextRound(2),
}


@pytest.mark.parametrize(("custom_id", "action"), CASES.items(), ids=str)
def test_a_press_is_a_move_of_the_pressers_seat(custom_id: str, action: a.Action) -> None:
    press = parse_id(custom_id)
    assert press is not None
    assert action_of(press, 2, FR) == action


def test_cards_to_show_come_from_the_menu() -> None:
    press = parse_id("k1:7:show")
    assert press is not None
    assert action_of(press, 2, FR, ["7S9D"]) == a.ShowCards(2, (SEVEN, parse_card("9D")))
    assert action_of(press, 2, FR, ["9Z"]) is None


@pytest.mark.parametrize(
    "custom_id", ["k1:7:put:8Z", "k1:7:take", "k1:7:counter_at:x", "k1:7:counter_team", "k1:7:empty:3", "k1:7:join"]
)
def test_an_id_that_names_no_move_gives_none(custom_id: str) -> None:
    press = parse_id(custom_id)
    assert press is not None
    assert action_of(press, 2, FR) is None


@pytest.mark.parametrize("verb", [Verb.PROPOSE, Verb.ACCEPT, Verb.GESTURE])
def test_a_sign_in_an_id_is_read_like_a_typed_one(verb: Verb) -> None:
    press = parse_id(f"k1:7:{verb}:bonjour")
    assert press is not None
    with pytest.raises(SignTextError):
        action_of(press, 2, FR)


def test_only_exchanges_are_about_a_card() -> None:
    assert card_in(a.Take(0, SEVEN)) == SEVEN
    assert card_in(a.PutDown(0, SEVEN)) == SEVEN
    assert card_in(a.CallKems(0)) is None
