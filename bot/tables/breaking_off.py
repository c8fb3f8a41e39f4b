"""Matches that end before their end: who has lost by it, and that it happens only once it is saved."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from bot.tables.lobby import Status
from bot.tables.match_people import changes_between, go_away
from bot.tables.table import Table
from bot.tables.table_store import TableStore


@dataclass(frozen=True, slots=True)
class BreakOff:
    """How a match is broken off. A ranked one is lost for whoever has left it, and for `quitters`, the seats of those
    who cause it; for nobody at all where it `is_annulled`. All others have nothing of it.
    """

    quitters: Collection[int] = ()
    is_annulled: bool = False
    status: Status = Status.CANCELLED


async def break_off(table: Table, how: BreakOff, store: TableStore, at: int) -> None:
    """Save that a table that was closed in mid-match is so for good.

    Raises:
        StoreError: it was not saved, and the match goes on.
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
