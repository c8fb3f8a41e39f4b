"""Discord's REST API and gateway (v10) on loopback, for an unmodified discord.py client.

It must not know the page. It carries what goes over the sockets to and from `world`; the client
is sent here by `seams.discord_at`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from typing import Any

from aiohttp import WSMsgType, web
from aiohttp.multipart import BodyPartReader

from bot.sandbox.seams import Connection, Json, Upload
from bot.sandbox.world import FakeDiscord

_log = logging.getLogger(__name__)

_HEARTBEAT_MS = 41_250
_ACK_SECONDS = 0.1
_DISPATCH, _HEARTBEAT, _IDENTIFY, _RESUME, _REQUEST_MEMBERS = (
    0,
    1,
    2,
    6,
    8,
)  # gateway opcodes
_INVALID_SESSION, _HELLO, _HEARTBEAT_ACK = 9, 10, 11
_LARGEST_UPLOAD = 32 << 20  # bytes
_SESSIONS = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}


class Api:
    """The routes a bot calls; one bot at a time, the last to identify."""

    def __init__(self, world: FakeDiscord) -> None:
        self._world = world
        self._reads_messages = True

    def routes(self) -> list[web.AbstractRouteDef]:
        """What to add to the web application."""
        return [
            web.get("/gateway", self._gateway),
            web.get("/gateway/", self._gateway),
            web.route("*", "/api/v10/{path:.*}", self._rest),
        ]

    # ------------------------------------------------------------------ REST

    async def _rest(self, request: web.Request) -> web.Response:
        path = "/" + request.match_info["path"]
        if path == "/gateway/bot":
            return _json(
                {
                    "url": f"ws://{request.host}/gateway",
                    "shards": 1,
                    "session_start_limit": _SESSIONS,
                }
            )
        body, uploads = await _content(request)
        try:
            status, answer = self._world.rest(
                request.method,
                path,
                body=body,
                params=dict(request.query),
                uploads=uploads,
                reason=request.headers.get("X-Audit-Log-Reason"),
                reads_messages=self._reads_messages,
            )
        # a hole in the simulation: 400, because discord.py repeats a 500 five times
        except Exception:  # noqa: BLE001 - whatever it is, it is logged and the bot gets an answer
            _log.exception("the sandbox cannot answer %s %s", request.method, path)
            status, answer = (
                400,
                {
                    "code": 0,
                    "message": f"the sandbox cannot answer {request.method} {path}",
                },
            )
        return web.Response(status=204) if status == 204 else _json(answer, status)

    # ------------------------------------------------------------------ gateway

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        outbox: asyncio.Queue[str] = asyncio.Queue()
        sequence = 0

        def push(
            opcode: int,
            data: object,
            event: str | None = None,
            number: int | None = None,
        ) -> None:
            outbox.put_nowait(json.dumps({"op": opcode, "d": data, "t": event, "s": number}))

        def dispatch(event: str, payload: Json) -> None:
            nonlocal sequence
            sequence += 1
            push(_DISPATCH, payload, event, sequence)

        connection: Connection | None = None
        writer = asyncio.create_task(_write(socket, outbox))
        push(_HELLO, {"heartbeat_interval": _HEARTBEAT_MS})
        try:
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT:
                    continue
                message: Json = json.loads(frame.data)
                opcode = message["op"]
                data: Any = message.get("d")
                if opcode == _HEARTBEAT:
                    # discord.py notes the time of its heartbeat only after sending it: an answer faster than that,
                    # which loopback can give, would look like one to the heartbeat before.
                    asyncio.get_running_loop().call_later(_ACK_SECONDS, push, _HEARTBEAT_ACK, None)
                elif opcode == _IDENTIFY:
                    connection = Connection(self._world.backend, data["intents"], dispatch)
                    self._reads_messages = connection.reads_messages
                    connection.open("sandbox", f"ws://{request.host}/gateway")
                elif opcode == _RESUME:
                    push(_INVALID_SESSION, False)  # nothing is kept: the client identifies anew
                elif opcode == _REQUEST_MEMBERS and connection is not None:
                    await connection.request_members(data)
        finally:
            if connection is not None:
                connection.close()
            writer.cancel()
        return socket


async def _write(socket: web.WebSocketResponse, outbox: asyncio.Queue[str]) -> None:
    with suppress(ConnectionError):
        while True:
            await socket.send_str(await outbox.get())


async def _content(request: web.Request) -> tuple[Any, list[Upload]]:
    """The JSON body and the files of a request, multipart or not."""
    uploads: list[Upload] = []
    if not request.content_type.startswith("multipart/"):
        raw = await request.read()
        return (json.loads(raw) if raw else None), uploads
    fields: Json = {}
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        data = bytes(await part.read())
        if part.filename is not None:
            uploads.append(Upload(part.filename, data))
        elif part.name is not None:
            fields[part.name] = data.decode()
    payload = fields.pop("payload_json", None)
    return (json.loads(payload) if payload is not None else fields or None), uploads


def _json(data: object, status: int = 200) -> web.Response:
    # discord.py wants exactly this content type, without a charset
    return web.Response(
        body=json.dumps(data).encode(),
        status=status,
        headers={"Content-Type": "application/json"},
    )


def new_application() -> web.Application:
    """An aiohttp application that takes uploads of Discord's size."""
    return web.Application(client_max_size=_LARGEST_UPLOAD)
