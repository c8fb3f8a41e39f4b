"""Recognises a press that repeats the one before it, so that a mistake costs points once.

A player who sees no answer presses again, and Discord gives that press a new id. The core refuses most repeated moves.
The others are recognised here by the events that they cause; this module knows no rule.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from bot.game.events import CounterFailed, Event, SignGuessed, TeamAccused

REPEAT_MS: Final = 3000
"""Within this time the same move is a repetition, not another try: Discord waits this long for an answer."""

_COSTLY: Final = (CounterFailed, SignGuessed, TeamAccused)


class DoublePresses:
    """The latest wrong guesses, failed counters and accusations of a match."""

    def __init__(self) -> None:
        self._latest: dict[Event, int] = {}

    def note(self, events: Iterable[Event]) -> None:
        """Remember events that became durable."""
        for event in events:
            if isinstance(event, _COSTLY):
                self._latest[replace(event, at=0)] = event.at

    def is_repeat(self, events: Sequence[Event]) -> bool:
        """Whether a move that would cause these events has just caused them."""
        return any(
            event.at - self._latest.get(replace(event, at=0), event.at - REPEAT_MS) < REPEAT_MS
            for event in events
            if isinstance(event, _COSTLY)
        )
