"""Time that passes only when nothing else is left to do: a test of an hour's match takes a moment, and never wavers."""

import asyncio
import functools
import selectors
from collections.abc import Awaitable, Callable
from typing import Any

EPOCH = 1_800_000_000_000


class _JumpingSelector(selectors.DefaultSelector):
    """Instead of waiting it moves the loop's clock; there is no file or socket to wait for in these tests."""

    elapsed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return []  # the loop is busy; what a thread has handed to it is in its queue
        ready = super().select(0)
        if ready:
            return ready
        if timeout is None:
            raise RuntimeError("everybody waits and no timer is set: the test would hang")
        self.elapsed += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.jumping = _JumpingSelector()
        super().__init__(self.jumping)

    def time(self) -> float:
        return self.jumping.elapsed


class LoopClock:
    """The `Clock` of a virtual loop: milliseconds, far from zero, as the real ones are."""

    def now(self) -> int:
        return EPOCH + round(asyncio.get_running_loop().time() * 1000)


def in_virtual_time(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run a coroutine test on a virtual loop."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.run(test(*args, **kwargs))  # type: ignore[arg-type]  # the coroutine function's own coroutine

    return run
