"""Starts the Discord on loopback, in this process or in one of its own."""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from email.utils import formatdate
from typing import Any

import yarl
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.sandbox.discord.assumptions import PLAIN, Assumptions
from bot.sandbox.discord.gateway import Gateway
from bot.sandbox.discord.limits import RateLimits
from bot.sandbox.discord.moderator import Moderator
from bot.sandbox.discord.objects import Channel, Guild, User
from bot.sandbox.discord.people import People
from bot.sandbox.discord.recorder import Recorder
from bot.sandbox.discord.rest import API, Rest
from bot.sandbox.discord.state import wall_clock
from bot.sandbox.discord.world import World

HOST = "127.0.0.1"
_LARGEST_UPLOAD = 32 << 20  # bytes


class LoopbackDiscord:
    """A Discord that can be served: its world, and the hands of those who live there. ``shards``, ``at_once``: see
    `Gateway`."""

    def __init__(
        self,
        world: World,
        users: list[User],
        guilds: list[Guild],
        channels: list[Channel],
        *,
        shards: int = 1,
        at_once: int = 1,
    ) -> None:
        self.world = world
        self.users = users
        self.guilds = guilds
        self.channels = channels
        self.gateway = Gateway(world, shards, at_once)
        self.recorder = Recorder()
        self.limits = RateLimits(assumptions=world.assumptions, channel_of=world.channel_of)
        self.people = People(world)
        self.moderator = Moderator(world)
        self.address = ""


def built(
    names: Sequence[str],
    *,
    guilds: int = 1,
    shards: int = 1,
    at_once: int = 1,
    ahead_ms: int = 0,
    assumptions: Assumptions = PLAIN,
) -> LoopbackDiscord:
    """Guilds with one channel each, in which all these people are members; the first owns them.

    ``ahead_ms``: how far Discord's clock is ahead of this machine's.
    """
    world = World(now=lambda: wall_clock() + ahead_ms)
    world.assumptions = assumptions
    users = [world.add_user(name) for name in names]
    made = [world.add_guild(f"{world.bot.name} {number}", users) for number in range(1, guilds + 1)]
    channels = [world.add_channel(guild, "kems") for guild in made]
    return LoopbackDiscord(world, users, made, channels, shards=shards, at_once=at_once)


@asynccontextmanager
async def served(
    discord: LoopbackDiscord,
    *,
    host: str = HOST,
    port: int = 0,
    around_rest: Callable[[Any], Any] = lambda handler: handler,
    around_gateway: Callable[[Any], Any] = lambda handler: handler,
    routes: Iterable[web.AbstractRouteDef] = (),
    middlewares: Iterable[Any] = (),
) -> AsyncIterator[LoopbackDiscord]:
    """Listen on a port, 0 for any free one. ``around_...`` wrap the handlers; ``routes`` are added.

    Raises:
        OSError: the port is taken.
    """
    connect = around_gateway(discord.gateway.connect)
    rest = Rest(discord.world, discord.gateway, discord.recorder, discord.limits)
    application = web.Application(client_max_size=_LARGEST_UPLOAD, middlewares=middlewares)
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
        await web.TCPSite(runner, host, port).start()
        bound = runner.addresses[0][1]
        discord.address = f"[{host}]:{bound}" if ":" in host else f"{host}:{bound}"
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
