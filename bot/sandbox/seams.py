"""The only file that imports simcord (pinned, ==3.2.1) and touches the insides of discord.py.

It must not know the game, the page or the web server. Two users share it: the sandbox (`world`, `api`), which serves
simcord's backend on loopback with a real clock, and the integration harness, which drives `simcord.Env` on a virtual
clock and asks the functions at the end of this file to change some of its habits.
"""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from simcord import Env
from simcord import env as simcord_env
from simcord import interactions as wire
from simcord._clock import Clock
from simcord._modal import _modal_submit_nodes
from simcord.backend import Backend, serializers
from simcord.backend.access import channel_accessible, reaction_permissions
from simcord.backend.errors import BackendError, SetupError
from simcord.backend.models import Channel, Interaction, Message
from simcord.components import walk_components
from simcord.gateway import FakeGateway, FakeWebSocket
from simcord.http import router
from simcord.http import routes as _routes  # noqa: F401 - importing registers every REST route
from simcord.results import ResponseMessage

__all__ = [
    "CDN",
    "Backend",
    "Channel",
    "Connection",
    "Env",
    "Interaction",
    "Json",
    "Message",
    "RealClock",
    "Refused",
    "Upload",
    "as_bot",
    "channel_accessible",
    "discord_at",
    "expire_like_discord",
    "give_locales",
    "handle",
    "interact",
    "keep_timers_virtual",
    "modal_nodes",
    "park_own_waits",
    "reaction_permissions",
    "refusing",
    "rest",
    "sent_requests",
    "serializers",
    "settle_quickly",
    "start_clock_at",
    "stored_messages",
    "unsettled",
    "walk_components",
    "wire",
]

CDN = "https://cdn.simcord.invalid"  # simcord's address for attachments; the page maps it to /cdn

_UNKNOWN_WEBHOOK = 10015
_LOST_TOKEN = BackendError(401, 50027, "Invalid Webhook Token")  # what Discord says, not 404

Json = dict[str, Any]


class Refused(Exception):
    """A member asked for something Discord would not let them do; the text says what."""


class RealClock(Clock):
    """simcord's clock, running by itself: snowflakes and expiries are those of the wall clock."""

    def __init__(self) -> None:
        self._epoch = datetime.now(UTC)
        self._started = time.monotonic()

    @property
    def elapsed(self) -> float:  # type: ignore[override]  # simcord stores it, here it is measured
        """Seconds since the clock was made."""
        return time.monotonic() - self._started


@contextmanager
def discord_at(address: str) -> Iterator[None]:
    """Send every discord.py client of this process to ``address`` (``host:port``) meanwhile."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE = f"http://{address}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/gateway")
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a multipart request."""

    filename: str
    data: bytes


class _Receiver:
    """Looks like discord.py's connection state to simcord's gateway, but passes events on."""

    def __init__(self, intents: discord.Intents, send: Callable[[str, Json], None]) -> None:
        self.intents = intents
        self.parsers = self
        self._send = send

    def __getitem__(self, event: str) -> Callable[[Json], None]:
        return lambda payload: self._send(event, payload)

    def get(self, event: str) -> Callable[[Json], None]:
        """As `dict.get`: every event has a receiver."""
        return self[event]


class Connection:
    """One identified gateway connection; events outside its intents never reach it."""

    def __init__(self, backend: Backend, intents: int, send: Callable[[str, Json], None]) -> None:
        self._backend = backend
        self._intents = discord.Intents._from_value(intents)
        gateway = FakeGateway(backend, _Receiver(self._intents, send))
        self._feed = gateway.feed
        self._members = FakeWebSocket(backend, gateway)
        self._send = send

    @property
    def reads_messages(self) -> bool:
        """Whether the client asked for the message-content intent."""
        return bool(self._intents.message_content)

    def open(self, session_id: str, resume_url: str) -> None:
        """Say READY, then describe every guild, and follow the world from now on."""
        backend = self._backend
        ready = {
            "v": 10,
            "user": dict(serializers.user_payload(backend.bot_user)),
            "guilds": [{"id": str(guild), "unavailable": True} for guild in backend.guilds],
            "session_id": session_id,
            "resume_gateway_url": resume_url,
            "application": {"id": str(backend.application_id), "flags": 0},
        }
        self._send("READY", ready)
        for guild in backend.guilds.values():
            self._feed("GUILD_CREATE", serializers.guild_create_payload(backend, guild))
        backend.subscribers.append(self._feed)

    def close(self) -> None:
        """Stop following."""
        if self._feed in self._backend.subscribers:
            self._backend.subscribers.remove(self._feed)

    async def request_members(self, data: Json) -> None:
        """Answer gateway opcode 8 with member chunks."""
        ids = data.get("user_ids")
        await self._members.request_chunks(
            int(data["guild_id"]),
            data.get("query"),
            limit=int(data.get("limit") or 0),
            user_ids=None if ids is None else [int(i) for i in (ids if isinstance(ids, list) else [ids])],
            presences=bool(data.get("presences")),
            nonce=data.get("nonce"),
        )


@contextmanager
def refusing() -> Iterator[None]:
    """Turn Discord's refusals into ours."""
    try:
        yield
    except BackendError as error:
        raise Refused(error.message) from error
    except SetupError as error:
        raise Refused(str(error)) from error


def rest(
    backend: Backend,
    method: str,
    path: str,
    *,
    body: Any,
    params: Mapping[str, str],
    uploads: Sequence[Upload],
    reason: str | None,
    reads_messages: bool,
) -> tuple[int, Any]:
    """Carry out one REST call of the bot; gives the HTTP status and the JSON to answer."""
    files = [SimpleNamespace(fp=io.BytesIO(u.data), filename=u.filename, description=None) for u in uploads]
    try:
        answer = router.dispatch(
            backend,
            method,
            path,
            json=body,
            params=dict(params),
            files=files,
            reason=reason,
            message_content_access=reads_messages,
        )
    except BackendError as error:
        if path.startswith("/webhooks/") and path.split("/")[3] in backend.interaction_tokens:
            error = _LOST_TOKEN if error.code == _UNKNOWN_WEBHOOK else error
        return error.status, error.to_json()
    return (200, answer) if answer is not None else (204, None)


def modal_nodes(shown: Interaction, values: Mapping[str, Any]) -> list[Json]:
    """The component tree of a filled-in form, ``values`` by custom id (no entity selects)."""
    assert shown.modal is not None
    with refusing():
        return _modal_submit_nodes(shown.modal["components"], None, dict(values), {}, shown.channel_id, [])


def interact(
    backend: Backend,
    kind: int,
    *,
    user: int,
    channel: int,
    guild: int,
    data: Json,
    locale: str,
    guild_locale: str,
    source: Message | None = None,
) -> int:
    """Send the bot an interaction; gives its id."""
    record, payload = wire.base_payload(backend, type=kind, channel_id=channel, guild_id=guild, user_id=user, data=data)
    payload |= {"locale": locale, "guild_locale": guild_locale}
    if source is not None:
        record.source_message_id = source.id
        payload["message"] = dict(serializers.message_payload(backend, source))
    backend.emit("INTERACTION_CREATE", payload)
    return record.id


# ---------------------------------------------------------------------- for the test harness


def settle_quickly(env: Env, idle: float) -> None:
    """Let ``env`` call the bot settled after ``idle`` seconds of silence instead of 50 ms."""
    settle = env._settle_internal

    async def quick(**arguments: Any) -> None:
        await settle(**{**arguments, "idle": idle})

    env._settle_internal = quick  # type: ignore[method-assign]  # the one way in


@contextmanager
def unsettled(env: Env) -> Iterator[None]:
    """Let actions meanwhile only deliver, not wait for the bot: presses at the same instant."""
    settle = env._settle_internal

    async def deliver_only(**_arguments: Any) -> None:
        """Do not wait."""

    env._settle_internal = deliver_only  # type: ignore[method-assign]  # the one way in
    try:
        yield
    finally:
        env._settle_internal = settle  # type: ignore[method-assign]  # as it was


def park_own_waits() -> None:
    """Let settling leave alone what waits inside the process, in the bot's code or asyncio's.

    Such a wait ends by other work that settling does follow, or by a timer. simcord knows only
    some of these waits and otherwise fails after its timeout, say on a press that is answered
    when a window closes. A wait inside an installed library (a database driver) is still waited
    for. Holds for the whole process.
    """
    known = vars(simcord_env)["_is_parked"]
    if known.__name__ == "is_parked":
        return

    def is_parked(state: Any, task: asyncio.Task[Any], deadline: float) -> bool:
        waits = getattr(task, "_fut_waiter", None)
        own = waits is not None and not waits.done() and "site-packages" not in _waits_in(task)
        return own or known(state, task, deadline)

    vars(simcord_env)["_is_parked"] = is_parked


def _waits_in(task: asyncio.Task[Any]) -> str:
    """The source file whose code awaits a future directly; an opaque awaitable is a library's."""
    awaiting: Any = task.get_coro()
    file = ""
    while hasattr(awaiting, "cr_code"):
        file, awaiting = awaiting.cr_code.co_filename, awaiting.cr_await
    return file if type(awaiting).__name__ == "FutureIter" else "site-packages"


def keep_timers_virtual(env: Env, brief: float) -> None:
    """Let only `Env.advance_time` fire the bot's timers, except those of at most ``brief`` seconds.

    simcord otherwise also arms every timer on the wall clock, and a settling action then waits
    for each timer that is due before its timeout.
    """
    schedule = env._schedule_timer

    def schedule_brief(record: Any, *arguments: Any) -> None:
        if record.when - env.backend.clock.elapsed <= brief:
            schedule(record, *arguments)

    env._schedule_timer = schedule_brief  # type: ignore[assignment,method-assign]  # the one way in


def start_clock_at(env: Env, instant: datetime) -> None:
    """Start the virtual clock at ``instant`` (UTC) instead of 1 January 2026."""
    env.backend.clock._epoch = instant


def as_bot(env: Env) -> AbstractContextManager[None]:
    """What happens meanwhile happens to the bot, as through its gateway: `Env.settle` follows what comes of it."""
    return env._bot_scope()


def give_locales(env: Env, locale_of: Callable[[int], str], guild_locale: str) -> None:
    """Let interactions carry their user's locale instead of en-US."""
    emit = env.backend.emit

    def localised(event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            user = int((payload.get("member") or payload)["user"]["id"])
            payload = {**payload, "locale": locale_of(user), "guild_locale": guild_locale}
        emit(event, payload)

    env.backend.emit = localised  # type: ignore[method-assign]  # the one way in


def expire_like_discord(env: Env) -> None:
    """Answer 401/50027 for a token past its time, where simcord says 404/10015."""
    backend = env.backend
    look_up = backend.interaction_by_token

    def by_token(token: str) -> Interaction:
        try:
            return look_up(token)
        except BackendError as error:
            if token in backend.interaction_tokens:
                raise _LOST_TOKEN from error
            raise

    backend.interaction_by_token = by_token  # type: ignore[method-assign]  # the one way in


def stored_messages(env: Env, channel: int, user: int) -> list[Message]:
    """What simcord keeps of the messages ``user`` sees in a channel, oldest first."""
    return [m for m in env.backend.messages.get(channel, {}).values() if m.visible_to(user)]


def sent_requests(env: Env) -> list[tuple[str, str, Any, str | None]]:
    """Every request the bot has sent: method, path, body, reason for the audit log."""
    return [(one.method, one.path, one.json, one.reason) for one in env.backend.http_requests]


def handle(env: Env, message: Message) -> ResponseMessage:
    """What simcord's actors take to act on a message, an ephemeral one too."""
    return ResponseMessage(env, message)
