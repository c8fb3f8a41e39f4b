"""Starts the Discord on loopback, in this process or in one of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

import yarl
from aiohttp import web

from discord.gateway import DiscordWebSocket
from discord.http import Route
from tests.rig.discord.gateway import Gateway
from tests.rig.discord.limits import RateLimits
from tests.rig.discord.moderator import Moderator
from tests.rig.discord.objects import Channel, Guild, User
from tests.rig.discord.people import People
from tests.rig.discord.recorder import Recorder
from tests.rig.discord.rest import API, Rest
from tests.rig.discord.snowflakes import wall_clock
from tests.rig.discord.world import World

HOST = "127.0.0.1"
_LARGEST_UPLOAD = 32 << 20  # bytes


@dataclass
class LoopbackDiscord:
    """A Discord that is served: its world, and the hands of those who live there."""

    world: World
    gateway: Gateway
    recorder: Recorder
    limits: RateLimits
    people: People
    moderator: Moderator
    users: list[User]
    guilds: list[Guild]
    channels: list[Channel]
    address: str = ""


def built(
    names: Sequence[str],
    *,
    guilds: int = 1,
    shards: int = 1,
    at_once: int = 1,
    bot_name: str = "Kem's",
    ahead_ms: int = 0,
) -> LoopbackDiscord:
    """Guilds with one channel each, in which all these people are members; the first owns them.

    ``at_once``: so many shards may identify at the same time. ``ahead_ms``: how far Discord's clock is ahead of this
    machine's.
    """
    world = World(bot_name, lambda: wall_clock() + ahead_ms)
    users = [world.add_user(name) for name in names]
    made = [world.add_guild(f"{bot_name} {number}", users) for number in range(1, guilds + 1)]
    channels = [world.add_channel(guild, "kems") for guild in made]
    gateway = Gateway(world, shards, at_once)
    return LoopbackDiscord(
        world, gateway, Recorder(), RateLimits(), People(world), Moderator(world), users, made, channels
    )


@asynccontextmanager
async def served(
    discord: LoopbackDiscord,
    *,
    around_rest: Callable[[Any], Any] = lambda handler: handler,
    around_gateway: Callable[[Any], Any] = lambda handler: handler,
    routes: Iterable[web.AbstractRouteDef] = (),
) -> AsyncIterator[LoopbackDiscord]:
    """Listen on a free port. ``around_...`` wrap the handlers; ``routes`` are added."""
    connect = around_gateway(discord.gateway.connect)
    rest = Rest(discord.world, discord.gateway, discord.recorder, discord.limits)
    application = web.Application(client_max_size=_LARGEST_UPLOAD)
    application.add_routes([
        web.get("/gateway", connect),
        web.get("/gateway/", connect),
        web.route("*", API + "/{path:.*}", around_rest(rest.handle)),
        *routes,
    ])  # fmt: skip

    async def date(_request: web.Request, response: web.StreamResponse) -> None:
        response.headers["Date"] = formatdate(discord.world.now() / 1000, usegmt=True)

    application.on_response_prepare.append(date)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, 0).start()
        discord.address = f"{HOST}:{runner.addresses[0][1]}"
        yield discord
    finally:
        await runner.cleanup()


@contextmanager
def discord_at(address: str) -> Iterator[None]:
    """Send every discord.py client of this process to ``address`` (``host:port``) meanwhile."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE = f"http://{address}{API}"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/gateway")
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before
