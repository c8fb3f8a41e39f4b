"""`together` names every case that fails, and no other."""

import pytest

from tests.together import together


@together(("number", "square"), [(1, 1), (2, 5), (3, 9), (4, 17)])
def squares(power: int, number: int, square: int) -> None:
    assert number**power == square


def test_all_failures_are_raised_with_their_cases() -> None:
    with pytest.raises(BaseExceptionGroup, match="2 of 4 cases failed") as raised:
        squares(power=2)
    assert [failure.__notes__ for failure in raised.value.exceptions] == [
        ["case: {'number': 2, 'square': 5}"],
        ["case: {'number': 4, 'square': 17}"],
    ]


@together("text", ["a", "b"])
@pytest.mark.parametrize("times", [1, 2])
def test_selecting_a_case_keeps_the_other_parameters_of_a_test(text: str, times: int) -> None:
    assert len(text * times) == times


@together("one", [1])
@together("other", [2, 3])
def test_every_combination_of_cases_runs(one: int, other: int) -> None:
    assert one < other
