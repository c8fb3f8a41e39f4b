"""The messages of a table as a reader gets them, each checked against Discord's limits."""

from collections.abc import Collection, Sequence
from typing import Any

from bot.discord.api.components import Layout
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import Texts
from bot.game.build_view import seat_view, table_view
from bot.game.state import State
from bot.game.views import SeatView, TableView
from bot.records.player import Player
from bot.ui.table.pages.panel_pages import panel_page
from bot.ui.table.pages.panel_state import PanelPage, PanelView
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
    """The panel of a seat, on the page of its hand; `more` are fields of `PanelView`, `seated` other people."""
    seated = more.pop("seated", None) or people(len(view.table.seats))
    fields = {"order_seed": 1, "now": view.table.phase_at, "notice": notice, **more}
    return _checked(panel_page(PanelView(view, seated, TABLE_ID, faces(reader), **fields)))


def counters(view: SeatView, reader: Reader = FR, seated: Sequence[Player] | None = None) -> Layout:
    """The choice of whom to counter."""
    return hand(view, reader, seated=seated, page=PanelPage.COUNTER)


def signs(
    view: SeatView,
    reader: Reader = FR,
    notice: str | None = None,
    *,
    is_choosing: bool = False,
    **more: Any,
) -> Layout:
    """The sign panel of a seat; `more` as `hand` takes it."""
    page = PanelPage.CHOICE if is_choosing else PanelPage.SIGN
    return hand(view, reader, notice, page=page, order_seed=9, **more)


def faces(reader: Reader) -> Faces:
    return reader if isinstance(reader, Faces) else Faces(reader)


def _checked(layout: Layout) -> Layout:
    check_limits(layout)
    return layout
