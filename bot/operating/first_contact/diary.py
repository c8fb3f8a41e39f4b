"""The file of what a run has made and must remove. If the run is killed, the next one removes it."""

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
"""Tolerance for clocks that differ: a message so long before or after a run may still be of that run."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What a run has left.

    - `channel_id`: the channel in which it ran.
    - `began_ms`, `until_ms`: when it may have posted there, in Unix milliseconds, clock tolerance included.
    - `undo`: the requests that remove what it made, in the order in which they were added.
    """

    channel_id: int
    began_ms: int
    until_ms: int
    undo: list[Request]


class Diary:
    """The requests that remove what the present run makes, kept on disk; `former` is what an earlier run has left.

    No path in it has a token.
    """

    def __init__(self, file: Path, channel_id: int) -> None:
        self.former: Final = _read(file)
        self.undo: list[Request] = []
        self._file, self._channel_id, self._began_ms = file, channel_id, _now()
        self._written_ms = 0
        self._before = [] if self.former is None else self.former.undo

    def add(self, request: Request) -> None:
        """Add a request to carry out at the end of the run."""
        self.undo.append(request)
        self._write()

    def goes_on(self) -> None:
        """Record on disk, at most once a second, that the run still makes things."""
        if _now() - self._written_ms > _REST_MS:
            self._write()

    def _write(self) -> None:
        self._written_ms = _now()
        began = self._began_ms if self.former is None else min(self._began_ms, self.former.began_ms)
        entry = {"channel": self._channel_id, "began": began, "until": _now(), "undo": [*self._before, *self.undo]}
        write_atomically(self._file, json.dumps(entry))

    @property
    def present(self) -> RunRecord:
        """The time and the channel of the current run, without requests to make."""
        return RunRecord(self._channel_id, self._began_ms - _BEFORE_MS, _now() + _AFTER_MS, [])

    def done(self) -> None:
        """Delete the file, since everything that could be removed has been removed."""
        self.undo.clear()
        self._file.unlink(missing_ok=True)


def _read(file: Path) -> RunRecord | None:
    with suppress(OSError, ValueError, LookupError, TypeError):
        record = json.loads(file.read_text(encoding="utf-8"))
        undo = [(str(method), str(path), body) for method, path, body in record["undo"]]
        return RunRecord(
            int(record["channel"]),
            int(record["began"]) - _BEFORE_MS,
            int(record["until"]) + _AFTER_MS,
            undo,
        )
    return None


def _now() -> int:
    return round(time.time() * 1000)
