"""The messages of a table as a reader gets them, each checked against Discord's limits."""

from collections.abc import Collection, Sequence
from typing import Any

from bot.game.build_view import seat_view, table_view
from bot.game.state import State
from bot.game.views import SeatView, TableView
from bot.records.player import Player
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from bot.ui.table.pages.hand_panel import hand_panel
from bot.ui.table.pages.sign_panel import sign_panel
from bot.ui.words.card_faces import Faces
from tests.rules.table import Table
from tests.ui.table.pages.hunts import public_board
from tests.ui.walk import FR, TABLE_ID, check_limits, people

Reader = Texts | Faces
"""A reader's language with French cards, or both."""


def board(
    shown: Table | State | TableView,
    reader: Reader = FR,
    opened: Collection[int] = (),
    log: Sequence[TableView] = (),
    seated: Sequence[Player] | None = None,
) -> Layout:
    """The table's message, also at the end of the match."""
    state = shown.state if isinstance(shown, Table) else shown
    view = table_view(state) if isinstance(state, State) else state
    seated = seated or people(len(view.seats))
    return _checked(public_board(view, seated, TABLE_ID, faces(reader), opened, log))


def seen(table: Table, seat: int = 0) -> SeatView:
    return seat_view(table.state, seat)


def hand(view: SeatView, reader: Reader = FR, notice: str | None = None, **more: Any) -> Layout:
    """The hand panel of a seat; `more` as `hand_panel` takes it, `seated` for other people."""
    seated = more.pop("seated", None) or people(len(view.table.seats))
    return _checked(
        hand_panel(
            view, seated, TABLE_ID, faces(reader), notice, **{"order_seed": 1, "now": view.table.phase_at, **more}
        )
    )


def counters(view: SeatView, reader: Reader = FR, seated: Sequence[Player] | None = None) -> Layout:
    """The choice of whom to counter."""
    return hand(view, reader, seated=seated, is_countering=True)


def signs(
    view: SeatView,
    reader: Reader = FR,
    notice: str | None = None,
    *,
    is_choosing: bool = False,
    seated: Sequence[Player] | None = None,
) -> Layout:
    """The sign panel of a seat."""
    seated = seated or people(len(view.table.seats))
    return _checked(sign_panel(view, seated, TABLE_ID, faces(reader), notice, order_seed=9, is_choosing=is_choosing))


def faces(reader: Reader) -> Faces:
    return reader if isinstance(reader, Faces) else Faces(reader)


def _checked(layout: Layout) -> Layout:
    check_limits(layout)
    return layout
