"""Pages of a long list by the key of a line: nothing before it is read, and lines that come meanwhile move nothing."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from bot.records.history import After, Before, Nth, Spot


async def paged(
    session: AsyncSession,
    query: Select[*tuple[Any, ...]],
    keys: Sequence[InstrumentedAttribute[int]],
    spot: Spot,
    size: int,
) -> tuple[list[Row[*tuple[Any, ...]]], bool, bool]:
    """The rows of a page, with the highest keys first, and whether others go before or follow."""
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
