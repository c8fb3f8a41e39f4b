"""Rules, events and other values as JSON text, and back.

Every event carries its kind (its class name) and the version it was written in.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, get_args

import msgspec
from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import StoreError
from bot.game.events import CardPutDown, CardsDealt, CardTaken, Event, MatchStarted, StockRebuilt
from bot.game.rules.rules import Rules
from bot.game.signs import Strategy
from bot.store.schema.tables import EventRow
from bot.tables.table_store import Entry


def encode(value: Rules | tuple[int, ...] | tuple[str, ...]) -> str:
    return msgspec.json.encode(value).decode()


def decode_rules(text: str) -> Rules:
    """Raises StoreError when the text is damaged."""
    try:
        rules: Rules = _shared(msgspec.json.decode(text, type=Rules))
    except msgspec.MsgspecError as error:
        raise StoreError(f"its rules are damaged ({error})") from error
    return rules


@lru_cache(1024)
def _shared(value: Any) -> Any:
    """Equal rules and cards as one object, for memory: the log of a restored table takes 40 KiB instead of 102."""
    return value


def encode_strategies(strategies: Collection[Strategy] | None) -> str | None:
    """None, for no vote, stays None."""
    return None if strategies is None else encode(tuple(sorted(strategies)))


def decode_strategies(text: str | None) -> frozenset[Strategy] | None:
    """Raises StoreError when the text is damaged. The sentence leaves the text out: it may be a secret ballot."""
    try:
        return None if text is None else msgspec.json.decode(text, type=frozenset[Strategy])
    except msgspec.MsgspecError:
        raise StoreError("its vote is damaged") from None


def decode_numbers(text: str) -> tuple[int, ...]:
    return msgspec.json.decode(text, type=tuple[int, ...])


VERSION: Final = 1
"""The version of events. After the first release, a change of it comes with code that upgrades older events on read."""

KINDS: Final[dict[str, type[Event]]] = {kind.__name__: kind for kind in get_args(Event)}
_DECODERS: Final = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}


def encode_event(event: Event) -> tuple[str, str]:
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
            return replace(event, rules=_shared(event.rules))
        case CardsDealt() | StockRebuilt():
            return replace(event, order=tuple(map(_shared, event.order)))
        case CardPutDown() | CardTaken():
            return replace(event, card=_shared(event.card))
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


async def _read(
    session: AsyncSession, table_ids: Sequence[int], first_seq: int
) -> dict[int, list[Row[*tuple[Any, ...]]]]:
    """The rows of each table that has any, in their order."""
    columns = (EventRow.table_id, EventRow.seq, EventRow.kind, EventRow.version, EventRow.body, EventRow.press_id)
    query = select(*columns).where(EventRow.table_id.in_(table_ids), EventRow.seq >= first_seq)
    rows: dict[int, list[Row[*tuple[Any, ...]]]] = {}
    for row in await session.execute(query.order_by(EventRow.table_id, EventRow.seq)):
        rows.setdefault(row.table_id, []).append(row)
    return rows


def _entries(table_id: int, rows: Sequence[Row[*tuple[Any, ...]]], first_seq: int) -> tuple[Entry, ...]:
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
