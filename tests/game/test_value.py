"""Values of the core are equal by their fields, can be keys, have no dictionary, and are copied with changes."""

from dataclasses import replace

from bot.game.actions import PutDown, Take
from bot.game.cards import parse_card
from bot.game.state import Seat, with_changes

SEVEN = parse_card("7S")


def test_values_are_equal_by_their_fields_and_class() -> None:
    assert PutDown(1, SEVEN) == PutDown(1, SEVEN) != PutDown(2, SEVEN)
    assert PutDown(1, SEVEN) != Take(1, SEVEN)
    assert len({PutDown(1, SEVEN), PutDown(1, SEVEN), Take(1, SEVEN)}) == 2


def test_values_take_little_memory() -> None:
    assert not hasattr(PutDown(1, SEVEN), "__dict__")


def test_a_copy_leaves_the_original_unchanged() -> None:
    move, seat = PutDown(1, SEVEN), Seat()
    assert replace(move, seat=2) == PutDown(2, SEVEN)
    assert with_changes(seat, taken=1) == Seat(taken=1) != seat
    assert (move.seat, seat.taken) == (1, 0)
