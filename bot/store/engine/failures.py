"""A driver's exceptions as StoreErrors whose messages hold no secret."""

import re
import sqlite3
import sys
from os import EX_CONFIG
from typing import Final

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from bot.base.errors import StoreError

_NOT_FIT: Final = (UnicodeEncodeError, OverflowError)
"""Raised by Python if SQLite cannot store a value."""


def failures() -> tuple[type[Exception], ...]:
    """Return the exceptions that `explain` explains."""
    from_driver = _asyncpg("PostgresError", "InterfaceError")
    return (SQLAlchemyError, sqlite3.Error, *_NOT_FIT, OSError, TimeoutError, *from_driver)


def _asyncpg(*names: str) -> tuple[type[Exception], ...]:
    """Return these errors of asyncpg; none if SQLite serves, as nothing has loaded asyncpg then."""
    loaded = sys.modules.get("asyncpg")
    return () if loaded is None else tuple(getattr(loaded, name) for name in names)


# A part of the driver's message, and the sentence for it; the first match counts.
_SENTENCES: Final = (
    (
        "prepared statement",
        "{where} is behind a pooler, which gives each transaction another connection: add `?statement_cache_size=0` to"
        " its address.",
    ),
    ("file is not a database", "{where} is not a database file: name another file, or move this one away."),
    ("unable to open database", "{where} cannot be opened: does its folder exist, and may the bot write there?"),
    ("readonly", "{where} is read-only: give the bot the right to write to it."),
    ("read-only", "{where} is read-only: give the bot the right to write to it."),
    ("disk is full", "{where} cannot grow: the disk is full."),
    ("no space left", "{where} cannot grow: the disk is full."),
    ("disk i/o error", "{where} cannot be written: is the disk full, or failing?"),
    ("locked", "{where} is in use by another program: stop that one, or try again."),
    ("malformed", "{where} is damaged: restore the last backup."),
    ("password", "{where} refused the user's name or password."),
    ("no such table", "{where} has no tables yet: run `kems migrate`."),
    ("relation", "{where} has no tables yet: run `kems migrate`."),
    ("does not exist", "{where} does not know this database or user: create it, or correct the address."),
)


_NOT_NOW: Final = {
    "53300": "has as many connections as it takes",
    "57P01": "is being stopped",
    "57P02": "is starting again after a crash",
    "57P03": "is starting up",
}
"""PostgreSQL's states, by code: https://www.postgresql.org/docs/current/errcodes-appendix.html"""
_OF_DATA: Final = "22"
"""The first digits of PostgreSQL's codes for values that it cannot store."""
_VALUE: Final = re.compile(r"(?<=query argument \$\d): .*|(?<=query argument \$\d\d): .*")


class RejectedError(StoreError):
    """The database works and refuses these rows; it may accept others."""


class UnavailableError(StoreError):
    """The database cannot be used at all for now."""


class NewerSchemaError(StoreError):
    """A newer version of the bot made the tables."""

    status = EX_CONFIG


class NoCopyError(StoreError):
    """No copy could be made before a migration, which has not begun."""

    status = EX_CONFIG


class UnreachedError(UnavailableError):
    """Nobody answers at the database's address, its name is not found, or it accepts no connection now."""


def explain(error: BaseException, where: str) -> StoreError:
    """Return a driver's exception as a StoreError whose message holds no secret."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    message = (str(cause).splitlines() or [""])[0]
    code = getattr(cause, "sqlstate", None) or ""
    if isinstance(error, (IntegrityError, DataError, sqlite3.IntegrityError, *_NOT_FIT)) or code.startswith(_OF_DATA):
        return RejectedError(f"The database refused what was to be saved: {_VALUE.sub('', message)}")
    if (reason := _NOT_NOW.get(code)) is not None:
        return UnreachedError(f"The database {where} {reason}.")
    # Resolver, socket and timeout errors have many texts and one meaning.
    if isinstance(cause, (OSError, TimeoutError, *_asyncpg("PostgresConnectionError"))):
        return UnreachedError(f"The database {where} cannot be reached: is it running, and is the address right?")
    for needle, sentence in _SENTENCES:
        if needle in message.lower():
            return UnavailableError("The database " + sentence.format(where=where))
    is_cut_off = isinstance(error, _asyncpg("InterfaceError")) or (
        isinstance(error, DBAPIError) and error.connection_invalidated
    )
    return (UnavailableError if is_cut_off else StoreError)(f"The database {where} failed: {message}")
