"""How every command starts and stops: settings, logging, imports, Ctrl-C and SIGTERM."""

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
"""Longest time for closing what is open, in seconds: Docker sends SIGKILL ten seconds after SIGTERM."""


def run() -> None:
    """Start the bot on Discord. It needs DISCORD_TOKEN, and runs until it is interrupted."""
    chosen = prepare()
    chosen.require_token()
    with loading():
        from bot.discord.text.texts import LANGUAGES, texts_for

        for language in LANGUAGES:
            texts_for(language)  # first, since the imports then use the memory that reading has taken
        from bot.operating import operations

    run_until_stopped(operations.run_bot(chosen, paces_starts=True))


def prepare(*, speaks_alone: bool = False) -> "Settings":
    """Load the settings, and configure the log from them.

    Args:
        speaks_alone: Raise a log level of INFO to WARNING, so that the log does not bury what the command prints.

    Raises:
        SettingsError: A setting cannot be used.
    """
    from bot.base import log, settings

    chosen = settings.load()
    is_quiet = speaks_alone and chosen.log_level == "INFO"
    log.configure("WARNING" if is_quiet else chosen.log_level, chosen.log_format)
    return chosen


@contextmanager
def loading() -> Iterator[None]:
    """Check the libraries; import the bot in the `with` block, without the garbage collector, a tenth faster.

    Raises:
        LibraryError: A library lacks something that the bot uses beyond its public API.
        ImportError: Any other import failed.
    """  # noqa: DOC501 - `fault` makes one
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


def run_until_stopped(work: Coroutine[None, None, None]) -> None:
    """Run a coroutine until it ends, or until Ctrl-C or SIGTERM cancels it; the exit status is 0 in either case.

    If it has not ended `LEAVING_S` seconds after it was cancelled, the process exits: whatever was acknowledged is on
    the disk.
    """
    import asyncio

    deadline = threading.Timer(LEAVING_S, _leave_at_once)
    deadline.daemon = True

    async def until_stopped() -> None:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None, "a coroutine that runs is a task's"

        def leave() -> None:
            loop.remove_signal_handler(signal.SIGINT)  # a second Ctrl-C ends it at once
            if not deadline.is_alive():
                deadline.start()
            task.cancel()

        loop.add_signal_handler(signal.SIGTERM, leave)
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # a shell sets it for background jobs
            loop.add_signal_handler(signal.SIGINT, leave)
        try:
            await work
        except asyncio.CancelledError:
            if not task.cancelling():
                raise

    try:
        with suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=_quickest_loop()) as runner:
            runner.run(until_stopped())
    finally:
        deadline.cancel()


def _quickest_loop() -> "Callable[[], AbstractEventLoop] | None":
    """Return uvloop's factory of event loops; None, which stands for asyncio's, if uvloop is not installed."""
    try:
        from uvloop import new_event_loop  # no other command needs it
    except ImportError:
        return None
    return new_event_loop


def _leave_at_once() -> None:
    logging.getLogger(__name__).warning("Not everything could be closed within %s seconds: leaving it.", LEAVING_S)
    os._exit(0)
