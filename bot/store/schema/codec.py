"""Rules, events and other values as JSON text, and back.

Every event has its kind (its class name) and the version it was written in.
"""

import zlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import Any, Final, NamedTuple, get_args

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from bot.base.errors import StoreError
from bot.game.events import CardPutDown, CardsDealt, CardTaken, Event, MatchStarted, StockRebuilt
from bot.game.rules.rules import Rules
from bot.game.signs import Strategy
from bot.store.schema.tables import EventRow, LogRow
from bot.tables.table_store import LogEntry


def encode(value: Rules | tuple[int, ...] | tuple[str, ...]) -> str:
    """Return a value as JSON."""
    return msgspec.json.encode(value).decode()


@lru_cache(1024)
def decode_rules(text: str) -> Rules:
    """Return the rules of a JSON text.

    Raises:
        StoreError: The text is damaged.
    """
    try:
        rules: Rules = _shared(msgspec.json.decode(text, type=Rules))
    except msgspec.MsgspecError as error:
        raise StoreError(f"its rules are damaged ({error})") from error
    return rules


@lru_cache(1024)
def _shared(value: Any) -> Any:
    """Return equal rules and cards as one object: the log of a restored table takes 40 KiB instead of 102."""
    return value


def encode_strategies(strategies: Collection[Strategy] | None) -> str | None:
    """Return the strategies as JSON; None, for no vote, stays None."""
    return None if strategies is None else encode(tuple(sorted(strategies)))


def decode_strategies(text: str | None) -> frozenset[Strategy] | None:
    """Return the strategies of a JSON text; None stays None.

    Raises:
        StoreError: The text is damaged. The message does not quote it: it may be a secret ballot.
    """
    try:
        return None if text is None else msgspec.json.decode(text, type=frozenset[Strategy])
    except msgspec.MsgspecError:
        raise StoreError("its vote is damaged") from None


def decode_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a JSON text."""
    return msgspec.json.decode(text, type=tuple[int, ...])


VERSION: Final = 1
"""The version of events. After the first release, a change of it comes with code that upgrades older events on read."""

KINDS: Final[dict[str, type[Event]]] = {kind.__name__: kind for kind in get_args(Event)}
_DECODERS: Final = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}


def encode_event(event: Event) -> tuple[str, str]:
    """Return the kind and the body of an event, as they are stored."""
    return type(event).__name__, msgspec.json.encode(event).decode()


def decode_event(kind: str, version: int, text: str) -> Event:
    """Return an event; errors do not name the table.

    Raises:
        StoreError: A newer version of the bot wrote it, or it is damaged.
    """
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
    """Return the columns of `EventRow` for each event; the first event has the press."""
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


class StoredEvent(NamedTuple):
    """An event as `EventRow` has it."""

    seq: int
    kind: str
    version: int
    body: str
    press_id: int | None


_LEVEL: Final = 9
"""A log of four players takes 8 KiB instead of 76; level 6 makes it 2 % larger in half of the 4 ms."""
_PACKED: Final = msgspec.json.Decoder(list[tuple[str, int, int | None, msgspec.Raw]])


def pack(log: Sequence[StoredEvent]) -> bytes:
    """Return a whole log as one compressed value."""
    events = [(event.kind, event.version, event.press_id, msgspec.Raw(event.body.encode())) for event in log]
    return zlib.compress(msgspec.json.encode(events), _LEVEL)


def unpack(packed: bytes, kinds: Collection[str] = KINDS) -> list[StoredEvent]:
    """Return the events of these kinds in a packed log; each body is byte for byte what it was.

    Raises:
        StoreError: It is damaged.
    """
    try:
        events = _PACKED.decode(zlib.decompress(packed))
        return [
            StoredEvent(seq, kind, version, bytes(body).decode(), press_id)
            for seq, (kind, version, press_id, body) in enumerate(events, 1)
            if kind in kinds
        ]
    except (zlib.error, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(f"its packed log is damaged ({error})") from error


def read_log(session: Session, table_id: int, first_seq: int = 1) -> tuple[LogEntry, ...]:
    """Return a match's entries from `first_seq` on.

    A missing or unreadable event raises StoreError.
    """
    stored = read_stored(session, (table_id,), first_seq)[table_id]
    if isinstance(stored, StoreError):
        raise stored
    return _entries(table_id, stored, first_seq)


def read_logs(session: Session, table_ids: Sequence[int]) -> dict[int, tuple[LogEntry, ...] | StoreError]:
    """Return the entries of several matches, or why a log cannot be read."""
    logs: dict[int, tuple[LogEntry, ...] | StoreError] = {}
    for table_id, stored in read_stored(session, table_ids).items():
        try:
            logs[table_id] = stored if isinstance(stored, StoreError) else _entries(table_id, stored, 1)
        except StoreError as problem:
            logs[table_id] = problem
    return logs


def read_stored(
    session: Session, table_ids: Sequence[int], first_seq: int = 1
) -> dict[int, list[StoredEvent] | StoreError]:
    """Return the events of each match as they are stored, packed or not, or why a packed log cannot be read."""
    columns = (EventRow.seq, EventRow.kind, EventRow.version, EventRow.body, EventRow.press_id)
    query = select(EventRow.table_id, *columns).where(EventRow.table_id.in_(table_ids), EventRow.seq >= first_seq)
    rows: dict[int, list[StoredEvent] | StoreError] = {table_id: [] for table_id in table_ids}
    for table_id, events in groupby(
        session.execute(query.order_by(EventRow.table_id, EventRow.seq)), lambda row: row.table_id
    ):
        rows[table_id] = [StoredEvent(*row[1:]) for row in events]
    for log in session.scalars(select(LogRow).where(LogRow.table_id.in_(table_ids))):
        try:
            rows[log.table_id] = unpack(log.packed_events)[first_seq - 1 :]
        except StoreError as problem:
            rows[log.table_id] = StoreError(f"Table {log.table_id} cannot be read: {problem}.")
    return rows


def _entries(table_id: int, stored: Sequence[StoredEvent], first_seq: int) -> tuple[LogEntry, ...]:
    entries: list[LogEntry] = []
    for expected, row in enumerate(stored, first_seq):
        if row.seq != expected:
            raise StoreError(f"The log of table {table_id} has a gap: its event {expected} is missing.")
        try:
            event = decode_event(row.kind, row.version, row.body)
        except StoreError as error:
            raise StoreError(f"Event {row.seq} of table {table_id} cannot be read: {error}.") from error
        entries.append(LogEntry(row.seq, event, row.press_id))
    return tuple(entries)
