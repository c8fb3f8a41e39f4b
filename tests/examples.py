"""How many examples a test tries: few in the gate, all of them in `make long`."""

from collections.abc import Iterable, Sequence
from itertools import product

import pytest
from hypothesis import settings

GATE_SHARE = 4
"""The gate tries one of so many of a property's examples."""


def examples(most: int) -> int:
    """How many examples a property gets that `make long` tries `most` times; `tests/conftest.py` loads the profile."""
    return most if settings.get_current_profile_name() == "long" else max(2, most // GATE_SHARE)


def seeds(few: int, many: int) -> list[object]:
    """Values for a parameter `seeds`."""
    return [pytest.param(range(few), id="few"), pytest.param(range(many), id="all", marks=pytest.mark.long)]


def mostly_long(values: Iterable[object], *gate: object) -> list[object]:
    """Values for a parameter, of which the gate tries those of `gate` alone."""
    return [pytest.param(value, marks=[] if value in gate else pytest.mark.long) for value in values]


def combined(*values: Sequence[object]) -> list[object]:
    """Values for as many parameters in every combination; the gate tries so many that each value occurs."""
    gate = [
        tuple(each[(row + (row // len(each) >> place)) % len(each)] for place, each in enumerate(values))
        for row in range(max(map(len, values)))
    ]
    return [
        pytest.param(*row, id="-".join(map(str, row)), marks=[] if row in gate else pytest.mark.long)
        for row in product(*values)
    ]
