"""A lock for the life of this process, on a file beside a SQLite database; the system drops it with the process."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from bot.store.engine.database_file import OWNER_ONLY
from bot.store.engine.failures import UnavailableError


class FileLock:
    """The file stays when the lock is released: deleting it would let two processes lock two files of one name."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Take the lock. Returns whether this process has it now.

        Raises:
            UnavailableError: the file cannot be made or locked at all.
        """
        if self._descriptor is not None:
            return True
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.ftruncate(descriptor, 0)
                os.write(descriptor, f"{os.getpid()}\n".encode())
            except BaseException:
                os.close(descriptor)
                raise
        except BlockingIOError:
            return False
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            raise UnavailableError(
                f"{self._path} cannot be opened: does its folder exist, and may the bot write there?"
            ) from None
        except OSError as error:
            raise UnavailableError(
                f"{self._path} cannot be locked ({error.strerror}): the bot needs a folder on a local disk where it may"
                " write."
            ) from None
        self._descriptor = descriptor
        return True

    def holder(self) -> str:
        """The process that has the lock, for a sentence; empty if it does not say."""
        with suppress(OSError, ValueError):
            return f" (process {int(self._path.read_text(encoding='ascii'))})"
        return ""

    def release(self) -> None:
        """Give the lock back, if this process has it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
