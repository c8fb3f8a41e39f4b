"""The lessons in words: every one in both languages, whole in its place; and every refusal that a learner meets."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from bot.game import actions as a
from bot.game.build_view import seat_view
from bot.game.cards import parse_card
from bot.game.checks.refusals import Code
from bot.game.events import Outcome
from bot.game.signs.sign import GestureKind
from bot.game.views import GestureInfo, ResultInfo, SeatView
from bot.lessons.lesson import Lesson
from bot.records.card_theme import Theme
from bot.robots.reasons import Motive, Reason
from bot.ui.kit.text_width import broken
from bot.ui.kit.texts import Texts
from bot.ui.words.card_faces import Faces
from bot.ui.words.lesson_text import LessonText, explained
from bot.ui.words.panel_text import NEWS_LINES, SMALL_LINE
from bot.ui.words.table_text import TableText
from tests.rules.table import Table
from tests.ui.walk import EN, FR

BOTH = pytest.mark.parametrize("texts", [FR, EN], ids=["fr", "en"])
IN_A_HUNT: Final = [lesson for lesson in Lesson if lesson not in (Lesson.AGREE, Lesson.END)]
CALLED: Final = ("vous", "Clémence", "Capucine", "Suzanne")  # the widest names of robots
TAKE: Final = (a.Take(0, parse_card("TH")), Reason(Motive.COLLECTS))
PUT: Final = (a.PutDown(0, parse_card("TH")), Reason(Motive.COLLECTS))


def moment(**changes: object) -> SeatView:
    """A hunt in which two opponents have made gestures."""
    view = seat_view(Table().state, 0)
    gestures = tuple(GestureInfo(1000, seat, GestureKind.REACT, "🎲", None) for seat in (1, 3))
    return replace(view, table=replace(view.table, gestures=gestures, **changes))


def lesson_text(view: SeatView, texts: Texts) -> LessonText:
    return LessonText(view, TableText(view.table, [], Faces(texts, Theme.FRENCH)), lambda seat: CALLED[seat])


@BOTH
def test_every_lesson_has_a_sentence_of_its_own(texts: Texts) -> None:
    text = lesson_text(moment(), texts)
    said = {lesson: text.sentence(lesson, TAKE) for lesson in Lesson}
    assert len(set(said.values())) == len(Lesson)
    for sentence in said.values():
        assert sentence.startswith("💡 ")
        assert "{" not in sentence
        assert "None" not in sentence


@BOTH
def test_no_lesson_is_cut_off(texts: Texts) -> None:
    text = lesson_text(moment(), texts)
    for lesson in IN_A_HUNT:
        for advice in (TAKE, PUT, None):
            sentence = text.sentence(lesson, advice)
            assert " ".join(broken(sentence, SMALL_LINE, NEWS_LINES)) == sentence


@BOTH
def test_no_refusal_of_a_learner_is_cut_off(texts: Texts) -> None:
    said = [found for code in Code if (found := explained(code, texts)) is not None]
    assert len(set(said)) == len(said) > 5
    for sentence in said:
        assert " ".join(broken(sentence, SMALL_LINE, NEWS_LINES)) == sentence


def test_a_card_is_named_where_it_is_put_down_or_taken() -> None:
    text = lesson_text(moment(), EN)
    assert "10♥" in text.sentence(Lesson.PUT, PUT)
    assert "10♥" in text.sentence(Lesson.TAKE, TAKE)
    assert text.sentence(Lesson.TAKE, PUT) == text.sentence(Lesson.TAKE, None)


def test_a_sign_that_was_made_waits_for_the_partner() -> None:
    view = moment()
    assert "faites" in lesson_text(view, FR).sentence(Lesson.SIGN, None)
    made = GestureInfo(2000, 0, GestureKind.REACT, view.signs[0].text, None)
    signed = replace(view, table=replace(view.table, gestures=(*view.table.gestures, made)))
    assert lesson_text(signed, FR).sentence(Lesson.SIGN, None) == (
        "💡 Maintenant, Capucine doit voir votre signe et l'annoncer. Gardez vos cartes."
    )


def test_a_round_that_ends_is_told_in_the_learner_s_terms() -> None:
    def told(outcome: Outcome, caller: int | None, *, laid_by: int | None = None) -> str | None:
        result = ResultInfo(outcome, (0, 0), caller, None, None, 0, (), (), ((), ()), laid_by=laid_by)
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
    assert "*Hints*" in last
