"""Long results in parts, each found by the key of the row before it: rows that are added meanwhile move nothing."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from sqlalchemy import Row, Select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from bot.records.history import After, Before, Nth, Spot
from bot.store.engine.database import Database

AnyRow = Row[*tuple[Any, ...]]
AnySelect = Select[*tuple[Any, ...]]


async def read_page(
    session: AsyncSession, query: AnySelect, keys: Sequence[InstrumentedAttribute[int]], spot: Spot, size: int
) -> tuple[list[AnyRow], bool, bool]:
    """The rows of a page, highest keys first, and whether there are rows before and after it."""
    falling = query.order_by(*(key.desc() for key in keys)).limit(size + 1)
    match spot:
        case Nth(page):
            rows = list((await session.execute(falling.offset((page - 1) * size))).all())
            return rows[:size], page > 1, len(rows) > size
        case After(key):
            rows = list((await session.execute(falling.where(tuple_(*keys) < key))).all())
            return rows[:size], True, len(rows) > size
        case Before(key):
            rising = query.order_by(*keys).limit(size + 1).where(tuple_(*keys) > key)
            rows = list((await session.execute(rising)).all())
            return rows[size - 1 :: -1], len(rows) > size, True


async def read_in_chunks(
    database: Database, query: AnySelect, keys: Sequence[Any], size: int, key_of: Callable[[AnyRow], Sequence[Any]]
) -> AsyncIterator[Sequence[AnyRow]]:
    """All rows of a query in the order of `keys`, at most `size` in a transaction; `key_of` gives the keys of a row.

    Raises StoreError when the database cannot be read.
    """
    chunk = query.order_by(*keys).limit(size)
    while True:
        async with database.transaction() as session:
            rows = (await session.execute(chunk)).all()
        yield rows
        if len(rows) < size:
            return
        chunk = query.where(tuple_(*keys) > tuple_(*key_of(rows[-1]))).order_by(*keys).limit(size)
