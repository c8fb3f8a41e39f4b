"""The public table: nothing on it moves under the thumb, and the fullest one fits. What it says is on the screens."""

from dataclasses import replace

import pytest

from bot.game.actions import MakeGesture
from bot.game.build_view import table_view
from bot.game.signs import GestureKind
from bot.game.views import GestureInfo
from bot.records.player import Player
from tests.rules.table import Table
from tests.ui.table.pages.shown import board, hand, seen
from tests.ui.walk import buttons, faces_in, row_labels, words


def test_no_button_moves_from_the_signs_to_the_end_of_the_hunt() -> None:
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


def gesture(table: Table, seat: int, text: str) -> None:
    table.do(MakeGesture(seat, GestureKind.REACT, text))


def test_gestures_stand_in_the_order_of_the_seats() -> None:
    table = Table()
    for seat, text in ((2, "🎲"), (1, "🍀"), (2, "👀")):
        gesture(table, seat, text)
        table.wait(1)
    assert "Gestes : Ana — · Bruno 🍀 · Chloé 🎲 👀 · Dora —" in words(board(table))


@pytest.mark.parametrize("takes_seen", [True, False])
def test_all_see_exchanges_unless_a_rule_hides_them(takes_seen: bool) -> None:
    table = Table(hands={"A": "7S 9D"}, pool="KH", takes_seen=takes_seen)
    table.do("A put 7S", "A take KH")
    assert ("Ana 7♠ → R♥" in words(board(table)).replace("\ufe0e", "")) is takes_seen


def test_a_result_has_the_winners_colour_and_tells_gestures_player_by_player() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"}, signs_told="round")
    gesture(table, 3, "🎲")
    table.wait(5)
    gesture(table, 0, "👀")
    table.wait(5)
    gesture(table, 0, "🍩")
    table.do("C kems")
    shown = board(table)
    told = words(shown).replace("**", "").replace("\ufe0e", "").splitlines()
    assert told[:2] == ["## KEM'S !", "Chloé l'annonce. Ana avait le carré : 7♠ 7♥ 7♦ 7♣"]
    (first,) = (number for number, line in enumerate(told) if line.startswith("Gestes"))
    assert told[first : first + 2] == ["Gestes : Ana 👀 (le signe) 0:05 · 🍩 (bluff) 0:10", "Dora 🎲 (bluff) 0:00"]
    table = Table(hands={"B": "7S 7H 7D 7C"})
    table.do("D kems")
    assert board(table)[0]["accent_color"] != shown[0]["accent_color"]


def test_every_reader_sees_the_result_from_their_own_side() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"})
    table.do("C kems")
    ours, theirs = (words(hand(seen(table, seat))).splitlines() for seat in (0, 1))
    assert (ours[0], theirs[0]) == ("### Vous aviez le carré : +1 NOUS", "### Ils annoncent : +1 EUX")
    assert "**Nous 1 · Eux 0** (en 10)" in ours
    assert "**Nous 0 · Eux 1** (en 10)" in theirs


def test_a_player_who_calls_their_own_four_alike_learns_who_may_call() -> None:
    table = Table(hands={"A": "7S 7H 7D 7C"})
    table.do("A kems")
    public, own = (words(shown).replace("\ufe0e", "") for shown in (board(table), hand(seen(table))))
    assert "Ana annonce son propre carré, que seul un partenaire peut annoncer : 7♠ 7♥ 7♦ 7♣" in public
    assert "Votre carré, c'est votre partenaire qui l'annonce : 7♠ 7♥ 7♦ 7♣" in own
    assert public.count("7♠") == 1, "each card once"


@pytest.mark.parametrize("rules", [{}, {"holder": "team"}])
def test_a_false_kems_without_the_sign_says_so(rules: dict[str, str]) -> None:
    for caller, holder in (("A", "A"), ("C", "A")):
        table = Table(hands={holder: "7S 7H 7D 7C"}, sign_required="yes", **rules)
        table.do(f"{caller} kems")
        is_own_alone = caller == holder and not rules
        assert ("est venu sans le signe" in words(board(table))) is not is_own_alone


def test_a_round_that_ends_with_its_deal_is_one_line_and_needs_no_press() -> None:
    table = Table.stillborn()
    shown = [board(table), *(hand(seen(table, seat)) for seat in range(4))]
    for layout in shown:
        assert "Trois cartes pareilles retournées : on redistribue." in words(layout)
        assert "next" not in {item.press.verb for item in buttons(layout)}
    assert len(words(board(table)).splitlines()) == 2
    assert "<t:" in words(board(table))
    table.wait(3)
    assert table.state.round == 2
