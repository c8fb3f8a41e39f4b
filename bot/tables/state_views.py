"""The views of a match in one state, each of them built once. Knows no lock, no timer and no message."""

from bot.game.build_view import seat_view, table_view
from bot.game.state import State
from bot.game.views import SeatView, TableView


class StateViews:
    """Keeps the public view and the view of each seat while the match stays in `state`."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._table: TableView | None = None
        self._seats: dict[int, SeatView] = {}

    def table(self) -> TableView:
        """Returns the public table."""
        if self._table is None:
            self._table = table_view(self.state)
        return self._table

    def seat(self, seat: int, now: int) -> SeatView:
        """Returns what a seat sees at `now` (milliseconds); builds it again where time alone has made a move legal."""
        view = self._seats.get(seat)
        if view is None or (view.legal_until is not None and view.legal_until <= now):
            view = self._seats[seat] = seat_view(self.state, seat, now, self.table())
        return view
