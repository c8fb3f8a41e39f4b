"""All live messages of this process by message, channel and server, to which events of Discord are handed on."""

from collections.abc import Callable, Collection, Iterable, Iterator

import discord

from bot.base.clock import Clock
from bot.discord.api.error_codes import OutageReason
from bot.discord.messages.live_message import LiveMessage
from bot.discord.messages.posted_message import LiveContext, PostedMessage
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.illustrations import Illustrator
from bot.discord.places.members import Members
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.text.texts import Texts
from bot.tables.cluster import ShardResource
from bot.tables.hub import RightsChanged
from bot.tables.live_tables import KeyIndex
from bot.tables.table_store import ServerFilter


class LiveMessages(ShardResource):
    """The live messages of the process; `context` is for new ones."""

    def __init__(
        self,
        client: discord.Client,
        clock: Clock,
        requests: BotRequests,
        emojis: CustomEmojis,
        illustrator: Illustrator,
        nonce_of: Callable[[str], str] = str,
    ) -> None:
        self.context = LiveContext(client, clock, requests, emojis, illustrator, self._placed, nonce_of)
        self.members = Members(client, clock)
        self._all: dict[int, LiveMessage] = {}
        self._by_message, self._by_channel, self._by_server = KeyIndex(), KeyIndex(), KeyIndex()

    def __iter__(self) -> Iterator[LiveMessage]:
        return iter(tuple(self._all.values()))

    def add(self, message: LiveMessage) -> None:
        """Add a message."""
        self._all[id(message)] = message
        self._placed(message)

    def drop(self, message: LiveMessage) -> None:
        """Remove a message without stopping it, since its last edit may still be due."""
        self._all.pop(id(message), None)
        for index in (self._by_message, self._by_channel, self._by_server):
            index.drop(id(message))

    def is_at(self, message_id: int) -> bool:
        """Return whether a live message has this id."""
        return message_id in self._by_message

    def sees_chat(self, *, channel_id: int | None = None, message_id: int | None = None) -> bool:
        """Return whether messages in that channel, or reactions to that message, concern a live message."""
        ids = self._by_channel.ids(channel_id or 0) or self._by_message.ids(message_id or 0)
        return any(self._all[number].sees_chat for number in ids)

    def at(self, message_id: int) -> LiveMessage | None:
        """Return the live message with this id; None if there is none."""
        return next(iter(self._found(self._by_message.ids(message_id))), None)

    def in_channel(self, channel_id: int) -> list[LiveMessage]:
        """Return the live messages of a channel."""
        return self._found(self._by_channel.ids(channel_id))

    def in_server(self, guild_id: int) -> list[LiveMessage]:
        """Return the live messages of a server."""
        return self._found(self._by_server.ids(guild_id))

    def is_settled(self, channel_id: int) -> bool:
        """Return whether all live messages in a channel show a final state."""
        return all(message.is_settled for message in self.in_channel(channel_id))

    def has_talk(self, channel_id: int) -> bool:
        """Return whether people have written in a channel with tables since the bot started."""
        return any(message.has_talk for message in self.in_channel(channel_id))

    # ------------------------------------------------------------------ what Discord says

    def deleted(self, message_ids: Collection[int]) -> None:
        """Post the live messages among these deleted messages again."""
        for message_id in message_ids:
            if (message := self.at(message_id)) is not None:
                message.deleted()

    def channel_lost(self, channel_id: int, reason: OutageReason) -> None:
        """Begin outages of the messages in a channel."""
        for message in self.in_channel(channel_id):
            message.lose(reason)

    def is_in(self, guild_ids: Collection[int], servers: ServerFilter) -> None:
        """Begin outages in those of `servers` that the bot has left; `guild_ids` are the servers that it is in."""
        for guild_id in self._by_server:
            if servers(guild_id) and guild_id not in guild_ids:
                self.removed(guild_id)

    def removed(self, guild_id: int) -> None:
        """Begin outages of the messages in a server from which the bot was removed."""
        for message in self.in_server(guild_id):
            message.lose(OutageReason.REMOVED)

    def served(self, guild_ids: Iterable[int]) -> None:
        """Bring the messages of these servers up to date, now that Discord serves them again."""
        for message in [message for guild_id in guild_ids for message in self.in_server(guild_id)]:
            message.writer.recover()
            message.retry_if_allowed()
            message.request_update()

    def rights_changed(self, changed: RightsChanged) -> None:
        """Retry refused messages in a server, or in one of its channels, after a change of permissions."""
        guild_id, channel_id = changed.guild_id, changed.channel_id
        for message in self.in_server(guild_id) if channel_id is None else self.in_channel(channel_id):
            message.retry_if_allowed()

    def problems(self, guild_id: int, texts: Texts) -> list[str]:
        """Return lines about what Discord refuses in a server: one for each channel and kind of message."""
        of_channels = {}
        for message in self.in_server(guild_id):
            if (line := message.problem_line(texts)) is not None:
                of_channels[type(message), message.address.channel_id] = line
        lost = self.context.refusals.lines(guild_id, self.context.client.get_guild(guild_id), texts)
        return [*of_channels.values(), *lost]

    async def release(self, servers: ServerFilter) -> None:
        """Stop and remove all messages of these servers, which another process takes over."""
        for message in [
            message for guild_id in self._by_server if servers(guild_id) for message in self.in_server(guild_id)
        ]:
            message.stop()
            self.drop(message)

    def stop(self) -> None:
        """Stop all messages."""
        for message in self:
            message.stop()

    def _placed(self, message: PostedMessage) -> None:
        if id(message) in self._all:
            address = message.address
            self._by_message.put(id(message), () if address.message_id is None else (address.message_id,))
            self._by_channel.put(id(message), (address.channel_id,))
            self._by_server.put(id(message), (address.guild_id,))

    def _found(self, numbers: Iterable[int]) -> list[LiveMessage]:
        return [self._all[number] for number in numbers]
