"""How a test plays on the rig's Discord: HTTP on loopback, in which members press, type and read.

It must not know the game. ``POST /control/press|slash|submit|react|say`` take an `Order`; the first three answer with
an `Outcome` once there is one. ``GET /control/changes?after=N`` waits for changes of messages, ``/control/outcomes``
is the ledger of all presses, ``/control/counts`` the bot's sins; ``POST /control/weather|drop|expire`` make it rain.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
from aiohttp import web

from bot.sandbox.api import Api
from bot.sandbox.seams import Backend, Json, Message, Refused
from bot.sandbox.world import FakeDiscord
from tests.rig.air import Air
from tests.rig.wire import Change, Changes, Counts, Order, Outcome, Weather
from tests.seen import look_at, walk

DEADLINE_S = 3.0
"""Discord's limit for the first answer to an interaction."""
_LONG_POLL_S = 5.0
_STEP_S = 0.01


class Control:
    """The members' hands and eyes. The changes have one reader: what it has read is forgotten."""

    def __init__(self, world: FakeDiscord, api: Api, air: Air, locale: str = "fr") -> None:
        self._world = world
        self._api = api
        self._air = air
        self._locale = locale
        self._changes: deque[Change] = deque()
        self._number = 0
        self._open: dict[int, tuple[Outcome, asyncio.Future[Outcome]]] = {}
        self._ledger: list[Outcome] = []
        self._missed: list[str] = []
        _follow_messages(world.backend, self._changed)
        world.changed = self._look_for_answers

    def routes(self) -> list[web.AbstractRouteDef]:
        """What to add to the web application."""
        return [
            web.post("/control/press", self._press),
            web.post("/control/slash", self._slash),
            web.post("/control/submit", self._submit),
            web.post("/control/react", self._react),
            web.post("/control/say", self._say),
            web.post("/control/delete", self._delete),
            web.post("/control/weather", self._weather),
            web.post("/control/drop", self._drop),
            web.post("/control/expire", self._expire),
            web.get("/control/changes", self._read_changes),
            web.get("/control/outcomes", self._read_ledger),
            web.get("/control/counts", self._read_counts),
            web.get("/control/connected", self._connected),
        ]

    # ------------------------------------------------------------------ hands

    async def _press(self, request: web.Request) -> web.Response:
        order = await _order(request)
        world = self._world
        try:
            key = world.press(
                order.user, order.channel, order.message, order.custom_id, list(order.values), self._locale
            )
        except Refused as refusal:
            return _refused(refusal)
        return _json(await self._outcome(key, order.user, order.custom_id))

    async def _slash(self, request: web.Request) -> web.Response:
        order = await _order(request)
        try:
            key = self._world.slash(
                order.user, order.channel or self._world.channel_id, order.name, order.options, self._locale
            )
        except Refused as refusal:
            return _refused(refusal)
        return _json(await self._outcome(key, order.user, order.name))

    async def _submit(self, request: web.Request) -> web.Response:
        order = await _order(request)
        try:
            key = self._world.submit(order.user, order.interaction, order.options, self._locale)
        except Refused as refusal:
            return _refused(refusal)
        return _json(await self._outcome(key, order.user, "form"))

    async def _react(self, request: web.Request) -> web.Response:
        order = await _order(request)
        try:
            self._world.react(order.user, order.channel, order.message, order.text, present=order.present)
        except Refused as refusal:
            return _refused(refusal)
        return _json(None)

    async def _say(self, request: web.Request) -> web.Response:
        order = await _order(request)
        try:
            self._world.say(order.user, order.channel, order.text, order.message or None)
        except Refused as refusal:
            return _refused(refusal)
        return _json(None)

    async def _delete(self, request: web.Request) -> web.Response:
        order = await _order(request)
        self._world.backend.delete_message(order.channel, order.message)
        return _json(None)

    async def _weather(self, request: web.Request) -> web.Response:
        self._air.change(msgspec.json.decode(await request.read(), type=Weather))
        return _json(None)

    async def _drop(self, request: web.Request) -> web.Response:
        await self._api.gateway.drop(forget="forget" in request.query)
        return _json(None)

    async def _expire(self, _request: web.Request) -> web.Response:
        """As if fifteen minutes had passed for the tokens of all interactions so far."""
        for record in self._world.backend.interactions.values():
            record.expires_at = self._world.backend.now_iso()
        return _json(None)

    # ------------------------------------------------------------------ eyes

    async def _read_changes(self, request: web.Request) -> web.Response:
        after = int(request.query.get("after", "0"))
        while self._changes and self._changes[0].number <= after:
            self._changes.popleft()
        until = time.monotonic() + _LONG_POLL_S
        while not self._changes and time.monotonic() < until:
            await asyncio.sleep(_STEP_S)
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
            resumes=self._api.gateway.resumes,
        )
        return _json(counts)

    async def _connected(self, _request: web.Request) -> web.Response:
        """Whether a bot is connected; waits a while for it."""
        until = time.monotonic() + _LONG_POLL_S
        while not self._api.gateway.is_connected and time.monotonic() < until:
            await asyncio.sleep(_STEP_S)
        return _json(self._api.gateway.is_connected)

    # ------------------------------------------------------------------ memory

    def _changed(self, message: Message, gone: bool) -> None:
        self._number += 1
        self._changes.append(Change(self._number, _now(), look_at(message), gone))

    async def _outcome(self, key: int, user: int, what: str) -> Outcome:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Outcome] = loop.create_future()
        self._open[key] = Outcome(key, user, what, _now()), future
        loop.call_later(DEADLINE_S, self._give_up, key)
        return await future

    def _look_for_answers(self) -> None:
        for key in tuple(self._open):
            record = self._world.interaction(key)
            if record is None or not record.responded or record.response_kind is None:
                continue
            asked, future = self._open.pop(key)
            message = None
            if record.message_id is not None:
                message = self._world.backend.messages[record.channel_id].get(record.message_id)
            form = record.modal or {}
            fields = tuple(str(c["custom_id"]) for c in walk(form.get("components") or []) if c.get("custom_id"))
            outcome = replace(
                asked,
                kind=str(record.response_kind),
                took_ms=_now() - asked.sent_at,
                answer=None if message is None else look_at(message),
                fields=fields,
                changes=self._number,
            )
            self._close(outcome, future)

    def _give_up(self, key: int) -> None:
        if key in self._open:
            asked, future = self._open.pop(key)
            if self._api.gateway.is_connected:
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


def _follow_messages(backend: Backend, told: Callable[[Message, bool], None]) -> None:
    """Call ``told`` with every message that was posted or edited, or (True) deleted; ephemeral ones, too."""
    commit, edit, delete = backend.commit_message, backend.edit_message, backend.delete_message

    def committed(message: Message, **options: Any) -> Message:
        posted = commit(message, **options)
        told(posted, False)
        return posted

    def edited(channel_id: int, message_id: int, fields: Json) -> Message:
        message = edit(channel_id, message_id, fields)
        told(message, False)
        return message

    def deleted(channel_id: int, message_id: int) -> None:
        message = backend.get_message(channel_id, message_id)
        delete(channel_id, message_id)
        told(message, True)

    backend.commit_message = committed  # type: ignore[method-assign]  # simcord tells of public ones only
    backend.edit_message = edited  # type: ignore[method-assign]
    backend.delete_message = deleted  # type: ignore[method-assign]
