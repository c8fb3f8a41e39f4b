"""A match as its log has it: its state, and what its table has to remember of the events.

It changes nothing by itself: `Table` adds what became durable.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.game.build_view import table_view
from bot.game.events import CardsDealt, Event
from bot.game.evolve import evolve
from bot.game.state import State
from bot.game.views import TableView
from bot.tables.double_presses import DoublePresses
from bot.tables.journal import Entry


@dataclass(frozen=True, slots=True)
class Replayed:
    """The state after some events, and the view of each round that ended before another was dealt, by number."""

    state: State
    ended: dict[int, TableView]


class LoggedMatch:
    """`seq` is the number of the last event, `last_at` its instant (milliseconds)."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """Raises ValueError when the entries are not the log of a match."""
        first = replay(None, (entry.event for entry in entries))
        self.state = first.state
        self.seq = 0
        self.last_at = 0
        self._ended: dict[int, TableView] = {}
        self._presses: set[int] = set()
        self._double_presses = DoublePresses()
        self._add(first, entries)

    def add(self, entries: Sequence[Entry], replayed: Replayed | None = None) -> None:
        """Add entries that became durable; `replayed`: what `replay` returned for their events, if it was called."""
        self._add(replayed or replay(self.state, (entry.event for entry in entries)), entries)

    def ended_round(self, number: int) -> TableView | None:
        """The view of a former round as it ended; None for any other round."""
        return self._ended.get(number)

    def has_acted(self, press_id: int | None) -> bool:
        """Whether a press has caused events already."""
        return press_id is not None and press_id in self._presses

    def is_repeat(self, events: Sequence[Event]) -> bool:
        """Whether these events would repeat a costly move (`DoublePresses`)."""
        return self._double_presses.is_repeat(events)

    def _add(self, replayed: Replayed, entries: Sequence[Entry]) -> None:
        if not entries:
            return
        self.state = replayed.state
        self.seq = entries[-1].seq
        self.last_at = entries[-1].event.at
        self._ended |= replayed.ended
        self._presses.update(entry.press_id for entry in entries if entry.press_id is not None)
        self._double_presses.note(entry.event for entry in entries)


def replay(state: State | None, events: Iterable[Event]) -> Replayed:
    """The events applied to a state; None: to no match.

    Raises:
        ValueError: there are no events and no state, or the first event does not start a match.
    """
    ended: dict[int, TableView] = {}
    for event in events:
        if state is not None and isinstance(event, CardsDealt) and state.result is not None:
            ended[state.round] = table_view(state)
        state = evolve(state, event)
    if state is None:
        raise ValueError("a match begins with the event MatchStarted: the log is empty")
    return Replayed(state, ended)
