"""All live messages of this process, found by message, channel and server: what Discord says of one reaches it here."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

import discord

from bot.base.clock import Clock
from bot.discord.messages.live_message import LiveContext, LiveMessage, Spot
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.illustrations import Illustrator, Look
from bot.discord.places.members import Members
from bot.discord.places.outage import Reason
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.rate_limits.pace import Slot
from bot.discord.text.texts import Texts
from bot.tables.hub import RightsChanged
from bot.tables.live_tables import Index


class LiveMessages:
    """One for the whole process. `context` is for new messages."""

    def __init__(
        self,
        client: discord.Client,
        clock: Clock,
        requests: BotRequests,
        emojis: CustomEmojis,
        illustrator: Illustrator,
    ) -> None:
        self.context = LiveContext(client, clock, requests, emojis, illustrator, self._placed)
        self.members = Members(client, clock)
        self._all: dict[int, LiveMessage] = {}
        self._by_message, self._by_channel, self._by_server = Index(), Index(), Index()

    def __iter__(self) -> Iterator[LiveMessage]:
        return iter(tuple(self._all.values()))

    def add(self, message: LiveMessage) -> None:
        self._all[id(message)] = message
        self._placed(message)

    def drop(self, message: LiveMessage) -> None:
        """Forget a message. It is not stopped: its last edit may be due."""
        self._all.pop(id(message), None)
        for index in (self._by_message, self._by_channel, self._by_server):
            index.drop(id(message))

    def is_at(self, message_id: int) -> bool:
        return message_id in self._by_message

    def sees_chat(self, *, channel_id: int | None = None, message_id: int | None = None) -> bool:
        """Whether what is written in that channel, or reactions to that message, concern a live message."""
        ids = self._by_channel.ids(channel_id or 0) or self._by_message.ids(message_id or 0)
        return any(self._all[number].sees_chat for number in ids)

    def at(self, message_id: int) -> LiveMessage | None:
        return next(iter(self._found(self._by_message.ids(message_id))), None)

    def in_channel(self, channel_id: int) -> list[LiveMessage]:
        return self._found(self._by_channel.ids(channel_id))

    def in_server(self, guild_id: int) -> list[LiveMessage]:
        return self._found(self._by_server.ids(guild_id))

    def servers(self) -> Iterable[int]:
        return self._by_server

    # ------------------------------------------------------------------ what Discord says

    def deleted(self, message_ids: Collection[int]) -> None:
        for message_id in message_ids:
            if (message := self.at(message_id)) is not None:
                message.deleted()

    def channel_lost(self, channel_id: int, reason: Reason) -> None:
        for message in self.in_channel(channel_id):
            message.lose(reason)

    def removed(self, guild_id: int) -> None:
        for message in self.in_server(guild_id):
            message.lose(Reason.REMOVED)

    def served(self, guild_ids: Iterable[int]) -> None:
        """Discord serves these servers (again): their messages may be out of date."""
        for message in [message for guild_id in guild_ids for message in self.in_server(guild_id)]:
            message.writer.recover()
            message.retry_if_allowed()
            message.ask()

    def rights_changed(self, changed: RightsChanged) -> None:
        guild_id, channel_id = changed.guild_id, changed.channel_id
        for message in self.in_server(guild_id) if channel_id is None else self.in_channel(channel_id):
            message.retry_if_allowed()

    def give_up(self, guild_ids: Collection[int]) -> None:
        """Write nothing more in these servers: another process goes on with them."""
        for message in [message for guild_id in guild_ids for message in self.in_server(guild_id)]:
            message.stop()
            self.drop(message)

    def stop(self) -> None:
        for message in self:
            message.stop()

    def _placed(self, message: LiveMessage) -> None:
        if id(message) in self._all:
            spot = message.spot
            self._by_message.put(id(message), () if spot.message_id is None else (spot.message_id,))
            self._by_channel.put(id(message), (spot.channel_id,))
            self._by_server.put(id(message), (spot.guild_id,))

    def _found(self, numbers: Iterable[int]) -> list[LiveMessage]:
        return [self._all[number] for number in numbers]


class Notice(LiveMessage):
    """A message that everything goes on without. It is posted once, and deleted when there is nothing to say."""

    is_dispensable = True
    comes_back = False

    def __init__(
        self,
        context: LiveContext,
        about: Mapping[str, int],
        texts: Texts,
        spot: Spot,
        look: Callable[[], Look | None],
        nonce: str,
        users: Collection[int] | bool = (),
        interval: float | None = None,
    ) -> None:
        """It is deleted when `look` returns None. `users` are mentioned; True: all that it names, and roles.

        `interval`: seconds between two edits; None: as for other messages.
        """
        super().__init__(context, about, texts, spot)
        self._nonce = nonce
        self._edit_interval = interval
        self._say = look
        mentioned = users if isinstance(users, bool) else [discord.Object(user_id) for user_id in users]
        self.mentions = discord.AllowedMentions(everyone=False, roles=users is True, users=mentioned)

    @property
    def nonce(self) -> str:
        return self._nonce

    def look(self) -> Look | None:
        return self._say()

    def _interval(self, is_urgent: bool) -> float:
        return super()._interval(is_urgent) if self._edit_interval is None else self._edit_interval

    async def _show(self, slot: Slot) -> None:
        if self.look() is not None:
            await super()._show(slot)
            return
        if self.spot.message_id is not None:
            await slot.request_in_turn()
            place = self.context.client.get_partial_messageable(self.spot.channel_id, guild_id=self.spot.guild_id)
            await place.get_partial_message(self.spot.message_id).delete()
        self.is_over = True
