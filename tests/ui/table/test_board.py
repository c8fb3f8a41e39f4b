"""The public table: nothing on it moves under the thumb, and the fullest one fits. What it says is on the screens."""

from dataclasses import replace

from bot.game.build_view import table_view
from bot.game.signs import GestureKind
from bot.game.views import GestureInfo
from bot.records.player import Player
from tests.rules.table import Table
from tests.ui.table.shown import board
from tests.ui.walk import faces_in, row_labels


def test_nothing_moves_from_the_signs_to_the_end_of_the_hunt() -> None:
    table = Table()
    ready = Table(opened=False).state
    hunt = table.state
    table.wait(6)
    table.do("A sweep")
    states = (Table.starting().state, ready, hunt, table.state)
    assert {tuple(map(len, row_labels(board(state)))) for state in states} == {(4,)}


def test_the_fullest_table_still_fits() -> None:
    table = Table(players=12, deck="52")
    view, gesture = table_view(table.state), GestureInfo(0, 0, GestureKind.POST, "🍀" * 100, is_sign=None)
    seats = tuple(replace(seat, owes=4, must_show_to=0) for seat in view.seats)
    view = replace(view, pool=tuple(table.all_cards()), gestures=(gesture,) * 100, seats=seats)
    long_names = [Player("*" * 40, 1000 + seat) for seat in range(12)]
    assert len(faces_in(board(view, seated=long_names))) == 52
