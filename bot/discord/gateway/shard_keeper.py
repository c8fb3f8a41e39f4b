"""Keeps the shards that this process owns: acquires its share of leases, connects, releases those of others."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import isfinite
from typing import Final

import discord
import structlog

from bot.base import metrics
from bot.base.errors import StoreError
from bot.base.worker import Job
from bot.discord.api.discord_internals import (
    ShardConnection,
    Socket,
    forget_guild,
    request,
    stop_reading_content,
)
from bot.discord.api.error_codes import UNAUTHORIZED
from bot.discord.api.requests import FAILED, error_fields
from bot.tables.cluster import Cluster, Shard, ShardResource

GATEWAY: Final = "/gateway/bot"
STARTS: Final = "session_start_limit"
"""The field of Discord's answer that says how many identifies are left."""
LEAST_STARTS: Final = 50
"""If Discord allows fewer identifies until the end of its day, the bot makes none."""
LONGEST_WAIT_S: Final = 600.0
ASK_AGAIN_S: Final = 5.0
LONGEST_LATENCY_S: Final = 30.0
"""A longer latency is an error of discord.py: it drops a connection that does not answer before the next heartbeat."""
LOOK_S: Final = 0.5
"""Seconds between two checks of which shards this process owns and may own."""

CONTENT_LOST: Final = (
    "Discord does not grant the message content intent, so chat messages are no gestures: switch it on in the developer"
    " portal (Bot > Message Content Intent) and restart the bot, or set MESSAGE_CONTENT=0."
)

_log = structlog.get_logger(__name__)


@dataclass(eq=False)
class ShardKeeper:
    """Keeps this process's share of the shards connected, from `start` and `run` until `close`.

    - `of_shards`: what is restored with a shard, in this order, and released with it in reverse order.
    - `of_leader`: jobs that one process does for all.
    - `serves`: called with the shards of this process and the number of all shards.
    - `requests_changed`: called with the requests a second that are this process's share.
    - `save`: saves at once what another process needs to take over.
    - `leave_tables`: removes a user from all tables.
    """

    client: discord.Client
    cluster: Cluster
    of_shards: Sequence[ShardResource]
    of_leader: Sequence[Job]
    serves: Callable[[Sequence[int], int], None]
    requests_changed: Callable[[int], None]
    save: Callable[[], Awaitable[None]]
    leave_tables: Callable[[int], Awaitable[None]]
    _advised: int = 1
    _concurrency: int = 1
    _connections: dict[int, tuple[ShardConnection, asyncio.Task[None]]] = field(default_factory=dict)
    _up: set[int] = field(default_factory=set)
    _leads: bool = False
    _is_told: bool = False
    problem: str | None = None
    """Why this process serves fewer shards than its share; None if it does not."""
    remark: str | None = None
    """What the bot has to do without; None if nothing."""

    @property
    def latencies(self) -> dict[int, float]:
        """Seconds from the last heartbeat to Discord's response, by connected shard.

        A value above `LONGEST_LATENCY_S` is left out: discord.py 2.7 may report the 41 seconds between two heartbeats
        for one that was answered at once.
        """
        return {shard: seconds for shard, seconds in self._connected.items() if seconds < LONGEST_LATENCY_S}

    @property
    def unconnected(self) -> tuple[int, ...]:
        """The shards of this process that are not connected."""
        return tuple(sorted(self._up - self._connected.keys()))

    def socket(self, shard: int) -> Socket:
        """Return the connection of a shard.

        Raises:
            discord.ClientException: It is not connected.
        """
        connection, _ = self._connections.get(shard, (None, None))
        socket = None if connection is None else connection.socket
        if socket is None:
            raise discord.ClientException(f"Shard {shard} is not connected.")
        return socket

    @property
    def _connected(self) -> dict[int, float]:
        latencies = {shard: connection.latency for shard, (connection, _) in self._connections.items()}
        return {shard: seconds for shard, seconds in latencies.items() if isfinite(seconds)}

    async def start(self, shards: int | None) -> None:
        """Join the cluster, and restore the tables of free shards up to this process's share.

        If a shard cannot be restored, `run` tries again.

        Args:
            shards: How many the bot has; None for as many as Discord advises.

        Raises:
            StoreError: The database cannot be used.
        """
        if shards is None:
            gateway = await request(self.client, "GET", GATEWAY)
            self._advised = max(1, gateway["shards"])
            self._concurrency = max(1, gateway[STARTS]["max_concurrency"])
        else:
            self._advised = shards
        await self.cluster.enter(self._advised)
        self._serve(self._up)
        _log.info("shards.entered", shards=self.cluster.count, share=self.cluster.share)
        await self._attempt(self._take_up_share)
        self.requests_changed(self.cluster.requests)

    async def run(self) -> None:
        """Keep this process's share of the shards connected until cancelled.

        Raises:
            discord.DiscordException: discord.py has ended a connection for good.
        """
        while True:
            for shard in sorted(self._up - self._connections.keys()):
                connection = ShardConnection(self.client, shard, self.cluster.count)
                self._connections[shard] = connection, asyncio.create_task(self._connect(connection, shard))
            tasks = [task for _, task in self._connections.values()]
            if tasks:
                await asyncio.wait(tasks, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.sleep(LOOK_S)
            for task in tasks:
                if task.done():
                    task.result()
            await self._attempt(self._look)

    async def _attempt(self, look: Callable[[], Awaitable[None]]) -> None:
        try:
            await look()
            self.problem = None
        except StoreError as error:
            self.problem = str(error)
            _log.warning("shards.not_looked_at", problem=self.problem)

    async def identify(self, shard: int) -> None:
        """Wait until a shard may identify; a row of the database shares Discord's limit between all processes."""
        bucket, turn = shard % self._concurrency, secrets.token_hex(8)
        while True:
            wait = await self._wait_for_turn(bucket, turn) or await self._wait_for_starts()
            if not wait:
                return
            await asyncio.sleep(min(wait, LONGEST_WAIT_S))

    async def _wait_for_turn(self, bucket: int, turn: str) -> float:
        try:
            return await self.cluster.identify_wait(bucket, turn)
        except StoreError:
            return LOOK_S

    async def _wait_for_starts(self) -> float:
        """Return the seconds to wait until the bot may identify; too many identifies a day would reset its token.

        Source: https://discord.com/developers/docs/events/gateway#session-start-limit-object

        Raises:
            discord.LoginFailure: Discord refuses the token.
        """
        if time.monotonic() >= self.cluster.acts_until:
            return LOOK_S  # nothing is sent to Discord until the database answers
        try:
            limits = (await request(self.client, "GET", GATEWAY))[STARTS]
        except FAILED as error:
            if isinstance(error, discord.HTTPException) and error.status == UNAUTHORIZED:
                raise discord.LoginFailure("The token is refused.") from error
            _log.warning("shards.not_connected", again_in_s=ASK_AGAIN_S, **error_fields(error))
            return ASK_AGAIN_S
        if limits["remaining"] >= LEAST_STARTS:
            return 0.0
        wait = float(limits["reset_after"]) / 1000
        until = datetime.fromtimestamp(time.time() + wait, UTC).isoformat(timespec="minutes")
        reason = f"Connections that Discord still allows: {limits['remaining']}. The bot connects again at {until}"
        _log.error("shards.not_connected", reason=reason)
        return wait

    async def close(self) -> None:
        """Close all connections."""
        for shard in tuple(self._connections):
            await self._cut(shard)

    async def lead(self) -> None:
        """Start the leader's jobs if this process is the leader; stop them if it no longer is."""
        if self.cluster.is_leader:
            self._leads = True
            for job in self.of_leader:
                job.start()
        elif self._leads:
            self._leads = False
            for job in self.of_leader:
                await job.stop()

    async def _connect(self, connection: ShardConnection, shard: int) -> None:
        reads_content = self.client.intents.message_content
        await self.identify(shard)  # before the connection: Discord soon closes one that does not identify
        try:
            await connection.connect()
        except discord.PrivilegedIntentsRequired:
            if not reads_content:
                raise
            self.go_on_without_content()
            await self._connect(connection, shard)

    def go_on_without_content(self) -> None:
        """Identify without the message content intent from now on, as Discord may withdraw it, and log that."""
        if self.remark is None:
            self.remark = CONTENT_LOST
            stop_reading_content(self.client)
            _log.error("intent.lost", problem=CONTENT_LOST)

    async def _look(self) -> None:
        if self.cluster.is_lost:
            await self._rejoin()
        self.requests_changed(self.cluster.requests)
        if not self._leads and self.client.application_id is not None:
            await self.cluster.lead()
            await self.lead()
        for user_id in self.cluster.users_to_remove:
            await self.leave_tables(user_id)
        for number in {
            *self.cluster.owned_shards,
            *self.cluster.unknown,
        } - self._up:  # shards whose release has failed before
            await self.cluster.release_lease(number)
        if len(self._up) > self.cluster.share:
            await self._hand_over(max(self._up))
        await self._take_up_share()
        if not self._up and not self._is_told:
            self._is_told = True
            _log.info("shards.waiting", reason="other processes serve all shards", shards=self.cluster.count)

    async def _take_up_share(self) -> None:
        while len(self._up) < self.cluster.share and await self._take_up():
            pass

    async def _take_up(self) -> bool:
        number = await self.cluster.acquire_lease()
        if number is None:
            return False
        shard = Shard(number, self.cluster.count)
        try:
            await self.restore(shard)
        except BaseException:
            await self.release(shard)
            await self.cluster.release_lease(number)
            raise
        self._serve({*self._up, number})
        self._is_told = False
        metrics.LEASE_EVENTS.labels("taken").inc()
        _log.info("shard.taken_up", shard=number, shards=shard.count)
        return True

    async def _hand_over(self, number: int) -> None:
        await self._drop(number)
        await self.save()
        await self.cluster.release_lease(number)
        metrics.LEASE_EVENTS.labels("given_back").inc()
        _log.info("shard.handed_over", shard=number, share=self.cluster.share)

    async def _rejoin(self) -> None:
        """Drop all shards, which other processes have taken over, and join the cluster anew."""
        for number in tuple(self._up):
            metrics.LEASE_EVENTS.labels("lost").inc()
            await self._drop(number)
        await self.lead()
        await self.cluster.enter(self._advised)
        self._serve(self._up)
        _log.info("shards.rejoined", share=self.cluster.share)

    async def _drop(self, number: int) -> None:
        self._serve(self._up - {number})
        await self._cut(number)
        shard = Shard(number, self.cluster.count)
        await self.release(shard)
        for guild in [guild for guild in self.client.guilds if shard.has(guild.id)]:
            forget_guild(self.client, guild)

    async def restore(self, shard: Shard) -> None:
        """Load everything of a shard.

        It is released first, since a late move may have left an outdated table in memory.

        Raises:
            StoreError: The database cannot be read.
        """
        await self.release(shard)
        for resource in self.of_shards:
            await resource.restore(shard.has)

    async def release(self, shard: Shard) -> None:
        """Drop everything of a shard.

        Raises:
            StoreError: Something could not be saved.
        """
        for resource in reversed(self.of_shards):
            await resource.release(shard.has)

    def _serve(self, numbers: set[int]) -> None:
        self._up = numbers
        self.serves(sorted(numbers), self.cluster.count)

    async def _cut(self, number: int) -> None:
        if number not in self._connections:
            return
        connection, task = self._connections.pop(number)
        while not task.done():
            task.cancel()  # repeatedly: Python 3.11's `wait_for`, which discord.py uses, may swallow it
            try:
                await connection.close()
            except FAILED as error:
                _log.debug("shard.not_closed", shard=number, **error_fields(error))
            await asyncio.wait({task}, timeout=LOOK_S)
