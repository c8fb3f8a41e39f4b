"""Writes a message at a pace that Discord accepts, however often it is asked to.

A first request is carried out at once; all requests during a write and the rest after it are carried out together
afterwards, so the last state always arrives. No task and no timer waits when idle. `LastSent` knows what Discord shows
already.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

import orjson
import structlog

from bot import metrics
from bot.errors import StoreError
from bot.ui.kit.components import Layout
from bot.ui.kit.failures import FAILED, facts
from bot.ui.messages.limits.budget import Slot

MOST_RETRIES: Final = 3
"""After so many failures in a row a message waits for the next request."""

_log = structlog.get_logger(__name__)


class Coalescer:
    """The writer of one message. `write` brings the message up to date, with requests of the slot that it gets.

    A failed write is logged and tried again, later each time, at most `MOST_RETRIES` times.
    """

    def __init__(
        self,
        write: Callable[[Slot], Awaitable[None]],
        *,
        interval: Callable[[bool], float],
        slot: Callable[[], Slot] = Slot,
        shows: str = "other",
    ) -> None:
        """`interval` returns the seconds from the start of one write to the start of the next, for an urgent one
        (True) and others. `slot` encloses a write. `shows` names the kind of message in the metrics.
        """
        self._write = write
        self._interval = interval
        self._new_slot = slot
        self._slot: Slot | None = None
        self._age = metrics.SHOWN_AGE_SECONDS.labels(shows)
        self._asked = 0.0
        self._began = 0.0
        self._rests_until = 0.0
        self._is_urgent = False
        self._wanted = False
        self._holds = 0
        self._failures = 0
        self._task: asyncio.Task[None] | None = None
        self._rest: asyncio.TimerHandle | None = None
        self._closed = False

    def ask(self, *, is_urgent: bool = False) -> None:
        """The message is out of date; an urgent write goes before those of other messages."""
        if not self._wanted:
            self._wanted, self._asked = True, asyncio.get_running_loop().time()
        if is_urgent and not self._is_urgent:
            self._is_urgent = True
            self._hurry()
        self._go()

    def overtake(self) -> None:
        """Another request shows all that was asked for until now."""
        self._wanted = self._is_urgent = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Write nothing meanwhile: the answer to a press shows the change."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self._go()

    def close(self) -> None:
        self._closed = True
        if self._rest is not None:
            self._rest.cancel()
        if self._task is not None:
            self._task.cancel()

    def _go(self) -> None:
        if not self._wanted or self._task or self._rest or self._holds or self._closed:
            return
        loop = asyncio.get_running_loop()
        if loop.time() < self._rests_until:
            self._rest = loop.call_at(self._rests_until, self._rested)
        else:
            self._task = loop.create_task(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        pause = 0.0
        self._slot = slot = self._new_slot()
        slot.is_urgent = slot.is_urgent or self._is_urgent
        try:
            async with slot:
                self._began = loop.time()
                if not self._holds:  # else a press has come while the slot was waited for: its answer goes first
                    self._wanted = self._is_urgent = False
                    asked = self._asked
                    await self._write(slot)
                    if slot.requests:
                        self._age.observe(loop.time() - asked)
            self._failures = 0
            if slot.requests:
                pause = max(self._began + self._interval(self._is_urgent), slot.rests_until) - loop.time()
        except Exception as error:  # noqa: BLE001 - nobody awaits this task: the log is where it shows
            if isinstance(error, FAILED):
                _log.warning("message.not_written", **facts(error))
            elif isinstance(error, StoreError):
                _log.warning("message.not_written", problem=str(error))
            else:
                _log.exception("message.not_written")
            self._failures += 1
            self._wanted = self._wanted or self._failures <= MOST_RETRIES
            pause = self._interval(self._is_urgent) * 4 ** min(self._failures, MOST_RETRIES)
        finally:
            self._slot = self._task = None
            self._rests_until = loop.time() + pause
            self._go()

    def _hurry(self) -> None:
        """Shorten a wait for a slot or a rest; not the rest after a failure."""
        if self._slot is not None:
            self._slot.hurry()
        elif not self._failures:
            self._rests_until = min(self._rests_until, self._began + self._interval(self._is_urgent))
            if self._rest is not None:
                self._rest.cancel()
                self._rest = None

    def _rested(self) -> None:
        self._rest = None
        self._go()


class LastSent:
    """The content that was sent last; unknown after a failed request, and after two at once, in whatever order."""

    def __init__(self) -> None:
        self._content: int | None = None  # of each open hand for as long as it is open: a hash takes little room
        self._compared: tuple[Layout, int] | None = None
        self._under_way = 0
        self._is_mixed = False

    @property
    def is_known(self) -> bool:
        return self._content is not None

    def is_now(self, content: Layout) -> bool:
        if self._content is None:
            return False
        compared = _hash(content)
        is_now = self._content == compared
        self._compared = None if is_now else (content, compared)
        return is_now

    @contextmanager
    def sending(self) -> Iterator[Callable[[Layout], None]]:
        """Enclose a request; call the yielded function with the content once Discord has accepted it."""
        sent: list[Layout] = []
        self._under_way += 1
        self._is_mixed = self._is_mixed or self._under_way > 1
        self._content = None
        try:
            yield sent.append
        finally:
            self._under_way -= 1
            self._content = self._hash_of(sent[-1]) if sent and not self._is_mixed else None
            self._is_mixed = self._under_way > 0

    def _hash_of(self, content: Layout) -> int:
        """That of the comparison just before the request, where the same was sent."""
        compared, self._compared = self._compared, None
        return compared[1] if compared is not None and compared[0] is content else _hash(content)


def _hash(content: Layout) -> int:
    return hash(orjson.dumps(content))
