"""A check: what the bot assumes of Discord, the file that relies on it, and a function that finds out."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from bot.operating.first_contact.contact import Contact


class CheckKind(IntEnum):
    """What a check needs. Checks run in the order of their kinds."""

    AUTOMATIC = 0
    PERSON = 1
    LONG = 2
    """The check waits for up to an hour."""
    RESTART = 3
    """The person restarts the app, which removes panels that other checks look at."""
    LOAD = 4
    """The check makes many requests a second."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check has found.

    - `is_assumed`: whether Discord does what the bot assumes; None if the check could not be made.
    - `says`: what was observed, in sentences.
    - `settings`: values of settings, by name, that suit what was observed better than the present ones.
    """

    is_assumed: bool | None
    says: str
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Check:
    """A check, with the sentence that is `assumed` and the file that relies on it (`code`)."""

    assumed: str
    code: str
    kind: CheckKind
    run: Callable[[Contact], Awaitable[CheckResult]]


CHECKS: Final[dict[str, Check]] = {}
"""All checks of the modules imported so far, by the name of their function."""


def check(
    assumed: str, code: str, kind: CheckKind = CheckKind.AUTOMATIC
) -> Callable[[Callable[[Contact], Awaitable[CheckResult]]], Callable[[Contact], Awaitable[CheckResult]]]:
    """Return a decorator that lists a function as a check.

    Args:
        assumed: The sentence that the function checks; it describes the function.
        code: The path of the file that relies on it.
        kind: What the check needs.
    """

    def listed(run: Callable[[Contact], Awaitable[CheckResult]]) -> Callable[[Contact], Awaitable[CheckResult]]:
        CHECKS[run.__name__] = Check(assumed, code, kind, run)
        return run

    return listed
