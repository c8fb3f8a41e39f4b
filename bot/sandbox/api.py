"""Discord's REST API (v10) on loopback, for an unmodified discord.py client; its gateway is in `gateway`.

It must not know the page. `seams.discord_at` sends the client here.
"""

import json
from typing import Any

import structlog
from aiohttp import web
from aiohttp.multipart import BodyPartReader

from bot.sandbox.gateway import Gateway
from bot.sandbox.seams import Json, Upload
from bot.sandbox.world import FakeDiscord

_log = structlog.get_logger(__name__)

_LARGEST_UPLOAD = 32 << 20  # bytes
_SESSIONS = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}


class Api:
    """The routes a bot calls; one bot at a time, the last to identify."""

    def __init__(self, world: FakeDiscord) -> None:
        self._world = world
        self.gateway = Gateway(world)

    def routes(self) -> list[web.AbstractRouteDef]:
        return [
            web.get("/gateway", self.gateway.connect),
            web.get("/gateway/", self.gateway.connect),
            web.route("*", "/api/v10/{path:.*}", self._rest),
        ]

    async def _rest(self, request: web.Request) -> web.Response:
        path = "/" + request.match_info["path"]
        if path == "/gateway/bot":
            return _json({"url": f"ws://{request.host}/gateway", "shards": 1, "session_start_limit": _SESSIONS})
        body, uploads = await _content(request)
        try:
            status, answer = self._world.rest(
                request.method,
                path,
                body=body,
                params=dict(request.query),
                uploads=uploads,
                reason=request.headers.get("X-Audit-Log-Reason"),
                reads_messages=self.gateway.reads_messages,
            )
        # a hole in the simulation: 400, because discord.py repeats a 500 five times
        except Exception:  # noqa: BLE001 - whatever it is, it is logged and the bot gets an answer
            _log.exception("sandbox.not_answered", method=request.method, path=path)
            status, answer = 400, {"code": 0, "message": f"the sandbox cannot answer {request.method} {path}"}
        return web.Response(status=204) if status == 204 else _json(answer, status)


async def _content(request: web.Request) -> tuple[Any, list[Upload]]:
    """Returns the JSON body and the files of a request, multipart or not."""
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
    return web.Response(body=json.dumps(data).encode(), status=status, headers={"Content-Type": "application/json"})


def new_application() -> web.Application:
    """Returns a web application that takes uploads of Discord's size."""
    return web.Application(client_max_size=_LARGEST_UPLOAD)
