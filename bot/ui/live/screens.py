"""What the messages of tables ask the features: how things look now."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.tables.lobby.lobby import Lobby
from bot.tables.match.table import Table
from bot.tables.table_store import Damaged
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from bot.ui.live.illustrations import Illustrated
from bot.ui.words.card_faces import Faces


class TableScreen(Protocol):
    """What the public message of one table shows, from the lobby to the last result."""

    def changed(self, table: Table) -> None:
        """Something happened at the table."""

    def close(self, lobby: Lobby | Damaged) -> None:
        """The table was cancelled, given up, or its time ran out."""

    @property
    def is_closed(self) -> bool:
        """Whether the table was closed before its match had an end."""

    @property
    def is_final(self) -> bool:
        """Whether nothing more will happen at the table."""

    async def read_end(self) -> None:
        """Read what the end of a match shows beyond its last round, such as its picture. Never raises."""

    @property
    def is_complete(self) -> bool:
        """Whether the end of the match is read, where the table has one."""

    @property
    def round(self) -> int:
        """The number of the present round; 0 before the first."""

    def has_moved_on(self, number: int) -> bool:
        """Whether another round is the present one, and still to be played."""

    def look(self, number: int) -> Illustrated | None:
        """What the message shows while `number` is the present round, then the log of rounds; None for a table that is
        gone.
        """

    def post(self) -> Illustrated:
        """What the lobby's message shows while the match is played in its thread, and after that."""


OpenTableScreen = Callable[[Lobby | Damaged, Callable[[], Collection[int]]], TableScreen]
"""Returns the screen of a table; the second argument returns the seats whose private panel is open."""


@dataclass(frozen=True, slots=True)
class PanelState:
    """What a player sees on their panel: a page by its name, and for a while the answer to a press.

    `notice` is that answer, and `option` what a view-only button has set, "" for nothing; `until` is when they lapse
    (milliseconds).
    """

    table: Table
    seat: int
    user_id: int
    texts: Texts
    page: str
    notice: str | None = None
    option: str = ""
    until: int = 0


PanelPageScreen = Callable[[PanelState, Faces, str | None, int], Layout]
"""Builds a page of a panel at an instant; the text says why the table's public message cannot be shown."""


@dataclass(frozen=True, slots=True)
class Screens:
    """The screens of all tables; `pages` of private panels have names, which are stored.

    `fades_at` returns when the look of a panel changes by time alone, None for never.
    """

    of_table: OpenTableScreen
    pages: Mapping[str, PanelPageScreen]
    fades_at: Callable[[PanelState, int], int | None]

    @property
    def first_page(self) -> str:
        """The name of the page that a panel shows when a round begins or ends."""
        return next(iter(self.pages))
