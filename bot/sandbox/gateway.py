"""Discord's gateway (v10) on loopback: identify, numbered events, heartbeats, resume with replay.

It must not know the page or the game. One bot at a time is connected, the last to identify.
"""

import asyncio
import itertools
import json
from collections import deque
from contextlib import suppress
from typing import Any, Final

from aiohttp import WSMsgType, web

from bot.sandbox.seams import Connection, Json
from bot.sandbox.world import FakeDiscord

_HEARTBEAT_MS: Final = 41_250
_ACK_SECONDS: Final = 0.1
_KEPT_EVENTS: Final = 5_000
_DISPATCH, _HEARTBEAT, _IDENTIFY, _RESUME, _REQUEST_MEMBERS = 0, 1, 2, 6, 8  # opcodes
_INVALID_SESSION, _HELLO, _HEARTBEAT_ACK = 9, 10, 11


class Socket:
    """One WebSocket; frames leave in order."""

    def __init__(self, response: web.WebSocketResponse) -> None:
        self.response = response
        self._outbox: asyncio.Queue[str] = asyncio.Queue()

    def push(self, text: str) -> None:
        self._outbox.put_nowait(text)

    async def write(self) -> None:
        """Sends what is queued until the socket is gone."""
        with suppress(ConnectionError):
            while True:
                await self.response.send_str(await self._outbox.get())


class Session:
    """The events for a bot that identified. It outlives its socket, so that a resume misses nothing."""

    def __init__(self, key: str, world: FakeDiscord, intents: int) -> None:
        self.key = key
        self.socket: Socket | None = None
        self.connection = Connection(world.backend, intents, self.dispatch)
        self._number = 0
        self._kept: deque[tuple[int, str]] = deque(maxlen=_KEPT_EVENTS)

    def dispatch(self, event: str, payload: Json) -> None:
        """Numbers an event, keeps it, and sends it if the bot is connected."""
        self._number += 1
        text = _frame(_DISPATCH, payload, event, self._number)
        self._kept.append((self._number, text))
        if self.socket is not None:
            self.socket.push(text)

    def can_resume_after(self, number: int) -> bool:
        """Returns whether everything that followed event ``number`` is still kept."""
        return number >= self._number or any(kept == number + 1 for kept, _ in self._kept)

    def resume(self, socket: Socket, number: int) -> None:
        """Goes on with another socket: first what followed event ``number``."""
        self.socket = socket
        for kept, text in self._kept:
            if kept > number:
                socket.push(text)
        self.dispatch("RESUMED", {})


class Gateway:
    """The gateway's only route."""

    def __init__(self, world: FakeDiscord) -> None:
        self.reads_messages = True  # whether the bot asked for the message-content intent
        self._world = world
        self._session: Session | None = None
        self._keys = itertools.count(1)

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Serves one connection until it closes."""
        response = web.WebSocketResponse(max_msg_size=0)
        await response.prepare(request)
        socket = Socket(response)
        writer = asyncio.create_task(socket.write())
        socket.push(_frame(_HELLO, {"heartbeat_interval": _HEARTBEAT_MS}))
        session: Session | None = None
        try:
            async for frame in response:
                if frame.type is WSMsgType.TEXT:
                    session = await self._receive(json.loads(frame.data), socket, session, request.host)
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
                asyncio.get_running_loop().call_later(_ACK_SECONDS, socket.push, _frame(_HEARTBEAT_ACK, None))
            case opcode if opcode == _IDENTIFY:
                return self._identify(data, socket, host)
            case opcode if opcode == _RESUME:
                return self._resume(data, socket)
            case opcode if opcode == _REQUEST_MEMBERS and session is not None:
                await session.connection.request_members(data)
        return session

    def _identify(self, data: Json, socket: Socket, host: str) -> Session:
        self._end_session()
        self._session = session = Session(f"session-{next(self._keys)}", self._world, data["intents"])
        session.socket = socket
        self.reads_messages = session.connection.reads_messages
        session.connection.open(session.key, f"ws://{host}/gateway")
        return session

    def _resume(self, data: Json, socket: Socket) -> Session | None:
        session = self._session
        if session is None or session.key != data["session_id"] or not session.can_resume_after(data["seq"]):
            socket.push(_frame(_INVALID_SESSION, False))  # the client identifies again
            return None
        session.resume(socket, data["seq"])
        return session

    def _end_session(self) -> None:
        if self._session is not None:
            self._session.connection.close()
            self._session = None


def _frame(opcode: int, data: object, event: str | None = None, number: int | None = None) -> str:
    return json.dumps({"op": opcode, "d": data, "t": event, "s": number})
