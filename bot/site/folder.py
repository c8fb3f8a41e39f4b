"""A folder of pages: only files that this program wrote there are replaced or deleted."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bot.base.errors import KemsError

MARK: Final = ".kems-site"
"""The file that lists the pages of a folder, a name a line."""
_NAME: Final = re.compile(r"[a-z]+(-\d+)?\.(html|css|ics)")


class SiteFolder:
    """A folder for pages. Every method raises KemsError if it is somebody else's, or cannot be written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mark = folder / MARK
        self._written: set[str] = set()
        with _explained(folder):
            if folder.exists() and not self._mark.exists() and next(folder.iterdir(), None) is not None:
                raise KemsError(f"{folder} holds files that `kems site` did not write: name a new or an empty folder.")
            listed = self._mark.read_text(encoding="utf-8").splitlines() if self._mark.exists() else ()
        self._own = {name for name in listed if _NAME.fullmatch(name)}

    def write(self, name: str, text: str) -> None:
        """Write a page. Its name is listed before, so that the next run can delete the page if this one is interrupted.

        Raises:
            KemsError: There is a file of this name that this program did not write.
        """
        file = self._folder / name
        with _explained(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            if name not in self._own and file.exists():
                raise KemsError(f"{file} was not written by `kems site`: move it away, or name another folder.")
            self._own.add(name)
            self._written.add(name)
            with self._mark.open("a", encoding="utf-8") as mark:
                mark.write(f"{name}\n")
            file.write_text(text, encoding="utf-8", newline="")

    def delete_stale_pages(self) -> None:
        """Delete the previous run's pages that were not written again."""
        with _explained(self._folder):
            for name in self._own - self._written:
                (self._folder / name).unlink(missing_ok=True)
            self._mark.write_text("".join(f"{name}\n" for name in sorted(self._written)), encoding="utf-8")


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise KemsError(f"{folder} cannot be used: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise KemsError(f"{folder / MARK} cannot be read: name a new or an empty folder.") from None
