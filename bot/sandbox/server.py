"""Runs the sandbox: a Discord on loopback, a bot connected to it, a page for each viewer.

It must not know which bot it runs.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, AsyncExitStack
from dataclasses import dataclass

import discord
from aiohttp import web

from bot.sandbox.discord.serving import HOST, LoopbackDiscord, served
from bot.sandbox.discord.world import World
from bot.sandbox.page import Page, slug_of

_TOKEN = "sandbox"  # any text does: the sandbox checks none
_QUIET_S = 0.1  # how long discord.py waits at a start for a further server; the sandbox has one
_LOOPBACK = (HOST, "localhost")


class SandboxError(Exception):
    """The sandbox cannot start; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class SandboxInfo:
    """Where a running sandbox is found.

    - `addresses`: the page of each viewer, by name.
    - `beside`: the page of the first two viewers side by side; None for a single one.
    - `users`: the user id of each viewer, by name.
    """

    addresses: Mapping[str, str]
    beside: str | None
    users: Mapping[str, int]
    guild_id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class Setting:
    """What a sandbox shows, on a server that is a Community. Locales are Discord's.

    - `locale`: the server's own, which its public messages have; None: that of the first browser.
    - `locales`: a page opens in the one that its browser asks for.
    - `welcome`: the layout of the bot's first message in each of `locales`.
    """

    viewers: Sequence[str] = ("Léa", "Bruno", "Chloé", "Dora")
    locale: str | None = "fr"
    locales: Sequence[str] = ("fr", "en-US")
    welcome: Mapping[str, Sequence[Mapping[str, object]]] | None = None


Connect = Callable[[str, Callable[[], discord.Client], float], AbstractContextManager[discord.Client]]
"""Makes a client that talks to an address, and is ready so many seconds after the last server that it hears of."""


async def serve(
    make_client: Callable[[], discord.Client],
    client_at: Connect,
    *,
    port: int,
    setting: Setting | None = None,
    on_ready: Callable[[SandboxInfo], Awaitable[None]] | None = None,
) -> None:
    """Run `make_client()` against a new simulated Discord until this is cancelled.

    Meanwhile, every discord.py client made in this process talks to the sandbox.

    Args:
        make_client: Makes the bot's client.
        client_at: Makes a client that talks to an address.
        port: The port of the pages and of Discord; 0 for any free one.
        setting: What the sandbox shows.
        on_ready: Awaited once the bot is ready.

    Raises:
        SandboxError: The port is taken, a setting makes no sense, or the bot stops by itself.
    """
    setting = setting or Setting()
    names = {slug_of(name): name for name in setting.viewers}
    simulated = _built(list(names.values()))
    page = Page(simulated, names, locales=setting.locales)
    if setting.locale is not None:
        page.choose_language(setting.locale)

    async with AsyncExitStack() as stack:
        stack.push_async_callback(page.close)
        serving = served(
            simulated, port=port, around_rest=page.around_rest, routes=page.routes(), middlewares=[_same_origin]
        )
        try:
            await stack.enter_async_context(serving)
        except OSError as error:
            raise SandboxError(
                f"cannot listen on {HOST}:{port} ({error.strerror}); choose another port, or 0 for any free one"
            ) from error
        address = simulated.address
        info = SandboxInfo(
            addresses={name: f"http://{address}/{slug}" for slug, name in names.items()},
            beside=f"http://{address}/beside/{'/'.join([*names][:2])}" if len(names) > 1 else None,
            users={user.name: user.id for user in simulated.users},
            guild_id=simulated.guilds[0].id,
            channel_id=simulated.channels[0].id,
        )

        async def announce() -> None:
            if setting.welcome is not None:
                page.post_welcome(setting.welcome)
            if on_ready is not None:
                await on_ready(info)

        with client_at(address, make_client, _QUIET_S) as client:
            await _run_client(client, announce)


def _built(names: Sequence[str]) -> LoopbackDiscord:
    world = World()
    users = [world.add_user(name) for name in names]
    guild = world.add_guild(world.bot.name, users)
    return LoopbackDiscord(world, users, [guild], [world.add_channel(guild, "kems")])


async def _run_client(client: discord.Client, on_ready: Callable[[], Awaitable[None]]) -> None:
    async with client:
        # Nothing is awaited between these lines: whatever ends this, both tasks are ended below.
        running = asyncio.create_task(client.start(_TOKEN))
        ready = asyncio.create_task(client.wait_until_ready())
        try:
            await asyncio.wait((running, ready), return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                await on_ready()
            await running
            raise SandboxError("the bot stopped by itself; its log says why")
        finally:
            ready.cancel()
            await client.close()
            running.cancel()
            await asyncio.gather(running, ready, return_exceptions=True)


@web.middleware
async def _same_origin(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse other web sites that are open in the same browser: they reach loopback too.

    Raises:
        HTTPForbidden: The request comes from another web site.
    """
    origin = request.headers.get("Origin")
    foreign = origin is not None and origin != f"http://{request.host}"
    if foreign or request.url.host not in _LOOPBACK:
        raise web.HTTPForbidden(text="the sandbox answers its own pages only")
    return await handler(request)
