"""Discord's identifiers: milliseconds since 2015, then a counter.

Source: https://discord.com/developers/docs/reference#snowflakes
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

EPOCH_MS: Final = 1_420_070_400_000
_TIME_SHIFT: Final = 22


def wall_clock() -> int:
    """Milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


def made_ms(snowflake: int) -> int:
    """When an identifier was made, in milliseconds since the Unix epoch."""
    return (snowflake >> _TIME_SHIFT) + EPOCH_MS


def timestamp(ms: int) -> str:
    """An instant as Discord writes it (ISO 8601 with microseconds and a zone)."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="microseconds")


class Snowflakes:
    """Makes identifiers that are unique and ascend."""

    def __init__(self, now: Callable[[], int] = wall_clock) -> None:
        self._now = now
        self._last = 0

    def __call__(self) -> int:
        self._last = max(self._last + 1, self._now() - EPOCH_MS << _TIME_SHIFT)
        return self._last

    def in_next_millisecond(self) -> int:
        """An identifier whose time differs from all before: guilds are dealt to shards by it."""
        self._last = ((self._last >> _TIME_SHIFT) + 1) << _TIME_SHIFT
        return self()
