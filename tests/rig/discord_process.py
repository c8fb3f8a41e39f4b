"""The process of the rig's Discord. It says where it listens (`Served`), and serves until it is killed."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection

from aiohttp import web

from bot.sandbox.api import Api, new_application
from bot.sandbox.world import FakeDiscord
from tests.rig.air import Air
from tests.rig.control import Control
from tests.rig.wire import Served

HOST = "127.0.0.1"


def main(line: Connection, people: list[str]) -> None:
    """Serve a Discord with these members on a free port."""
    asyncio.run(_serve(line, people))


async def _serve(line: Connection, people: list[str]) -> None:
    world = FakeDiscord(people, bot_name="Kem's", guild_name="Kem's", channel_name="kems", guild_locale="fr")
    air = Air()
    api = Api(world)
    api.gateway.delay = air.gateway_delay
    application = new_application()
    application.middlewares.append(air.middleware)
    application.add_routes([*api.routes(), *Control(world, api, air).routes()])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, HOST, 0).start()
    served = Served(
        address=f"{HOST}:{runner.addresses[0][1]}",
        users=dict(zip(people, world.users, strict=True)),
        guild_id=world.guild_id,
        channel_id=world.channel_id,
        bot_id=world.backend.bot_user.id,
    )
    line.send(served)
    await asyncio.Event().wait()
