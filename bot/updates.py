"""Says once a day that a newer version exists, where UPDATE_CHECK names the feed of the project's releases.

It knows no other part of the project, and sends nothing but the request.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Final

import aiohttp
import structlog

_DAY_S: Final = 86_400
_PATIENCE: Final = aiohttp.ClientTimeout(total=30)

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def watched(feed: str | None) -> AsyncIterator[None]:
    """Looks at the feed meanwhile, at once and then every day; without one it does nothing."""
    task = None if feed is None else asyncio.create_task(_watch(feed))
    try:
        yield
    finally:
        if task is not None:
            task.cancel()


async def _watch(feed: str) -> None:
    while True:
        await _look(feed)
        await asyncio.sleep(_DAY_S)


async def _look(feed: str) -> None:
    """Logs the version that the feed names and its page of changes, if it is newer than this one.

    The feed is JSON with `tag_name` and `html_url`, as GitHub, Gitea and Forgejo give of the latest release.
    """
    try:
        async with (
            aiohttp.ClientSession(timeout=_PATIENCE, raise_for_status=True) as session,
            session.get(feed) as answer,
        ):
            latest = await answer.json(content_type=None)
        newest, page = str(latest["tag_name"]), str(latest["html_url"])
    except (aiohttp.ClientError, TimeoutError, ValueError, LookupError, TypeError) as error:
        _log.info("update.not_known", problem=type(error).__name__)
        return
    installed = version("kems-bot")
    if _numbers(newest) > _numbers(installed):
        _log.info("update.available", version=newest, installed=installed, changes=page)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))
