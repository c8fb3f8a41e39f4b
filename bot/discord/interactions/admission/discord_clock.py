"""Discord's clock, by which presses, deadlines and countdowns are judged."""

from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Final

import aiohttp
import structlog

from bot.base.clock import Clock

DELAY_MS: Final = 2_000
"""The longest delay of an answer, milliseconds, that is not taken for a fast clock of this machine."""
_SECOND_MS: Final = 1_000
_WORTH_TELLING_MS: Final = 5_000

_log = structlog.get_logger(__name__)


def server_time(answer: aiohttp.ClientResponse) -> int | None:
    """Return the date of a response of Discord's API in Unix milliseconds, rounded down to seconds.

    None for a response from a cache, which has an age, and for one of another server than the API's.
    Source: https://www.rfc-editor.org/rfc/rfc9110#name-date.
    """
    if "Age" in answer.headers or not answer.url.path.startswith("/api/"):
        return None
    try:
        return _instant(answer.headers["Date"])
    except (KeyError, ValueError):
        return None


@lru_cache(1)  # all answers of a second have the same; buys 28 us of a press and its edits
def _instant(date: str) -> int:
    return int(parsedate_to_datetime(date).timestamp()) * _SECOND_MS


class DiscordClock(Clock):
    """Discord's clock, read from its answers: this machine's clock, set right whenever an answer contradicts it.

    Ages of tokens, countdowns and the order of calls compare times of the bot with times of Discord. The answer to the
    login sets the clock before a table is restored.
    """

    def __init__(self, own: Clock) -> None:
        self._own = own
        self._ahead = 0

    def now(self) -> int:
        return self._own.now() - self._ahead

    def is_after(self, at: int) -> None:
        """Correct the clock if it is slow: Discord has already reached that time (milliseconds)."""
        if at > self.now():
            self._set(at)

    def on_answer(self, answer: aiohttp.ClientResponse) -> None:
        """Correct the clock if a response's date contradicts it."""
        at = server_time(answer)
        if at is not None and not at <= self.now() <= at + _SECOND_MS + DELAY_MS:
            self._set(at + _SECOND_MS // 2)  # the header has whole seconds

    def _set(self, at: int) -> None:
        before, self._ahead = self._ahead, self._own.now() - at
        if abs(self._ahead - before) >= _WORTH_TELLING_MS:
            effect = "Discord's clock is followed; set this machine's, its log has the wrong times"
            _log.warning("clock.wrong", seconds_ahead=round(self._ahead / _SECOND_MS), effect=effect)
