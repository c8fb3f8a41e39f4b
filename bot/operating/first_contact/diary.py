"""What a run is to remove at its end, in a file: the next run removes what a run could not that was killed."""

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.base.env_file import write_atomically
from bot.operating.first_contact.requests import Request

_REST_MS: Final = 1_000
_BEFORE_MS: Final = 5_000
_AFTER_MS: Final = 60_000
"""So long before and after a run, what stands in the channel may be of that run: clocks differ."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Where and when a run was (milliseconds, with some for clocks that differ), and what it is to carry out."""

    channel_id: int
    began_ms: int
    until_ms: int
    undo: list[Request]


class Diary:
    """The present run's entries, each of them on the disk before it is needed, and those of the `former` run."""

    def __init__(self, file: Path, channel_id: int) -> None:
        self.former: Final = _read(file)
        self.undo: list[Request] = []
        self._file, self._channel_id, self._began_ms = file, channel_id, _now()
        self._written_ms = 0
        self._before = [] if self.former is None else self.former.undo

    def add(self, request: Request) -> None:
        self.undo.append(request)
        self._write()

    def goes_on(self) -> None:
        """Something is made now."""
        if _now() - self._written_ms > _REST_MS:
            self._write()

    def _write(self) -> None:
        self._written_ms = _now()
        began = self._began_ms if self.former is None else min(self._began_ms, self.former.began_ms)
        entry = {"channel": self._channel_id, "began": began, "until": _now(), "undo": [*self._before, *self.undo]}
        write_atomically(self._file, json.dumps(entry))

    @property
    def present(self) -> RunRecord:
        return RunRecord(self._channel_id, self._began_ms - _BEFORE_MS, _now() + _AFTER_MS, [])

    def done(self) -> None:
        """Everything is removed that can be."""
        self.undo.clear()
        self._file.unlink(missing_ok=True)


def _read(file: Path) -> RunRecord | None:
    with suppress(OSError, ValueError, LookupError, TypeError):
        said = json.loads(file.read_text(encoding="utf-8"))
        undo = [(str(method), str(path), body) for method, path, body in said["undo"]]
        return RunRecord(int(said["channel"]), int(said["began"]) - _BEFORE_MS, int(said["until"]) + _AFTER_MS, undo)
    return None


def _now() -> int:
    return round(time.time() * 1000)
