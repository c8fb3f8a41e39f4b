"""A match's log as rows, and back."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import StoreError
from bot.game.events import Event
from bot.store.schema.codec import VERSION, decode_event, encode_event
from bot.store.schema.matches import EventRow
from bot.tables.journal import Entry


def event_rows(
    table_id: int, first_seq: int, events: Sequence[Event], press_id: int | None
) -> tuple[dict[str, Any], ...]:
    """The columns of `EventRow` for each event; the press goes with the first event."""
    return tuple(
        {
            "table_id": table_id,
            "seq": first_seq + index,
            "at": event.at,
            "kind": kind,
            "version": VERSION,
            "body": body,
            "press_id": None if index else press_id,
        }
        for index, event in enumerate(events)
        for kind, body in (encode_event(event),)
    )


async def read_log(session: AsyncSession, table_id: int, first_seq: int = 1) -> tuple[Entry, ...]:
    """A match's entries from `first_seq` on. Raises StoreError when one is missing or cannot be read."""
    columns = (EventRow.seq, EventRow.kind, EventRow.version, EventRow.body, EventRow.press_id)
    query = select(*columns).where(EventRow.table_id == table_id, EventRow.seq >= first_seq).order_by(EventRow.seq)
    entries: list[Entry] = []
    for row in await session.execute(query):
        expected = first_seq + len(entries)
        if row.seq != expected:
            raise StoreError(f"The log of table {table_id} has a gap: its event {expected} is missing.")
        try:
            event = decode_event(row.kind, row.version, row.body)
        except StoreError as error:
            raise StoreError(f"Event {row.seq} of table {table_id} cannot be read: {error}.") from error
        entries.append(Entry(row.seq, event, row.press_id))
    return tuple(entries)
