"""What lies between the bot and Discord: latency, rate limits, errors, cut connections. Counts what went wrong."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable

from aiohttp import web

from tests.rig.limits import RateLimits, Verdict, refusal
from tests.rig.wire import Weather

API = "/api/v10"
RETRY_S = 0.4
"""What a 429 of the weather tells to wait."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Air:
    """The middleware round the sandbox's REST and gateway; ``weather`` may be changed at any time."""

    def __init__(self) -> None:
        self.weather = Weather()
        self.requests = 0
        self.limited: list[str] = []
        self.invalid: Counter[str] = Counter()
        self._limits = RateLimits()
        self._errors = 0
        self._random = random.Random(1)

    def change(self, weather: Weather) -> None:
        """Other weather from now on."""
        self.weather, self._errors = weather, weather.errors

    def gateway_delay(self) -> float:
        """Seconds for one gateway frame."""
        return self._random.uniform(*self.weather.gateway)

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.startswith("/gateway") and self.weather.away:
            raise web.HTTPServiceUnavailable
        if not request.path.startswith(API + "/"):
            return await handler(request)
        return await self._call(request, handler, request.path.removeprefix(API))

    async def _call(self, request: web.Request, handler: Handler, path: str) -> web.StreamResponse:
        self.requests += 1
        verdict = self._limits.spend(request.method, path) if self.weather.limits else Verdict({})
        if verdict.retry_after is not None:
            return self._too_many(request, path, verdict)
        is_here = self.weather.where in path
        there, back = (self._random.uniform(*self.weather.rest) / 2 if is_here else 0.0 for _ in range(2))
        await asyncio.sleep(there)
        if self._errors > 0 and is_here:
            self._errors -= 1
            return self._fail(request, path)
        try:
            answer = await handler(request)
        except ConnectionResetError:  # the bot was killed in the middle of its request
            return web.Response(status=499)
        if answer.status >= 400 and isinstance(answer, web.Response):
            self.invalid[f"{answer.status}/{json.loads(answer.body or b'{}').get('code', 0)}"] += 1  # type: ignore[arg-type]
        answer.headers.update(verdict.headers)
        await asyncio.sleep(back)
        return answer

    def _fail(self, request: web.Request, path: str) -> web.Response:
        if self.weather.status == 429:
            return self._too_many(request, path, refusal(RETRY_S, is_global=self.weather.is_global))
        if self.weather.status == 0 and request.transport is not None:
            request.transport.abort()
        return web.Response(status=self.weather.status or 500, text="the weather is bad")

    def _too_many(self, request: web.Request, path: str, verdict: Verdict) -> web.Response:
        self.limited.append(f"{request.method} {path}{' (global)' if verdict.is_global else ''}")
        body = {
            "message": "You are being rate limited.",
            "retry_after": verdict.retry_after,
            "global": verdict.is_global,
        }
        return web.Response(
            status=429,
            body=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **verdict.headers},
        )
