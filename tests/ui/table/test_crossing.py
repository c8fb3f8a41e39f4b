"""A press that crosses a change says what the button has become."""

from __future__ import annotations

from dataclasses import replace

from bot.game.build_view import table_view
from bot.ui.kit.custom_ids import Press
from bot.ui.table.crossing import CROSSING_MS, crossing_text
from bot.ui.table.verbs import TableVerb
from tests.rules.table import Table, kems
from tests.ui.walk import FR, TABLE_ID


def test_the_button_that_opened_the_hunt_asks_for_no_sweep_as_the_hunt_opens() -> None:
    view = replace(table_view(Table().state), phase_at=5000)
    press = Press(TABLE_ID, TableVerb.SWEEP, round=view.round)
    said = crossing_text(press, view, 5000 + CROSSING_MS - 1, FR)
    assert said == "La chasse vient de s'ouvrir : ce bouton demande un balayage. Rien n'est fait."
    assert crossing_text(press, view, 5000 + CROSSING_MS, FR) is None
    assert crossing_text(replace(press, verb=TableVerb.KEMS), view, 5001, FR) is None


def test_the_next_round_is_not_dealt_by_a_press_that_was_meant_for_the_last_one() -> None:
    table = Table()
    table.do(kems("A"))
    view = table_view(table.state)
    press = Press(TABLE_ID, TableVerb.NEXT, round=view.round)
    assert "La manche vient de finir" in (crossing_text(press, view, view.phase_at + 10, FR) or "")
    assert crossing_text(replace(press, round=view.round + 1), view, view.phase_at + 10, FR) is None
