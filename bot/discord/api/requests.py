"""Requests as discord.py's promised calls do not make them, and how requests fail.

Discord.py builds a whole message from the answer to each edit, which costs as much as the request. `edit_by_token`,
`post_by_token` and `edit_message` send the same requests without that.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

import aiohttp
import discord
from discord.http import Route, handle_message_parameters
from discord.webhook.async_ import async_context

from bot.discord.api.components import Layout
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

    Raises discord.HTTPException: Discord refuses it.
    """
    assert client.application_id is not None, "messages are reached after the login"
    route = Route(
        "DELETE" if layout is None else "PATCH",
        f"/webhooks/{{webhook_id}}/{{webhook_token}}/messages/{follow_up_id or '@original'}",
        webhook_id=client.application_id,
        webhook_token=token,
    )
    await _request(client, route, None if layout is None else _body(layout))


async def post_by_token(client: discord.Client, token: str, layout: Layout) -> int:
    """Post one more private message at the end of the channel, by the token of an answered interaction; its id.

    Raises discord.HTTPException: Discord refuses it.
    """
    assert client.application_id is not None, "messages are posted after the login"
    route = Route(
        "POST", "/webhooks/{webhook_id}/{webhook_token}", webhook_id=client.application_id, webhook_token=token
    )
    posted = await _request(client, route, _body(layout) | {"flags": _COMPONENTS_V2 | _EPHEMERAL})
    return int(posted["id"])


async def edit_message(
    client: discord.Client, channel_id: int, message_id: int, layout: Layout, files: Files | None = None
) -> object:
    """Edit a message of the bot in a channel; its files become these; None: they stay. Returns it as Discord sends it.

    Raises discord.HTTPException: Discord refuses it.
    """
    attached: Any = discord.utils.MISSING if files is None else files
    view = PreparedView(layout)
    with handle_message_parameters(view=view, attachments=attached, allowed_mentions=NOBODY) as params:
        return await client.http.edit_message(channel_id, message_id, params=params)


def _body(layout: Layout) -> dict[str, Any]:
    return {"components": layout, "flags": _COMPONENTS_V2, "allowed_mentions": NOBODY.to_dict()}


async def _request(client: discord.Client, route: Route, payload: dict[str, Any] | None = None) -> Any:
    http = client.http
    session: Any = http._HTTPClient__session  # type: ignore[attr-defined]  # as discord.py's own webhooks take it
    return await async_context.get().request(
        route, session, payload=payload, proxy=http.proxy, proxy_auth=http.proxy_auth
    )


def facts(error: Exception) -> dict[str, Any]:
    """What the log keeps of a failure: Discord's words; those of others may quote an address with a token in it."""
    if isinstance(error, discord.HTTPException):
        return {"status": error.status, "code": error.code, "problem": error.text[:_MOST]}
    return {"problem": type(error).__name__}


@asynccontextmanager
async def undone_if_refused(undo: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Undo what was saved before a request if Discord refuses that; after other errors it may have arrived."""
    try:
        yield
    except discord.HTTPException as error:
        if error.status < SERVER_ERROR:
            await undo()
        raise


@contextmanager
def noting(log: Callable[..., object], event: str, **about: object) -> Iterator[None]:
    """Go on after what Discord refuses meanwhile, which the log keeps."""
    try:
        yield
    except FAILED as error:
        log(event, **about, **facts(error))
