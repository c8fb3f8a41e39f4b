"""The world: guilds with channels and members, one bot, application emojis, commands; and what happens there.

Everything is synchronous. `listeners` are called with each `Event` that the bot may know of.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.sandbox.discord import payloads
from bot.sandbox.discord.objects import TEXT, Channel, Guild, Interaction, Json, Member, Message, Role, User
from bot.sandbox.discord.permissions import BOT, EVERYBODY
from bot.sandbox.discord.state import State, wall_clock

# Intents: https://discord.com/developers/docs/events/gateway#list-of-intents
GUILDS, GUILD_MEMBERS, GUILD_EXPRESSIONS = 1 << 0, 1 << 1, 1 << 3
GUILD_MESSAGES, GUILD_REACTIONS, MESSAGE_CONTENT = 1 << 9, 1 << 10, 1 << 15
GUILD_SCHEDULED_EVENTS = 1 << 16
ALWAYS: Final = 0


@dataclass(frozen=True, slots=True)
class Event:
    """A dispatch to the shards of a guild (None: to shard 0) that have the intent.

    `bare`: the data for sessions without the message-content intent.
    """

    name: str
    data: Json
    guild_id: int | None
    intent: int
    bare: Json | None = None


class World(State):
    """One bot among people: what happens, and which listeners hear of it. `now` returns milliseconds (Unix epoch)."""

    def __init__(self, bot_name: str = "Kem's", now: Callable[[], int] = wall_clock) -> None:
        super().__init__(bot_name, now)
        self.listeners: list[Callable[[Event], None]] = []
        self.answered: list[Callable[[Interaction], None]] = []

    # ------------------------------------------------------------------ making

    def add_guild(self, name: str, people: Sequence[User]) -> Guild:
        """Add a guild with the bot and these people; the first person owns it."""
        number, now = self.new_id.in_next_millisecond(), self.now()
        guild = Guild(number, name, people[0].id, joined_ms=now, now=self.now)
        guild.roles[number] = Role(number, "@everyone", EVERYBODY, position=0)
        own = Role(self.new_id(), self.bot.name, BOT, position=1, is_managed=True)
        guild.roles[own.id] = own
        guild.members = {user.id: Member(user, now) for user in people}
        guild.members[self.bot.id] = Member(self.bot, now, [own.id])
        self.guilds[number] = guild
        self.emit("GUILD_CREATE", payloads.guild_create_json(self, guild, with_emojis=True, with_members=False), guild)
        return guild

    def add_channel(self, guild: Guild, name: str, kind: int = TEXT) -> Channel:
        """Add a channel to a guild."""
        channel = Channel(self.new_id(), guild.id, name, kind)
        channel.archive_ms = self.now()
        self.keep(guild, channel)
        self.emit("CHANNEL_CREATE", payloads.channel_json(channel), guild)
        return channel

    def add_role(self, guild: Guild, name: str, permissions: int = 0, *, is_mentionable: bool = False) -> Role:
        """Add a role below all others except @everyone."""
        for other in guild.roles.values():
            other.position += other.position > 0
        role = Role(self.new_id(), name, permissions, is_mentionable=is_mentionable)
        guild.roles[role.id] = role
        self.emit("GUILD_ROLE_CREATE", {"guild_id": str(guild.id), "role": payloads.role_json(role)}, guild)
        return role

    def choose_language(self, guild: Guild, locale: str) -> None:
        """Make a guild a Community with this language."""
        guild.locale, guild.features = locale, ["COMMUNITY"]
        self.emit("GUILD_UPDATE", payloads.guild_json(guild), guild)

    def keep(self, guild: Guild, channel: Channel) -> None:
        """Add a channel or thread to a guild without an event."""
        guild.channels[channel.id] = self.channels[channel.id] = channel

    # ------------------------------------------------------------------ telling

    def emit(self, name: str, data: Json, guild: Guild | None, intent: int = GUILDS, bare: Json | None = None) -> None:
        """Send an event to all listeners; while its guild is unavailable, they only learn that it is."""
        if guild is not None and guild.is_unavailable and name != "GUILD_DELETE":
            return
        event = Event(name, data, None if guild is None else guild.id, intent, bare)
        for listener in self.listeners:
            listener(event)

    def _tell(self, name: str, message: Message) -> None:
        """Emit an event about a message, unless the bot cannot see its channel or the message is ephemeral."""
        if not self.listeners or message.is_ephemeral:
            return
        channel = self.channels[message.channel_id]
        if not self.bot_sees(channel):
            return
        payload = payloads.message_json(self, message, in_event=True)
        is_open = message.author_id == self.bot.id or self.bot.id in message.mentions
        bare = None if is_open else payloads.without_content(payload)
        self.emit(name, payload, self.guilds.get(channel.guild_id), GUILD_MESSAGES, bare)

    # ------------------------------------------------------------------ messages

    def post(self, channel: Channel, author_id: int, **fields: Any) -> Message:
        """Add a message. Unless a thread is locked, a post unarchives it.

        Source: https://discord.com/developers/docs/topics/threads#active-archived-threads
        """
        message = Message(self.new_id(), channel.id, author_id, self.now(), **fields)
        channel.messages[message.id] = message
        if not message.is_ephemeral:
            channel.last_message_id = message.id
            if channel.is_archived:
                self.change_thread(channel, is_archived=False)
        if channel.is_thread:  # a mention adds to a thread
            for user_id in message.mentions:
                self.change_thread_member(channel, user_id, present=True)
        self._tell("MESSAGE_CREATE", message)
        return message

    def change(self, message: Message, **fields: Any) -> Message:
        """Change fields of a message, as an edit does."""
        for name, value in fields.items():
            setattr(message, name, value)
        message.edited_ms = self.now()
        self._tell("MESSAGE_UPDATE", message)
        return message

    def delete(self, message: Message) -> None:
        """Delete a message; nothing happens if it is gone."""
        channel = self.channels[message.channel_id]
        if channel.messages.pop(message.id, None) is None:
            return
        if not message.is_ephemeral and self.bot_sees(channel):
            data = {"id": str(message.id), "channel_id": str(channel.id), "guild_id": str(channel.guild_id)}
            self.emit("MESSAGE_DELETE", data, self.guilds.get(channel.guild_id), GUILD_MESSAGES)

    def react(self, message: Message, user_id: int, key: str, *, present: bool) -> None:
        """Add or remove a reaction; `key` is a character or `name:id`."""
        users = message.reactions.setdefault(key, [])
        if (user_id in users) == present:
            return
        if present:
            users.append(user_id)
        else:
            users.remove(user_id)
        if not users:
            del message.reactions[key]
        channel = self.channels[message.channel_id]
        guild = self.guilds.get(channel.guild_id)
        if guild is None or not self.bot_sees(channel):
            return
        data: Json = {
            "user_id": str(user_id),
            "channel_id": str(channel.id),
            "message_id": str(message.id),
            "guild_id": str(guild.id),
            "emoji": payloads.emoji_key_json(key),
            "burst": False,
            "type": 0,
        }
        if present:
            data |= {
                "member": payloads.member_json(guild.members[user_id]),
                "message_author_id": str(message.author_id),
            }
        self.emit(f"MESSAGE_REACTION_{'ADD' if present else 'REMOVE'}", data, guild, GUILD_REACTIONS)

    # ------------------------------------------------------------------ threads

    def open_thread(self, parent: Channel, name: str, kind: int, owner_id: int, number: int | None = None) -> Channel:
        """Open a thread. `number`: its id, if it belongs to a message: that of the message."""
        guild = self.guilds[parent.guild_id]
        thread = Channel(number or self.new_id(), guild.id, name, kind, parent.id, owner_id, archive_ms=self.now())
        thread.thread_members[owner_id] = self.now()
        self.keep(guild, thread)
        if self.bot_sees(thread):
            self.emit("THREAD_CREATE", {**payloads.thread_json(self, thread), "newly_created": True}, guild)
        return thread

    def change_thread(self, thread: Channel, **fields: Any) -> None:
        """Change fields of a thread, such as `is_archived`."""
        for name, value in fields.items():
            setattr(thread, name, value)
        thread.archive_ms = self.now()
        if self.bot_sees(thread):
            self.emit("THREAD_UPDATE", payloads.thread_json(self, thread), self.guilds[thread.guild_id])

    def change_thread_member(self, thread: Channel, user_id: int, *, present: bool) -> None:
        """Add a user to a thread or remove them. Without the members intent, the bot hears only of itself.

        Source: https://discord.com/developers/docs/events/gateway-events#thread-members-update
        """
        guild = self.guilds[thread.guild_id]
        if present:
            thread.thread_members.setdefault(user_id, self.now())
        else:
            thread.thread_members.pop(user_id, None)
        if user_id != self.bot.id:
            return
        if present:
            self.emit("THREAD_CREATE", payloads.thread_json(self, thread), guild)
        update: Json = {"id": str(thread.id), "guild_id": str(guild.id), "member_count": len(thread.thread_members)}
        update |= {"added_members": [payloads.thread_member_json(thread, user_id)]} if present else {}
        update |= {} if present else {"removed_member_ids": [str(user_id)]}
        self.emit("THREAD_MEMBERS_UPDATE", update, guild)

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads, or a thread."""
        guild = self.guilds[channel.guild_id]
        for thread in [c for c in guild.channels.values() if c.parent_id == channel.id and c.is_thread]:
            del guild.channels[thread.id], self.channels[thread.id]
        sees_it = self.bot_sees(channel)
        del guild.channels[channel.id], self.channels[channel.id]
        if channel.is_thread and sees_it:
            data = {"id": str(channel.id), "guild_id": str(guild.id), "parent_id": str(channel.parent_id),
                    "type": channel.type}  # fmt: skip
            self.emit("THREAD_DELETE", data, guild)
        elif not channel.is_thread:
            self.emit("CHANNEL_DELETE", payloads.channel_json(channel), guild)

    # ------------------------------------------------------------------ scheduled events

    def keep_event(self, guild: Guild, event: Json) -> Json:
        """Add a scheduled event to a guild, or replace the one with its id."""
        number = int(event["id"])
        kind = "UPDATE" if number in guild.events else "CREATE"
        guild.events[number] = event
        self.emit(f"GUILD_SCHEDULED_EVENT_{kind}", event, guild, GUILD_SCHEDULED_EVENTS)
        return event

    def remove_event(self, guild: Guild, number: int) -> None:
        """Delete a scheduled event."""
        event = guild.events.pop(number)
        self.emit("GUILD_SCHEDULED_EVENT_DELETE", event, guild, GUILD_SCHEDULED_EVENTS)

    # ------------------------------------------------------------------ members

    def change_roles(self, guild: Guild, user_id: int, role_id: int, *, present: bool) -> None:
        """Give a member a role or take it away. The bot hears of other members only with the members intent.

        Source: https://discord.com/developers/docs/events/gateway#list-of-intents (the note on GUILD_MEMBER_UPDATE)
        """
        member = guild.members[user_id]
        if (role_id in member.roles) == present:
            return
        if present:
            member.roles.append(role_id)
        else:
            member.roles.remove(role_id)
        self.tell_member(guild, member)

    def tell_member(self, guild: Guild, member: Member) -> None:
        """Emit the event that a member has changed. The bot always hears of itself."""
        data = {**payloads.member_json(member), "guild_id": str(guild.id)}
        self.emit("GUILD_MEMBER_UPDATE", data, guild, GUILDS if member.user.id == self.bot.id else GUILD_MEMBERS)
