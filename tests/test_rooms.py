"""What `make test ROOM=…` runs of each room."""

import pytest

from tests.rooms import ELSEWHERE, PROJECT, near_tests, own_tests, rooms


def test_every_room_names_existing_tests() -> None:
    assert [room for room in rooms() if "/" not in room and not own_tests(room)] == []
    named = [path for paths in ELSEWHERE.values() for path in paths]
    assert [path for path in named if not (PROJECT / path).exists()] == []
    assert ELSEWHERE.keys() <= set(rooms())


def test_tests_that_depend_on_a_room_run_on_demand_and_no_test_runs_twice() -> None:
    own, near = own_tests("ladder"), near_tests("ladder")
    assert own == ["tests/ladder"]
    assert "tests/store/ladder/test_boards.py" in near
    assert not [path for path in near if path.startswith("tests/ladder/")]


def test_an_unknown_room_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^There is no room nosuch\. Rooms are art, base, "):
        own_tests("nosuch")
