"""A match's log as rows, and back: every event carries its kind (its class name) and the version it was written in."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, get_args

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import StoreError
from bot.game.events import CardPutDown, CardsDealt, CardTaken, Event, MatchStarted, StockRebuilt
from bot.store.engine.paging import AnyRow
from bot.store.schema.codec import shared
from bot.store.schema.matches import EventRow
from bot.tables.journal import Entry

VERSION: Final = 1
"""The version of events. After the first release, a change of it comes with code that upgrades older events on read."""

KINDS: Final[dict[str, type[Event]]] = {kind.__name__: kind for kind in get_args(Event)}
_DECODERS: Final = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}


def encode_event(event: Event) -> tuple[str, str]:
    """Kind and JSON text of an event."""
    return type(event).__name__, msgspec.json.encode(event).decode()


def decode_event(kind: str, version: int, text: str) -> Event:
    """Raises StoreError when a newer version of the bot wrote the event, or it is damaged; the table is not named."""
    if version > VERSION:
        raise StoreError(f"it was written by a newer version of the bot (schema {version}, not {VERSION})")
    if kind not in _DECODERS:
        raise StoreError(f"its kind {kind!r} is unknown")
    try:
        event = _DECODERS[kind].decode(text)
    except msgspec.MsgspecError as error:
        raise StoreError(f"it is damaged ({error})") from error
    match event:
        case MatchStarted():
            return replace(event, rules=shared(event.rules))
        case CardsDealt() | StockRebuilt():
            return replace(event, order=tuple([shared(card) for card in event.order]))
        case CardPutDown() | CardTaken():
            return replace(event, card=shared(event.card))
        case _:
            return event


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
    return _entries(table_id, (await _read(session, (table_id,), first_seq)).get(table_id, ()), first_seq)


async def read_logs(session: AsyncSession, table_ids: Sequence[int]) -> dict[int, tuple[Entry, ...] | StoreError]:
    """The entries of several matches, or why a log cannot be read."""
    rows = await _read(session, table_ids, 1)
    logs: dict[int, tuple[Entry, ...] | StoreError] = {}
    for table_id in table_ids:
        try:
            logs[table_id] = _entries(table_id, rows.get(table_id, ()), 1)
        except StoreError as problem:
            logs[table_id] = problem
    return logs


async def _read(session: AsyncSession, table_ids: Sequence[int], first_seq: int) -> dict[int, list[AnyRow]]:
    """The rows of each table that has any, in their order."""
    columns = (EventRow.table_id, EventRow.seq, EventRow.kind, EventRow.version, EventRow.body, EventRow.press_id)
    query = select(*columns).where(EventRow.table_id.in_(table_ids), EventRow.seq >= first_seq)
    rows: dict[int, list[AnyRow]] = {}
    for row in await session.execute(query.order_by(EventRow.table_id, EventRow.seq)):
        rows.setdefault(row.table_id, []).append(row)
    return rows


def _entries(table_id: int, rows: Sequence[AnyRow], first_seq: int) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    for expected, row in enumerate(rows, first_seq):
        if row.seq != expected:
            raise StoreError(f"The log of table {table_id} has a gap: its event {expected} is missing.")
        try:
            event = decode_event(row.kind, row.version, row.body)
        except StoreError as error:
            raise StoreError(f"Event {row.seq} of table {table_id} cannot be read: {error}.") from error
        entries.append(Entry(row.seq, event, row.press_id))
    return tuple(entries)
