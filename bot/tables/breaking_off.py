"""Breaks a match off before its end, and says for whom a ranked match is lost by that."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from bot.tables.lobby import Status
from bot.tables.match_people import changes_between, go_away
from bot.tables.table import Table
from bot.tables.table_store import TableStore


@dataclass(frozen=True, slots=True)
class BreakOff:
    """How a match is broken off.

    A ranked match is lost for the players who have left it, and for the seats of the `quitters`, who cause its end. It
    counts for no other player. A match that `is_annulled` is lost for no player. `status` is that of the table then.
    """

    quitters: Collection[int] = ()
    is_annulled: bool = False
    status: Status = Status.CANCELLED


async def break_off(table: Table, how: BreakOff, store: TableStore, at: int) -> None:
    """Save the end of a match whose table was closed before the match was over.

    Raises:
        StoreError: the end was not saved, and the match goes on.
    """
    before = table.lobby
    quitters = how.quitters if before.is_ranked and not how.is_annulled else ()
    after = replace(go_away(before, quitters), status=how.status)
    try:
        if how.is_annulled:
            await store.save(after)
        else:
            await store.break_off(after, changes_between(before, after, at))
    except BaseException:
        table.reopen()
        raise
    table.seat(after)
    table.lobby = replace(table.lobby, status=after.status)
