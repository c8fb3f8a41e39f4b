"""The Discord client: intents, events and commands. `bot.compose` gives it its features."""

import asyncio
import sys
from collections.abc import Callable, Collection, Iterator
from functools import partial
from inspect import isawaitable
from typing import Any, Final

import aiohttp
import discord
import structlog
import yarl

from bot.base import metrics
from bot.base.background import Tasks
from bot.base.errors import StoreError
from bot.base.settings import Settings
from bot.base.worker import Job
from bot.discord.api.absent_fields import fill_answers
from bot.discord.api.aiohttp_internals import ListeningConnector
from bot.discord.api.discord_internals import (
    ManyShardsClient,
    Parser,
    PressInteraction,
    forget_guild,
    parsers_of,
    serve_shards,
    shard_count,
    use_connector,
)
from bot.discord.api.error_codes import OutageReason
from bot.discord.gateway.command_tree import CatalogueTranslator, CommandRegistration, KemsTree, command_groups
from bot.discord.gateway.gateway_events import filter_events, filters, skip_unreadable
from bot.discord.gateway.shard_keeper import ShardKeeper
from bot.discord.interactions.rooms import Rooms
from bot.discord.interactions.router import ROUTED, Router
from bot.discord.places.outage import ChannelLost
from bot.discord.places.permissions import BotTimeouts, everyone_sees
from bot.discord.rate_limits.responses import InvalidRequests
from bot.discord.rate_limits.throttling import record_answer
from bot.discord.text.texts import texts_for
from bot.tables.cluster import Shard
from bot.tables.hub import OpenChannels, RightsChanged, ServersLost, ServersReached

LEAVE_S: Final = 6.0
"""Longest time to stop everything, in seconds, before the connection is closed."""

_log = structlog.get_logger(__name__)


class KemsClient(ManyShardsClient):
    """The client of one process of the bot, with a connection for each shard that it serves (`ShardKeeper`)."""

    def __init__(self, settings: Settings, wire: Callable[["KemsClient"], Rooms]) -> None:
        """Set the client up with the bot's features.

        The activity under the bot's name is sent as each shard identifies: discord.py's `change_presence` needs the
        connection of a single shard.

        Args:
            settings: They say which intents are needed, and where the commands are registered.
            wire: Makes the rooms for this client, with all features.

        Raises:
            ValueError: Two features answer the same verb.
        """
        activity_name = f"Kem's · /{texts_for(settings.default_locale).command_name('start')}"
        # Messages that mention the bot, its replies among them, carry their text without the privileged intent. The
        # intent `expressions` brings the emojis of servers, which may be signs; `guild_scheduled_events` tells of a
        # night's event that somebody deletes. No intent here is privileged but one.
        intents = discord.Intents(
            guilds=True,
            expressions=True,
            guild_scheduled_events=True,
            guild_reactions=True,
            guild_messages=True,
            message_content=settings.message_content,
        )
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            status=discord.Status.online,
            activity=discord.CustomActivity(activity_name),
        )
        self.invalid = InvalidRequests(changed=self._shut_out)
        self.rooms = wire(self)
        self.features = self.rooms.features
        for kind, handlers in (heard for feature in self.features for heard in feature.hears):
            self.rooms.hub.subscribe(kind, *handlers)
        parsers = parsers_of(self)
        parsers["INTERACTION_CREATE"] = partial(self._read_interaction, parsers["INTERACTION_CREATE"])
        parsers["READY"] = partial(self._read_ready, parsers["READY"])
        filter_events(parsers, filters(self.rooms.live, self.rooms.rivals.hear_post))
        skip_unreadable(parsers)
        self.router = Router(self.rooms.admission, self.rooms.directory, self.features)
        self.groups = command_groups(self.features)
        self.tree = KemsTree(self, self.rooms.admission)
        guild_id = settings.dev_guild_id
        self._dev_guild = None if guild_id is None else discord.Object(guild_id)
        self.registration = CommandRegistration(self.tree, self._dev_guild)
        self.keeper = ShardKeeper(
            self,
            self.rooms.store.cluster,
            [resource for feature in self.features for resource in feature.of_shards],
            (self.registration, *(job for feature in self.features for job in feature.of_leader)),
            serves=partial(serve_shards, self),
            requests_changed=self._share_requests,
            save=self.rooms.memory.save,
            leave_tables=self.rooms.erasure.leave_tables,
        )
        self.socket = self.keeper.socket
        self.timeouts = BotTimeouts(self._rights_changed)
        self._serving = Tasks()
        self._leaving = asyncio.Lock()
        self._has_left = False

    async def setup_hook(self) -> None:
        """Load commands and emojis, and restore the tables of this process's shards."""
        await self.tree.set_translator(CatalogueTranslator())
        for group in self.groups:
            self.tree.add_command(group, guild=self._dev_guild)
        await self.rooms.emojis.load()
        await self.keeper.start(shard_count(self))

    async def login(self, token: str) -> None:
        """Log in with a connector that passes every response to the rate limits and to the clock."""
        fill_answers(self)
        requests, panels = self.rooms.requests.on_answer, self.rooms.panel_requests.on_answer
        listeners = (self.rooms.clock.on_answer, record_answer, requests, panels, self.invalid.on_answer)
        use_connector(self, ListeningConnector(*listeners, before=self._check_request))
        await super().login(token)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Keep this process's shards connected until cancelled."""
        await self.keeper.run()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify again."""
        if not initial:  # before a first connection the keeper has waited already
            await self.keeper.identify(shard_id or 0)

    async def close(self) -> None:
        """Wait for running presses, stop all features, release the shards and close the connection.

        After `LEAVE_S` seconds, for example if the store does not respond, the connection is closed anyway.
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
        self.invalid.stop()
        await self.rooms.admission.close()
        for stop in (stop for feature in reversed(self.features) for stop in feature.stops):
            if isawaitable(done := stop()):
                await done
        for job in (*self._jobs(), *self.keeper.of_leader):
            await job.stop()
        await self.rooms.directory.close()
        await self.keeper.close()  # before another process takes its shards
        await self.rooms.close()

    def _jobs(self) -> Iterator[Job]:
        return (job for feature in self.features for job in feature.jobs)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Stop the clocks of the servers of a shard whose connection is lost."""
        metrics.GATEWAY_EVENTS.labels(shard_id, "disconnected").inc()
        shard = self._shard(shard_id)
        with_tables = self.rooms.directory.ids_with_tables(shard.has)
        self.rooms.hub.publish(ServersLost({*with_tables, *(guild.id for guild in self.guilds if shard.has(guild.id))}))

    async def on_shard_ready(self, shard_id: int) -> None:
        """Serve the servers of a shard with a new session, and start all jobs."""
        metrics.GATEWAY_EVENTS.labels(shard_id, "ready").inc()
        await self._serve_shard(shard_id, has_missed=True)
        for job in self._jobs():
            job.start()
        await self.keeper.lead()
        for guild in [guild for guild in self.guilds if self._shard(shard_id).has(guild.id) and not guild.unavailable]:
            self._tell_open(guild)  # channels may have been hidden while no bot ran

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Serve the servers of a shard whose session was resumed."""
        metrics.GATEWAY_EVENTS.labels(shard_id, "resumed").inc()
        await self._serve_shard(shard_id)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a press or a modal submission."""
        await self.router.on_interaction(interaction)

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Publish a reaction, which may be a gesture."""
        await self.rooms.hub.publish_and_wait(payload)

    async def on_message(self, message: discord.Message) -> None:
        """Publish a message, which may be a gesture."""
        if self.rooms.admission.may_act():
            await self.rooms.hub.publish_and_wait(message)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Post a live message again after its deletion."""
        self.rooms.live.deleted({payload.message_id})

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Post live messages again after their deletion."""
        self.rooms.live.deleted(payload.message_ids)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Begin outages of the messages in a channel that was deleted."""
        self._channel_lost(ChannelLost(channel.id, OutageReason.CHANNEL_GONE))
        self._tell_open(channel.guild)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Begin outages of the messages in a thread that was deleted, by itself or with its channel."""
        parent = self.get_channel(payload.parent_id)  # a thread is deleted with its channel as well
        parent_id = None if parent is None else parent.id
        self._channel_lost(ChannelLost(payload.thread_id, OutageReason.CHANNEL_GONE, parent_id))
        if (guild := self.get_guild(payload.guild_id)) is not None:
            self._tell_open(guild, payload.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Begin outages of the messages in a server from which the bot was removed."""
        self.rooms.live.removed(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Serve a server to which the bot was added."""
        await self._serve({guild.id})

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Stop the clocks of a server that Discord cannot serve."""
        self.rooms.hub.publish(ServersLost({guild.id}))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Serve a server that Discord can serve again."""
        await self._serve({guild.id}, has_missed=True)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Retry refused requests if the bot's permissions in a channel have changed; publish who sees the channel."""
        me = after.guild.me
        if before.permissions_for(me) != after.permissions_for(me):
            self._rights_changed(after.guild.id)
        if everyone_sees(before) != everyone_sees(after):
            self._tell_open(after.guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Retry refused requests if a role has changed; publish what @everyone sees."""
        if (before.permissions, before.position) != (after.permissions, after.position):
            self._rights_changed(after.guild.id)
        if after.is_default() and before.permissions.view_channel != after.permissions.view_channel:
            self._tell_open(after.guild)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Retry refused requests: a channel may have denied the bot something by a role that is now deleted."""
        self._rights_changed(role.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry refused requests if the bot's roles or its timeout have changed.

        Without the members intent, Discord sends this event for the bot itself alone:
        https://discord.com/developers/docs/events/gateway#list-of-intents
        """
        if after == after.guild.me:
            self.timeouts.look(after.guild)
        if (before.roles, before.timed_out_until) != (after.roles, after.timed_out_until):
            self._rights_changed(after.guild.id)

    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """Retry what a closed thread had refused; stop writing in a thread that was locked and archived.

        In such a thread Discord accepts no answer to a press or a command.

        Source: https://github.com/discord/discord-api-docs/issues/5517
        """
        parent = after.parent
        if after.archived and after.locked and parent is not None:
            if not parent.permissions_for(after.guild.me).manage_threads:
                self._channel_lost(ChannelLost(after.id, OutageReason.CLOSED, parent.id))
        else:
            self._rights_changed(after.guild.id, after.id)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Retry what was refused in a thread that the bot was added to, or that was unarchived."""
        await self.on_thread_update(thread, thread)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        """Log an error in an event handler."""
        error = sys.exception()
        if isinstance(error, StoreError):
            _log.warning("event.not_saved", event_name=event_method, problem=str(error))
        else:
            _log.exception("event.failed", event_name=event_method)

    def _read_interaction(self, parse: Parser, payload: Any) -> None:
        """Dispatch presses and modal submissions past discord.py's store of views; let `parse` read all else.

        The store would fail at fields that a tampered client leaves out (`ConnectionState.parse_interaction_create`).
        """
        if payload["type"] in ROUTED:
            self.dispatch("interaction", PressInteraction(payload, self))
        else:
            parse(payload)

    def _read_ready(self, parse: Parser, payload: Any) -> None:
        """Remove servers of the shard that a new session does not list from the cache, then let `parse` go on.

        discord.py's cache for several shards would keep a server that has removed the bot in the meantime. Its event
        `shard_ready` comes two seconds later, when the shard may already have another session.
        """
        listed, shard = {int(guild["id"]) for guild in payload["guilds"]}, self._shard(payload["shard"][0])
        for guild in self.guilds:
            if shard.has(guild.id) and guild.id not in listed:
                forget_guild(self, guild)
        self.rooms.live.is_in(listed, shard.has)
        parse(payload)

    def _share_requests(self, most: int) -> None:
        self.rooms.requests.share(most)
        self.rooms.panel_requests.share(self.rooms.store.cluster.neighbours)

    def _rights_changed(self, guild_id: int, channel_id: int | None = None) -> None:
        self.rooms.hub.publish(RightsChanged(guild_id, channel_id))

    def _tell_open(self, guild: discord.Guild, gone_thread_id: int | None = None) -> None:
        channel_ids = [each.id for each in guild.channels if everyone_sees(each)]
        self.rooms.hub.publish(OpenChannels(guild.id, channel_ids, gone_thread_id))

    def _channel_lost(self, lost: ChannelLost) -> None:
        self.rooms.hub.publish(lost)
        self.rooms.live.channel_lost(lost.channel_id, lost.reason)

    def _shard(self, number: int) -> Shard:
        return Shard(number, shard_count(self) or 1)

    async def _serve_shard(self, number: int, *, has_missed: bool = False) -> None:
        shard = self._shard(number)
        guilds = [guild for guild in self.guilds if shard.has(guild.id)]
        await self._serve({guild.id for guild in guilds if not guild.unavailable}, has_missed=has_missed)

    def _shut_out(self, is_shut_out: bool) -> None:
        """Stop all clocks while Discord refuses all requests from this address, though events still come."""
        if is_shut_out:
            with_tables = self.rooms.directory.ids_with_tables(lambda _guild_id: True)
            self.rooms.hub.publish(ServersLost({*with_tables, *(guild.id for guild in self.guilds)}))
        else:
            self._serving.start(self._serve({guild.id for guild in self.guilds if not guild.unavailable}))

    async def _serve(self, guild_ids: Collection[int], *, has_missed: bool = False) -> None:
        if self.invalid.is_shut_out:  # they will be served once the address is let in
            return
        for guild in [self.get_guild(guild_id) for guild_id in guild_ids]:
            if guild is not None and not guild.unavailable:
                self.timeouts.look(guild)
        await self.rooms.hub.publish_and_wait(ServersReached(guild_ids, has_missed))

    def _check_request(self, url: yarl.URL) -> None:
        """Check that a request may be sent: not while another process may be serving this one's tables.

        Connections to the gateway are allowed, since they show nothing that could be out of date.

        Raises:
            aiohttp.ClientConnectionError: The request must not be sent.
        """
        if not self.rooms.admission.may_act() and url.scheme not in ("ws", "wss"):
            raise aiohttp.ClientConnectionError("this process has lost touch with its database")
        self.invalid.check(url.path)
