"""Answers to interactions: the callback, and the webhook of the token. Neither needs the bot's own token.

Source: https://discord.com/developers/docs/interactions/receiving-and-responding (callback, follow-ups, 15 minutes)
"""

from collections.abc import Sequence
from typing import Final

from bot.sandbox.discord import errors
from bot.sandbox.discord import objects as o
from bot.sandbox.discord.objects import Interaction, Json, Message, Upload
from bot.sandbox.discord.payloads import message_json, user_json
from bot.sandbox.discord.routes.bodies import is_private, message_fields
from bot.sandbox.discord.routes.routing import Call, route
from bot.sandbox.discord.world import World

MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, FORM = 4, 5, 6, 7, 8, 9
FIRST_ANSWER_MS: Final = 3_000
TOKEN_MS: Final = 15 * 60_000


def answer(world: World, number: int, token: str, body: Json, uploads: Sequence[Upload]) -> Interaction:
    """Accept the first answer to an interaction.

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
    kind, data, where = int(body["type"]), body.get("data") or {}, interaction.channel_id
    _require_fitting(interaction, kind)
    if kind in (MESSAGE, DEFERRED) and (place := world.channel(where)).is_archived and place.is_locked:
        raise errors.archived_thread()  # https://github.com/discord/discord-api-docs/issues/5517
    if kind == MESSAGE:
        interaction.original = _post(world, interaction, message_fields(world, where, data, uploads), is_private(data))
    elif kind == DEFERRED:
        fields = {"flags": o.LOADING, "content": ""}
        interaction.original = _post(world, interaction, fields, is_private(data))
        interaction.is_loading = True
    elif kind in (DEFERRED_UPDATE, UPDATE):
        interaction.original = interaction.source
    if kind == UPDATE:
        assert interaction.source is not None
        if interaction.source.id not in world.channel(where).messages:
            raise errors.unknown_message()
        world.change(interaction.source, **message_fields(world, where, data, uploads, interaction.source))
    elif kind == FORM:
        interaction.form = data
    elif kind == CHOICES:
        interaction.choices = data.get("choices") or []
    interaction.answer_type = kind
    for told in world.answered:
        told(interaction)
    return interaction


def callback_json(world: World, interaction: Interaction) -> Json:
    """Return Discord's description of an answer that was just given.

    Source: https://discord.com/developers/docs/interactions/receiving-and-responding (interaction callback)
    """
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


@route("POST", "interactions/*/*/callback")
def callback(world: World, call: Call) -> Json | None:
    """Accept the first answer to an interaction; return it if the request asks for it."""
    interaction = answer(world, call.number(0), call.ids[1], call.body, call.uploads)
    wants_message = call.query.get("with_response", "").lower() in ("1", "true")
    return callback_json(world, interaction) if wants_message else None


@route("POST", "webhooks/*/*")
def follow_up(world: World, call: Call) -> Json:
    """Post a further message; after a deferred answer, the first one replaces that."""
    interaction, body, uploads = _acknowledged(world, _token(world, call)), call.body, call.uploads
    if interaction.is_loading and interaction.original is not None:
        return message_json(world, _finish(world, interaction, interaction.original, body, uploads))
    fields = message_fields(world, interaction.channel_id, body, uploads)
    return message_json(world, _post(world, interaction, fields, is_private(body)))


@route("GET", "webhooks/*/*/messages/*")
def original(world: World, call: Call) -> Json:
    """Return a message that the token can edit."""
    return message_json(world, reached(world, call)[1])


@route("PATCH", "webhooks/*/*/messages/*")
def edit(world: World, call: Call) -> Json:
    """Edit a message that the token reaches."""
    interaction, message = reached(world, call)
    if interaction.is_loading and message is interaction.original:
        return message_json(world, _finish(world, interaction, message, call.body, call.uploads))
    fields = message_fields(world, message.channel_id, call.body, call.uploads, message)
    return message_json(world, world.change(message, **fields))


@route("DELETE", "webhooks/*/*/messages/*")
def delete(world: World, call: Call) -> None:
    """Delete a message that the token reaches."""
    world.delete(reached(world, call)[1])


def forget_old(world: World) -> None:
    """Forget interactions whose tokens have long expired."""
    oldest = world.now() - 2 * TOKEN_MS
    for interaction in [one for one in world.interactions.values() if one.made_ms < oldest]:
        del world.interactions[interaction.id], world.by_token[interaction.token]


def _token(world: World, call: Call) -> str:
    if call.number(0) != world.application_id:
        raise errors.unknown_webhook()
    return call.ids[1]


def reached(world: World, call: Call) -> tuple[Interaction, Message]:
    """Return the interaction of a token, and the message that the token can edit.

    That is `@original`, or the id of a message that it posted. An ephemeral message that was pressed is `@original` for
    the press that has changed it; by its id, only the token that posted it can edit it. For all else Discord answers
    Unknown Message. For a public message, addressed by its id through another press's token, nothing is documented: it
    is refused here as well.

    Raises:
        DiscordError: The token is older than fifteen minutes or has no answer yet, or reaches no such message.
    """
    token, which = _token(world, call), call.ids[2]
    interaction = _acknowledged(world, token)
    present = world.channel(interaction.channel_id).messages
    message = interaction.original if which == "@original" else present.get(call.number(2))
    if message is None or message.id not in present or (which != "@original" and message.token != token):
        raise errors.unknown_message()
    return interaction, message


def _acknowledged(world: World, token: str) -> Interaction:
    interaction = world.by_token.get(token)
    if interaction is None or world.now() - interaction.made_ms > TOKEN_MS:
        raise errors.invalid_webhook_token()
    if interaction.answer_type is None:
        raise errors.unknown_webhook()
    return interaction


def _require_fitting(interaction: Interaction, kind: int) -> None:
    allowed = {
        o.COMMAND: (MESSAGE, DEFERRED, FORM),
        o.COMPONENT: (MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, FORM),
        o.AUTOCOMPLETE: (CHOICES,),
        o.MODAL_SUBMIT: (MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE),
    }[interaction.type]
    has_source = interaction.source is not None or kind not in (UPDATE, DEFERRED_UPDATE)
    if kind not in allowed or not has_source:
        message = f"a callback of type {kind} does not answer an interaction of type {interaction.type}"
        raise errors.invalid_form([(("type",), "BASE_TYPE_CHOICES", message)])


def _post(world: World, interaction: Interaction, fields: Json, private: bool) -> Message:
    """Add an answer's message; the bot needs no permission to speak for it, nor access to the thread."""
    channel = world.channel(interaction.channel_id)
    if private:
        fields["flags"] = fields.get("flags", 0) | o.EPHEMERAL
        fields["viewer_id"] = interaction.user_id
    has_answer = interaction.original is not None
    kind = o.REPLY if has_answer else o.CHAT_INPUT_COMMAND if interaction.type == o.COMMAND else o.DEFAULT
    asked_by = {
        "id": str(interaction.id),
        "type": interaction.type,
        "user": user_json(world.users[interaction.user_id]),
        "authorizing_integration_owners": {"0": str(interaction.guild_id)},
    }
    if interaction.type == o.COMMAND:
        asked_by["name"] = interaction.command_name
    fields |= {"token": interaction.token, "interaction_metadata": asked_by}
    return world.post(channel, world.bot.id, type=kind, **fields)


def _finish(world: World, interaction: Interaction, message: Message, body: Json, uploads: Sequence[Upload]) -> Message:
    """Fill the message that a deferred answer has promised. Whether it is ephemeral was decided then."""
    interaction.is_loading = False
    fields = message_fields(world, message.channel_id, body, uploads, message)
    fields["flags"] = fields["flags"] & ~o.LOADING | int(body.get("flags") or 0) & o.COMPONENTS_V2
    return world.change(message, **fields)
