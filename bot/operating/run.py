"""What a command begins and ends with: it reads the settings, sets logging up, and stops at Ctrl-C or SIGTERM."""

import gc
import logging
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from bot.base.settings import Settings

LEAVING_S: Final = 8.0
"""Docker sends SIGKILL ten seconds after SIGTERM."""


def run() -> None:
    """Start the bot on Discord. It needs DISCORD_TOKEN, and runs until it is interrupted."""
    chosen = prepare()
    chosen.require_token()
    with loading():
        from bot.discord.text.texts import LANGUAGES, texts_for

        for language in LANGUAGES:
            texts_for(language)  # at first: the memory that reading takes then serves what is loaded
        from bot.operating import operations

    run_until_told(operations.run_bot(chosen, paces_starts=True))


def prepare(*, speaks_alone: bool = False) -> "Settings":
    """`speaks_alone`: what is printed must not drown in the log, which has warnings only, or everything at DEBUG."""
    from bot.base import log, settings

    chosen = settings.load()
    is_quiet = speaks_alone and chosen.log_level == "INFO"
    log.configure("WARNING" if is_quiet else chosen.log_level, chosen.log_format)
    return chosen


@contextmanager
def loading() -> Iterator[None]:
    """Imports a tenth faster: what is loaded stays, and the collector of garbage need not look for it meanwhile.

    Raises:
        LibraryError: a library has changed.
    """
    from bot.base import libraries

    gc.disable()
    try:
        from bot.discord.api import aiohttp_internals, discord_internals
        from bot.store.engine import driver_thread

        libraries.check((aiohttp_internals.names(), discord_internals.names(), driver_thread.names()))
        yield
    except ImportError as error:
        raise libraries.fault(error) from error
    finally:
        gc.enable()


def run_until_told(work: Coroutine[None, None, None]) -> None:
    """Run until the end, Ctrl-C or SIGTERM; on these the work closes what it opened, and the exit status is 0.

    What is not closed after `LEAVING_S` seconds is left as it is: whatever was acknowledged is on the disk.
    """
    import asyncio

    deadline = threading.Timer(LEAVING_S, _leave_at_once)
    deadline.daemon = True

    async def until_told() -> None:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None, "a coroutine that runs is a task's"

        def leave() -> None:
            loop.remove_signal_handler(signal.SIGINT)  # a second Ctrl-C ends it at once
            if not deadline.is_alive():
                deadline.start()
            task.cancel()

        loop.add_signal_handler(signal.SIGTERM, leave)
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as a shell has it for what it runs behind
            loop.add_signal_handler(signal.SIGINT, leave)
        try:
            await work
        except asyncio.CancelledError:
            if not task.cancelling():
                raise

    try:
        with suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=_quickest_loop()) as runner:
            runner.run(until_told())
    finally:
        deadline.cancel()


def _quickest_loop() -> "Callable[[], AbstractEventLoop] | None":
    """Return what makes the event loop: uvloop, or asyncio's own where that is not installed."""
    try:
        from uvloop import new_event_loop  # no other command needs it
    except ImportError:
        return None
    return new_event_loop


def _leave_at_once() -> None:
    logging.getLogger(__name__).warning("Not everything could be closed within %s seconds: leaving it.", LEAVING_S)
    os._exit(0)
