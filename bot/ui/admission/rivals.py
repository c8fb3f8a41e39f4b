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

    A single one proves nothing: Discord may have an answer of this process whose receipt was lost.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._heard: deque[float] = deque(maxlen=RIVAL_PRESSES)
        self._is_known = False

    def hear(self) -> None:
        """Count a press that another process has answered first."""
        self._heard.append(self._now())
        if len(self._heard) == RIVAL_PRESSES and self._heard[-1] - self._heard[0] <= _MINUTE_S:
            self._is_known = True
            _log.error("token.used_twice", problem=RIVAL)

    @property
    def problem(self) -> str | None:
        if self._is_known and self._now() - self._heard[-1] > _CALM_S:
            self._is_known = False
        return RIVAL if self._is_known else None
