"""What the board shows of tables that are being played: their points, and who is awaited."""

from bot.game.phase import Phase
from bot.nights.night import Night
from bot.tables.directory import TableDirectory
from bot.ui.kit.names import display_name
from bot.ui.night.public.board_screen import LiveTable


def live_tables(directory: TableDirectory, night: Night) -> dict[int, LiveTable]:
    """The running tables of a night's last round, by number."""
    found = dict[int, LiveTable]()
    for shown in () if night.round is None else night.round.tables:
        table = None if shown.table_id is None or shown.result is not None else directory.table(shown.table_id)
        if table is None:
            continue
        view, seated = table.table_view(), table.lobby.players
        called = directory.seating.called(table.id) if view.phase is not Phase.MATCH_OVER else {}
        names = (seated[seat] for seat in sorted(called))
        scores = view.games if view.rules.end.best_of > 1 else view.scores
        found[shown.number] = LiveTable(tuple(scores), tuple(display_name(name) for name in names if name is not None))
    return found
