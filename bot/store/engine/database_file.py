"""The file of a SQLite database: only for its owner and one process; deletion and replacement are noticed.

SQLite goes on writing to a file that has no name any more. What is committed there is lost.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy import URL

from bot.store.engine.failures import UnavailableError

OWNER_ONLY: Final = 0o600
_Identity = tuple[int, int]
"""Device and inode."""


def file_of(url: URL) -> Path | None:
    """Return the file of a SQLite address; None for PostgreSQL and for a database in memory."""
    name = url.database
    if url.get_backend_name() != "sqlite" or not name or name == ":memory:":
        return None
    return Path(name.removeprefix("file:") if "uri" in url.query else name).absolute()


def sibling(file: Path, ending: str) -> Path:
    """Return the path of a file that accompanies a database: SQLite's `-wal` and `-shm`, or the bot's `.lock`."""
    return file.with_name(file.name + ending)


def obstacle(file: Path, where: str) -> str | None:
    """Return why no database can be opened or created at a path, or None if nothing seems to prevent it."""
    folder, wal = file.parent, sibling(file, "-wal")
    if file.is_dir():
        return f"{file} is a folder: name a file in DATABASE_URL, such as {file / 'kems.db'}."
    if not folder.is_dir():
        return f"The folder {folder} for the database is missing: make it, or change DATABASE_URL."
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"The bot may not write in {folder}, where the database keeps several files: give its user the right."
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        return f"The bot may not write to the database {file}: give its user the right."
    if _size(file) == 0 and _size(wal) > 0:
        return (
            f"The database {where} is missing, and {wal} holds changes of it: put the file back beside it, or run"
            " `kems restore` with a backup, or move that file away to start with nothing."
        )
    return None


class DatabaseFile:
    """Compares the file at a path with the file that the connections have open, and locks it for this process.

    It never opens a file that SQLite has open: closing it would drop SQLite's locks in this process. So the lock is on
    a file next to it. That file stays when the lock is released: deleting it would let two processes lock two files of
    one name.
    """

    def __init__(self, path: Path, where: str) -> None:
        """`where` is the database's name in sentences."""
        self.path: Final = path
        self._wal = sibling(path, "-wal")
        self._lock = sibling(path, ".lock")
        self._where = where
        self._opened: _Identity | None = None
        self._opened_wal: _Identity | None = None
        self._descriptor: int | None = None

    def lock(self) -> bool:
        """Lock the database for the life of this process; return whether this process has the lock now.

        Raises:
            UnavailableError: The lock's file cannot be created or locked at all.
        """
        if self._descriptor is not None:
            return True
        try:
            descriptor = os.open(self._lock, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                with suppress(OSError):  # where the disk is full, the database says so
                    os.ftruncate(descriptor, 0)
                    os.write(descriptor, f"{os.getpid()}\n".encode())
            except BaseException:
                os.close(descriptor)
                raise
        except BlockingIOError:
            return False
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            raise UnavailableError(
                f"{self._lock} cannot be opened: does its folder exist, and may the bot write there?"
            ) from None
        except OSError as error:
            raise UnavailableError(
                f"{self._lock} cannot be locked ({error.strerror}): the bot needs a folder on a local disk where it may"
                " write."
            ) from None
        self._descriptor = descriptor
        return True

    def owner(self) -> str:
        """Return the process that has the lock, in words for a sentence; empty if unknown."""
        with suppress(OSError, ValueError):
            return f" (process {int(self._lock.read_text(encoding='ascii'))})"
        return ""

    def release(self) -> None:
        """Release the lock, if this process has it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def before_opening(self) -> None:
        """Create a missing file that only its owner can read.

        Raises:
            UnavailableError: The file that was open before is gone, or there is an `obstacle`.
        """
        self._opened_wal = None  # the last connection that closes deletes the WAL
        if self._opened is not None:
            self.check()
        elif (problem := obstacle(self.path, self._where)) is not None:
            raise UnavailableError(problem)
        elif _size(self.path) == 0:
            with suppress(OSError):  # SQLite says what is wrong
                os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, OWNER_ONLY))

    @property
    def is_open(self) -> bool:
        """Whether a connection has ever opened the file."""
        return self._opened is not None

    def record_identity(self) -> None:
        """Record which file a connection has opened."""
        if self._opened is None:
            self._opened = _identity(self.path)

    def check(self) -> None:
        """Compare the files at the path with those that are open.

        Raises:
            UnavailableError: One was deleted or replaced.
        """
        wal = _identity(self._wal)
        if self._opened_wal is None:
            self._opened_wal = wal
        if _identity(self.path) != self._opened or wal != self._opened_wal:
            raise UnavailableError(
                f"The database {self._where} is gone: its file was deleted or replaced while the bot runs."
                " Put the file back, or stop the bot and run `kems restore` with the last backup."
            )


def _identity(path: Path) -> _Identity | None:
    """Return None for a file that does not exist, or that no folder lists any more."""
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
