"""The world's objects as Discord writes them in JSON.

Source: the object tables of https://discord.com/developers/docs/resources/ (message, channel, guild, user, emoji).
"""

from bot.sandbox.discord.components import media_of, walk
from bot.sandbox.discord.objects import SPOKEN, Channel, Emoji, Guild, Interaction, Json, Member, Message, Role, User
from bot.sandbox.discord.permissions import permissions_in
from bot.sandbox.discord.state import State, timestamp


def user_json(user: User) -> Json:
    """Return a user."""
    return {
        "id": str(user.id),
        "username": user.name.casefold().replace(" ", "_"),
        "discriminator": "0",
        "global_name": None if user.is_bot else user.name,
        "avatar": None,
        "bot": user.is_bot,
        "public_flags": 0,
    }


def member_json(member: Member, *, with_user: bool = True) -> Json:
    """Return a member."""
    payload: Json = {
        "nick": member.nick,
        "avatar": None,
        "roles": [str(role) for role in member.roles],
        "joined_at": timestamp(member.joined_ms),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "communication_disabled_until": None if member.timed_out_ms is None else timestamp(member.timed_out_ms),
    }
    return {**payload, "user": user_json(member.user)} if with_user else payload


def role_json(role: Role) -> Json:
    """Return a role."""
    return {
        "id": str(role.id),
        "name": role.name,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": role.position,
        "permissions": str(role.permissions),
        "managed": role.is_managed,
        "mentionable": role.is_mentionable,
        "flags": 0,
    }


def emoji_json(emoji: Emoji, author: User | None = None) -> Json:
    """Return a custom emoji; `author` is the user who has uploaded it."""
    payload: Json = {
        "id": str(emoji.id),
        "name": emoji.name,
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": emoji.is_available,
    }
    return payload if author is None else {**payload, "user": user_json(author)}


def channel_json(channel: Channel) -> Json:
    """Return a channel or a thread."""
    payload: Json = {"id": str(channel.id), "type": channel.type, "last_message_id": _text(channel.last_message_id)}
    payload |= {"guild_id": str(channel.guild_id), "name": channel.name, "parent_id": _text(channel.parent_id)}
    if not channel.is_thread:
        overwrites = [
            {"id": str(key), "type": 0, "allow": str(allowed), "deny": str(denied)}
            for key, (allowed, denied) in channel.overwrites.items()
        ]
        payload |= {"position": 0, "permission_overwrites": overwrites, "nsfw": False, "topic": None}
        return payload | {"bitrate": 64_000, "user_limit": 0, "rtc_region": None} if channel.type in SPOKEN else payload
    return payload | {
        "owner_id": str(channel.owner_id),
        "member_count": len(channel.thread_members),
        "message_count": len(channel.messages),
        "total_message_sent": len(channel.messages),
        "rate_limit_per_user": 0,
        "flags": 0,
        "thread_metadata": {
            "archived": channel.is_archived,
            "auto_archive_duration": channel.auto_archive_minutes,
            "archive_timestamp": timestamp(channel.archive_ms),
            "locked": channel.is_locked,
            "invitable": True,
            "create_timestamp": timestamp(channel.archive_ms),
        },
    }


def thread_member_json(thread: Channel, user_id: int) -> Json:
    """Return a user's membership of a thread."""
    joined = timestamp(thread.thread_members[user_id])
    return {"id": str(thread.id), "user_id": str(user_id), "join_timestamp": joined, "flags": 0}


def guild_json(guild: Guild) -> Json:
    """Return a guild, without its members and channels."""
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner_id),
        "preferred_locale": guild.locale,
        "features": guild.features,
        "roles": [role_json(role) for role in guild.roles.values()],
        "emojis": [emoji_json(emoji) for emoji in guild.emojis.values()],
        "stickers": [],
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "afk_timeout": 300,
        "system_channel_flags": 0,
        "system_channel_id": None,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
    }


def guild_create_json(world: State, guild: Guild, *, with_emojis: bool, with_members: bool) -> Json:
    """Return a guild as the gateway describes it.

    Members other than the bot need the members intent, emojis the expressions intent; threads must be active and
    accessible.
    Source: https://discord.com/developers/docs/events/gateway-events#guild-create
    """
    members = guild.members.values() if with_members else (guild.members[world.bot.id],)
    threads = [c for c in guild.channels.values() if c.is_thread and not c.is_archived and world.bot_sees(c)]
    payload = guild_json(guild) | {
        "joined_at": timestamp(guild.joined_ms),
        "large": False,
        "unavailable": False,
        "member_count": len(guild.members),
        "voice_states": [],
        "members": [member_json(member) for member in members],
        "channels": [channel_json(channel) for channel in guild.channels.values() if not channel.is_thread],
        "threads": [thread_json(world, thread) for thread in threads],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [*guild.events.values()],
        "soundboard_sounds": [],
    }
    return payload if with_emojis else payload | {"emojis": []}


def thread_json(world: State, thread: Channel) -> Json:
    """Return a thread, with the bot's membership if it has one."""
    payload = channel_json(thread)
    if world.bot.id in thread.thread_members:
        payload["member"] = thread_member_json(thread, world.bot.id)
    return payload


def message_json(world: State, message: Message, *, in_event: bool = False) -> Json:
    """Return a message; in a gateway event also its server and its author's membership."""
    author = world.users[message.author_id]
    payload: Json = {
        "id": str(message.id),
        "channel_id": str(message.channel_id),
        "type": message.type,
        "content": message.content,
        "author": user_json(author),
        "timestamp": timestamp(message.made_ms),
        "edited_timestamp": None if message.edited_ms is None else timestamp(message.edited_ms),
        "tts": False,
        "mention_everyone": False,
        "mentions": [user_json(world.users[user]) for user in message.mentions],
        "mention_roles": [str(role) for role in message.role_mentions],
        "attachments": _unshown(message),
        "embeds": [],
        "components": message.components,
        "pinned": False,
        "flags": message.flags,
    }
    if message.nonce is not None:
        payload["nonce"] = message.nonce
    if message.reactions:
        payload["reactions"] = [_reaction(world, key, users) for key, users in message.reactions.items()]
    if author.is_bot:
        payload["application_id"] = str(world.application_id)
    if message.token is not None:  # what an interaction's token posted is a webhook's message
        payload["webhook_id"] = str(world.application_id)
    if message.interaction_metadata is not None:
        payload["interaction_metadata"] = message.interaction_metadata
    if message.replied_to is not None:
        payload["message_reference"] = {
            "type": 0, "message_id": str(message.replied_to), "channel_id": str(message.channel_id),
        }  # fmt: skip
        replied = world.channel(message.channel_id).messages.get(message.replied_to)
        payload["referenced_message"] = None if replied is None else message_json(world, replied)
    if message.thread_id is not None:
        guild_id = world.channel(message.channel_id).guild_id
        payload["message_reference"] = {"type": 0, "channel_id": str(message.thread_id), "guild_id": str(guild_id)}
    if in_event:
        guild = world.guild_of(message.channel_id)
        if guild is not None:
            payload["guild_id"] = str(guild.id)
            if message.author_id in guild.members:
                payload["member"] = member_json(guild.members[message.author_id], with_user=False)
    return payload


def _unshown(message: Message) -> list[Json]:
    """Return the files that no component shows.

    Source: https://discord.com/developers/docs/resources/message#message-object-message-structure, `attachments`
    """
    shown = {media.get("attachment_id") for _, part in walk(message.components) for media in media_of(part)}
    return [file for file in message.attachments if file["id"] not in shown]


def without_content(payload: Json) -> Json:
    """Return a message as a bot without the message-content intent gets it.

    Source: https://discord.com/developers/docs/events/gateway#message-content-intent
    """
    return {**payload, "content": "", "attachments": [], "components": []}


def interaction_json(world: State, interaction: Interaction, data: Json, locale: str) -> Json:
    """Return an interaction. `locale`: the language of the member's client.

    Source: https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object
    """
    guild = world.guilds[interaction.guild_id]
    channel = guild.channels[interaction.channel_id]
    bits = permissions_in(guild, channel, interaction.user_id)
    member = member_json(guild.members[interaction.user_id])
    payload: Json = {
        "id": str(interaction.id),
        "application_id": str(world.application_id),
        "type": interaction.type,
        "data": data,
        "guild": {"id": str(guild.id), "locale": guild.locale, "features": guild.features},
        "guild_id": str(guild.id),
        "channel": {**channel_json(channel), "permissions": str(bits)},
        "channel_id": str(channel.id),
        "member": {**member, "permissions": str(bits)},
        "token": interaction.token,
        "version": 1,
        "app_permissions": str(permissions_in(guild, channel, world.bot.id)),
        "locale": locale,
        "guild_locale": guild.locale,
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(guild.id)},
        "context": 0,
        "attachment_size_limit": 10 << 20,
    }
    if interaction.source is not None:
        payload["message"] = message_json(world, interaction.source)
    return payload


def emoji_key_json(key: str) -> Json:
    """Return an emoji as reactions name it: a character, or `name:id`."""
    name, _, number = key.partition(":")
    return {"id": number or None, "name": name}


def _reaction(world: State, key: str, users: list[int]) -> Json:
    count = len(users)
    details = {"burst": 0, "normal": count}
    is_own = world.bot.id in users
    return {"count": count, "count_details": details, "me": is_own, "me_burst": False, "emoji": emoji_key_json(key),
            "burst_colors": []}  # fmt: skip


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)
