"""What a bot does with an interaction: the callback, and the webhook of its token.

Sources: https://discord.com/developers/docs/interactions/receiving-and-responding (callback, follow-ups, 15 minutes)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tests.rig.discord import errors
from tests.rig.discord.bodies import is_private, message_fields
from tests.rig.discord.objects import (
    AUTOCOMPLETE,
    CHAT_INPUT_COMMAND,
    COMMAND,
    COMPONENT,
    COMPONENTS_V2,
    DEFAULT,
    EPHEMERAL,
    LOADING,
    MODAL_SUBMIT,
    REPLY,
    Interaction,
    Json,
    Message,
    Upload,
)
from tests.rig.discord.payloads import message_json, user_json
from tests.rig.discord.world import World

PONG, MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, FORM = 1, 4, 5, 6, 7, 8, 9
KINDS: Final = {
    PONG: "pong", MESSAGE: "message", DEFERRED: "deferred", DEFERRED_UPDATE: "deferred_update", UPDATE: "update",
    CHOICES: "autocomplete", FORM: "modal",
}  # fmt: skip
"""The callback types by name."""
FIRST_ANSWER_MS: Final = 3_000
TOKEN_MS: Final = 15 * 60_000


def answer(world: World, number: int, token: str, body: Json, uploads: Sequence[Upload]) -> Interaction:
    """Take the first answer to an interaction.

    Raises:
        DiscordError: 10062 after three seconds, 40060 for a second answer, 50035 for an answer that does not fit.
    """
    interaction = world.interactions.get(number)
    if interaction is None or interaction.token != token:
        raise errors.unknown_interaction()
    if interaction.answer_type is not None:
        raise errors.already_acknowledged()
    if world.now() - interaction.made_ms > FIRST_ANSWER_MS:
        raise errors.unknown_interaction()
    kind, data = int(body["type"]), body.get("data") or {}
    _require_fitting(interaction, kind)
    if kind == MESSAGE:
        interaction.original = _post(world, interaction, message_fields(world, data, uploads), is_private(data))
    elif kind == DEFERRED:
        fields = {"flags": LOADING, "content": ""}
        interaction.original = _post(world, interaction, fields, is_private(data))
        interaction.is_loading = True
    elif kind in (DEFERRED_UPDATE, UPDATE):
        interaction.original = interaction.source
    if kind == UPDATE:
        assert interaction.source is not None
        if interaction.source.id not in world.channel(interaction.channel_id).messages:
            raise errors.unknown_message()
        world.change(interaction.source, **message_fields(world, data, uploads, interaction.source))
    elif kind == FORM:
        interaction.form = data
    elif kind == CHOICES:
        interaction.choices = data.get("choices") or []
    interaction.answer_type = kind
    for told in world.answered:
        told(interaction)
    return interaction


def callback_json(world: World, interaction: Interaction) -> Json:
    """Source: https://discord.com/developers/docs/interactions/receiving-and-responding (interaction callback)"""
    told: Json = {"id": str(interaction.id), "type": interaction.type}
    payload: Json = {"interaction": told}
    message = interaction.original
    if interaction.answer_type in (MESSAGE, DEFERRED, UPDATE, DEFERRED_UPDATE) and message is not None:
        told |= {
            "response_message_id": str(message.id),
            "response_message_loading": interaction.is_loading,
            "response_message_ephemeral": message.is_ephemeral,
        }
        if interaction.answer_type in (MESSAGE, UPDATE):
            resource = {"type": interaction.answer_type, "message": message_json(world, message)}
            payload["resource"] = resource
    return payload


def follow_up(world: World, token: str, body: Json, uploads: Sequence[Upload]) -> Message:
    """Post one more message; the first after a deferred answer takes that one's place."""
    interaction = _acknowledged(world, token)
    if interaction.is_loading and interaction.original is not None:
        return _finish(world, interaction, interaction.original, body, uploads)
    return _post(world, interaction, message_fields(world, body, uploads), is_private(body))


def reached(world: World, token: str, which: str) -> Message:
    """The message that a token reaches: ``@original``, or the id of one that it posted.

    A pressed message that is ephemeral is reached as ``@original`` of the press that has changed it, and by its id
    through the token that posted it alone; Discord answers 10008 for the rest. What holds for a public message
    reached by its id through another press's token is not documented: it is refused here as well.

    Raises:
        DiscordError: 401/50027 after fifteen minutes, 10015 before the first answer, 10008.
    """
    interaction = _acknowledged(world, token)
    if which == "@original":
        message = interaction.original
    else:
        message = world.channel(interaction.channel_id).messages.get(int(which))
        if message is not None and message.token != token:
            message = None
    if message is None or message.id not in world.channel(interaction.channel_id).messages:
        raise errors.unknown_message()
    return message


def edit_reached(world: World, token: str, which: str, body: Json, uploads: Sequence[Upload]) -> Message:
    """Edit a message through a token."""
    message = reached(world, token, which)
    interaction = world.by_token[token]
    if interaction.is_loading and message is interaction.original:
        return _finish(world, interaction, message, body, uploads)
    return world.change(message, **message_fields(world, body, uploads, message))


def expire(world: World) -> None:
    """Let every token so far be older than fifteen minutes."""
    for interaction in world.interactions.values():
        interaction.made_ms -= TOKEN_MS + 1


def forget_old(world: World) -> None:
    """Drop interactions that nothing reaches any more."""
    oldest = world.now() - 2 * TOKEN_MS
    for interaction in [one for one in world.interactions.values() if one.made_ms < oldest]:
        del world.interactions[interaction.id], world.by_token[interaction.token]


def _acknowledged(world: World, token: str) -> Interaction:
    interaction = world.by_token.get(token)
    if interaction is None or world.now() - interaction.made_ms > TOKEN_MS:
        raise errors.invalid_webhook_token()
    if interaction.answer_type is None:
        raise errors.unknown_webhook()
    return interaction


def _require_fitting(interaction: Interaction, kind: int) -> None:
    allowed = {
        COMMAND: (MESSAGE, DEFERRED, FORM),
        COMPONENT: (MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, FORM),
        AUTOCOMPLETE: (CHOICES,),
        MODAL_SUBMIT: (MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE),
    }[interaction.type]
    has_source = interaction.source is not None or kind not in (UPDATE, DEFERRED_UPDATE)
    if kind not in allowed or not has_source:
        message = f"a callback of type {kind} does not answer an interaction of type {interaction.type}"
        raise errors.invalid_form([(("type",), "BASE_TYPE_CHOICES", message)])


def _post(world: World, interaction: Interaction, fields: Json, private: bool) -> Message:
    """Add an answer's message; the bot needs no permission to speak for it, nor access to the thread."""
    channel = world.channel(interaction.channel_id)
    if private:
        fields["flags"] = fields.get("flags", 0) | EPHEMERAL
        fields["viewer_id"] = interaction.user_id
    has_answer = interaction.original is not None
    kind = REPLY if has_answer else CHAT_INPUT_COMMAND if interaction.type == COMMAND else DEFAULT
    asked_by = {
        "id": str(interaction.id),
        "type": interaction.type,
        "user": user_json(world.users[interaction.user_id]),
        "authorizing_integration_owners": {"0": str(interaction.guild_id)},
    }
    if interaction.type == COMMAND:
        asked_by["name"] = interaction.command_name
    return world.post(channel, world.bot.id, type=kind, token=interaction.token, asked_by=asked_by, **fields)


def _finish(world: World, interaction: Interaction, message: Message, body: Json, uploads: Sequence[Upload]) -> Message:
    """Fill the message that a deferred answer has promised; whether it is private was said then."""
    interaction.is_loading = False
    fields = message_fields(world, body, uploads, message)
    fields["flags"] = fields["flags"] & ~LOADING | int(body.get("flags") or 0) & COMPONENTS_V2
    return world.change(message, **fields)
