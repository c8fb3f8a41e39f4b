"""The public table: what is on it in every phase, what is not, and that nothing moves under the thumb."""

from dataclasses import replace

import pytest

from bot.game import actions as a
from bot.game.build_view import table_view
from bot.game.events import MatchPaused
from bot.game.evolve import evolve
from bot.game.signs import GestureKind
from bot.game.views import GestureInfo
from bot.records.player import Player
from bot.ui.kit.layouts import at_rest
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.verbs import AT_REST, TableVerb
from tests.rules.table import Table, cards
from tests.ui.table.shown import board
from tests.ui.walk import buttons, check_limits, faces_in, people, row_labels, words


@pytest.mark.parametrize("phase", ["ready", "hunt", "over"])
def test_a_paused_table_says_so_and_can_go_on(phase: str) -> None:
    table = Table(opened=phase != "ready", auto_open=5, auto_next=5)
    if phase == "over":
        table.do("A kems")
    rows = row_labels(board(table.state))
    paused = evolve(table.state, MatchPaused(1))
    view = at_rest(board(paused), AT_REST)
    check_limits(view)
    assert "⏸ **La partie est en pause.**" in words(view)
    assert "<t:" not in words(view)
    assert [row[: len(before)] for row, before in zip(row_labels(view), rows, strict=False)] == rows, "nothing moves"
    enabled = {item.press.verb for item in buttons(view) if item.is_enabled}
    assert enabled <= {TableVerb.HAND, TableVerb.SIGN_PANEL, RulesVerb.HELP, TableVerb.RESUME}
    assert TableVerb.RESUME in enabled
    abandoned = evolve(table.state, MatchPaused(1, by_itself=True))
    assert "plus personne" in words(board(abandoned))


def test_one_player_does_not_fill_the_gestures() -> None:
    table = Table()
    table.do("A react 👀")
    for number in range(20):
        table.wait(5)
        table.do(f"B react {'🍩' if number % 2 else '🎲'}")
    table.wait(5)
    table.do("C react 🎈")
    line = next(line for line in words(board(table)).splitlines() if line.startswith("Gestes"))
    assert line.startswith("Gestes : Chloé 🎈 · Bruno 🍩 · Ana 👀 · Bruno 🎲 · ")
    assert line.count("·") == 7


def test_the_mark_of_a_robot_that_took_a_seat_is_no_gesture() -> None:
    table = Table()
    table.do("A react 👀")
    seated = [Player("Zoé", None, is_open=True), *people()[1:]]
    view = board(table, seated=seated)
    assert "Gestes : Zoé 👀" in words(view)
    assert "① 🤖 Zoé 🪑" in words(view)


def test_the_rounds_before_stand_under_the_score() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"})
    table.do("C kems")
    ended = table_view(table.state)
    table.do("- next")
    assert words(board(table, log=[ended])).splitlines()[1] == "-# Manches : 1 Kem's ①"


def test_the_pool_opens_to_the_right_and_a_slot_stays_when_its_card_is_taken() -> None:
    table = Table(hands={"A": "9S", "B": "7S 7H"}, pool="8C QH KS AH")
    table.do("B put 7S", "B put 7H", "A put 9S", a.Take(0, cards("QH")[0]))
    view = board(table)
    assert "② Bruno (doit 2 cartes)" in words(view)
    assert "# 8♣ — R♠ A♥\n# 7♠ 7♥ 9♠" in words(view).replace("\ufe0e", "").replace("\u2003", " ")


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
    view = table_view(table.state)
    gesture = GestureInfo(0, 0, GestureKind.POST, "🍀" * 100, is_sign=None)
    view = replace(
        view,
        pool=tuple(table.all_cards()),
        gestures=(gesture,) * 100,
        seats=tuple(replace(seat, owes=4, must_show_to=0) for seat in view.seats),
    )
    long_names = [Player("*" * 40, 1000 + seat) for seat in range(12)]
    assert len(faces_in(board(view, seated=long_names))) == 52
