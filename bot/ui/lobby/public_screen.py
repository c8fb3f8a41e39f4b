"""Which screen the public message of a table shows: the lobby, the table, a result, or that it is closed."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

from bot.game.events import Phase
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby
from bot.tables.match.table import Table
from bot.tables.table_store import Damaged
from bot.ui.kit.components import Layout, at_rest, with_line
from bot.ui.kit.texts import texts_for
from bot.ui.live.custom_emojis import CustomEmojis
from bot.ui.live.illustrations import Illustrated
from bot.ui.live.screens import Screens
from bot.ui.lobby.lobby_board import channel_post, damaged_board, lobby_board
from bot.ui.table.board import log_board, table_board
from bot.ui.table.hand_panel import PAGES, fades_at
from bot.ui.table.match_end import NOTHING_KNOWN, MatchEnd, ReadMatchEnd, match_end_board
from bot.ui.table.verbs import AT_REST
from bot.ui.words.refusals import stuck_text
from bot.ui.words.table_text import TableText, seated


def table_screens(directory: TableDirectory, emojis: CustomEmojis, read_match_end: ReadMatchEnd) -> Screens:
    return Screens(partial(PublicScreen, directory, emojis, read_match_end), PAGES, fades_at)


@dataclass(eq=False)
class PublicScreen:
    """The `TableScreen` of a table, from its lobby to its end."""

    directory: TableDirectory
    emojis: CustomEmojis
    read_match_end: ReadMatchEnd
    lobby: Lobby | Damaged
    opened_hands: Callable[[], Collection[int]]
    _end: MatchEnd | None = None
    _last: Table | None = None
    _closed: Lobby | Damaged | None = None

    def changed(self, table: Table) -> None:
        self._last = table

    def close(self, lobby: Lobby | Damaged) -> None:
        self._closed = lobby

    @property
    def is_closed(self) -> bool:
        return self._closed is not None

    @property
    def is_final(self) -> bool:
        table = self._table()
        return self.is_closed or (table is not None and table.is_over)

    @property
    def round(self) -> int:
        table = self._table()
        return 0 if table is None else table.table_view().round

    def has_moved_on(self, number: int) -> bool:
        return not self.is_closed and self._table() is not None and self.round != number

    async def read_end(self) -> None:
        table = self._table()
        if table is not None and table.is_over and self._end is None:
            self._end = await self.read_match_end(table)

    @property
    def is_complete(self) -> bool:
        return self.is_closed or self._end is not None

    def look(self, number: int) -> Illustrated | None:
        layout, end = self._layout(number), self._end or NOTHING_KNOWN
        return None if layout is None else Illustrated(layout, end.picture, end.alt)

    def _layout(self, number: int) -> Layout | None:
        table, texts = self._table(), texts_for(self.lobby.locale)
        if isinstance(self._closed, Lobby):
            return lobby_board(self._closed, texts)
        if self._closed is not None or self.directory.damaged(self.lobby.id) is not None:
            return damaged_board(texts, is_closed=self._closed is not None)
        if table is None:
            lobby = self.directory.lobby(self.lobby.id)
            return None if lobby is None else lobby_board(lobby, texts)
        view, people, log = table.table_view(), seated(table.lobby), table.former_rounds
        faces = self.emojis.faces(texts, table.lobby.theme)
        if view.round != number:
            return log_board(TableText(log[-1] if log else view, people, faces), log)
        if view.phase is Phase.MATCH_OVER:
            end = self._end or NOTHING_KNOWN
            return match_end_board(view, people, table.id, faces, log=log, end=end, ready=table.lobby.wants_rematch)
        board = table_board(view, people, table.id, faces, self.opened_hands(), log)
        if table.is_stuck:
            board = with_line(board, stuck_text(texts))
        return board if view.pause is None else at_rest(board, AT_REST)

    def post(self) -> Illustrated:
        """The end of a match is shown with its picture."""
        layout, end = self._post(), self._end or NOTHING_KNOWN
        return Illustrated(layout, end.picture, end.alt)

    def _post(self) -> Layout:
        texts = texts_for(self.lobby.locale)
        if isinstance(self._closed, Damaged) or self.directory.damaged(self.lobby.id) is not None:
            return damaged_board(texts, is_closed=self._closed is not None)
        table = self._table()
        lobby = self._closed or (self.directory.lobby(self.lobby.id) if table is None else table.lobby)
        assert lobby is not None, "a table with a thread has begun its match"
        view = None if table is None or not table.is_over else table.table_view()
        return channel_post(lobby, view, texts)

    def _table(self) -> Table | None:
        # A match that was broken off leaves the directory before its message has said so.
        return self.directory.table(self.lobby.id) or self._last
