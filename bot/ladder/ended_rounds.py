"""The rounds of a finished match, with nothing hidden."""

from collections.abc import Iterable
from dataclasses import replace

from bot.game.build_view import table_view
from bot.game.events import CardsDealt, CounterFailed, Event, RoundEnded
from bot.game.evolve import evolve
from bot.game.phase import Phase
from bot.game.state import State
from bot.game.views import TableView


def rounds_of(events: Iterable[Event]) -> tuple[TableView, ...]:
    """Returns the public table at the end of each round. Every gesture is explained, as after the match."""
    state: State | None = None
    ended: list[TableView] = []
    for event in events:
        state = evolve(state, event)
        if isinstance(event, RoundEnded):
            ended.append(table_view(replace(state, phase=Phase.MATCH_OVER)))
    return tuple(ended)


def counters_in_vain(events: Iterable[Event]) -> dict[int, tuple[CounterFailed, ...]]:
    """Returns the false counters after which the round went on, by round."""
    failed: dict[int, tuple[CounterFailed, ...]] = {}
    current = 0
    for event in events:
        if isinstance(event, CardsDealt):
            current = event.round
        elif isinstance(event, CounterFailed):
            failed[current] = (*failed.get(current, ()), event)
    return failed
