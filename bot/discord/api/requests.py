"""Edits and ephemeral posts that build no message from Discord's answer, and how requests fail."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

import aiohttp
import discord

from bot.discord.api.components import Layout
from bot.discord.api.discord_internals import patch_message, request, request_by_token
from bot.discord.api.error_codes import SERVER_ERROR

UNREACHED: Final = (aiohttp.ClientError, ConnectionError, TimeoutError)
"""Errors of the connection, after which it is not known whether the request was carried out."""
FAILED: Final = (discord.HTTPException, *UNREACHED)
_MOST: Final = 300

NOBODY: Final = discord.AllowedMentions.none()
_COMPONENTS_V2: Final = discord.MessageFlags(components_v2=True).value
_EPHEMERAL: Final = discord.MessageFlags(ephemeral=True).value


class PreparedView(discord.ui.LayoutView):
    """A view of a layout as it is. discord.py does not store finished views, so the router gets every press."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(timeout=None)
        self._layout = layout

    def to_components(self) -> list[dict[str, Any]]:
        """Return the layout."""
        return cast("list[dict[str, Any]]", self._layout)

    def has_components_v2(self) -> bool:
        """Return True: a layout is made of components."""
        return True

    def is_finished(self) -> bool:
        """Return True, so that discord.py does not store the view."""
        return True


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that an edit keeps, in the form that discord.py expects among an edit's files."""

    id: int

    def to_dict(self) -> dict[str, Any]:
        """Return the file as discord.py puts it into an edit."""
        return {"id": self.id}


Content = Layout | str
"""What a message shows: components, or a line of text."""
Files = Sequence[discord.File | KeptFile]


async def edit_by_token(
    client: discord.Client, token: str, layout: Layout | None, follow_up_id: int | None = None
) -> None:
    """Edit an interaction's original message, or a follow-up, by the interaction's token; the layout None deletes it.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    path = f"/messages/{follow_up_id or '@original'}"
    if layout is None:
        await request_by_token(client, "DELETE", token, path)
    else:
        await request_by_token(client, "PATCH", token, path, _body(layout))


async def post_by_token(client: discord.Client, token: str, layout: Layout) -> int:
    """Post an ephemeral follow-up by the token of an answered interaction, and return the message's id.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    body = _body(layout) | {"flags": _COMPONENTS_V2 | _EPHEMERAL}
    return int((await request_by_token(client, "POST", token, body=body))["id"])


async def edit_message(
    client: discord.Client, channel_id: int, message_id: int, layout: Layout, files: Files | None = None
) -> object:
    """Edit a message of the bot in a channel, and return it as Discord sends it; with `files=None` it keeps its files.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    attached: Any = discord.utils.MISSING if files is None else files
    view = PreparedView(layout)
    return await patch_message(client, channel_id, message_id, view=view, attachments=attached, allowed_mentions=NOBODY)


async def list_messages(client: discord.Client, channel_id: int, most: int) -> Any:
    """Return up to `most` messages of a channel as Discord sends them, newest first.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    return await request(client, "GET", "/channels/{channel_id}/messages", query={"limit": most}, channel_id=channel_id)


def _body(layout: Layout) -> dict[str, Any]:
    return {"components": layout, "flags": _COMPONENTS_V2, "allowed_mentions": NOBODY.to_dict()}


def error_fields(error: Exception) -> dict[str, Any]:
    """Return log fields for a failed request.

    Only Discord's messages are quoted: other errors may contain a URL with a token.
    """
    if isinstance(error, discord.HTTPException):
        return {"status": error.status, "code": error.code, "problem": error.text[:_MOST]}
    return {"problem": type(error).__name__}


@asynccontextmanager
async def undo_if_refused(undo: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Await `undo` if Discord refuses the request in the `with` block; after other errors it may have succeeded.

    Raises:
        discord.HTTPException: Discord refuses the request.
    """
    try:
        yield
    except discord.HTTPException as error:
        if error.status < SERVER_ERROR:
            await undo()
        raise


@contextmanager
def log_failures(log: Callable[..., object], event: str, **about: object) -> Iterator[None]:
    """Suppress and log the failure of a request in the `with` block."""
    try:
        yield
    except FAILED as error:
        log(event, **about, **error_fields(error))
