"""Discord's gateway (v10) as a client sees it: hello, heartbeats, numbered events, resume with replay.

Source: https://discord.com/developers/docs/events/gateway. It must not know where the events come from; the rig's
gateway of the tests is built on it, too.
"""

import asyncio
import itertools
import zlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import msgspec
from aiohttp import WSMsgType, web

Json = dict[str, Any]

_HEARTBEAT_MS: Final = 41_250
_ACK_S: Final = 0.1
_KEPT_EVENTS: Final = 5_000
_HEARTBEAT, _IDENTIFY, _RESUME, _REQUEST_MEMBERS = 1, 2, 6, 8  # opcodes
_INVALID_SESSION, _HELLO, _HEARTBEAT_ACK = 9, 10, 11
encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class Socket:
    """One WebSocket; frames leave in order, each at the earliest after ``delay`` seconds."""

    def __init__(self, response: web.WebSocketResponse, delay: Callable[[], float], *, is_compressed: bool) -> None:
        self.response = response
        self._delay = delay
        self._deflate = zlib.compressobj() if is_compressed else None
        self._outbox: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    def push(self, frame: bytes) -> None:
        self._outbox.put_nowait((asyncio.get_running_loop().time() + self._delay(), frame))

    async def write(self) -> None:
        """Sends what is queued until the socket is gone."""
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
    """The events for a client that identified. It outlives its socket, so that a resume misses nothing."""

    def __init__(self, key: str, intents: int) -> None:
        self.key = key
        self.intents = intents
        self.socket: Socket | None = None
        self._number = 0
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=_KEPT_EVENTS)

    def dispatch(self, event: str, data: bytes) -> None:
        """Numbers an event, keeps it, and sends it if a socket is there."""
        self._number += 1
        frame = b'{"op":0,"t":"%b","s":%d,"d":%b}' % (event.encode(), self._number, data)
        self._kept.append((self._number, frame))
        if self.socket is not None:
            self.socket.push(frame)

    def can_resume_after(self, number: int) -> bool:
        """Returns whether everything that followed event ``number`` is still kept."""
        return number >= self._number or any(kept == number + 1 for kept, _ in self._kept)

    def resume(self, socket: Socket, number: int) -> None:
        """Goes on with another socket: first what followed event ``number``."""
        self.socket = socket
        for kept, frame in self._kept:
            if kept > number:
                socket.push(frame)
        self.dispatch("RESUMED", b"{}")


class SessionGateway(ABC):
    """The gateway's route. ``delay`` gives the seconds a frame is under way."""

    def __init__(self) -> None:
        self.delay: Callable[[], float] = lambda: 0.0
        self.resumes = 0
        self._keys = itertools.count(1)

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Serves one connection until it closes."""
        response = web.WebSocketResponse(max_msg_size=0, compress=False)
        await response.prepare(request)
        socket = Socket(response, self.delay, is_compressed=request.query.get("compress") == "zlib-stream")
        writer = asyncio.create_task(socket.write())
        socket.push(_frame(_HELLO, {"heartbeat_interval": _HEARTBEAT_MS}))
        session: Session | None = None
        try:
            async for frame in response:
                if frame.type is WSMsgType.TEXT:
                    session = await self._receive(_decode(frame.data), socket, session, request.host)
        finally:
            writer.cancel()
            if session is not None and session.socket is socket:
                session.socket = None
        return response

    async def _receive(self, message: Json, socket: Socket, session: Session | None, host: str) -> Session | None:
        """Acts on one frame; returns the session that this socket serves from now on."""
        data: Any = message.get("d")
        match message["op"]:
            case opcode if opcode == _HEARTBEAT:
                # discord.py notes the time of its heartbeat only after sending it: an answer faster than that,
                # which loopback can give, would look like one to the heartbeat before.
                asyncio.get_running_loop().call_later(_ACK_S, socket.push, _frame(_HEARTBEAT_ACK, None))
            case opcode if opcode == _IDENTIFY:
                return await self._identify(f"session-{next(self._keys)}", data, socket, host)
            case opcode if opcode == _RESUME:
                return self._resume(data, socket)
            case opcode if opcode == _REQUEST_MEMBERS and session is not None:
                await self._send_members(session, data)
        return session

    def _resume(self, data: Json, socket: Socket) -> Session | None:
        session = self._find(data["session_id"])
        if session is None or not session.can_resume_after(data["seq"]):
            socket.push(_frame(_INVALID_SESSION, False))  # the client identifies again
            return None
        session.resume(socket, data["seq"])
        self.resumes += 1
        return session

    @abstractmethod
    async def _identify(self, key: str, data: Json, socket: Socket, host: str) -> Session | None:
        """Makes a session of that key, if the client may have one, and sends READY and the guilds."""

    @abstractmethod
    def _find(self, key: str) -> Session | None:
        """Returns the session of that key, if it can still be resumed."""

    @abstractmethod
    async def _send_members(self, session: Session, data: Json) -> None:
        """Answers a request for members."""


def _frame(opcode: int, data: object) -> bytes:
    return encode({"op": opcode, "d": data, "t": None, "s": None})
