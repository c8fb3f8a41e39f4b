"""The coach's hints, the lessons and the refusals: each a sentence of its own, read whole where it stands."""

from dataclasses import replace
from math import inf
from typing import Final, get_args

import pytest

from bot.discord.api.custom_ids import Press
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import Texts
from bot.game import actions as a
from bot.game.actions import MakeGesture
from bot.game.build_view import seat_view, table_view
from bot.game.cards import JOKER_GROUP, parse_card
from bot.game.checks.refusals import Code
from bot.game.events import Outcome, Phase
from bot.game.signs import GestureKind, Strategy, emoji_sign, one_sign
from bot.game.state import SeenExchange
from bot.game.views import GestureInfo, ResultInfo, SeatView
from bot.lessons.lesson import Lesson
from bot.records.pictures import Theme
from bot.robots.reasons import Motive, MoveReason
from bot.tables.match.table_actions import TableRefusalCode
from bot.ui.table.press_to_action import crossing_text
from bot.ui.table.verbs import TableVerb
from bot.ui.words.coach_text import LessonText, hint_text
from bot.ui.words.panel_text import SMALL_LINE
from bot.ui.words.refusals import refusal_text, sign_refusal
from bot.ui.words.table_text import TableText
from tests.examples import combined
from tests.rules.table import Table
from tests.ui.walk import BOTH, BY_LANGUAGE, EN, EVERY, FR, TABLE_ID, is_whole, people

KING, SEVEN = parse_card("KH"), parse_card("7S")
ACTIONS: list[a.Action | None] = [
    None, a.PutDown(0, SEVEN), a.Take(0, KING), a.Swap(0, SEVEN, KING), a.AskSweep(0), a.AnswerSweep(0, agrees=True),
    a.AnswerSweep(0, agrees=False), a.MakeGesture(0, GestureKind.POST, "🍀"), a.CallKems(0), a.CallDouble(0),
    a.CounterPlayer(0, 1), a.CounterTeam(0, 1), a.CounterTeam(0, 1, is_double=True), a.ShowCards(0, (SEVEN, KING)),
    a.GuessSign(0, 1, (emoji_sign("🍀"),)), a.AccuseTeam(0, 1, Strategy.TOTAL), a.OpenHunt(0), a.NextRound(0),
    a.ProposeSign(0, one_sign(emoji_sign("🍀"))), a.AcceptSign(0, one_sign(emoji_sign("🍀"))), a.KeepSign(0), a.Tick(),
    a.CallTime(),
]  # fmt: skip


def hint(
    action: a.Action | None, reason: MoveReason, texts: Texts, theme: Theme = Theme.FRENCH, room: float = inf
) -> str:
    seated = people(4)
    table = Table()
    table_text = TableText(seat_view(table.state, 0).table, seated, Faces(texts, theme))
    return hint_text((action, reason), table_text, lambda seat: seated[seat].name, room)


def full(motive: Motive) -> MoveReason:
    return MoveReason(motive, group=KING.group, seat=1, team=1, odds=0.834)


@BOTH
def test_every_reason_is_one_sentence_of_its_own(texts: Texts) -> None:
    told = set(Motive) - {Motive.MAKES_ROOM}
    said = {motive: hint(a.Take(0, KING), full(motive), texts) for motive in told}
    assert len(set(said.values())) == len(told)
    assert "R♥" not in hint(a.Take(0, KING), full(Motive.MAKES_ROOM), FR), "any card will do"
    for sentence in said.values():
        assert sentence.startswith("💡 Prenez R♥\ufe0e : " if texts is FR else "💡 Take K♥\ufe0e: ")
        assert sentence.endswith(".")
        assert sentence.count(".") == 1
        assert "{" not in sentence
        assert "None" not in sentence


@BOTH
def test_every_action_has_words(texts: Texts) -> None:
    assert {type(action) for action in ACTIONS if action is not None} == set(get_args(a.Action))
    said = [hint(action, full(Motive.WAITS), texts) for action in ACTIONS]
    assert len(set(said)) == len(ACTIONS) - 3, (
        "ticks and called time are no player's action; a swap begins as a put-down"
    )


@pytest.mark.parametrize(("language", "theme"), combined([*BY_LANGUAGE], [*Theme]))
def test_no_hint_is_cut_off(language: str, theme: Theme) -> None:
    texts = BY_LANGUAGE[language]
    assert all(
        is_whole(hint(action, full(motive), texts, theme, SMALL_LINE)) for motive in Motive for action in ACTIONS
    )


def test_a_reason_without_cards_names_no_cards() -> None:
    assert hint(a.AnswerSweep(0, agrees=False), MoveReason(Motive.STILL_FITS), FR) == (
        "💡 Refusez le balayage : une carte du milieu vous sert."
    )
    assert hint(a.MakeGesture(0, GestureKind.POST, "🍀"), MoveReason(Motive.HAS_KEMS), EN) == (
        "💡 Make 🍀: you have a Kem's."
    )
    assert hint(a.Take(0, KING), MoveReason(Motive.COLLECTS, group=JOKER_GROUP), EN).endswith("four 🃏.")
    assert hint(a.Take(0, KING), MoveReason(Motive.COLLECTS, group=KING.group), EN, Theme.FAMILY).endswith(
        "four Nonno."
    )


def test_hints_state_chances_and_names() -> None:
    reason = MoveReason(Motive.READS_SIGN, seat=1, odds=0.834)
    assert hint(a.CounterPlayer(0, 1), reason, FR) == "💡 Contrez Bruno : Bruno semble avoir fait un signe (83 %)."
    assert hint(a.CounterPlayer(0, 1), reason, EN) == "💡 Counter Bruno: Bruno seems to have made a sign (83%)."


CALLED: Final = ("vous", "Clémence", "Capucine", "Suzanne")  # the widest names of robots
TAKE: Final = (a.Take(0, parse_card("TH")), MoveReason(Motive.COLLECTS))
PUT: Final = (a.PutDown(0, parse_card("TH")), MoveReason(Motive.COLLECTS))


def moment(**changes: object) -> SeatView:
    """A hunt in which two opponents have made gestures, and one has taken a card; a third king lies in the hand."""
    view = seat_view(Table(hands={"A": "KH 7S 8D 9C"}, pool="KS KD AC QH").state, 0)
    gestures = tuple(GestureInfo(1000, seat, GestureKind.REACT, "🎲", None) for seat in (1, 3))
    taken = (SeenExchange(1, (SEVEN,), (parse_card("TC"),)),)
    return replace(view, table=replace(view.table, gestures=gestures, exchanges=taken, **changes))


def lesson_text(view: SeatView, texts: Texts) -> LessonText:
    return LessonText(view, TableText(view.table, [], Faces(texts, Theme.FRENCH)), lambda seat: CALLED[seat])


@EVERY
def test_every_lesson_has_a_sentence_of_its_own_that_is_not_cut_off(texts: Texts) -> None:
    text = lesson_text(moment(), texts)
    said = {lesson: text.sentence(lesson, TAKE) for lesson in Lesson}
    assert len(set(said.values())) == len(Lesson)
    for sentence in said.values():
        assert sentence.startswith("💡 ")
        assert "{" not in sentence
        assert "None" not in sentence
    in_a_hunt = [lesson for lesson in Lesson if lesson not in (Lesson.AGREE, Lesson.END)]
    assert all(is_whole(text.sentence(lesson, advice)) for lesson in in_a_hunt for advice in (TAKE, PUT, None))


def test_a_card_is_named_when_it_is_put_down_or_taken() -> None:
    text = lesson_text(moment(), EN)
    assert "10♥" in text.sentence(Lesson.PUT, PUT)
    assert "10♥" in text.sentence(Lesson.TAKE, TAKE)
    assert text.sentence(Lesson.TAKE, PUT) == text.sentence(Lesson.TAKE, None)
    forced = (TAKE[0], MoveReason(Motive.MAKES_ROOM))
    assert text.sentence(Lesson.TAKE, forced) == text.sentence(Lesson.TAKE, None), "no card that is of no use"
    assert text.sentence(Lesson.THREE_ALIKE, PUT) == "💡 Put down 10♥\ufe0e: a third K ends the round."
    assert "10♣" in text.sentence(Lesson.READ, None)


def test_after_a_sign_the_lesson_waits_for_the_partner() -> None:
    view = moment()
    assert "Faites" in lesson_text(view, FR).sentence(Lesson.SIGN, None)
    made = GestureInfo(2000, 0, GestureKind.REACT, view.signs[0].text, None)
    signed = replace(view, table=replace(view.table, gestures=(*view.table.gestures, made)))
    assert lesson_text(signed, FR).sentence(Lesson.SIGN, None) == ("💡 Capucine doit le voir. Gardez vos cartes.")


def test_the_end_of_a_round_is_told_in_the_learners_terms() -> None:
    def told(outcome: Outcome, caller: int | None, *, laid_by: int | None = None) -> str | None:
        result = ResultInfo(
            outcome, (0, 0), caller, None, None, 0, (), (), ((), ()), None, None, laid_by, is_of_deal=False
        )
        return lesson_text(moment(result=result), EN).end_of_round(is_last=False)

    said = [
        told(Outcome.KEMS, 2),
        told(Outcome.KEMS, 0),
        told(Outcome.KEMS, 1),
        told(Outcome.COUNTER, 0),
        told(Outcome.FALSE_KEMS, 0),
        told(Outcome.FALSE_KEMS, 2),
        told(Outcome.THREE_ALIKE, None, laid_by=0),
    ]
    assert None not in said
    assert len(set(said)) == len(said)
    assert told(Outcome.THREE_ALIKE, None, laid_by=1) is None
    last = lesson_text(moment(), EN).end_of_round(is_last=True)
    assert last is not None
    assert "ready to play" in last


@EVERY
def test_no_refusal_is_cut_off_on_a_hand_panel(texts: Texts) -> None:
    table, gesture = Table(), MakeGesture(0, GestureKind.REACT, "👀")
    view = table_view(table.state)
    said = [refusal_text(code, texts) for code in (*Code, *TableRefusalCode)]
    said.append(sign_refusal(Code.ALREADY_ANSWERED, gesture, seat_view(table.state, 0), texts) or "")
    for verb, phase in ((TableVerb.SWEEP, Phase.HUNT), (TableVerb.NEXT, Phase.OVER)):
        press = Press(TABLE_ID, verb, round=view.round)
        now = replace(view, phase=phase, sweep_from=view.phase_at)
        said.append(crossing_text(press, now, view.phase_at, texts) or "")
    assert all(said)
    assert [line for line in said if not is_whole(line)] == []
