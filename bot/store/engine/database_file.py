"""The file of a SQLite database: made for its owner alone, and noticed when it was deleted or replaced.

SQLite goes on writing to a file that has no name any more. What is committed there is lost.
"""

import os
from pathlib import Path
from typing import Final

from sqlalchemy import URL

from bot.store.engine.failures import UnavailableError

OWNER_ONLY: Final = 0o600
_Identity = tuple[int, int]
"""Device and inode."""


def file_of(url: URL) -> Path | None:
    """The file of a SQLite address; None for PostgreSQL and for a database in memory."""
    name = url.database
    if url.get_backend_name() != "sqlite" or not name or name == ":memory:":
        return None
    return Path(name.removeprefix("file:") if "uri" in url.query else name).absolute()


def beside(file: Path, ending: str) -> Path:
    """A file that belongs to a database: SQLite's `-wal` and `-shm`, or the bot's `.lock`."""
    return file.with_name(file.name + ending)


class DatabaseFile:
    """Compares the file at a path with the file that the one connection has open.

    It never opens a file that SQLite has open: closing it would drop SQLite's locks in this process.
    """

    def __init__(self, path: Path, where: str) -> None:
        """`where` is the database's name in sentences."""
        self._path = path
        self._wal = beside(path, "-wal")
        self._where = where
        self._opened: _Identity | None = None
        self._opened_wal: _Identity | None = None

    def before_opening(self) -> None:
        """Make a missing file, readable for its owner alone.

        Raises:
            UnavailableError: the file that was open before is gone, its WAL is here without it, or it is a folder.
        """
        self._opened_wal = None  # the last connection that closes deletes the WAL
        if self._path.is_dir():
            raise UnavailableError(f"The database {self._where} is a folder: name a file in DATABASE_URL.")
        if self._opened is not None:
            self.check()
        elif _size(self._path) == 0:
            if _size(self._wal) > 0:
                raise UnavailableError(
                    f"The database {self._where} is missing, and {self._wal} holds changes of it: put the file back"
                    " beside it, or run `kems restore` with a backup, or move that file away to start with nothing."
                )
            try:
                os.close(os.open(self._path, os.O_CREAT | os.O_WRONLY, OWNER_ONLY))
            except OSError:
                return  # SQLite says what is wrong with the folder

    def opened(self) -> None:
        """Note which file a connection has opened."""
        if self._opened is None:
            self._opened = _identity(self._path)

    def check(self) -> None:
        """Compare the files at the path with those that are open.

        Raises:
            UnavailableError: one was deleted or replaced.
        """
        wal = _identity(self._wal)
        if self._opened_wal is None:
            self._opened_wal = wal
        if _identity(self._path) != self._opened or wal != self._opened_wal:
            raise UnavailableError(
                f"The database {self._where} is gone: its file was deleted or replaced while the bot runs."
                " Put the file back, or stop the bot and run `kems restore` with the last backup."
            )


def _identity(path: Path) -> _Identity | None:
    """None for a file that does not exist, or that no folder lists any more."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found.st_nlink else None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
