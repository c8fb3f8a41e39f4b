"""The best moment: the true call that was the first of two by the least, from the side of who made it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.discord.pictures.card_faces import Faces
from bot.game.build_view import table_view
from bot.game.events import CallKind, CallMargin
from bot.records.player import Player
from bot.ui.records.best_moment import best_moment, best_moment_words, filmed_round, won_by
from bot.ui.words.table_text import TableText
from tests.rules.table import Table
from tests.ui.walk import EN

KINGS = {"A": "KS KH KD KC"}
PEOPLE = [Player(name, seat + 1) for seat, name in enumerate(["Ana", "Bruno", "Chloé", "Dora"])]


def ended(call: str, margin: tuple[int, int, CallKind, int] | None) -> TableText:
    """A round that the call ended, so many milliseconds before a rival's."""
    table = Table(hands=KINGS, excess="keep")
    table.do(call)
    view = table_view(table.state)
    assert view.result is not None
    found = None if margin is None else CallMargin(0, *margin)
    return TableText(replace(view, result=replace(view.result, margin=found)), PEOPLE, Faces(EN))


CLOSE = ended("C kems", (2, 1, CallKind.COUNTER, 84))
CLOSER = ended("B counter A", (1, 2, CallKind.KEMS, 12))
FALSE = ended("B kems", (1, 2, CallKind.KEMS, 3))
ALONE, LAST = (ended("C kems", None) for _ in range(2))


@pytest.mark.parametrize(
    ("rounds", "best"),
    [([], None), ([ALONE], None), ([FALSE], None), ([FALSE, CLOSE], CLOSE), ([CLOSE, CLOSER, ALONE], CLOSER)],
)
def test_the_smallest_margin_of_a_true_call_is_the_best_moment(
    rounds: Sequence[TableText], best: TableText | None
) -> None:
    assert best_moment(rounds) is best


@pytest.mark.parametrize(
    ("rounds", "filmed"),
    [
        ([], None),
        ([FALSE], None),
        ([ALONE, FALSE], ALONE),
        ([ALONE, LAST], LAST),
        ([CLOSE, ALONE], CLOSE),
        ([ALONE, CLOSE, CLOSER], CLOSER),
    ],
)
def test_without_a_close_call_the_last_true_one_is_filmed(
    rounds: Sequence[TableText], filmed: TableText | None
) -> None:
    assert filmed_round([text.view for text in rounds]) is (None if filmed is None else filmed.view)


def test_a_round_that_is_a_challenge_is_not_filmed() -> None:
    rounds = [replace(text.view, round=number) for number, text in enumerate((ALONE, CLOSE, CLOSER), 1)]
    assert filmed_round(rounds, {3}) is rounds[1]
    assert filmed_round(rounds, {2, 3}) is rounds[0]
    assert filmed_round(rounds, {1, 2, 3}) is None


def test_the_best_moment_is_told_from_its_winners_point_of_view() -> None:
    assert best_moment_words(CLOSE) == "🏁 Round 1: Chloé calls Kem's 84 ms before Bruno's counter"
    assert won_by(CLOSER) == "Bruno counters 12 ms before Chloé's Kem's"
    assert [won_by(text) for text in (ALONE, FALSE)] == ["", ""]
