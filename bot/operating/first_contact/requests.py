"""A request to Discord that is made once, and Discord's answer to it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.discord.rate_limits.responses import RateLimit, limit_of

Json = dict[str, Any]
Request = tuple[str, str, Any]
"""Method, path and body."""

_MOST_FAULTS: Final = 5
_VARIABLE: Final = re.compile(r"/(?:[^/]*\d[^/]*|[^/]{21,})(?=/|$)")


class UnclearError(Exception):
    """A check cannot be made. The message says why."""


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """Discord's answer to a request. Its `str` is the HTTP status, followed by the error code if there is one."""

    status: int
    headers: Mapping[str, str]
    body: Any
    took_s: float
    at: float = 0.0
    """When the request began, in seconds of the monotonic clock."""

    @property
    def is_good(self) -> bool:
        """Whether the request succeeded."""
        return self.status < 300

    def require(self, what: str) -> Any:
        """Return the body, if the request succeeded.

        Args:
            what: What was requested, for the error's sentence.

        Raises:
            UnclearError: Discord refused the request.
        """
        if not self.is_good:
            raise UnclearError(f"Discord answers {what} with {self}.")
        return self.body

    @property
    def code(self) -> int:
        """Discord's error code; 0 if there is none."""
        return int(self.body.get("code") or 0) if isinstance(self.body, dict) else 0

    @property
    def limit(self) -> RateLimit:
        """What the headers say about rate limits."""
        return limit_of(self.status, self.headers)

    @property
    def faults(self) -> list[str]:
        """The fields that Discord refuses, with their error codes and without their values; at most five."""
        return [*_faults(self.body.get("errors"), ())][:_MOST_FAULTS] if isinstance(self.body, dict) else []

    def __str__(self) -> str:
        return f"{self.status} ({', '.join([str(self.code), *self.faults])})" if self.code else str(self.status)


def _faults(errors: object, path: tuple[str, ...]) -> Iterator[str]:
    if not isinstance(errors, dict):
        return
    for name, inside in errors.items():
        if name != "_errors":
            yield from _faults(inside, (*path, str(name)))
        elif isinstance(inside, list):
            yield from (f"{'.'.join(path)} {problem.get('code')}" for problem in inside if isinstance(problem, dict))


def shape_of(path: str) -> str:
    """Return a path with * for each id and token, and without its query."""
    return _VARIABLE.sub("/*", path.partition("?")[0])
