"""What may be added to a call, by whom, and what everybody reads meanwhile; and the bell, which changes the words."""

import pytest

from bot.game.build_view import seat_view, table_view
from bot.game.events import CallKind
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from tests.rules.table import Table
from tests.ui.table.shown import board, counters, hand, seen
from tests.ui.walk import BOTH, FR, buttons, enabled, words

SEVENS, EIGHTS, NINES, TENS = "7S 7H 7D 7C", "8S 8H 8D 8C", "9S 9H 9D 9C", "TS TH TD TC"
ALL_FOUR = {"A": SEVENS, "B": EIGHTS, "C": NINES, "D": TENS}
CALLS = {"kems", "double", "counter"}


def labels(view: Layout) -> list[str]:
    return [item.label for item in buttons(view) if item.press.verb in ("kems", "double")]


@pytest.mark.parametrize(
    ("preset_name", "rules", "call", "said", "may"),
    [
        ("linternaute", {}, "A kems", "**Kem's !** La même équipe peut encore en faire un double Kem's.", "double"),
        ("expert", {"four_kems": 4}, "A double", "peut encore y ajouter un double contre-Kem's.", "counter"),
        ("expert", {"four_kems": 4}, "A counter2 #2", "peut encore y ajouter un double Kem's.", "double"),
    ],
    ids=["kems", "double", "double-counter"],
)
def test_the_team_that_called_may_add_the_other_word(
    preset_name: str, rules: dict[str, int], call: str, said: str, may: str
) -> None:
    table = Table(preset_name, hands=ALL_FOUR, **rules)
    table.do(call)
    told = board(table)
    assert enabled(told) & CALLS == {may} - {"double"}, "a double is called on the hand panel"
    assert said in words(told)
    assert f"{said} Décision <t:3:R>." in words(told)
    assert enabled(hand(seen(table, 2))) & CALLS == {may}
    assert enabled(hand(seen(table, 0))) & CALLS == (set() if preset_name == "linternaute" else {may})
    for opponent in (1, 3):
        assert enabled(hand(seen(table, opponent))) & CALLS == set()


def test_the_double_counter_is_all_that_can_be_added_to_a_double() -> None:
    table = Table("expert", hands=ALL_FOUR, four_kems=4)
    table.do("A double")
    assert enabled(counters(seen(table, 2))) == {"counter2", "hand"}
    assert enabled(counters(seen(table, 1))) == {"hand"}
    assert "peut encore y ajouter" in words(counters(seen(table, 1)))


def test_who_lost_the_right_to_counter_adds_no_counter() -> None:
    rules = {"four_kems": 4, "false_counter_ends": False, "counter_lost": True}
    table = Table("expert", players=6, deck="52", hands={"A": SEVENS, "D": EIGHTS, "B": NINES, "E": TENS}, **rules)
    table.do("A counter #3", "D double")
    table.refuses("counter_lost", "A counter2 #2")
    views = (table_view(table.state), *(seat_view(table.state, seat) for seat in (0, 3, 1)))
    assert [CallKind.DOUBLE_COUNTER in view.offers.calls for view in views] == [True, False, True, False]


@pytest.mark.parametrize(
    ("rules", "points"), [({}, "Équipe 1 : +1"), ({"false_double": 2}, "Équipe 1 : +1 · Équipe 2 : +2")]
)
def test_the_result_says_who_added_a_false_word(rules: dict[str, int], points: str) -> None:
    table = Table("linternaute", hands={"A": SEVENS}, **rules)
    table.do("C kems")
    table.do("A double")
    told = words(board(table)).splitlines()
    assert told[1].startswith("Chloé annonce Kem's !")
    assert told[2] == "Ana ajoute un mot pour rien : la première annonce tient."
    assert points == told[4]
    table.do("- next")
    assert table.state.broken is None


@BOTH
def test_with_the_bell_a_double_is_a_super_kems(texts: Texts) -> None:
    mark = " !" if texts is FR else "!"
    table = Table("bell", hands={"A": SEVENS, "C": EIGHTS})
    assert labels(board(table, texts)) == [f"🛎️ Kem's{mark}"]
    assert labels(hand(seen(table, 0), texts)) == [f"🛎️ Kem's{mark}", f"🛎️ Super Kem's{mark}"]
    table.do("C double")
    assert f" · 🛎️ SUPER KEM'S{mark}" in words(board(table, texts))
    table = Table("bell", hands={"A": SEVENS})
    table.do("C kems")
    assert f" · 🛎️ KEM'S{mark}" in words(board(table, texts))
    table = Table("bell")
    table.do("C double")
    assert "Super Kem's" in words(board(table, texts)).splitlines()[0]
    without = Table("bell", bell=False)
    assert "🛎️" not in "".join(labels(board(without, texts)))
    assert "Super" not in "".join(labels(board(without, texts)))
