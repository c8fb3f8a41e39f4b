"""When a round has shown a team's sign, so that it should agree on another."""

from typing import Any

import pytest

from bot.game.build_view import seat_view
from tests.rules.table import Table

KINGS = "KS KH KD KC"


@pytest.mark.parametrize(
    ("moves", "rules", "is_shown"),
    [
        (("A react 👀",), {}, False),
        (("A react 👀", "B counter A"), {}, True),
        (("C react 👀", "B counter A"), {}, True),
        (("A react 🍩", "B counter A"), {}, False),
        (("B react 👀", "B counter A"), {}, False),
        (("A react 👀", "C kems"), {}, False),
        (("A react 👀", "C kems"), {"signs_told": "round"}, True),
        (("A react 🍩", "C kems"), {"signs_told": "round"}, False),
        (("A react 👀", "B counter2 #1"), {"preset": "expert", "hands": {"A": KINGS, "C": "AS AH AD AC"}}, True),
        (("B guess #1 👀", "B counter A"), {"preset": "classic", "guess": "report"}, True),
        (("B guess #1 🍩", "B counter A"), {"preset": "classic", "guess": "report"}, False),
    ],
)
def test_a_sign_is_shown_by_a_counter_a_guess_or_a_result_that_tells_it(
    moves: tuple[str, ...], rules: dict[str, Any], *, is_shown: bool
) -> None:
    table = Table(**{"hands": {"A": KINGS}, **rules})
    table.do(*moves)
    assert [seat_view(table.state, seat).is_sign_shown for seat in range(4)] == [is_shown, False, is_shown, False]


def test_a_counter_against_another_team_shows_no_sign_of_the_readers_team() -> None:
    table = Table(hands={"B": KINGS})
    table.do("A react 👀", "B react 🍀", "A counter B")
    assert [seat_view(table.state, seat).is_sign_shown for seat in range(4)] == [False, True, False, True]
