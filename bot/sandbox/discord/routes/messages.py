"""Routes of messages in channels, and of threads that start from them.

Source: https://discord.com/developers/docs/resources/message
"""

from typing import Final

from bot.sandbox.discord import errors
from bot.sandbox.discord import permissions as may
from bot.sandbox.discord.objects import (
    HAS_THREAD,
    PUBLIC_THREAD,
    TEXT,
    WITH_PUBLIC_THREADS,
    WITHOUT_MESSAGES,
    Channel,
    Json,
    Message,
)
from bot.sandbox.discord.payloads import message_json, thread_json, without_content
from bot.sandbox.discord.routes.bodies import message_fields
from bot.sandbox.discord.routes.routing import Call, route
from bot.sandbox.discord.world import World

_NONCE_MS: Final = 5 * 60_000  # Discord's "past few minutes", in which a nonce posts no second message


@route("POST", "channels/*/messages")
def post(world: World, call: Call) -> Json:
    """Post a message; an enforced nonce that was used in the last minutes returns the earlier message."""
    channel = open_channel(world, call.number(0))
    require(world, channel, may.SEND_MESSAGES_IN_THREADS if channel.is_thread else may.SEND_MESSAGES)
    if channel.type in WITHOUT_MESSAGES:
        raise errors.not_a_text_channel()
    if channel.is_locked and channel.is_archived:
        require_unlocked(world, channel)
    nonce = call.body.get("nonce")
    if nonce is not None and call.body.get("enforce_nonce"):
        for message in reversed(channel.messages.values()):
            if world.now() - message.made_ms > _NONCE_MS:
                break
            if message.nonce == nonce and message.author_id == world.bot.id:
                return message_json(world, message)
    fields = message_fields(world, channel.id, call.body, call.uploads)
    reference = call.body.get("message_reference") or {}
    replied = int(reference["message_id"]) if "message_id" in reference else None
    return message_json(world, world.post(channel, world.bot.id, nonce=nonce, replied_to=replied, **fields))


@route("GET", "channels/*/messages")
def history(world: World, call: Call) -> list[Json]:
    """Return the newest messages of a channel; none without the permission to read its history."""
    channel = open_channel(world, call.number(0))
    if not world.permissions(channel, world.bot.id) & may.READ_MESSAGE_HISTORY:
        return []
    seen = [message for message in reversed(channel.messages.values()) if not message.is_ephemeral]
    return [_read(world, message) for message in seen[: int(call.query.get("limit", 50))]]


@route("GET", "channels/*/messages/*")
def fetch(world: World, call: Call) -> Json:
    """Return a message."""
    message = public_message(world, call)
    require(world, world.channel(message.channel_id), may.READ_MESSAGE_HISTORY)
    return _read(world, message)


@route("PATCH", "channels/*/messages/*")
def edit(world: World, call: Call) -> Json:
    """Edit a message of the bot. Discord accepts no edits in an archived thread.

    Source: https://discord.com/developers/docs/topics/threads#active-archived-threads
    """
    message = public_message(world, call)
    if message.author_id != world.bot.id:
        raise errors.other_author()
    if world.channel(message.channel_id).is_archived:
        raise errors.archived_thread()
    world.change(message, **message_fields(world, message.channel_id, call.body, call.uploads, message))
    return message_json(world, message)


@route("DELETE", "channels/*/messages/*")
def delete(world: World, call: Call) -> None:
    """Delete a message of the bot; messages of others need a permission."""
    message = public_message(world, call)
    if message.author_id != world.bot.id:
        require(world, world.channel(message.channel_id), may.MANAGE_MESSAGES)
    world.delete(message)


# ---------------------------------------------------------------------- threads


@route("POST", "channels/*/messages/*/threads")
def open_under(world: World, call: Call) -> Json:
    """Open a thread under a message; the thread has the message's id."""
    message = public_message(world, call)
    channel = world.channel(message.channel_id)
    require(world, channel, may.CREATE_PUBLIC_THREADS)
    require_kind(channel, PUBLIC_THREAD)
    if message.flags & HAS_THREAD:
        raise errors.thread_exists()
    thread = world.open_thread(channel, call.body["name"], PUBLIC_THREAD, world.bot.id, message.id)
    thread.auto_archive_minutes = int(call.body.get("auto_archive_duration") or 1440)
    world.change(message, flags=message.flags | HAS_THREAD)
    return thread_json(world, thread)


# ---------------------------------------------------------------------- what the bot may reach


def open_channel(world: World, channel_id: int) -> Channel:
    """Return a channel that the bot has access to.

    Raises:
        DiscordError: 10003; 50001, also for a private thread that the bot was not added to.
    """
    channel = world.channel(channel_id)
    if not world.bot_sees(channel):
        raise errors.missing_access()
    return channel


def public_message(world: World, call: Call) -> Message:
    """Return a message that the bot's own token can edit, which excludes ephemeral ones.

    Source: https://github.com/discord/discord-api-docs/issues/3090 (10008 for an ephemeral message)

    Raises:
        DiscordError: 10008; see also `open_channel`.
    """
    channel = open_channel(world, call.number(0))
    message = channel.messages.get(call.number(1))
    if message is None or message.is_ephemeral:
        raise errors.unknown_message()
    return message


def require(world: World, channel: Channel, needed: int) -> None:
    """Check that the bot has these permissions in a channel.

    Raises:
        DiscordError: 50013 if it lacks one.
    """
    needed |= may.VIEW_CHANNEL
    if world.permissions(channel, world.bot.id) & needed != needed:
        raise errors.missing_permissions()


def require_kind(parent: Channel, thread: int) -> None:
    """Check that a channel can have threads of this type; announcement channels have only their own type.

    Source: https://discord.com/developers/docs/topics/threads#available-channel-types

    Raises:
        DiscordError: 50024 if it does not.
    """
    if parent.type not in (WITH_PUBLIC_THREADS if thread == PUBLIC_THREAD else (TEXT,)):
        raise errors.wrong_channel()


def require_unlocked(world: World, thread: Channel) -> None:
    """Check that the bot may write in a thread: a locked one needs the permission to manage threads.

    Raises:
        DiscordError: 50083 if it may not.
    """
    if not world.permissions(thread, world.bot.id) & may.MANAGE_THREADS:
        raise errors.archived_thread()


def _read(world: World, message: Message) -> Json:
    payload = message_json(world, message)
    is_open = world.may_read_content or message.author_id == world.bot.id or world.bot.id in message.mentions
    return payload if is_open else without_content(payload)
