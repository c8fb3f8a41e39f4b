"""How many examples a test tries: few in the gate, all of them in `make long`."""

from collections.abc import Iterable, Sequence
from itertools import product

import pytest
from hypothesis import settings

GATE_SHARE = 4
"""The gate tries one of so many of a property's examples."""
_PARAM = type(pytest.param())


def leave_long_out(definition: pytest.Function) -> None:
    """Drops the parameters of long tests where none runs, before anything is made of them; a test keeps one of them."""
    for mark in definition.iter_markers("parametrize"):
        match mark.args:
            case (_, list(values)) if "ids" not in mark.kwargs:
                values[:] = [value for value in values if not _is_long(value)] or values


def _is_long(value: object) -> bool:
    return isinstance(value, _PARAM) and any(mark.name == "long" for mark in value.marks)


def examples(most: int) -> int:
    """How many examples a property gets that `make long` tries `most` times; `tests/conftest.py` loads the profile."""
    return most if settings.get_current_profile_name() == "long" else max(2, most // GATE_SHARE)


def seeds(few: int, many: int) -> list[object]:
    """Values for a parameter `seeds`."""
    return _params([((range(few),), "few", True), ((range(many),), "all", False)])


def mostly_long(values: Iterable[object], *gate: object) -> list[object]:
    """Values for a parameter, of which the gate tries those of `gate` alone."""
    return _params([((value,), None, value in gate) for value in values])


def combined(*values: Sequence[object]) -> list[object]:
    """Values for as many parameters in every combination; the gate tries so many that each value occurs."""
    gate = [
        tuple(each[(row + (row // len(each) >> place)) % len(each)] for place, each in enumerate(values))
        for row in range(max(map(len, values)))
    ]
    return _params([(row, "-".join(map(str, row)), row in gate) for row in product(*values)])


def _params(rows: Iterable[tuple[tuple[object, ...], str | None, bool]]) -> list[object]:
    """Of values, an id, and whether the gate tries them."""
    return [pytest.param(*row, id=name, marks=[] if in_gate else pytest.mark.long) for row, name, in_gate in rows]
