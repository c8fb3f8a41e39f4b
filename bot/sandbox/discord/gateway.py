"""Discord's gateway (v10): hello, heartbeats, identify with a shard, numbered events.

A client whose connection was cut identifies again: resumes, and what Discord refuses, are in the tests' gateway.
Source: https://discord.com/developers/docs/events/gateway
"""

import asyncio
import itertools
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from aiohttp import WSMsgType, web

from bot.sandbox.discord import payloads
from bot.sandbox.discord.objects import Guild, Json
from bot.sandbox.discord.world import GUILD_EXPRESSIONS, GUILD_MEMBERS, MESSAGE_CONTENT, Event, World

_NOT_DECODED: Final = 4002  # a close code
_HEARTBEAT_MS: Final = 41_250
_ACK_S: Final = 0.1
_STARTS_A_DAY: Final = 1000
_HEARTBEAT, _IDENTIFY, _RESUME, _REQUEST_MEMBERS = 1, 2, 6, 8  # opcodes
_INVALID_SESSION, _HELLO, _HEARTBEAT_ACK = 9, 10, 11
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


def shard_of(guild_id: int, shards: int) -> int:
    """Return the shard of a guild.

    Source: https://discord.com/developers/docs/events/gateway#sharding
    """
    return (guild_id >> 22) % shards


class Socket:
    """One WebSocket. Frames leave in order."""

    def __init__(self, response: web.WebSocketResponse, *, is_compressed: bool) -> None:
        self.response = response
        self._deflate = zlib.compressobj() if is_compressed else None
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue()

    def push(self, frame: bytes) -> None:
        """Queue a frame."""
        self._outbox.put_nowait(frame)

    async def write(self) -> None:
        """Send the queued frames until the connection is closed."""
        with suppress(ConnectionError):
            while True:
                await self._send(await self._outbox.get())

    async def _send(self, frame: bytes) -> None:
        if self._deflate is None:
            await self.response.send_str(frame.decode())
        else:
            packed = self._deflate.compress(frame) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
            await self.response.send_bytes(packed)


@dataclass(eq=False)
class Session:
    """The events for a client that identified with a shard."""

    key: str
    intents: int
    shard: tuple[int, int]
    socket: Socket
    _number: int = field(default=0, init=False)

    def hears(self, event: Event) -> bool:
        """Return whether the session receives an event, given its intents and its shard."""
        if event.intent and not self.intents & event.intent:
            return False
        number, count = self.shard
        return number == (0 if event.guild_id is None else shard_of(event.guild_id, count))

    def dispatch(self, event: str, data: bytes) -> None:
        """Send an event with the next sequence number, and keep it for a resume."""
        self._number += 1
        self.send(b'{"op":0,"t":"%b","s":%d,"d":%b}' % (event.encode(), self._number, data))

    def send(self, frame: bytes) -> None:
        """Send a frame."""
        self.socket.push(frame)


class Gateway:
    """All sessions."""

    def __init__(self, world: World) -> None:
        self.sessions: dict[str, Session] = {}
        self._keys = itertools.count(1)
        self._world = world
        world.listeners.append(self.hear)

    def address_json(self, host: str) -> Json:
        """Return the answer to `GET gateway/bot`."""
        limit = {"total": _STARTS_A_DAY, "remaining": _STARTS_A_DAY, "reset_after": 86_400_000, "max_concurrency": 1}
        return {"url": f"ws://{host}/gateway", "shards": 1, "session_start_limit": limit}

    def hear(self, event: Event) -> None:
        """Dispatch an event to the sessions that receive it."""
        full: bytes | None = None
        bare: bytes | None = None
        for session in self.sessions.values():
            if not session.hears(event):
                continue
            if event.bare is not None and not session.intents & MESSAGE_CONTENT:
                bare = bare or _encode(event.bare)
                session.dispatch(event.name, bare)
            else:
                full = full or _encode(event.data)
                session.dispatch(event.name, full)

    # ------------------------------------------------------------------ one connection

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it closes."""
        response = web.WebSocketResponse(max_msg_size=0, compress=False)
        await response.prepare(request)
        socket = self._new_socket(response, is_compressed=request.query.get("compress") == "zlib-stream")
        writer = asyncio.create_task(socket.write())
        socket.push(_frame(_HELLO, {"heartbeat_interval": _HEARTBEAT_MS}))
        session: Session | None = None
        try:
            async for frame in response:
                if frame.type is not WSMsgType.TEXT:
                    continue
                try:
                    message = _decode(frame.data)
                except msgspec.DecodeError:
                    await response.close(code=_NOT_DECODED, message=b"Error while decoding payload.")
                    continue
                session = await self._receive(message, socket, session, request.host)
        finally:
            writer.cancel()
            if session is not None and session.socket is socket:
                self._leave(session)
        return response

    def _new_socket(self, response: web.WebSocketResponse, *, is_compressed: bool) -> Socket:
        return Socket(response, is_compressed=is_compressed)

    def _leave(self, session: Session) -> None:
        self.sessions.pop(session.key, None)

    async def _receive(self, message: Json, socket: Socket, session: Session | None, host: str) -> Session | None:
        data: Any = message.get("d")
        match message.get("op"):
            case opcode if opcode == _HEARTBEAT:
                # discord.py notes the time of its heartbeat only after sending it: an answer faster than that,
                # which loopback can give, would look like one to the heartbeat before.
                asyncio.get_running_loop().call_later(_ACK_S, socket.push, _frame(_HEARTBEAT_ACK, None))
            case opcode if opcode == _IDENTIFY:
                return self._identify(data, socket, host)
            case opcode if opcode == _RESUME:
                socket.push(_frame(_INVALID_SESSION, False))  # the client identifies again
            case opcode if opcode == _REQUEST_MEMBERS and session is not None:
                self._send_members(session, data)
        return session

    def _new_session(self, data: Json, socket: Socket) -> Session:
        number, count = data.get("shard") or (0, 1)
        return Session(f"session-{next(self._keys)}", int(data["intents"]), (number, count), socket)

    def _identify(self, data: Json, socket: Socket, host: str) -> Session:
        """Make a session, and send READY and the guilds."""
        session = self._new_session(data, socket)
        number, count = session.shard
        guilds = [guild for guild in self._world.guilds.values() if shard_of(guild.id, count) == number]
        ready = {
            "v": 10,
            "user": payloads.user_json(self._world.bot),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.key,
            "resume_gateway_url": f"ws://{host}/gateway",
            "shard": [number, count],
            "application": {"id": str(self._world.application_id), "flags": 0},
        }
        session.dispatch("READY", _encode(ready))
        for guild in guilds:
            if not guild.is_unavailable:
                session.dispatch("GUILD_CREATE", _encode(self._described(guild, session.intents)))
        self.sessions[session.key] = session
        return session

    def _described(self, guild: Guild, intents: int) -> Json:
        with_emojis, with_members = bool(intents & GUILD_EXPRESSIONS), bool(intents & GUILD_MEMBERS)
        return payloads.guild_create_json(self._world, guild, with_emojis=with_emojis, with_members=with_members)

    def _send_members(self, session: Session, data: Json) -> None:
        guild = self._world.guilds[int(data["guild_id"])]
        ids = set(map(int, data["user_ids"]))
        members = [payloads.member_json(member) for key, member in guild.members.items() if key in ids]
        chunk = {"guild_id": str(guild.id), "members": members, "chunk_index": 0, "chunk_count": 1,
                 "nonce": data.get("nonce"), "not_found": []}  # fmt: skip
        session.dispatch("GUILD_MEMBERS_CHUNK", _encode(chunk))


def _frame(opcode: int, data: object) -> bytes:
    return _encode({"op": opcode, "d": data, "t": None, "s": None})
