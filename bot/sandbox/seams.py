"""The only file that imports simcord (pinned, ==3.2.1) and touches the insides of discord.py.

It must not know the game, the page or the web server.
"""

import io
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
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

__all__ = ["Backend", "Channel", "Interaction", "Message"]  # simcord's own names, for the rest of the sandbox
__all__ += ["channel_accessible", "reaction_permissions", "serializers", "walk_components", "wire"]

CDN = "https://cdn.simcord.invalid"  # simcord's address for attachments; the page maps it to /cdn

_UNKNOWN_WEBHOOK = 10015
LOST_TOKEN = BackendError(401, 50027, "Invalid Webhook Token")  # what Discord says, not 404

Json = dict[str, Any]


class Refused(Exception):
    """Discord would not let a member do this; the text says what."""


class RealClock(Clock):
    """simcord's clock, running by itself: snowflakes and expiries are the wall clock's."""

    def __init__(self) -> None:
        self._epoch = datetime.now(UTC)
        self._started = time.monotonic()

    @property
    def elapsed(self) -> float:  # type: ignore[override]  # simcord stores it, here it is measured
        return time.monotonic() - self._started


@contextmanager
def discord_at(address: str) -> Iterator[None]:
    """Sends every discord.py client of this process to ``address`` (``host:port``) meanwhile."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE = f"http://{address}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/gateway")
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


@dataclass(frozen=True, slots=True)
class Upload:
    filename: str
    data: bytes


class _Receiver:
    """Stands in for discord.py's connection state in simcord's gateway, and passes events on."""

    def __init__(self, intents: discord.Intents, send: Callable[[str, Json], None]) -> None:
        self.intents = intents
        self.parsers = self
        self._send = send

    def __getitem__(self, event: str) -> Callable[[Json], None]:
        return lambda payload: self._send(event, payload)

    def get(self, event: str) -> Callable[[Json], None]:
        return self[event]


class Connection:
    """An identified gateway connection; events outside its intents never reach it."""

    def __init__(self, backend: Backend, intents: int, send: Callable[[str, Json], None]) -> None:
        self._backend = backend
        self._intents = discord.Intents._from_value(intents)
        gateway = FakeGateway(backend, _Receiver(self._intents, send))
        self._feed = gateway.feed
        self._members = FakeWebSocket(backend, gateway)
        self._send = send

    @property
    def reads_messages(self) -> bool:
        return bool(self._intents.message_content)

    def open(self, session_id: str, resume_url: str) -> None:
        """Sends READY and every guild, and follows the world from now on."""
        backend = self._backend
        ready = {
            "v": 10,
            "user": dict(serializers.user_payload(backend.bot_user)),
            "guilds": [{"id": str(guild), "unavailable": True} for guild in backend.guilds],
            "session_id": session_id,
            "resume_gateway_url": resume_url,
            "shard": [0, 1],
            "application": {"id": str(backend.application_id), "flags": 0},
        }
        self._send("READY", ready)
        for guild in backend.guilds.values():
            self._feed("GUILD_CREATE", serializers.guild_create_payload(backend, guild))
        backend.subscribers.append(self._feed)

    def close(self) -> None:
        if self._feed in self._backend.subscribers:
            self._backend.subscribers.remove(self._feed)

    async def request_members(self, data: Json) -> None:
        """Answers gateway opcode 8 with member chunks."""
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
    """Turns simcord's errors into `Refused`."""
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
    """Carries out one REST call of the bot; returns the HTTP status and the JSON to answer."""
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
            error = LOST_TOKEN if error.code == _UNKNOWN_WEBHOOK else error
        return error.status, error.to_json()
    return (200, answer) if answer is not None else (204, None)


def modal_nodes(shown: Interaction, values: Mapping[str, Any]) -> list[Json]:
    """Returns the component tree of a filled-in form, ``values`` by custom id (no entity selects)."""
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
    """Sends the bot an interaction and returns its id."""
    record, payload = wire.base_payload(backend, type=kind, channel_id=channel, guild_id=guild, user_id=user, data=data)
    payload |= {"locale": locale, "guild_locale": guild_locale}
    if source is not None:
        record.source_message_id = source.id
        payload["message"] = dict(serializers.message_payload(backend, source))
    backend.emit("INTERACTION_CREATE", payload)
    return record.id
