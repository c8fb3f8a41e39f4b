"""Says once a day that a newer version exists, where UPDATE_CHECK names the feed of the project's releases.

It knows no other part of the project, and sends nothing but the request.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Annotated, Final

import aiohttp
import msgspec
import structlog
from packaging.version import InvalidVersion, Version

_DAY_S: Final = 86_400
_PATIENCE: Final = aiohttp.ClientTimeout(total=30)
_LONGEST: Final = 2**20
"""The most bytes of an answer; a longer one is no feed of releases."""

_log = structlog.get_logger(__name__)


class _Release(msgspec.Struct):
    """What goes to the log of the feed: a version and an address, and nothing else."""

    tag_name: Annotated[str, msgspec.Meta(pattern=r"^v?\d{1,6}(\.\d{1,6})*[\w.+-]{0,32}\Z")]
    html_url: Annotated[str, msgspec.Meta(pattern=r"^https?://[!-~]{1,500}\Z")]


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
            latest = msgspec.json.decode(await _text(answer), type=_Release)
    except (aiohttp.ClientError, OSError, msgspec.MsgspecError, ValueError, RecursionError) as error:
        _log.info("update.not_known", problem=type(error).__name__)
        return
    installed = version("kems-bot")
    if _is_newer(latest.tag_name, installed):
        _log.info("update.available", version=latest.tag_name, installed=installed, changes=latest.html_url)


async def _text(answer: aiohttp.ClientResponse) -> bytes:
    """All of an answer. Raises ValueError where it is longer than a feed."""
    try:
        await answer.content.readexactly(_LONGEST)
    except asyncio.IncompleteReadError as end:
        return end.partial
    raise ValueError("This is no feed.")


def _is_newer(tag: str, installed: str) -> bool:
    """A candidate comes before its release; a tag that names no version is newer than none."""
    try:
        return Version(tag) > Version(installed)
    except InvalidVersion:
        return False
