"""When two matches are the same match, though they were played at another hour."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.game.events import CardsDealt, Event, MatchStarted, SignAccepted, SignProposed, SignSettled
from bot.game.state import State


def what_happened(log: Iterable[Event]) -> list[Event]:
    """The log in each round's own time; of the signs only what was settled, not who proposed it and when."""
    signs: list[Event] = []
    events: list[Event] = []
    dealt_at: int | None = None
    for event in log:
        if isinstance(event, SignProposed | SignAccepted):
            continue
        if isinstance(event, CardsDealt):
            dealt_at = event.at
        if dealt_at is not None:
            events.append(replace(event, at=event.at - dealt_at))
        elif isinstance(event, SignSettled):
            signs.append(replace(event, at=0, by_chance=False))
        else:
            assert isinstance(event, MatchStarted)
            events.append(replace(event, at=0))
    return [*sorted(signs, key=repr), *events]


def where_all_lies(state: State) -> dict[str, object]:
    """Cards, scores and phase: what players would look at to compare two tables."""
    return {
        "hands": [seat.hand for seat in state.seats],
        "pool": state.pool,
        "stock": state.stock,
        "discard": state.discard,
        "scores": state.scores,
        "games": state.games,
        "phase": state.phase,
        "dealer": state.dealer,
        "winner": state.winner,
    }
