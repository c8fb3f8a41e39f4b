"""How a test plays on the rig's Discord: HTTP on loopback, in which members press, type and read.

It must not know the game. ``POST /control/press|slash|submit|react|say`` take an `Order`; the first three answer with
an `Outcome` once there is one. ``POST /control/happen`` takes an `Event`. ``GET /control/changes?after=N`` waits for
changes of messages, ``/control/outcomes`` is the ledger of all presses, ``/control/counts`` what is held against the
bot; ``POST /control/weather|drop`` make it rain.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from dataclasses import replace

import msgspec
from aiohttp import web

from tests.rig.air import Air
from tests.rig.discord.answers import KINDS, UPDATE
from tests.rig.discord.components import walk
from tests.rig.discord.errors import DiscordError
from tests.rig.discord.objects import Interaction, Message
from tests.rig.discord.people import Refused
from tests.rig.discord.serving import LoopbackDiscord
from tests.rig.wire import Change, Changes, Counts, Event, Order, Outcome, Weather
from tests.seen import look_at

DEADLINE_S = 3.0
"""Discord's limit for the first answer to an interaction."""
_LONG_POLL_S = 5.0
_STEP_S = 0.01
_GATHER_S = 0.005
"""Changes this close together are read at once."""


class Control:
    """The members' hands and eyes. The changes have one reader: what it has read is forgotten."""

    def __init__(self, discord: LoopbackDiscord, air: Air) -> None:
        self._discord = discord
        self._people = discord.people
        self._gateway = discord.gateway
        self._air = air
        self._changes: deque[Change] = deque()
        self._number = 0
        self._news = asyncio.Event()
        self._open: dict[int, tuple[Outcome, asyncio.Future[Outcome]]] = {}
        self._ledger: list[Outcome] = []
        self._missed: list[str] = []
        discord.world.followers.append(self._changed)
        discord.world.answered.append(self._answered)

    def routes(self) -> list[web.AbstractRouteDef]:
        """What to add to the web application."""
        return [
            web.post("/control/press", self._press),
            web.post("/control/slash", self._slash),
            web.post("/control/submit", self._submit),
            web.post("/control/react", self._react),
            web.post("/control/say", self._say),
            web.post("/control/happen", self._happen),
            web.post("/control/weather", self._weather),
            web.post("/control/drop", self._drop),
            web.get("/control/changes", self._read_changes),
            web.get("/control/outcomes", self._read_ledger),
            web.get("/control/counts", self._read_counts),
            web.get("/control/connected", self._connected),
            web.get("/control/commands", self._commands),
        ]

    # ------------------------------------------------------------------ hands

    async def _press(self, request: web.Request) -> web.Response:
        order = await _order(request)
        try:
            asked = self._people.press(order.user, order.channel, order.message, order.custom_id, order.values)
        except Refused as refusal:
            return _refused(refusal)
        return _json(await self._outcome(asked, order.custom_id))

    async def _slash(self, request: web.Request) -> web.Response:
        order = await _order(request)
        channel = order.channel or self._discord.channels[0].id
        try:
            asked = self._people.slash(order.user, channel, order.name, order.options)
        except Refused as refusal:
            return _refused(refusal)
        return _json(await self._outcome(asked, order.name))

    async def _submit(self, request: web.Request) -> web.Response:
        order = await _order(request)
        try:
            asked = self._people.submit(order.user, order.interaction, order.options)
        except Refused as refusal:
            return _refused(refusal)
        return _json(await self._outcome(asked, "form"))

    async def _react(self, request: web.Request) -> web.Response:
        order = await _order(request)
        try:
            self._people.react(order.user, order.channel, order.message, order.text, present=order.present)
        except Refused as refusal:
            return _refused(refusal)
        return _json(None)

    async def _say(self, request: web.Request) -> web.Response:
        order = await _order(request)
        try:
            self._people.say(order.user, order.channel, order.text, order.message, with_ping=order.with_ping)
        except Refused as refusal:
            return _refused(refusal)
        return _json(None)

    async def _happen(self, request: web.Request) -> web.Response:
        event = msgspec.json.decode(await request.read(), type=Event)
        assert not event.name.startswith("_"), "only what the moderator offers"
        try:
            return _json(getattr(self._discord.moderator, event.name)(**event.values))
        except DiscordError as error:
            return _json(str(error), 409)

    async def _weather(self, request: web.Request) -> web.Response:
        self._air.change(msgspec.json.decode(await request.read(), type=Weather))
        return _json(None)

    async def _drop(self, request: web.Request) -> web.Response:
        shard = request.query.get("shard")
        await self._gateway.drop(forget="forget" in request.query, shard=None if shard is None else int(shard))
        return _json(None)

    # ------------------------------------------------------------------ eyes

    async def _read_changes(self, request: web.Request) -> web.Response:
        after = int(request.query.get("after", "0"))
        while self._changes and self._changes[0].number <= after:
            self._changes.popleft()
        if not self._changes:
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(_LONG_POLL_S):
                    await self._news.wait()
            await asyncio.sleep(_GATHER_S)
        return _json(Changes(self._number, tuple(self._changes)))

    async def _read_ledger(self, request: web.Request) -> web.Response:
        return _json(self._ledger[int(request.query.get("after", "0")) :])

    async def _read_counts(self, _request: web.Request) -> web.Response:
        air = self._air
        counts = Counts(
            requests=air.requests,
            limited=tuple(air.limited),
            missed=tuple(self._missed),
            invalid=dict(air.invalid),
            resumes=self._gateway.resumes,
            violations=tuple(self._discord.recorder.violations),
        )
        return _json(counts)

    async def _connected(self, request: web.Request) -> web.Response:
        """Whether a bot is connected with all its shards, and so many sessions in all; waits a while for it."""
        wanted, gateway = int(request.query.get("sessions", "1")), self._gateway
        until = time.monotonic() + _LONG_POLL_S
        while not (is_so := gateway.is_connected and gateway.connections >= wanted) and time.monotonic() < until:
            await asyncio.sleep(_STEP_S)
        return _json(is_so)

    async def _commands(self, _request: web.Request) -> web.Response:
        """The names of the commands that can be typed."""
        return _json(sorted({one["name"] for scope in self._discord.world.commands.values() for one in scope}))

    # ------------------------------------------------------------------ memory

    def _changed(self, message: Message, gone: bool) -> None:
        self._number += 1
        self._changes.append(Change(self._number, _now(), look_at(message), gone))
        self._news.set()

    async def _outcome(self, asked: Interaction, what: str) -> Outcome:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Outcome] = loop.create_future()
        self._open[asked.id] = Outcome(asked.id, asked.user_id, what, _now()), future
        loop.call_later(DEADLINE_S, self._give_up, asked.id)
        return await future

    def _answered(self, interaction: Interaction) -> None:
        if interaction.id not in self._open:
            return
        asked, future = self._open.pop(interaction.id)
        kind, message, form = interaction.answer_type, interaction.original, interaction.form or {}
        fields = tuple(str(c["custom_id"]) for _, c in walk(form.get("components") or ()) if c.get("custom_id"))
        assert kind is not None, "it is answered"
        outcome = replace(
            asked,
            kind=KINDS[kind],
            took_ms=_now() - asked.sent_at,
            answer=None if message is None or kind > UPDATE else look_at(message),
            fields=fields,
            changes=self._number,
        )
        self._close(outcome, future)

    def _give_up(self, key: int) -> None:
        if key in self._open:
            asked, future = self._open.pop(key)
            if self._gateway.is_connected:
                self._missed.append(asked.what)
            self._close(replace(asked, took_ms=_now() - asked.sent_at), future)

    def _close(self, outcome: Outcome, future: asyncio.Future[Outcome]) -> None:
        self._ledger.append(outcome)
        if not future.done():
            future.set_result(outcome)


async def _order(request: web.Request) -> Order:
    return msgspec.json.decode(await request.read(), type=Order)


def _json(data: object, status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(data), status=status, content_type="application/json")


def _refused(refusal: Refused) -> web.Response:
    return _json(str(refusal), 409)


def _now() -> int:
    return time.time_ns() // 1_000_000
