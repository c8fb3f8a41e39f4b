"""What everybody may know about signs, on the table's message and in its result; and what stays untold."""

import pytest

from bot.game.signs import Strategy
from bot.ui.kit.texts import Texts
from tests.rules.table import Table
from tests.ui.table.shown import board
from tests.ui.walk import EN, FR, words

ALL = " ".join(Strategy)
SEVENS = "7S 7H 7D 7C"


def lines(table: Table, texts: Texts = FR) -> list[str]:
    return words(board(table, texts)).splitlines()


def test_what_is_said_aloud_can_be_read_by_all_right_or_wrong() -> None:
    table = Table(strategies=ALL, plans={"#1": "A 👀 C 🍀", "#2": "presign 🎩"})
    table.do("B guess #1 🎲", "B accuse #1 total")
    assert lines(table)[-2:] == [
        "📣 Bruno : « Équipe 1, votre signe est 🎲 » — faux",
        "📣 Bruno : « Équipe 1, vous jouez le total » — faux",
    ]
    table.do("A accuse #2 presign", "D guess #1 👀 🍀")
    assert lines(table)[-4:] == [
        "📣 Bruno : « Équipe 1, vous jouez le total » — faux",
        "📣 Ana : « Équipe 2, arrêtez le pré-signe » — **juste**",
        "📣 🤖 Dora : « Équipe 1, vos signes sont 👀 et 🍀 » — **juste**",
        "-# Équipe 1 : signe unique jusqu'à la fin de la partie.",
    ]
    assert "📣 Ana: “Team 2, stop pre-sign” — **right**" in lines(table, EN)


def test_the_result_repeats_it_and_the_next_round_forgets_what_was_said() -> None:
    table = Table(strategies=ALL, plans={"#1": "total", "#2": "🎩"})
    table.do("B accuse #1 total", "A kems")
    said = "📣 Bruno : « Équipe 1, vous jouez le total » — **juste**"
    known = "-# Équipe 1 : signe unique jusqu'à la fin de la partie."
    assert {said, known} <= set(lines(table))
    table.do("- next")
    assert said not in lines(table)
    assert known in lines(table)


def test_who_goes_on_openly_is_known_and_who_replaces_in_silence_is_not() -> None:
    table = Table(strategies=ALL, plans={"#1": "A 👀 C 🍀"})
    table.do("B guess #1 🍀")
    assert not any("signe unique" in line for line in lines(table))
    table.do("A keep")
    assert "-# Équipe 1 : signe unique jusqu'à la fin de la partie." in lines(table)


def test_what_the_vote_allowed_is_told_while_the_signs_are_agreed() -> None:
    assert "-# Signes avancés : double signe, pré-signe" in lines(Table.starting(strategies="presign double"))
    assert not any("avancés" in line for line in lines(Table.starting()))
    assert not any("avancés" in line for line in lines(Table(strategies="double")))


@pytest.mark.parametrize(("strategies", "is_told"), [("", True), ("double", False)])
def test_with_strategies_no_gesture_is_explained_before_the_match_is_over(strategies: str, is_told: bool) -> None:
    table = Table(hands={"A": SEVENS}, scores=(8, 0), strategies=strategies)
    table.do("A react 👀", "B react 🎩", "C kems")
    told = "Signes : 0:00 Ana 👀 (**le signe**) · 0:00 Bruno 🎩 (bluff)"
    untold = "Signes : 0:00 Bruno 🎩 · 0:00 Ana 👀"
    assert (told if is_told else untold) in lines(table)
    over = Table(hands={"A": SEVENS}, scores=(9, 0), strategies=strategies)
    over.do("A react 👀", "B react 🎩", "C kems")
    assert told in lines(over)
