"""Custom ids become actions of the presser's own seat, whatever the id says."""

from dataclasses import replace

import pytest

from bot.discord.api.custom_ids import Press, make_id, parse_id
from bot.game import actions as a
from bot.game.build_view import seat_view, table_view
from bot.game.cards import DECKS, Card, DeckKind, parse_card
from bot.game.checks.refusals import Code, Refusal
from bot.game.signs import GestureKind, PlanKind, SignPlan, Strategy, emoji_sign, one_sign, spoken_sign
from bot.game.views import SeatView
from bot.ui.table.press_to_action import CROSSING_MS, PressContents, action_of, card_in, crossing_text
from bot.ui.table.verbs import TableVerb, card_of, cards_of
from bot.ui.words.plan_text import plan_digest
from bot.ui.words.signs import SignTextError
from tests.rules.table import Table
from tests.together import together
from tests.ui.walk import FR, TABLE_ID

SEVEN = parse_card("7S")
CLOVER = one_sign(emoji_sign("🍀"))


def view(table: Table | None = None, seat: int = 2) -> SeatView:
    table = table or Table.starting()
    return seat_view(table.state, seat)


def asked(press: Press | str, view: SeatView, **fields: str) -> a.Action | Refusal | None:
    """What a press, or its custom id, and what was filled in, ask of the game."""
    read = parse_id(press) if isinstance(press, str) else press
    assert read is not None
    return action_of(read, view.seat, lambda: view, FR, PressContents(fields))


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
    "k1:7:propose:🍀": a.ProposeSign(2, CLOVER),
    "k1:7:total:1": a.AccuseTeam(2, 1, Strategy.TOTAL),
    "k1:7:stop_presign:1": a.AccuseTeam(2, 1, Strategy.PRESIGN),
    "k1:7:keep": a.KeepSign(2),
    "k1:7:gesture:🍀🍀": a.MakeGesture(2, GestureKind.POST, "🍀🍀"),
    "k1:7:next": a.NextRound(2),
}


@together(("custom_id", "action"), CASES.items())
def test_a_press_is_a_move_of_the_seat_of_its_user(custom_id: str, action: a.Action) -> None:
    assert asked(custom_id, view()) == action


def test_an_id_names_the_cards_to_show() -> None:
    assert asked("k1:7:show:7S,9D", view()) == a.ShowCards(2, (SEVEN, parse_card("9D")))
    assert asked("k1:7:show:9Z", view()) is None


@pytest.mark.parametrize("what", ["put:8Z", "take", "counter_at:x", "counter_team", "empty:3", "join", "total:x"])
def test_an_id_that_names_no_move_gives_no_action(what: str) -> None:
    assert asked(f"k1:7:{what}", view()) is None


@pytest.mark.parametrize("verb", [TableVerb.PROPOSE, TableVerb.GESTURE])
def test_a_sign_in_an_id_is_read_like_a_typed_one(verb: str) -> None:
    with pytest.raises(SignTextError):
        asked(f"k1:7:{verb}:bonjour", view())


LONG = "say:" + "what_" * 11 + "what"


@pytest.mark.parametrize("plan", ["🍀", "presign 🍀", "A 🍀 C 👀", "🍀 👀 🎲 🦊 🎈 🧦", "total", LONG])
def test_a_sign_of_any_length_can_be_accepted(plan: str) -> None:
    table = Table.starting(strategies=" ".join(Strategy))
    table.do(f"A sign {plan}")
    proposed = view(table).proposal
    assert proposed is not None
    press = make_id(2**63 - 1, TableVerb.ACCEPT, plan_digest(proposed.plan))
    assert asked(press, view(table)) == a.AcceptSign(2, proposed.plan)
    for other in ("👀", "presign 👀", "total", "A 👀 C 🍀"):
        if other != plan:
            table.do(f"A sign {other}")
            assert asked(press, view(table)) == Refusal(Code.NOT_PENDING), "never another one by mistake"
    assert asked(press, view(Table.starting())) == Refusal(Code.NOT_PENDING)


def test_different_sign_plans_have_different_ids() -> None:
    words = "🍀/presign 🍀/say:lucky/🍀 👀 🎲/👀 🍀 🎲/🍀👀 🎲 🦊/🍀 👀🎲 🦊/A 🍀 C 👀/A 👀 C 🍀/total/presign total"
    plans = [Table.starting().read(f"A sign {said}").plan for said in words.split("/")]  # type: ignore[union-attr]  # proposals have one
    assert len({plan_digest(plan) for plan in plans}) == len(plans)


def test_one_press_replaces_a_found_sign_of_a_double() -> None:
    table = Table(strategies="double presign", plans={"#1": "presign A 👀 C 🍀"})
    table.do("B guess #1 🍀")
    successor = SignPlan(PlanKind.DOUBLE, (emoji_sign("👀"), emoji_sign("🎩")), presign=True)
    assert asked("k1:7:propose:🎩", view(table)) == a.ProposeSign(2, successor)
    with pytest.raises(SignTextError):
        asked("k1:7:propose:🎩,🎲", view(table))


@pytest.mark.parametrize(("fields", "plan"), [
    ({"text": "🍀"}, CLOVER),
    ({"text": "🍀", "presign": "yes"}, one_sign(emoji_sign("🍀"), presign=True)),
    ({"text": "🍀", "presign": "no", "kind": "single"}, CLOVER),
    ({"text": "🍀, 👀", "kind": "double"}, SignPlan(PlanKind.DOUBLE, (emoji_sign("🍀"), emoji_sign("👀")))),
    ({"text": "", "kind": "total", "presign": "yes"}, SignPlan(PlanKind.TOTAL, (), presign=True)),
    ({"text": "What weather!"}, one_sign(spoken_sign("what weather"))),
])  # fmt: skip
def test_a_submitted_modal_becomes_a_proposal(fields: dict[str, str], plan: SignPlan) -> None:
    table = Table.starting(strategies=" ".join(Strategy))
    assert asked(Press(7, TableVerb.SIGN_TEXT), view(table), **fields) == a.ProposeSign(2, plan)


def test_a_form_that_no_client_could_send_is_ignored() -> None:
    assert asked(Press(7, TableVerb.SIGN_TEXT), view(), text="🍀", kind="all") is None
    with pytest.raises(SignTextError):
        asked(Press(7, TableVerb.SIGN_TEXT), view())


def test_a_form_names_one_sign_of_an_opponent_or_all_signs_of_a_team() -> None:
    def said(table: Table, written: str) -> object:
        return asked(Press(7, TableVerb.GUESS_TEXT, "1"), view(table), text=written)

    signs = (emoji_sign("🍀"), emoji_sign("👀"))
    assert said(Table(), "🍀") == a.GuessSign(2, 1, signs[:1])
    assert said(Table(), "🍀, 👀") == a.GuessSign(2, 1, signs)
    for table in (Table(strategies="spoken"), Table("bell", guess="report", sign_cards="eyes word")):
        assert said(table, "Lucky") == a.GuessSign(2, 1, (spoken_sign("lucky"),))
    with pytest.raises(SignTextError):
        said(Table(), "lucky")


def test_only_exchanges_name_a_card() -> None:
    assert card_in(a.Take(0, SEVEN)) == SEVEN
    assert card_in(a.PutDown(0, SEVEN)) == SEVEN
    assert card_in(a.CallKems(0)) is None


def test_cards_are_read_by_their_exact_codes() -> None:
    for card in (*DECKS[DeckKind.D54], *DECKS[DeckKind.D104]):
        assert card_of(card.code) == card
    assert [card_of(text) for text in ("", "7", "7s", "1S", "7SS", "X3")] == [None] * 6
    assert cards_of("7S,9D") == (Card(5, 0), Card(7, 2))
    assert [cards_of(text) for text in ("", "7S9", "7S9X", "7S 9D")] == [None] * 4


def test_the_button_that_opened_the_hunt_asks_for_no_sweep_as_the_hunt_opens() -> None:
    view = replace(table_view(Table().state), phase_at=5000, sweep_from=10_000)
    press = Press(TABLE_ID, TableVerb.SWEEP, round=view.round)
    assert crossing_text(press, view, 5000 + CROSSING_MS - 1, FR) is None, "it is kept until its time has come"
    view = replace(view, sweep_from=5000)
    said = crossing_text(press, view, 5000 + CROSSING_MS - 1, FR)
    assert said == "La chasse vient de s'ouvrir : appui ignoré."
    assert crossing_text(press, view, 5000 + CROSSING_MS, FR) is None
    assert crossing_text(replace(press, verb=TableVerb.KEMS), view, 5001, FR) is None


def test_the_next_round_is_not_dealt_by_a_press_that_was_meant_for_the_last_one() -> None:
    table = Table()
    table.do("A kems")
    view = table_view(table.state)
    press = Press(TABLE_ID, TableVerb.NEXT, round=view.round)
    assert "La manche vient de finir" in (crossing_text(press, view, view.phase_at + 10, FR) or "")
    assert crossing_text(replace(press, round=view.round + 1), view, view.phase_at + 10, FR) is None
