"""Many small cases in one test, where a test for each would cost more than what it tests.

`pytest tests/rules/test_lines.py --case 000_46` runs the cases alone in which the text occurs.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any

import pytest

Test = Callable[..., None]
chosen = ""
"""What occurs in the cases that run; `tests/conftest.py` sets it."""


def together(
    names: str | tuple[str, ...], values: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, but in one test, which fails with all cases that fail, each by its values."""

    def decorate(test: Test) -> Test:
        cases = [{names: value} if isinstance(names, str) else dict(zip(names, value, strict=True)) for value in values]
        assert cases, test

        @wraps(test)
        def every_case(**others: object) -> None:
            failures: list[BaseException] = []
            running = [case for case in cases if chosen in str(case)]
            if not running:
                pytest.skip(f"no case has {chosen}")
            for case in running:
                try:
                    test(**others, **case)
                except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001  # raised below
                    failure.add_note(f"case: {case}")
                    failures.append(failure)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(running)} cases failed", failures)

        whole = signature(test)
        left = [given for name, given in whole.parameters.items() if name not in cases[0]]
        every_case.__signature__ = whole.replace(parameters=left)  # type: ignore[attr-defined]
        return every_case

    return decorate
