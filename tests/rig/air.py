"""What lies between the bot and Discord: latency, rate limits, errors, cut connections. Counts what went wrong."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from bot.sandbox.discord.errors import DiscordError
from bot.sandbox.discord.objects import Json
from bot.sandbox.discord.routes import answers
from bot.sandbox.discord.routes.routing import Call, shape_of
from bot.sandbox.discord.serving import API
from tests.rig.limits import OLD_MS, RateLimits, Verdict, refusal
from tests.rig.recorder import edited
from tests.rig.rig_discord import RigDiscord

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Weather:
    """What goes wrong from now on.

    Latencies in seconds, lowest and highest; ``errors`` REST calls are answered with ``status`` (0: the connection is
    cut without an answer; 429 tells to wait ``retry_after`` seconds, is for all routes if ``is_global``, and else of
    ``scope`` user or shared). Both are for the REST calls whose method and path, such as `PATCH /channels/1`, contain
    ``where``. ``press`` is how old what people see is when their press on it reaches Discord. While ``away`` the
    gateway takes no connection.
    """

    limits: bool = True
    rest: tuple[float, float] = (0.0, 0.0)
    gateway: tuple[float, float] = (0.0, 0.0)
    press: tuple[float, float] = (0.0, 0.0)
    errors: int = 0
    status: int = 502
    where: str = ""
    is_global: bool = False
    away: bool = False
    retry_after: float = 0.4
    scope: str = "user"


class Air:
    """Stands round Discord's REST and gateway; ``weather`` may be changed at any time."""

    def __init__(self, discord: RigDiscord) -> None:
        self.weather = Weather()
        self.requests = 0
        self.limited: list[str] = []
        self.invalid: Counter[str] = Counter()
        self.rate_limits = RateLimits(assumptions=discord.assumptions, channel_of=self._channel_of)
        self._assumptions = discord.assumptions
        self._delay_s = discord.delay_s
        self._world = discord.world
        self._errors = 0
        self._random = random.Random(1)

    def change(self, weather: Weather) -> None:
        self.weather, self._errors = weather, weather.errors

    def _channel_of(self, token: str) -> int | None:
        found = self._world.by_token.get(token)
        return None if found is None else found.channel_id

    def gateway_delay(self) -> float:
        low, high = self.weather.gateway
        return self._random.uniform(low, high) if high else 0.0

    def around_gateway(self, handler: Handler) -> Handler:
        async def connect(request: web.Request) -> web.StreamResponse:
            if self.weather.away:
                raise web.HTTPServiceUnavailable
            return await handler(request)

        return connect

    def around_rest(self, handler: Handler) -> Handler:
        async def call(request: web.Request) -> web.StreamResponse:
            answer = await self._call(request, handler, request.path.removeprefix(API))
            self.rate_limits.answered(answer.status, answer.headers.get("X-RateLimit-Scope"))
            return answer

        return call

    async def _call(self, request: web.Request, handler: Handler, path: str) -> web.StreamResponse:
        self.requests += 1
        verdict = self.rate_limits.spend(request.method, path) if self.weather.limits else Verdict({})
        if verdict.retry_after is not None:
            return self._too_many(request, path, verdict)
        is_here = self.weather.where in f"{request.method} {path}"
        await self._travel(is_here)
        if self._errors > 0 and is_here:
            self._errors -= 1
            return self._fail(request, path)
        try:
            answer = self._refuse_old_edit(request.method, path) or await handler(request)
            await asyncio.sleep(self._delay_s())
        except ConnectionResetError:  # the bot was killed in the middle of its request
            return web.Response(status=499)
        if answer.status >= 400 and isinstance(answer, web.Response):
            code = json.loads(answer.body or b"{}").get("code", 0)  # type: ignore[arg-type]
            if answer.status == 429:
                self.limited.append(f"{request.method} {path} ({code})")
            else:
                self.invalid[f"{answer.status}/{code}"] += 1
        answer.headers.update({**verdict.headers, **answer.headers})
        await self._travel(is_here)
        return answer

    async def press(self) -> None:
        """The way of a press."""
        if self.weather.press[1]:
            await asyncio.sleep(self._random.uniform(*self.weather.press))

    async def _travel(self, is_here: bool) -> None:
        """One way of a request."""
        if is_here and self.weather.rest[1]:
            await asyncio.sleep(self._random.uniform(*self.weather.rest) / 2)

    def _fail(self, request: web.Request, path: str) -> web.Response:
        weather = self.weather
        if weather.status == 429:
            verdict = refusal(weather.retry_after, is_global=weather.is_global, scope=weather.scope)
            return self._too_many(request, path, verdict)
        if weather.status == 0 and request.transport is not None:
            request.transport.abort()
        return web.Response(status=weather.status or 500, text="the weather is bad")

    def _refuse_old_edit(self, method: str, path: str) -> web.Response | None:
        """The answer to one edit too many of messages that are older than an hour."""
        shape, ids = shape_of(path)
        call = Call(method, path, shape, ids)
        try:
            if (method, shape) == ("PATCH", "channels/*/messages/*"):
                message = edited(self._world, call)
            elif (method, shape) == (
                "PATCH",
                "webhooks/*/*/messages/*",
            ) and self._assumptions.limits_old_tokens:
                message = answers.reached(self._world, call)[1]
            else:
                return None
        except DiscordError:  # Discord says so itself
            return None
        if message is None or self._world.now() - message.made_ms < OLD_MS:
            return None
        if (wait := self.rate_limits.spend_old_edit(message.channel_id)) is None:
            return None
        text = "Maximum number of edits to messages older than 1 hour reached. Try again later."
        body = {"message": text, "code": 30046, "retry_after": wait, "global": False}
        return _refused(body, refusal(wait))

    def _too_many(self, request: web.Request, path: str, verdict: Verdict) -> web.Response:
        self.limited.append(f"{request.method} {path}{' (global)' if verdict.is_global else ''}")
        if verdict.is_page:
            return web.Response(status=403, text="<html>error code: 1015</html>", content_type="text/html")
        body = {
            "message": "You are being rate limited.",
            "retry_after": verdict.retry_after,
            "global": verdict.is_global,
        }
        return _refused(body, verdict)


def _refused(body: Json, verdict: Verdict) -> web.Response:
    headers = {"Content-Type": "application/json", **verdict.headers}
    return web.Response(status=429, body=json.dumps(body).encode(), headers=headers)
