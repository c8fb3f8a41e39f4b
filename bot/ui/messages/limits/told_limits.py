"""What the headers of an answer say of Discord's limits.

Source: https://discord.com/developers/docs/topics/rate-limits#header-format
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

TOO_MANY: Final = 429


@dataclass(frozen=True, slots=True)
class ToldLimit:
    """`wait_s`: how many seconds Discord wants to get no further request of the kind; 0 for no wait.

    A request that `is_refused` met a limit: that of the whole bot (`is_global`), or one that `is_shared` with others.
    """

    wait_s: float = 0.0
    is_refused: bool = False
    is_global: bool = False
    is_shared: bool = False


_NO_WAIT: Final = ToldLimit()


def told_by(status: int, headers: Mapping[str, str]) -> ToldLimit:
    """Read the headers of an answer; those that are missing or no numbers say nothing."""
    if status == TOO_MANY:
        scope = headers.get("X-RateLimit-Scope", "")
        is_global = scope == "global" or "X-RateLimit-Global" in headers
        return ToldLimit(_seconds(headers, "Retry-After"), True, is_global, scope == "shared")
    if headers.get("X-RateLimit-Remaining") == "0":
        return ToldLimit(_seconds(headers, "X-RateLimit-Reset-After"))
    return _NO_WAIT


def _seconds(headers: Mapping[str, str], name: str) -> float:
    try:
        return max(0.0, float(headers.get(name, "0")))
    except ValueError:
        return 0.0
