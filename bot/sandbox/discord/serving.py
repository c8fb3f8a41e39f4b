"""Starts the Discord on loopback, in this process or in one of its own.

Its REST API (v10) over HTTP reads a request, hands it to its route, and writes the answer.
Source: https://discord.com/developers/docs/reference
"""

import logging
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from email.utils import formatdate
from typing import Any

import msgspec
from aiohttp import BodyPartReader, web

from bot.sandbox.discord import errors
from bot.sandbox.discord.components import Fault
from bot.sandbox.discord.errors import DiscordError
from bot.sandbox.discord.gateway import Gateway
from bot.sandbox.discord.objects import Channel, Guild, Upload, User
from bot.sandbox.discord.people import People
from bot.sandbox.discord.routes import answers, application, messages, places
from bot.sandbox.discord.routes.routing import ROUTES, Call, shape_of
from bot.sandbox.discord.world import World

API = "/api/v10"
_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
_HEADERS = {"Content-Type": "application/json"}  # discord.py wants exactly this, without a charset
REGISTERED = (answers, application, messages, places)
"""The modules whose import registers the routes."""
HOST = "127.0.0.1"
_LARGEST_UPLOAD = 32 << 20  # bytes


class LoopbackDiscord:
    """A Discord that can be served: its world, and `people`, who act for its members."""

    def __init__(self, world: World, users: list[User], guilds: list[Guild], channels: list[Channel]) -> None:
        self.world = world
        self.users = users
        self.guilds = guilds
        self.channels = channels
        self.gateway = Gateway(world)
        self.people = People(world)
        self.address = ""

    def examine(self, _call: Call, _is_known: bool) -> Sequence[Fault]:
        """Return the faults of a request's body that Discord would refuse; none here, tests override it."""
        return ()

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request."""
        path = request.path.removeprefix(API)
        try:
            call = await _read(request, path)
            answer = self.carry_out(call, request)
        except DiscordError as error:
            return web.Response(body=_encode(error.body()), status=error.status, headers={**_HEADERS, **error.headers})
        if answer is None:
            return web.Response(status=204)
        return web.Response(body=_encode(answer), headers=_HEADERS)

    def carry_out(self, call: Call, request: web.Request) -> Any:
        """Return the JSON to answer; None for 204.

        Raises:
            DiscordError: Discord refuses the request.
        """
        shape = call.shape
        if (call.method, shape) == ("GET", "gateway"):
            return {"url": self.gateway.address_json(request.host)["url"]}
        if (call.method, shape) == ("GET", "gateway/bot"):
            return self.gateway.address_json(request.host)
        handler = ROUTES.get((call.method, shape))
        faults = self.examine(call, handler is not None)
        if handler is None:
            _log.error("this Discord knows no route %s %s", call.method, shape)
            raise errors.no_route()
        if faults:
            raise errors.invalid_form(faults)
        return handler(self.world, call)


@asynccontextmanager
async def served(
    discord: LoopbackDiscord,
    *,
    port: int = 0,
    around_rest: Callable[[Any], Any] = lambda handler: handler,
    around_gateway: Callable[[Any], Any] = lambda handler: handler,
    routes: Iterable[web.AbstractRouteDef] = (),
    middlewares: Iterable[Any] = (),
) -> AsyncIterator[LoopbackDiscord]:
    """Serve a Discord on a port, 0 for any free one.

    Args:
        discord: The Discord.
        port: The port.
        around_rest: Returns the handler of REST requests, given the usual one.
        around_gateway: Returns the handler of gateway connections, given the usual one.
        routes: Further routes of the server.
        middlewares: Middlewares of the server.

    Raises:
        OSError: The port is taken.
    """
    connect = around_gateway(discord.gateway.connect)
    application = web.Application(client_max_size=_LARGEST_UPLOAD, middlewares=middlewares)
    application.add_routes([
        web.get("/gateway", connect),
        web.get("/gateway/", connect),
        web.route("*", API + "/{path:.*}", around_rest(discord.handle)),
        *routes,
    ])  # fmt: skip

    async def date(_request: web.Request, response: web.StreamResponse) -> None:
        response.headers["Date"] = formatdate(discord.world.now() / 1000, usegmt=True)

    application.on_response_prepare.append(date)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, port).start()
        discord.address = f"{HOST}:{runner.addresses[0][1]}"
        yield discord
    finally:
        await runner.cleanup()


async def _read(request: web.Request, path: str) -> Call:
    shape, ids = shape_of(path)
    body: Any = None
    uploads: list[Upload] = []
    if request.content_type.startswith("multipart/"):
        body, uploads = await _parts(request)
    elif request.can_read_body and (raw := await request.read()):
        try:
            body = _decode(raw)
        except msgspec.DecodeError:
            raise DiscordError(400, 50109, "The request body contains invalid JSON.") from None
    query = dict(request.query) if request.query_string else {}
    reason = request.headers.get("X-Audit-Log-Reason")
    return Call(request.method, path, shape, ids, body, uploads, query, reason)


async def _parts(request: web.Request) -> tuple[Any, list[Upload]]:
    body: Any = {}
    uploads: list[Upload] = []
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        data = bytes(await part.read())
        if part.filename is not None:
            kind = part.headers.get("Content-Type", "application/octet-stream")
            uploads.append(Upload(part.name or "", part.filename, data, kind))
        elif part.name == "payload_json":
            body = _decode(data)
    return body, uploads
