"""Edits and deletions of messages: discord.py's requests, without what it makes of their answers.

`InteractionResponse.edit_message`, `Webhook.edit_message` and `PartialMessage.edit` build a whole message from each
answer, which nobody looks at here. That costs as much as the request.
"""

from collections.abc import Sequence
from typing import Any, Final

import discord
from discord.http import Route, handle_message_parameters
from discord.webhook.async_ import async_context

from bot.ui.kit.components import Layout
from bot.ui.kit.prepared_view import PreparedView

NOBODY: Final = discord.AllowedMentions.none()
_UPDATE: Final = discord.InteractionResponseType.message_update
_COMPONENTS_V2: Final = discord.MessageFlags(components_v2=True).value


async def update_pressed(interaction: discord.Interaction, layout: Layout, files: Sequence[discord.File] = ()) -> None:
    """Answer a press: the pressed message looks like this from now on, with these files in place of its own.

    Raises:
        discord.HTTPException: Discord refuses it.
        discord.InteractionResponded: the press has been answered already.
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


async def edit_original(client: discord.Client, token: str, layout: Layout) -> None:
    """Edit the message that answers an interaction, by its token.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    await _request(client, _original("PATCH", client, token), _body(layout))


async def delete_original(client: discord.Client, token: str) -> None:
    """Delete the message that answers an interaction, by its token.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    await _request(client, _original("DELETE", client, token))


async def edit_message(
    client: discord.Client, channel_id: int, message_id: int, layout: Layout, files: Sequence[discord.File] = ()
) -> None:
    """Edit a message of the bot in a channel; its files become these, if there are any.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    if files:
        view = PreparedView(layout)
        with handle_message_parameters(view=view, attachments=files, allowed_mentions=NOBODY) as params:
            await client.http.edit_message(channel_id, message_id, params=params)
        return
    with handle_message_parameters(allowed_mentions=NOBODY) as params:
        assert params.payload is not None, "nothing is attached"
        params.payload.update(_body(layout))
        await client.http.edit_message(channel_id, message_id, params=params)


def _original(method: str, client: discord.Client, token: str) -> Route:
    path = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
    assert client.application_id is not None, "messages are reached after the login"
    return Route(method, path, webhook_id=client.application_id, webhook_token=token)


def _body(layout: Layout) -> dict[str, Any]:
    return {"components": layout, "flags": _COMPONENTS_V2, "allowed_mentions": NOBODY.to_dict()}


async def _request(client: discord.Client, route: Route, payload: dict[str, Any] | None = None) -> None:
    http = client.http
    session: Any = http._HTTPClient__session  # type: ignore[attr-defined]  # as discord.py's own webhooks take it
    await async_context.get().request(route, session, payload=payload, proxy=http.proxy, proxy_auth=http.proxy_auth)
