"""A process that dies in the midst of a transaction, as the database sees it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from bot.errors import StoreError
from bot.store.engine.database import Database


@contextmanager
def dying_at(database: Database, number: int) -> Iterator[list[str]]:
    """The statement of this number that writes fails, and with it the transaction; all that were begun."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(("INSERT", "UPDATE", "DELETE")):
            seen.append(statement)
            if len(seen) == number:
                raise StoreError("killed")

    event.listen(database.engine.sync_engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(database.engine.sync_engine, "before_cursor_execute", note)
