"""A match as its log has it: its state, the views of that state, and what its table has to remember of the events.

It changes nothing by itself: `Table` adds what became durable.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from bot.game.build_view import player_view, seat_view, table_view
from bot.game.events import CardsDealt, CounterFailed, Event, MatchPaused, MatchResumed, SignGuessed, TeamAccused
from bot.game.evolve import evolve, evolve_all, pool_slots
from bot.game.state import State, with_changes
from bot.game.views import PlayerView, SeatView, TableView
from bot.tables.journal import Entry
from bot.tables.match.pausing import next_pause_at

REPEAT_MS: Final = 3000
"""Within this time the same move in a round is a repetition, not another try: Discord waits this long for an answer."""
_COSTLY: Final = (CounterFailed, SignGuessed, TeamAccused)


class LoggedMatch:
    """`seq` is the number of the last event, `last_at` its instant (milliseconds).

    `pressed_at` is the instant of the last event that a person's press caused; before any press that of the first
    event. From `next_pause_at` on a player may pause the match.
    """

    def __init__(self, entries: Sequence[Entry], *, has_wide_cards: bool = False) -> None:
        """`has_wide_cards`: fewer cards of the pool lie within reach.

        Raises ValueError when the entries are not the log of a match.
        """
        self.seq = self.last_at = self.next_pause_at = 0
        self._former: tuple[TableView, ...] = ()
        self._presses: set[int] = set()
        self._costly: dict[Event, int] = {}
        self._pause: MatchPaused | None = None
        start = evolve_all(None, (entry.event for entry in entries[:1]))
        slots = pool_slots(len(start.seats), start.strategies, has_wide_cards=has_wide_cards)
        self.state = with_changes(start, slots=slots)
        self.pressed_at = entries[0].event.at
        self.add(entries[:1], self.state)
        self.add(entries[1:])

    def add(self, entries: Sequence[Entry], state: State | None = None) -> None:
        """Add entries that became durable. `state` is the state after them, where it is known."""
        if not entries:
            return
        for entry in entries:
            if isinstance(entry.event, CardsDealt) and self.state.result is not None:
                self._former = (*self._former, table_view(self.state))
            if state is None:
                self.state = evolve(self.state, entry.event)
        self.state = state or self.state
        self.seq = entries[-1].seq
        self.last_at = entries[-1].event.at
        for entry in entries:
            self._note_press(entry)
            self._note_pause(entry.event)
            self._note_costly(entry.event)
        self._table_view: TableView | None = None
        self._seat_views: dict[int, SeatView] = {}
        self._player_views: dict[int, PlayerView] = {}

    def _note_press(self, entry: Entry) -> None:
        if entry.press_id is not None:
            self._presses.add(entry.press_id)
            self.pressed_at = entry.event.at

    def _note_pause(self, event: Event) -> None:
        match event:
            case MatchPaused():
                self._pause = event
            case MatchResumed() if self._pause is not None and not self._pause.by_itself:
                self.next_pause_at = next_pause_at(self._pause, event)

    def _note_costly(self, event: Event) -> None:
        if isinstance(event, _COSTLY):
            self._costly[replace(event, at=0)] = event.at
        elif isinstance(event, CardsDealt):
            self._costly.clear()

    def table_view(self) -> TableView:
        if self._table_view is None:
            self._table_view = table_view(self.state)
        return self._table_view

    def seat_view(self, seat: int) -> SeatView:
        view = self._seat_views.get(seat)
        if view is None:
            view = self._seat_views[seat] = seat_view(self.state, seat, self.table_view())
        return view

    def player_view(self, seat: int, now: int) -> PlayerView:
        """What a seat sees and may do at `now` (milliseconds); built again where time alone has made a move legal."""
        view = self._player_views.get(seat)
        if view is None or (view.legal_until is not None and view.legal_until <= now):
            view = self._player_views[seat] = player_view(self.state, seat, now, self.table_view())
        return view

    def former_rounds(self) -> tuple[TableView, ...]:
        """The views of the rounds before the present one, as they ended; the first one first."""
        return self._former

    def has_acted(self, press_id: int | None) -> bool:
        """Whether a press has caused events already."""
        return press_id is not None and press_id in self._presses

    def is_repeat(self, events: Iterable[Event]) -> bool:
        """Whether a move would cost points a second time for events that it has just caused.

        A player who sees no answer presses again, and Discord gives that press a new id. The core refuses most repeated
        moves; the others are recognised here by their events.
        """
        return any(
            event.at - self._costly.get(replace(event, at=0), event.at - REPEAT_MS) < REPEAT_MS
            for event in events
            if isinstance(event, _COSTLY)
        )
