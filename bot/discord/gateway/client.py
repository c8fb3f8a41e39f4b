"""The Discord client: intents, events and commands. `bot.compose` gives it its parts."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import isawaitable
from typing import Any, Final, Protocol, Self

import aiohttp
import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.state import AutoShardedConnectionState

from bot.base import metrics
from bot.base.errors import StoreError
from bot.discord.api.absent_fields import complete_answers
from bot.discord.api.error_codes import Reason
from bot.discord.api.interactions import PressInteraction
from bot.discord.gateway.bot_timeouts import BotTimeouts
from bot.discord.gateway.command_tree import CatalogueTranslator, CommandRegistration, KemsTree, command_groups
from bot.discord.gateway.gateway_events import Parser, filter_events, filters, skip_unreadable
from bot.discord.gateway.shard_keeper import Job, ShardKeeper
from bot.discord.interactions.admission.admission import Admission
from bot.discord.interactions.feature import Feature
from bot.discord.interactions.router import ROUTED, Router
from bot.discord.messages.live_messages import LiveMessages
from bot.discord.messages.panel_memory import PanelMemory
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.places.permissions import everyone_sees
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.rate_limits.pace import note_answer
from bot.discord.rate_limits.panel_requests import PanelRequests
from bot.discord.rate_limits.responses import InvalidRequests, ListeningConnector, OnAnswer
from bot.tables.cluster import Cluster, Shard
from bot.tables.directory import TableDirectory
from bot.tables.erasure import Erasure
from bot.tables.hub import Hub, OpenChannels, RightsChanged, ServersLost, ServersReached, ShardGivenUp

LEAVE_S: Final = 6.0
"""How long everything that is left to do may take together when the bot stops."""

_log = structlog.get_logger(__name__)


class TableMessages(Protocol):
    """The messages of tables, as far as events of the gateway concern them."""

    @property
    def panels(self) -> "Panels": ...

    def lost_sight(self, guild_ids: Sequence[int]) -> None:
        """Events of these servers may have been missed."""

    def is_in(self, guild_ids: Collection[int], is_ours: Callable[[int], bool]) -> None:
        """The bot is in these servers, and in no other one of a shard."""

    def reacted(self, message_id: int, emoji: str) -> None:
        """A message carries a reaction."""

    def written(self, channel_id: int, message_id: int) -> None:
        """Something was written in a channel."""

    def channel_lost(self, channel_id: int, reason: Reason, parent_id: int | None = None) -> None:
        """A channel or thread was deleted or closed."""


class Panels(Protocol):
    """The private panels of tables."""

    @property
    def memory(self) -> PanelMemory: ...


class Gestures(Protocol):
    """Reads gestures off the events of the gateway."""

    async def posted(self, message: discord.Message) -> None:
        """A message was posted. Raises StoreError."""

    async def reacted(self, payload: discord.RawReactionActionEvent) -> None:
        """A reaction was added. Raises StoreError."""


class NightThreads(Protocol):
    """The threads of game nights."""

    def thread_started(self, message: discord.Message) -> None:
        """Discord says in a channel that the bot has opened a thread."""


class Nights(Protocol):
    """The running game nights."""

    @property
    def messages(self) -> NightThreads: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the bot that the client passes events on to.

    `jobs` are done by each process for its own servers, `of_leader` by one process for all. When the bot ends, `stops`
    are called in their order, then the jobs are stopped, and `last` are called when nothing is served any more.
    """

    hub: Hub
    cluster: Cluster
    features: Sequence[Feature]
    live: LiveMessages
    messages: TableMessages
    requests: BotRequests
    panel_requests: PanelRequests
    emojis: CustomEmojis
    directory: TableDirectory
    nights: Nights
    admission: Admission
    erasure: Erasure
    gestures: Gestures
    jobs: Sequence[Job]
    of_leader: Sequence[Job]
    stops: Sequence[Callable[[], object]]
    last: Sequence[Callable[[], Awaitable[None]]]


class KemsClient(discord.Client):
    """One process of the bot, with a connection for each shard that it serves (`bot.discord.gateway.shard_keeper`).

    Raises ValueError when two features answer the same verb.
    """

    _connection: AutoShardedConnectionState[Self]

    def __init__(
        self,
        wire: Callable[["KemsClient"], Parts],
        dev_guild_id: int | None,
        hear: OnAnswer,
        *,
        message_content: bool,
        shown: str,
    ) -> None:
        """`hear` gets every answer of Discord. `shown` stands under the bot's name: each shard identifies with it.

        discord.py's `change_presence` needs the connection of one shard, which this client does not have.
        """
        # Messages that mention the bot, its replies among them, carry their text without the privileged intent. The
        # intent `expressions` brings the emojis of servers, which may be signs; `guild_scheduled_events` tells of a
        # night's event that somebody deletes. No intent here is privileged but one.
        intents = discord.Intents(
            guilds=True,
            expressions=True,
            guild_scheduled_events=True,
            guild_reactions=True,
            guild_messages=True,
            message_content=message_content,
        )
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            status=discord.Status.online,
            activity=discord.CustomActivity(shown),
        )
        self._hear = hear
        self.invalid = InvalidRequests()
        self.parts = wire(self)
        parsers = self._connection.parsers
        parsers["INTERACTION_CREATE"] = partial(self._read_interaction, parsers["INTERACTION_CREATE"])
        parsers["READY"] = partial(self._read_ready, parsers["READY"])
        filter_events(parsers, filters(self.parts.live))
        skip_unreadable(parsers)
        self.router = Router(self.parts.admission, self.parts.directory, self.parts.features)
        self.groups = command_groups(self.parts.features)
        self.tree = KemsTree(self, self.parts.admission)
        self._dev_guild = None if dev_guild_id is None else discord.Object(dev_guild_id)
        self.registration = CommandRegistration(self.tree, self._dev_guild)
        self.parts.hub.subscribe(ShardGivenUp, self._forget_servers)
        self.keeper = ShardKeeper(
            self,
            self.parts.cluster,
            self.parts.hub,
            (self.registration, *self.parts.of_leader),
            serves=self._serves,
            requests_changed=self._share_requests,
            save=self.parts.messages.panels.memory.save,
            let_go=self.parts.erasure.let_go,
        )
        self.timeouts = BotTimeouts(self._rights_changed)
        self._leaving = asyncio.Lock()
        self._has_left = False

    async def setup_hook(self) -> None:
        await self.tree.set_translator(CatalogueTranslator())
        for group in self.groups:
            self.tree.add_command(group, guild=self._dev_guild)
        await self.parts.emojis.load()
        await self.keeper.begin(self._connection.shard_count)

    async def login(self, token: str) -> None:
        complete_answers(self)
        self.http.connector = ListeningConnector(
            self._hear,
            note_answer,
            self.parts.requests.hear,
            self.parts.panel_requests.hear,
            self.invalid.hear,
            before=self._check_request,
        )
        await super().login(token)

    async def connect(self, *, reconnect: bool = True) -> None:
        await self.keeper.run()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        if not initial:  # else the keeper has waited before it connected
            await self.keeper.identify(shard_id or 0)

    async def close(self) -> None:
        """Finishes what was begun, stops timers and writers, then closes the connection.

        What is not finished after `LEAVE_S` seconds, because the store does not answer, is given up.
        """
        async with self._leaving:  # a second call waits, so that it does not cut the connection meanwhile
            if not self._has_left:
                self._has_left = True
                try:
                    async with asyncio.timeout(LEAVE_S):
                        await self._leave()
                except TimeoutError:
                    _log.warning("leaving.cut_short", seconds=LEAVE_S)
            await super().close()

    async def _leave(self) -> None:
        self.timeouts.stop()
        await self.parts.admission.close()
        for stop in self.parts.stops:
            if isawaitable(done := stop()):
                await done
        for job in (*self.parts.jobs, self.registration, *self.parts.of_leader):
            await job.stop()
        await self.parts.directory.close()
        await self.keeper.close()  # before another process takes its shards
        for close in self.parts.last:
            await close()

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Discord cannot be reached for the servers of that shard: their clocks stop."""
        metrics.GATEWAY_EVENTS.labels(shard_id, "disconnected").inc()
        shard = self._shard(shard_id)
        with_tables = self.parts.directory.among(shard.has)
        self.parts.hub.publish(ServersLost({*with_tables, *(guild.id for guild in self.guilds if shard.has(guild.id))}))

    async def on_shard_ready(self, shard_id: int) -> None:
        metrics.GATEWAY_EVENTS.labels(shard_id, "ready").inc()
        self.parts.messages.lost_sight([guild.id for guild in self.guilds if self._shard(shard_id).has(guild.id)])
        await self._serve_shard(shard_id)
        for job in self.parts.jobs:
            job.begin()
        await self.keeper.lead()
        for guild in [guild for guild in self.guilds if self._shard(shard_id).has(guild.id) and not guild.unavailable]:
            self._tell_open(guild)  # channels may have been hidden while no bot ran

    async def on_shard_resumed(self, shard_id: int) -> None:
        metrics.GATEWAY_EVENTS.labels(shard_id, "resumed").inc()
        await self._serve_shard(shard_id)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await self.router.on_interaction(interaction)

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        self.parts.messages.reacted(payload.message_id, str(payload.emoji))
        await self._reacted(payload)

    async def on_message(self, message: discord.Message) -> None:
        if not self.parts.admission.may_act():
            return
        if message.type is discord.MessageType.thread_created and message.author == self.user:
            self.parts.nights.messages.thread_started(message)
            return
        is_own_line = message.author == self.user and bool(message.content)  # such as a reminder
        if not (is_own_line or message.flags.ephemeral):
            self.parts.messages.written(message.channel.id, message.id)
        if self.parts.admission.lets_begin():
            await self.parts.gestures.posted(message)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        self.parts.live.deleted({payload.message_id})

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        self.parts.live.deleted(payload.message_ids)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        self.parts.messages.channel_lost(channel.id, Reason.CHANNEL_GONE)
        self._tell_open(channel.guild)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        parent = self.get_channel(payload.parent_id)  # a thread is deleted with its channel as well
        parent_id = None if parent is None else parent.id
        self.parts.messages.channel_lost(payload.thread_id, Reason.CHANNEL_GONE, parent_id)
        if (guild := self.get_guild(payload.guild_id)) is not None:
            self._tell_open(guild, payload.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self.parts.live.removed(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self._serve({guild.id})

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        self.parts.hub.publish(ServersLost({guild.id}))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        self.parts.messages.lost_sight([guild.id])
        await self._serve({guild.id})

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        me = after.guild.me
        if before.permissions_for(me) != after.permissions_for(me):
            self._rights_changed(after.guild.id)
        if everyone_sees(before) and not everyone_sees(after):
            self._tell_open(after.guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        if (before.permissions, before.position) != (after.permissions, after.position):
            self._rights_changed(after.guild.id)
        if after.is_default() and before.permissions.view_channel and not after.permissions.view_channel:
            self._tell_open(after.guild)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """A channel may have denied something to that role, which the bot had."""
        self._rights_changed(role.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The bot may have been given a role, or a timeout, or that may have been taken back.

        Without the members intent Discord tells a bot of itself alone:
        https://discord.com/developers/docs/events/gateway#list-of-intents
        """
        if after == after.guild.me:
            self.timeouts.look(after.guild)
        if (before.roles, before.timed_out_until) != (after.roles, after.timed_out_until):
            self._rights_changed(after.guild.id)

    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """The thread may be open again. Where it is locked Discord takes no answer to a press or a command.

        Source: https://github.com/discord/discord-api-docs/issues/5517
        """
        parent = after.parent
        if after.archived and after.locked and parent is not None:
            if not parent.permissions_for(after.guild.me).manage_threads:
                self.parts.messages.channel_lost(after.id, Reason.CLOSED, parent.id)
        else:
            self._rights_changed(after.guild.id, after.id)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """The bot was added to a thread, perhaps to a private one that it could not see; or an archived one changed."""
        await self.on_thread_update(thread, thread)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        error = sys.exception()
        if isinstance(error, StoreError):
            _log.warning("event.not_saved", event_name=event_method, problem=str(error))
        else:
            _log.exception("event.failed", event_name=event_method)

    def _read_interaction(self, parse: Parser, payload: Any) -> None:
        """Lead presses and forms past discord.py's views, which this bot does not use; `parse` reads all else.

        The views rely on fields that a tampered client leaves out (`ConnectionState.parse_interaction_create`).
        """
        if payload["type"] in ROUTED:
            self.dispatch("interaction", PressInteraction(payload, self._connection))
        else:
            parse(payload)

    def _read_ready(self, parse: Parser, payload: Any) -> None:
        """Read a session's first event; forget the shard's servers which it does not list.

        discord.py's cache for several shards would keep a server that removed the bot while it was away. It tells that
        a shard is ready two seconds later, when the shard may be cut and taken up again, with no server known yet.
        """
        listed, shard = {int(guild["id"]) for guild in payload["guilds"]}, self._shard(payload["shard"][0])
        for guild in self.guilds:
            if shard.has(guild.id) and guild.id not in listed:
                self._connection._remove_guild(guild)
        self.parts.messages.is_in(listed, shard.has)
        parse(payload)

    def _get_state(self, **options: Any) -> AutoShardedConnectionState[Self]:
        """discord.py's cache for several shards: with the other one, each new connection forgets all servers."""
        own = {"dispatch": self.dispatch, "handlers": self._handlers, "hooks": self._hooks, "http": self.http}
        return AutoShardedConnectionState(**own, **options)

    def _get_websocket(self, guild_id: int | None = None, *, shard_id: int | None = None) -> DiscordWebSocket:
        """The connection of a shard, by which members are asked for."""
        own: DiscordWebSocket | None = self.ws  # of a client that connects by itself
        if own is not None:
            return own
        number = (guild_id or 0) >> 22 if shard_id is None else shard_id
        return self.keeper.socket(number % (self._connection.shard_count or 1))

    def _serves(self, shards: Sequence[int], count: int) -> None:
        """discord.py is ready once all of them are connected."""
        self._connection.shard_ids, self._connection.shard_count = list(shards), count

    def _share_requests(self, most: int) -> None:
        self.parts.requests.share(most)
        self.parts.panel_requests.share(self.parts.cluster.neighbours)

    def _rights_changed(self, guild_id: int, channel_id: int | None = None) -> None:
        self.parts.hub.publish(RightsChanged(guild_id, channel_id))

    def _tell_open(self, guild: discord.Guild, gone_thread_id: int | None = None) -> None:
        channel_ids = [each.id for each in guild.channels if everyone_sees(each)]
        self.parts.hub.publish(OpenChannels(guild.id, channel_ids, gone_thread_id))

    def _forget_servers(self, given_up: ShardGivenUp) -> None:
        for guild in [guild for guild in self.guilds if given_up.shard.has(guild.id)]:
            self._connection._remove_guild(guild)

    def _shard(self, number: int) -> Shard:
        return Shard(number, self._connection.shard_count or 1)

    async def _serve_shard(self, number: int) -> None:
        shard = self._shard(number)
        guilds = [guild for guild in self.guilds if shard.has(guild.id)]
        await self._serve({guild.id for guild in guilds if not guild.unavailable})

    async def _serve(self, guild_ids: Collection[int]) -> None:
        for guild in [self.get_guild(guild_id) for guild_id in guild_ids]:
            if guild is not None and not guild.unavailable:
                self.timeouts.look(guild)
        await self.parts.hub.publish_in_turn(ServersReached(guild_ids))

    def _check_request(self, url: yarl.URL) -> None:
        """Send nothing while another process may serve this one's tables: it would show what is out of date.

        A connection to the gateway shows nothing. It is made all the same: it serves at once when the database answers.
        """
        if not self.parts.admission.may_act() and url.scheme not in ("ws", "wss"):
            raise aiohttp.ClientConnectionError("this process has lost touch with its database")
        self.invalid.check(url.path)

    async def _reacted(self, payload: discord.RawReactionActionEvent) -> None:
        is_own = self.user is not None and payload.user_id == self.user.id
        if not is_own and self.parts.admission.lets_begin():
            await self.parts.gestures.reacted(payload)
