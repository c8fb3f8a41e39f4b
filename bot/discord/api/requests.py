"""Edits and private posts of messages, which read no message from Discord's answer, and how requests fail."""

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
"""The connection was cut, could not be made, or took too long: nobody knows whether the request was carried out."""
FAILED: Final = (discord.HTTPException, *UNREACHED)
_MOST: Final = 300

NOBODY: Final = discord.AllowedMentions.none()
_COMPONENTS_V2: Final = discord.MessageFlags(components_v2=True).value
_EPHEMERAL: Final = discord.MessageFlags(ephemeral=True).value


class PreparedView(discord.ui.LayoutView):
    """A layout as it is. discord.py never stores a finished view, so that every press goes through the router."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(timeout=None)
        self._layout = layout

    def to_components(self) -> list[dict[str, Any]]:
        return cast("list[dict[str, Any]]", self._layout)

    def has_components_v2(self) -> bool:
        return True

    def is_finished(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that a message has, among the files of an edit: discord.py asks no more of it than this."""

    id: int

    def to_dict(self) -> dict[str, Any]:
        return {"id": self.id}


Content = Layout | str
"""What a message shows: components, or a line of text."""
Files = Sequence[discord.File | KeptFile]


async def edit_by_token(
    client: discord.Client, token: str, layout: Layout | None, follow_up_id: int | None = None
) -> None:
    """Edit the message that answers an interaction, by its token, or a follow-up of that; None deletes it.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    path = f"/messages/{follow_up_id or '@original'}"
    if layout is None:
        await request_by_token(client, "DELETE", token, path)
    else:
        await request_by_token(client, "PATCH", token, path, _body(layout))


async def post_by_token(client: discord.Client, token: str, layout: Layout) -> int:
    """Post one more private message at the end of the channel, by the token of an answered interaction; its id.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    body = _body(layout) | {"flags": _COMPONENTS_V2 | _EPHEMERAL}
    return int((await request_by_token(client, "POST", token, body=body))["id"])


async def edit_message(
    client: discord.Client, channel_id: int, message_id: int, layout: Layout, files: Files | None = None
) -> object:
    """Edit a message of the bot in a channel; its files become these; None: they stay. Returns it as Discord sends it.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    attached: Any = discord.utils.MISSING if files is None else files
    view = PreparedView(layout)
    return await patch_message(client, channel_id, message_id, view=view, attachments=attached, allowed_mentions=NOBODY)


async def list_messages(client: discord.Client, channel_id: int, most: int) -> Any:
    """Return the newest messages of a channel first, also those that discord.py cannot read.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    return await request(client, "GET", "/channels/{channel_id}/messages", query={"limit": most}, channel_id=channel_id)


def _body(layout: Layout) -> dict[str, Any]:
    return {"components": layout, "flags": _COMPONENTS_V2, "allowed_mentions": NOBODY.to_dict()}


def error_fields(error: Exception) -> dict[str, Any]:
    """Return what the log keeps of a failure.

    Discord's words; those of others may quote an address with a token in it.
    """
    if isinstance(error, discord.HTTPException):
        return {"status": error.status, "code": error.code, "problem": error.text[:_MOST]}
    return {"problem": type(error).__name__}


@asynccontextmanager
async def undo_if_refused(undo: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Undo what was saved before a request if Discord refuses that; after other errors it may have arrived.

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
    """Go on after what Discord refuses meanwhile, which the log keeps."""
    try:
        yield
    except FAILED as error:
        log(event, **about, **error_fields(error))
