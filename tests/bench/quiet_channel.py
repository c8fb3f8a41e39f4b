"""What a chat message and a reaction cost in a channel without a table; beside it discord.py's own reading of them.

Servers send thousands of these a second. The same frames are given to a WebSocket of our client and to one of a plain
client with the same intents, options and guild, neither of which is connected.
"""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final

import discord
import orjson
from discord.gateway import DiscordWebSocket

from bot.compose import build_client
from bot.sandbox.discord import payloads
from bot.sandbox.discord.serving import LoopbackDiscord, built
from bot.settings import Settings
from tests.bench.figures import Figure, Part, Target
from tests.databases import migrated
from tests.rig.runs import in_folder

PEOPLE: Final = 50
EVENTS: Final = 5_000
_KINDS: Final = ("chat message", "reaction")
_IN_TURN: Final = 50
"""After so many frames the event loop runs what they have started."""
_WORDS: Final = "On joue ce soir à neuf heures, qui vient ? "


def bench_quiet_channel(rounds: int = 7, events: int = EVENTS) -> Part:
    """Each round reads all frames of a kind once with each client."""
    part = Part(
        "A channel without a table",
        f"{events} events of the gateway a round, in a server where nobody plays: from the decoded event to the end of"
        " all that it starts. The reference is a discord.Client without handlers, with the same intents and options"
        " and the same server in its cache, which reads the same events. A whole frame is that and what both need: the"
        " WebSocket's handling and the JSON.",
    )
    measured = in_folder(_measure, rounds, events)
    for name, (mine, theirs) in measured.items():
        is_parsing = name in _KINDS
        reference = "µs, discord.py's own parsing" if is_parsing else "µs, discord.py"
        target = Target(most=0.15) if is_parsing else Target()
        part.figures.append(Figure(f"CPU of a {name}", "µs", tuple(mine), reference, tuple(theirs), target))
    return part


async def _measure(folder: Path, rounds: int, events: int) -> dict[str, tuple[list[float], list[float]]]:
    """Microseconds an event, of ours and of the reference, round by round."""
    server = built([f"P{number:03}" for number in range(PEOPLE)])
    ours = build_client(Settings(_env_file=None, database_url=migrated(folder)))
    theirs = discord.Client(intents=ours.intents, max_messages=None, member_cache_flags=discord.MemberCacheFlags.none())
    async with ours, theirs:
        sockets = [_socket(client, server) for client in (ours, theirs)]
        frames = dict(zip(_KINDS, (_messages(server, events), _reactions(server, events)), strict=True))
        found: dict[str, tuple[list[float], list[float]]] = {}
        for number in range(rounds + 1):
            for name, given in frames.items():
                for index, socket in enumerate(sockets):
                    parsed, whole = await _parse(socket, given), await _receive(socket, given)
                    if number:  # the first round warms up
                        found.setdefault(name, ([], []))[index].append(1e6 * parsed / events)
                        found.setdefault(f"{name}'s whole frame", ([], []))[index].append(1e6 * whole / events)
    return found


def _socket(client: discord.Client, server: LoopbackDiscord) -> DiscordWebSocket:
    """What hears the gateway for a client, made as in `DiscordWebSocket.from_client`; the client knows the server."""
    state = client._connection
    state.user = discord.ClientUser(state=state, data=payloads.user_json(server.world.bot))  # type: ignore[arg-type]
    guild = payloads.guild_create_json(server.world, server.guilds[0], with_emojis=True, with_members=False)
    state._add_guild_from_data(guild)  # type: ignore[arg-type]
    socket = DiscordWebSocket(None, loop=asyncio.get_running_loop())  # type: ignore[arg-type]
    socket._discord_parsers, socket._dispatch = state.parsers, client.dispatch  # type: ignore[attr-defined]
    socket.shard_id = None  # type: ignore[attr-defined]
    return socket


def _messages(server: LoopbackDiscord, count: int) -> list[str]:
    channel, world = server.channels[0], server.world
    frames = []
    for number in range(count):
        author = server.users[number % PEOPLE]
        message = world.post(channel, author.id, content=_WORDS * (1 + number % 3))
        payload = payloads.without_content(payloads.message_json(world, message, in_event=True))
        frames.append(_frame("MESSAGE_CREATE", number, payload))
    return frames


def _reactions(server: LoopbackDiscord, count: int) -> list[str]:
    """https://discord.com/developers/docs/events/gateway-events#message-reaction-add"""
    channel, guild = server.channels[0], server.guilds[0]
    messages = list(channel.messages)
    frames = []
    for number in range(count):
        user, message = server.users[number % PEOPLE], messages[number % len(messages)]
        where = {"channel_id": str(channel.id), "guild_id": str(guild.id), "message_id": str(message)}
        who = {"user_id": str(user.id), "message_author_id": str(user.id)}
        what = {"emoji": {"id": None, "name": "👍"}, "burst": False, "type": 0}
        member = {"member": payloads.member_json(guild.members[user.id])}
        frames.append(_frame("MESSAGE_REACTION_ADD", number, where | who | what | member))
    return frames


def _frame(event: str, number: int, payload: dict[str, Any]) -> str:
    return orjson.dumps({"t": event, "s": number + 1, "op": 0, "d": payload}).decode()


async def _parse(socket: DiscordWebSocket, frames: Sequence[str]) -> float:
    """Seconds of processor time from the decoded events until nothing of them is left to do."""
    parsers = socket._discord_parsers

    async def parse(events: Sequence[Any]) -> None:
        for event in events:
            parsers[event["t"]](event["d"])

    return await _taken(parse, [orjson.loads(frame) for frame in frames])


async def _receive(socket: DiscordWebSocket, frames: Sequence[str]) -> float:
    """Seconds of processor time from the frames until nothing of them is left to do."""

    async def receive(some: Sequence[str]) -> None:
        for frame in some:
            await socket.received_message(frame)

    return await _taken(receive, frames)


async def _taken(read: Callable[[Sequence[Any]], Awaitable[None]], frames: Sequence[Any]) -> float:
    gc.collect()
    began = time.process_time()
    for start in range(0, len(frames), _IN_TURN):
        await read(frames[start : start + _IN_TURN])
        while len(asyncio.all_tasks()) > 1:
            await asyncio.sleep(0)
    return time.process_time() - began
