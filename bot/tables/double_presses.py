"""Whoever saw no answer presses again, under a new id: what costs points must not cost them twice.

Most moves are harmless when repeated, because the core refuses them then. Those that are not are known here, by what
they led to; it must not know the rules.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from bot.game.events import CounterFailed, Event, SignGuessed, TeamAccused

REPEAT_MS: Final = 3000
"""Within so long the same thing said again is the same thing, not another try: as long as Discord waits for answers."""

_COSTLY: Final = (CounterFailed, SignGuessed, TeamAccused)


class DoublePresses:
    """Remembers the latest wrong guesses and counters of a match."""

    def __init__(self) -> None:
        self._said: dict[Event, int] = {}

    def note(self, events: Iterable[Event]) -> None:
        """These became durable."""
        for event in events:
            if isinstance(event, _COSTLY):
                self._said[replace(event, at=0)] = event.at

    def has_said(self, events: Sequence[Event]) -> bool:
        """Whether what is about to follow from a move followed from the same move a moment ago."""
        return any(
            event.at - self._said.get(replace(event, at=0), event.at - REPEAT_MS) < REPEAT_MS
            for event in events
            if isinstance(event, _COSTLY)
        )
