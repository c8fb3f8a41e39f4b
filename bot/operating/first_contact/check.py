"""What a check is: what the bot assumes of Discord, where it does so, and a function that finds out."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from bot.operating.first_contact.contact import Contact


class CheckKind(IntEnum):
    """Checks run in this order."""

    AUTOMATIC = 0
    PERSON = 1
    LONG = 2
    """It waits up to an hour."""
    RESTART = 3
    """A restart of the app takes away what other checks look at."""
    LOAD = 4


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check has found: None if it could not be made. `settings` are values that suit it better."""

    is_assumed: bool | None
    says: str
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Check:
    """`code` is the file that relies on what is `assumed`."""

    assumed: str
    code: str
    kind: CheckKind
    run: Callable[[Contact], Awaitable[CheckResult]]


CHECKS: Final[dict[str, Check]] = {}
"""All checks by the names of their functions, as far as their modules are imported."""


def check(
    assumed: str, code: str, kind: CheckKind = CheckKind.AUTOMATIC
) -> Callable[[Callable[[Contact], Awaitable[CheckResult]]], Callable[[Contact], Awaitable[CheckResult]]]:
    """List a function as a check."""

    def listed(run: Callable[[Contact], Awaitable[CheckResult]]) -> Callable[[Contact], Awaitable[CheckResult]]:
        CHECKS[run.__name__] = Check(assumed, code, kind, run)
        return run

    return listed
