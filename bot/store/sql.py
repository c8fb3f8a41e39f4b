"""Statements in the dialects of SQLite and PostgreSQL, rows as values, and long results in batches."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import fields
from enum import EnumType
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from sqlalchemy import (
    CursorResult,
    Delete,
    Executable,
    Row,
    Select,
    SQLColumnExpression,
    Table,
    Update,
    bindparam,
    select,
    text,
    tuple_,
)
from sqlalchemy.dialects.sqlite import Insert as SqliteInsert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from bot.records.history import AfterKey, BeforeKey, PageKey, PageNumber
from bot.store.engine.database import Database
from bot.store.schema.columns import Base

if TYPE_CHECKING:
    from sqlalchemy.dialects.postgresql import Insert as PostgresInsert

Upserting = Callable[[type[Base] | Table], "PostgresInsert | SqliteInsert"]
T = TypeVar("T")
R = TypeVar("R", bound=Base)
AnyRow = Row[*tuple[Any, ...]]
AnySelect = Select[*tuple[Any, ...]]


def from_row(kind: type[T], row: object, **others: Any) -> T:
    """Return a dataclass whose fields are the row's columns of the same names, except for the `others`."""
    names = (field.name for field in fields(kind) if field.name not in others)  # type: ignore[arg-type]
    values, enums = {name: getattr(row, name) for name in names}, _enums_of(kind)  # type: ignore[arg-type]
    read: dict[str, Any] = {name: enum(values[name]) for name, enum in enums.items() if values.get(name) is not None}
    return kind(**values | read, **others)


@cache
def _enums_of(kind: type) -> Mapping[str, EnumType]:
    """Return the fields of a dataclass whose values are of an enum, or None."""
    hints = ((name, get_args(hint) or (hint,)) for name, hint in get_type_hints(kind).items())
    return {name: kind for name, kinds in hints for kind in kinds if isinstance(kind, EnumType)}


class Adapter:
    """Base of the `Sql` classes over one database. Each of these methods is a transaction of its own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def _get(self, row: type[R], *key: object) -> R | None:
        return await self._database.query(lambda session: find(session, row, *key))

    async def _put(self, row: type[Base], values: Mapping[str, Any]) -> None:
        """Insert a row, or overwrite the row that has its key."""
        await self._database.change(lambda session: put(session, row, values))

    async def _scalar(self, query: Select[T]) -> T | None:
        """Return the first value of a query."""
        return await self._database.query(lambda session: session.scalar(query))

    async def _scalars(self, query: Select[T], values: Mapping[str, object] | None = None) -> Sequence[T]:
        """Return the first value of each row of a query with these values."""
        return await self._database.query(lambda session: session.scalars(query, values).all())

    async def _rows(self, query: AnySelect) -> Sequence[AnyRow]:
        return await self._database.query(partial(_all, query))

    async def _change(self, statement: Update | Delete) -> int:
        """Change rows, and return how many."""
        return await self._database.change(lambda session: changed_row_count(session, statement))


def changed_row_count(session: Session, statement: Executable) -> int:
    """Execute a statement, and return how many rows it changed."""
    result = session.execute(statement)
    assert isinstance(result, CursorResult)
    return result.rowcount


@cache
def _key_of(row: type[Base]) -> tuple[str, ...]:
    return tuple(column.name for column in row.__table__.primary_key)


def find(session: Session, row: type[R], *key: object) -> R | None:
    """Return the row with a key."""
    found: R | None = session.scalar(_with_key(row), dict(zip(_key_of(row), key, strict=True)))
    return found


@cache
def _with_key(row: type[R]) -> Select[R]:
    """Return a statement, which is made once: that costs less than `Session.get`."""
    return select(row).where(*(getattr(row, name) == bindparam(name) for name in _key_of(row)))


def plain(row: type[Base]) -> Table:
    """Return the table of a row class, for statements whose objects a session need not track."""
    assert isinstance(row.__table__, Table)
    return row.__table__


def upsert(session: AsyncSession | Session, row: type[Base] | Table) -> "PostgresInsert | SqliteInsert":
    """Return an INSERT statement that supports ON CONFLICT."""
    return upserting(session)(row)


def upserting(session: AsyncSession | Session) -> "Upserting":
    """Return a function that makes such an INSERT statement for the session's database."""
    if session.get_bind().dialect.name == "sqlite":
        return sqlite_insert
    from sqlalchemy.dialects.postgresql import insert  # noqa: PLC0415 - tests/test_late_imports.py

    return insert


def put(session: Session, row: type[Base], values: Mapping[str, Any]) -> None:
    """Insert a row with these values, or update them if a row with its key exists."""
    session.execute(_overwriting(upserting(session), row, tuple(values)), values)


@cache
def _overwriting(upserting: Upserting, row: type[Base], names: Sequence[str]) -> Executable:
    new, keys = upserting(plain(row)), _key_of(row)
    given = {name: new.excluded[name] for name in names if name not in keys}
    return new.on_conflict_do_update(index_elements=keys, set_=given)


def lock_table(session: Session, row: type[Base]) -> None:
    """Wait for other transactions that write to a table, and block new ones until this transaction ends.

    SQLite runs one writing transaction at a time in any case.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text(f"LOCK TABLE {row.__tablename__} IN SHARE ROW EXCLUSIVE MODE"))


def read_page(
    session: Session, query: AnySelect, keys: Sequence[SQLColumnExpression[int]], page_key: PageKey, size: int
) -> tuple[list[AnyRow], bool, bool]:
    """Return the rows of a page, highest keys first, and whether there are rows before and after it."""
    falling = query.order_by(*(key.desc() for key in keys)).limit(size + 1)
    match page_key:
        case PageNumber(page):
            rows = list(session.execute(falling.offset((page - 1) * size)).all())
            return rows[:size], page > 1, len(rows) > size
        case AfterKey(key):
            rows = list(session.execute(falling.where(tuple_(*keys) < key)).all())
            return rows[:size], True, len(rows) > size
        case BeforeKey(key):
            rising = query.order_by(*keys).limit(size + 1).where(tuple_(*keys) > key)
            rows = list(session.execute(rising).all())
            return rows[size - 1 :: -1], len(rows) > size, True


def _all(query: AnySelect, session: Session) -> Sequence[AnyRow]:
    return session.execute(query).all()


async def read_in_batches(
    database: Database, query: AnySelect, keys: Sequence[Any], size: int, key_of: Callable[[AnyRow], Sequence[Any]]
) -> AsyncIterator[Sequence[AnyRow]]:
    """Yield all rows of a query in the order of `keys`, at most `size` in a transaction.

    `key_of` returns the keys of a row.
    """
    batch_size = query.order_by(*keys).limit(size)
    while True:
        rows = await database.query(partial(_all, batch_size))
        yield rows
        if len(rows) < size:
            return
        batch_size = query.where(tuple_(*keys) > tuple_(*key_of(rows[-1]))).order_by(*keys).limit(size)
