"""Discord's gateway (v10): hello, heartbeats, identify with a shard, numbered events, resume with replay.

Several bots, or several shards of one, may be connected; each session hears of the guilds of its shard.
Source: https://discord.com/developers/docs/events/gateway
"""

import asyncio
import itertools
import time
import zlib
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import msgspec
from aiohttp import WSMsgType, web

from bot.sandbox.discord import payloads
from bot.sandbox.discord.objects import Guild, Json
from bot.sandbox.discord.world import GUILD_EXPRESSIONS, GUILD_MEMBERS, MESSAGE_CONTENT, Event, World

RECONNECT: Final = 4000
"""A close code after which a client resumes."""
_NOT_DECODED, _REFUSED_TOKEN, _INVALID_SHARD, _DISALLOWED_INTENTS = 4002, 4004, 4010, 4014
_HEARTBEAT_MS: Final = 41_250
_ACK_S: Final = 0.1
_KEPT_EVENTS: Final = 5_000
_KEPT_SESSIONS: Final = 4  # that wait for a resume
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
    """One WebSocket. Frames leave in order, each at the earliest `delay` seconds after it was pushed."""

    def __init__(self, response: web.WebSocketResponse, delay: Callable[[], float], *, is_compressed: bool) -> None:
        self.response = response
        self._delay = delay
        self._deflate = zlib.compressobj() if is_compressed else None
        self._outbox: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    def push(self, frame: bytes) -> None:
        """Queue a frame."""
        self._outbox.put_nowait((asyncio.get_running_loop().time() + self._delay(), frame))

    async def write(self) -> None:
        """Send the queued frames until the connection is closed."""
        loop = asyncio.get_running_loop()
        with suppress(ConnectionError):
            while True:
                due, frame = await self._outbox.get()
                if (wait := due - loop.time()) > 0:
                    await asyncio.sleep(wait)
                if self._deflate is None:
                    await self.response.send_str(frame.decode())
                else:
                    packed = self._deflate.compress(frame) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
                    await self.response.send_bytes(packed)


class Session:
    """The events for a client that identified with a shard. It outlives its socket, so that a resume misses nothing."""

    def __init__(
        self, key: str, intents: int, shard: tuple[int, int], socket: Socket, presence: Json | None = None
    ) -> None:
        self.key = key
        self.presence = presence
        self.intents = intents
        self.shard = shard
        self.socket: Socket | None = socket
        self._number = 0
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=_KEPT_EVENTS)

    def hears(self, event: Event) -> bool:
        """Return whether the session gets an event, by its intents and its shard."""
        if event.intent and not self.intents & event.intent:
            return False
        number, count = self.shard
        return number == (0 if event.guild_id is None else shard_of(event.guild_id, count))

    def dispatch(self, event: str, data: bytes) -> None:
        """Send an event with the next number, and keep it for a resume."""
        self._number += 1
        frame = b'{"op":0,"t":"%b","s":%d,"d":%b}' % (event.encode(), self._number, data)
        self._kept.append((self._number, frame))
        if self.socket is not None:
            self.socket.push(frame)

    def resume(self, socket: Socket, after: int) -> bool:
        """Continue with another socket, after event number `after`. Return False if what followed is no longer kept."""
        if after < self._number and all(kept != after + 1 for kept, _ in self._kept):
            return False
        self.socket = socket
        for kept, frame in self._kept:
            if kept > after:
                socket.push(frame)
        self.dispatch("RESUMED", b"{}")
        return True


class Gateway:
    """All sessions.

    - `shards`: how many a bot is told to take; `at_once` of them may identify at the same time.
    - `delay`: returns the seconds that a frame is under way.
    - `starts`: how many identifies a bot has until its limit is reset, after `resets_after_ms`.
    """

    def __init__(self, world: World) -> None:
        self.delay: Callable[[], float] = lambda: 0.0
        self.resumes = 0
        self.starts, self.resets_after_ms = _STARTS_A_DAY, 86_400_000
        self.shards = self.at_once = 1
        self.identified: list[tuple[float, tuple[int, int]]] = []
        self.sessions: dict[str, Session] = {}
        self._keys = itertools.count(1)
        self._world = world
        world.listeners.append(self.hear)

    def address_json(self, host: str) -> Json:
        """Return the answer to `GET gateway/bot`."""
        left = max(0, self.starts - len(self.identified))
        limit = {
            "total": self.starts,
            "remaining": left,
            "reset_after": self.resets_after_ms,
            "max_concurrency": self.at_once,
        }
        return {"url": f"ws://{host}/gateway", "shards": self.shards, "session_start_limit": limit}

    def hear(self, event: Event) -> None:
        """Dispatch an event to the sessions that get it."""
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

    async def drop(self, *, forget: bool = False, shard: int | None = None, code: int = RECONNECT) -> None:
        """Close every connection, or those of a shard; with `forget` none can be resumed."""
        meant = [session for session in self.sessions.values() if shard in (None, session.shard[0])]
        sockets = [session.socket for session in meant if session.socket is not None]
        if forget:
            self.sessions.clear()
        for socket in sockets:
            await socket.response.close(code=code)

    # ------------------------------------------------------------------ one connection

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it closes."""
        response = web.WebSocketResponse(max_msg_size=0, compress=False)
        await response.prepare(request)
        socket = Socket(response, self.delay, is_compressed=request.query.get("compress") == "zlib-stream")
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
                session.socket = None
        return response

    async def _receive(self, message: Json, socket: Socket, session: Session | None, host: str) -> Session | None:
        data: Any = message.get("d")
        match message.get("op"):
            case opcode if opcode == _HEARTBEAT:
                # discord.py notes the time of its heartbeat only after sending it: an answer faster than that,
                # which loopback can give, would look like one to the heartbeat before.
                asyncio.get_running_loop().call_later(_ACK_S, socket.push, _frame(_HEARTBEAT_ACK, None))
            case opcode if opcode == _IDENTIFY:
                return await self._identify(data, socket, host)
            case opcode if opcode == _RESUME:
                return self._resume(data, socket)
            case opcode if opcode == _REQUEST_MEMBERS and session is not None:
                self._send_members(session, data)
        return session

    def _resume(self, data: Json, socket: Socket) -> Session | None:
        session = self.sessions.get(data["session_id"])
        if session is None or not session.resume(socket, data["seq"]):
            socket.push(_frame(_INVALID_SESSION, False))  # the client identifies again
            return None
        self.resumes += 1
        return session

    async def _identify(self, data: Json, socket: Socket, host: str) -> Session | None:
        """Make a session, if the client may have one, and send READY and the guilds.

        One identify too many ends all sessions, and resets the token.
        Source: https://discord.com/developers/docs/events/gateway#identifying
        """
        if self._world.is_token_reset or len(self.identified) >= self.starts:
            self._world.is_token_reset = True
            await self.drop(forget=True, code=_REFUSED_TOKEN)
            await socket.response.close(code=_REFUSED_TOKEN)
            return None
        number, count = data.get("shard") or (0, 1)
        if not 0 <= number < count:
            await socket.response.close(code=_INVALID_SHARD)
            return None
        intents = int(data["intents"])
        if intents & MESSAGE_CONTENT and not self._world.may_read_content:
            await socket.response.close(code=_DISALLOWED_INTENTS)
            return None
        self._forget_oldest()
        self.identified.append((time.monotonic(), (number, count)))
        session = Session(f"session-{next(self._keys)}", intents, (number, count), socket, data.get("presence"))
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
                session.dispatch("GUILD_CREATE", _encode(self._described(guild, intents)))
        self.sessions[session.key] = session
        return session

    def _described(self, guild: Guild, intents: int) -> Json:
        with_emojis, with_members = bool(intents & GUILD_EXPRESSIONS), bool(intents & GUILD_MEMBERS)
        return payloads.guild_create_json(self._world, guild, with_emojis=with_emojis, with_members=with_members)

    def _send_members(self, session: Session, data: Json) -> None:
        guild = self._world.guilds[int(data["guild_id"])]
        wanted = data.get("user_ids")
        ids = None if wanted is None else {int(one) for one in (wanted if isinstance(wanted, list) else [wanted])}
        members = [payloads.member_json(m) for key, m in guild.members.items() if ids is None or key in ids]
        chunk = {"guild_id": str(guild.id), "members": members, "chunk_index": 0, "chunk_count": 1,
                 "nonce": data.get("nonce"), "not_found": []}  # fmt: skip
        session.dispatch("GUILD_MEMBERS_CHUNK", _encode(chunk))

    def _forget_oldest(self) -> None:
        waiting = [key for key, session in self.sessions.items() if session.socket is None]
        for key in waiting[:-_KEPT_SESSIONS]:
            del self.sessions[key]


def _frame(opcode: int, data: object) -> bytes:
    return _encode({"op": opcode, "d": data, "t": None, "s": None})
