"""The events of one decision, with the state they lead to."""

from bot.game.events import Event
from bot.game.evolve import evolve
from bot.game.state import State


class Draft:
    """Gathers the `events` of a decision at `now`; `state` is the state after them."""

    __slots__ = ("events", "now", "state")

    def __init__(self, state: State, now: int) -> None:
        self.state = state
        self.now = now
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)
