"""A refusal is read whole where the player looks: in the two lines that a hand panel has for news."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.game.actions import MakeGesture
from bot.game.build_view import seat_view, table_view
from bot.game.checks.refusals import Code
from bot.game.phase import Phase
from bot.game.signs.sign import GestureKind
from bot.tables.match.table_actions import LiveCode
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.text_width import broken
from bot.ui.kit.texts import Texts
from bot.ui.table.crossing import crossing_text
from bot.ui.table.verbs import TableVerb
from bot.ui.words.panel_text import NEWS_LINES, SMALL_LINE
from bot.ui.words.refusals import refusal_text
from bot.ui.words.sign_refusals import sign_refusal
from tests.rules.table import Table
from tests.ui.walk import EN, FR, TABLE_ID


@pytest.mark.parametrize("texts", [FR, EN], ids=["fr", "en"])
def test_no_refusal_is_cut_off_on_a_hand_panel(texts: Texts) -> None:
    table, gesture = Table(), MakeGesture(0, GestureKind.REACT, "👀")
    view = table_view(table.state)
    said = [refusal_text(code, texts) for code in (*Code, *LiveCode)]
    said.append(sign_refusal(Code.ALREADY_ANSWERED, gesture, seat_view(table.state, 0), texts) or "")
    for verb, phase in ((TableVerb.SWEEP, Phase.HUNT), (TableVerb.NEXT, Phase.OVER)):
        press = Press(TABLE_ID, verb, round=view.round)
        said.append(crossing_text(press, replace(view, phase=phase), view.phase_at, texts) or "")
    assert all(said)
    assert [line for line in said if " ".join(broken(line, SMALL_LINE, NEWS_LINES)) != line] == []
