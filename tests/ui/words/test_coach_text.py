"""The coach's hints: one sentence for every reason and every action, in both languages, that fits its place."""

from __future__ import annotations

from typing import get_args

import pytest

from bot.game import actions as a
from bot.game.build_view import seat_view
from bot.game.cards import JOKER_GROUP, parse_card
from bot.game.signs.sign import GestureKind, Strategy, emoji_sign
from bot.game.signs.sign_plans import one_sign
from bot.records.card_theme import Theme
from bot.robots.reasons import Motive, Reason
from bot.ui.kit.text_width import broken
from bot.ui.kit.texts import Texts
from bot.ui.words.card_faces import Faces
from bot.ui.words.coach_text import CoachText
from bot.ui.words.panel_text import NEWS_LINES, SMALL_LINE
from bot.ui.words.table_text import TableText
from tests.rules.table import Table
from tests.ui.walk import EN, FR, people

KING, SEVEN = parse_card("KH"), parse_card("7S")
ACTIONS: list[a.Action | None] = [
    None,
    a.PutDown(0, SEVEN),
    a.Take(0, KING),
    a.AskSweep(0),
    a.AnswerSweep(0, agrees=True),
    a.AnswerSweep(0, agrees=False),
    a.MakeGesture(0, GestureKind.POST, "🍀"),
    a.CallKems(0),
    a.CallDouble(0),
    a.CounterPlayer(0, 1),
    a.CounterTeam(0, 1),
    a.CounterTeam(0, 1, is_double=True),
    a.ShowCards(0, (SEVEN, KING)),
    a.GuessSign(0, 1, (emoji_sign("🍀"),)),
    a.AccuseTeam(0, 1, Strategy.TOTAL),
    a.OpenHunt(0),
    a.NextRound(0),
    a.ProposeSign(0, one_sign(emoji_sign("🍀"))),
    a.AcceptSign(0, one_sign(emoji_sign("🍀"))),
    a.KeepSign(0),
    a.Tick(),
    a.CallTime(),
]
BOTH = pytest.mark.parametrize("texts", [FR, EN], ids=["fr", "en"])


def hint(action: a.Action | None, reason: Reason, texts: Texts, theme: Theme = Theme.FRENCH) -> str:
    seated = people(4)
    table = Table()
    table_text = TableText(seat_view(table.state, 0).table, seated, Faces(texts, theme))
    return CoachText(table_text, lambda seat: seated[seat].name).hint((action, reason))


def full(motive: Motive) -> Reason:
    return Reason(motive, group=KING.group, seat=1, team=1, odds=0.834)


@BOTH
def test_every_reason_is_one_sentence_of_its_own(texts: Texts) -> None:
    said = {motive: hint(a.Take(0, KING), full(motive), texts) for motive in Motive}
    assert len(set(said.values())) == len(Motive)
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
    assert len(set(said)) == len(ACTIONS) - 2, "ticks and called time are no player's action: the coach waits"


@BOTH
@pytest.mark.parametrize("theme", Theme)
def test_no_hint_is_cut_off(texts: Texts, theme: Theme) -> None:
    for motive in Motive:
        for action in ACTIONS:
            sentence = hint(action, full(motive), texts, theme)
            lines = broken(sentence, SMALL_LINE, NEWS_LINES)
            assert " ".join(lines) == sentence


def test_a_reason_without_cards_names_none() -> None:
    assert hint(a.AnswerSweep(0, agrees=False), Reason(Motive.STILL_FITS), FR) == (
        "💡 Refusez le balayage : une carte du milieu vous sert."
    )
    assert hint(a.MakeGesture(0, GestureKind.POST, "🍀"), Reason(Motive.HAS_KEMS), EN) == (
        "💡 Make 🍀: you have a Kem's."
    )
    assert hint(a.Take(0, KING), Reason(Motive.COLLECTS, group=JOKER_GROUP), EN).endswith("four 🃏.")
    assert hint(a.Take(0, KING), Reason(Motive.COLLECTS, group=KING.group), EN, Theme.FAMILY).endswith("four Nonno.")


def test_chances_and_names_are_told() -> None:
    reason = Reason(Motive.READS_SIGN, seat=1, odds=0.834)
    assert hint(a.CounterPlayer(0, 1), reason, FR) == "💡 Contrez Bruno : Bruno semble avoir signé (83 %)."
    assert hint(a.CounterPlayer(0, 1), reason, EN) == "💡 Counter Bruno: Bruno seems to have made a sign (83%)."
