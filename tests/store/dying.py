"""A process that dies in the midst of a transaction, as the database sees it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from bot.base.errors import StoreError
from bot.store.engine.database import Database


@contextmanager
def dying_at(database: Database, number: int) -> Iterator[list[str]]:
    """The statement of this number that writes fails, and with it the transaction; all that were begun."""
    seen: list[str] = []
    dialect = database.url.get_backend_name()

    def note(connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if connection.dialect.name == dialect and statement.startswith(("INSERT", "UPDATE", "DELETE")):
            seen.append(statement)
            if len(seen) == number:
                raise StoreError("killed")

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)
