"""Edits and deletions of messages: discord.py's requests, without what it makes of their answers.

`InteractionResponse.edit_message`, `Webhook.edit_message` and `PartialMessage.edit` build a whole message from each
answer, which nobody looks at here. That costs as much as the request.
"""

from collections.abc import Sequence
from typing import Any, Final, cast

import discord
from discord.http import Route, handle_message_parameters
from discord.webhook.async_ import async_context

from bot.ui.kit.components import Layout


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


NOBODY: Final = discord.AllowedMentions.none()
_UPDATE: Final = discord.InteractionResponseType.message_update
_COMPONENTS_V2: Final = discord.MessageFlags(components_v2=True).value


async def update_pressed(interaction: discord.Interaction, layout: Layout, files: Sequence[discord.File] = ()) -> None:
    """Answer a press: the pressed message looks like this from now on, with these files in place of its own.

    Raises discord.HTTPException: Discord refuses it; discord.InteractionResponded: the press has been answered already.
    """
    if interaction.response.is_done():
        raise discord.InteractionResponded(interaction)
    if files:
        await interaction.response.edit_message(view=PreparedView(layout), attachments=files)
        return
    route = Route(
        "POST",
        "/interactions/{webhook_id}/{webhook_token}/callback",
        webhook_id=interaction.id,
        webhook_token=interaction.token,
    )
    await _request(interaction.client, route, {"type": _UPDATE.value, "data": _body(layout)})
    interaction.response._response_type = _UPDATE


async def edit_original(client: discord.Client, token: str, layout: Layout | None) -> None:
    """Edit the message that answers an interaction, by its token; None deletes it.

    Raises discord.HTTPException: Discord refuses it.
    """
    assert client.application_id is not None, "messages are reached after the login"
    route = Route(
        "DELETE" if layout is None else "PATCH",
        "/webhooks/{webhook_id}/{webhook_token}/messages/@original",
        webhook_id=client.application_id,
        webhook_token=token,
    )
    await _request(client, route, None if layout is None else _body(layout))


async def edit_message(
    client: discord.Client, channel_id: int, message_id: int, layout: Layout, files: Sequence[discord.File] = ()
) -> None:
    """Edit a message of the bot in a channel; its files become these, if there are any.

    Raises discord.HTTPException: Discord refuses it.
    """
    attached = files or discord.utils.MISSING
    view = PreparedView(layout)
    with handle_message_parameters(view=view, attachments=attached, allowed_mentions=NOBODY) as params:
        await client.http.edit_message(channel_id, message_id, params=params)


def _body(layout: Layout) -> dict[str, Any]:
    return {"components": layout, "flags": _COMPONENTS_V2, "allowed_mentions": NOBODY.to_dict()}


async def _request(client: discord.Client, route: Route, payload: dict[str, Any] | None = None) -> None:
    http = client.http
    session: Any = http._HTTPClient__session  # type: ignore[attr-defined]  # as discord.py's own webhooks take it
    await async_context.get().request(route, session, payload=payload, proxy=http.proxy, proxy_auth=http.proxy_auth)
