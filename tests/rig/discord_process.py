"""The process of the rig's Discord. It says where it listens (`Served`), and serves until it is killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection

from tests.rig.air import Air
from tests.rig.control import Control
from tests.rig.discord.serving import LoopbackDiscord, built, served
from tests.rig.wire import Served


def main(
    line: Connection, people: list[str], guilds: int = 1, shards: int = 1, at_once: int = 1, ahead_ms: int = 0
) -> None:
    """Serve a Discord with these members on a free port; see `built`."""
    asyncio.run(_serve(line, built(people, guilds=guilds, shards=shards, at_once=at_once, ahead_ms=ahead_ms)))


async def _serve(line: Connection, discord: LoopbackDiscord) -> None:
    async with opened(discord) as (_, _air):
        line.send(told(discord))
        await asyncio.Event().wait()


@asynccontextmanager
async def opened(discord: LoopbackDiscord) -> AsyncIterator[tuple[LoopbackDiscord, Air]]:
    """Serve a Discord, with its weather and the members' control, in this process."""
    air = Air(discord.limits)
    discord.gateway.delay = air.gateway_delay
    control = Control(discord, air)
    async with served(
        discord, around_rest=air.around_rest, around_gateway=air.around_gateway, routes=control.routes()
    ) as listening:
        yield listening, air


def told(discord: LoopbackDiscord) -> Served:
    """Where a Discord listens, and who is there."""
    return Served(
        address=discord.address,
        users={user.name: user.id for user in discord.users},
        guild_id=discord.guilds[0].id,
        channel_id=discord.channels[0].id,
        bot_id=discord.world.bot.id,
        channels={channel.guild_id: channel.id for channel in discord.channels},
    )
