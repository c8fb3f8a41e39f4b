"""Notices that another process answers presses with this bot's token, such as one on a server that was not stopped."""

import time
from collections import deque
from collections.abc import Callable
from typing import Final

import structlog

from bot.records.press_notes import RIVAL, RIVAL_PRESSES

_MINUTE_S: Final = 60.0
_CALM_S: Final = 600.0

_log = structlog.get_logger(__name__)


class Rivals:
    """A few presses in a minute that another process has answered first show it; ten minutes without one end it.

    A single one proves nothing, nor the same one heard again: Discord may have an answer of this process whose receipt
    was lost, and may send a press twice.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._heard: deque[tuple[int, float]] = deque(maxlen=RIVAL_PRESSES)
        self._is_known = False

    def hear(self, press_id: int) -> None:
        """Count a press that another process has answered first."""
        if any(press_id == heard for heard, _ in self._heard):
            return
        self._heard.append((press_id, self._now()))
        if len(self._heard) == RIVAL_PRESSES and self._heard[-1][1] - self._heard[0][1] <= _MINUTE_S:
            self._is_known = True
            _log.error("token.used_twice", problem=RIVAL)

    @property
    def problem(self) -> str | None:
        if self._is_known and self._now() - self._heard[-1][1] > _CALM_S:
            self._is_known = False
        return RIVAL if self._is_known else None
