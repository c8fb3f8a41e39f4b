"""What the bot uses of discord.py beyond its public API. No other module does so.

Each function says why the public API does not do. If a name is gone, the start fails with the version to install
(`bot.base.libraries`).
"""

import logging
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, Self

import discord
import structlog
import yarl
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.http import INTERNAL_API_VERSION, Route, handle_message_parameters
from discord.state import AutoShardedConnectionState, ConnectionState
from discord.webhook.async_ import async_context

from bot.discord.api.aiohttp_internals import ListeningConnector

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Parser = Callable[[Any], None]
Socket = DiscordWebSocket

_log = structlog.get_logger(__name__)


def names() -> Mapping[str, object]:
    """Return the internal names that are used later, with their objects; importing this module checks all others."""
    intents = discord.Intents(guilds=True)
    client, state = discord.Client(intents=intents), ManyShardsClient(intents=intents)._connection
    of_http = ("_HTTPClient__session", "connector", "edit_message", "proxy", "proxy_auth", "request", "token")
    of_state = ("_intents", "guild_ready_timeout", "parsers", "shard_count", "shard_ids")
    return {
        **dict.fromkeys((*of_http, "user_agent"), client.http),
        **dict.fromkeys(("_connection", "_get_state", "_get_websocket", "_handlers", "_hooks"), client),
        **dict.fromkeys(of_state, state),
        "DEFAULT_GATEWAY": DiscordWebSocket,
        "ExponentialBackoff": discord.client,
        "_max": ExponentialBackoff(),
        "_remove_guild": ConnectionState,
        "_state": discord.Interaction,
    }


# ---------------------------------------------------------------------- requests


async def request(
    client: discord.Client,
    method: Method,
    path: str,
    body: object = None,
    *,
    query: Mapping[str, object] | None = None,
    reason: str | None = None,
    **ids: Any,
) -> Any:
    """Make a request with the bot's token, and return the JSON of Discord's response.

    discord.py's public methods need a cached server, build objects that are not used, or fail at a response that they
    cannot read.

    Args:
        client: It is logged in.
        method: Of HTTP.
        path: With the names of `ids` in braces, such as "/guilds/{guild_id}".
        body: What becomes JSON; None for no body.
        query: Parameters of the address.
        reason: For the server's audit log.
        ids: They also tell discord.py which requests share a rate limit.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    sent: dict[str, Any] = {} if body is None else {"json": body}
    return await client.http.request(Route(method, path, **ids), params=query, reason=reason, **sent)


async def request_by_token(
    client: discord.Client, method: Method, token: str, path: str = "", body: dict[str, Any] | None = None
) -> Any:
    """Make a request by an interaction's token, and return the JSON of the response; `path` follows the token.

    `Webhook.partial(...).edit_message` builds a message from the response: 157 us of CPU instead of 11. Its `send`
    takes 61 us instead of 19, and posts no ephemeral message.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    assert client.application_id is not None, "messages are reached after the login"
    route = Route(
        method,
        f"/webhooks/{{webhook_id}}/{{webhook_token}}{path}",
        webhook_id=client.application_id,
        webhook_token=token,
    )
    http = client.http
    session = http._HTTPClient__session  # type: ignore[attr-defined]  # as discord.py's own webhooks take it
    return await async_context.get().request(route, session, payload=body, proxy=http.proxy, proxy_auth=http.proxy_auth)


async def patch_message(client: discord.Client, channel_id: int, message_id: int, **message_fields: Any) -> object:
    """Edit a message of a channel, and return the JSON of the response.

    `PartialMessage.edit` builds a message from it: 146 us of CPU instead of 20.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    with handle_message_parameters(**message_fields) as params:
        return await client.http.edit_message(channel_id, message_id, params=params)


def rewrite_answers(client: discord.Client, rewritten: Callable[[Any], Any]) -> None:
    """Let a client read `rewritten(response)` in place of each response to a request with the bot's token."""
    request = client.http.request

    async def request_rewritten(*args: Any, **options: Any) -> Any:
        return rewritten(await request(*args, **options))

    client.http.request = request_rewritten  # type: ignore[method-assign]  # all of discord.py's requests go through it


def use_connector(client: discord.Client, connector: ListeningConnector) -> None:
    """Send a client's requests through a connector; `discord.Client(connector=...)` needs it before the loop runs."""
    client.http.connector = connector


def headers_of(client: discord.Client, *, has_token: bool) -> dict[str, str]:
    """Return the headers for a request that bypasses discord.py, which would wait and retry."""
    own = {"Authorization": f"Bot {client.http.token}"} if has_token else {}
    return {"User-Agent": client.http.user_agent, **own}


# ---------------------------------------------------------------------- the address


def api_address() -> str:
    """Return the address of Discord's API, with its version."""
    return Route.BASE


def send_to(origin: str) -> None:
    """Send all further requests to `origin`, such as "http://localhost:8080", but gateway connections to Discord."""
    Route.BASE = f"{origin}/api/v{INTERNAL_API_VERSION}"


@contextmanager
def discord_at(address: str) -> Iterator[None]:
    """Send requests and gateway connections of every client to `address` (`host:port`) while the context is open."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    send_to(f"http://{address}")
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/gateway")
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


@contextmanager
def client_at(address: str, make_client: Callable[[], discord.Client], ready_s: float) -> Iterator[discord.Client]:
    """Yield a client that talks to `address`; it is ready `ready_s` seconds after the last server that it received."""
    with discord_at(address):
        client = make_client()
        client._connection.guild_ready_timeout = ready_s
        yield client


# ---------------------------------------------------------------------- events


def parsers_of(client: discord.Client) -> dict[str, Parser]:
    """Return the client's parsers of gateway events by event name; replace them in place."""
    return client._connection.parsers


class PressInteraction(discord.Interaction):
    """A press or a modal submission, which is freed as soon as its handler has returned.

    In discord.py an interaction and its response refer to each other, so that only the garbage collector frees them,
    whose pauses delay the answers at all tables. Here the response has a weak reference.
    """

    def __init__(self, payload: dict[str, Any], client: discord.Client) -> None:
        """Read `payload` without the parts of the pressed message that discord.py would build objects from."""
        if (pressed := payload.get("message")) is not None:
            pressed["components"] = []
            pressed.pop("interaction_metadata", None)
            pressed.pop("interaction", None)
        super().__init__(data=payload, state=client._connection)  # type: ignore[arg-type]  # whatever Discord sends
        self._answer = discord.InteractionResponse(weakref.proxy(self))

    @property
    def response(self) -> discord.InteractionResponse:
        """The response, which refers to its interaction weakly."""
        return self._answer

    def member(self, described: Any, guild: discord.Guild) -> discord.Member:
        """Return a member from Discord's JSON. discord.py builds none for the values of a menu."""
        return discord.Member(data=described, guild=guild, state=self._state)


# ---------------------------------------------------------------------- shards


class _ShortPauses(ExponentialBackoff[Literal[False]]):
    """A backoff of at most half a minute between two connection attempts; discord.py's goes up to 17 minutes."""

    def __init__(self) -> None:
        super().__init__()
        self._max = 5


discord.client.ExponentialBackoff = _ShortPauses  # type: ignore[assignment,attr-defined]
# a traceback for each try; `ShardConnection` logs the outage instead
logging.getLogger("discord.client").addFilter(lambda record: record.msg != "Attempting a reconnect in %.2fs")


class ManyShardsClient(discord.Client):
    """A client of several shards, which connect by themselves and may change; a `discord.Client` has one."""

    _connection: AutoShardedConnectionState[Self]

    socket: Callable[[int], Socket]
    """Return the connection of a shard, or raise a discord.ClientException if it is not connected."""

    def _get_state(self, **options: Any) -> AutoShardedConnectionState[Self]:
        """Return discord.py's cache for several shards: that for one shard drops all servers at each new connection."""
        own = {"dispatch": self.dispatch, "handlers": self._handlers, "hooks": self._hooks, "http": self.http}
        return AutoShardedConnectionState(**own, **options)

    def _get_websocket(self, guild_id: int | None = None, *, shard_id: int | None = None) -> Socket:
        """Return the connection on which discord.py requests the members of a server."""
        own: Socket | None = self.ws  # of a client that connects by itself
        if own is not None:
            return own
        number = (guild_id or 0) >> 22 if shard_id is None else shard_id
        return self.socket(number % (shard_count(self) or 1))


class ShardConnection(discord.Client):
    """The gateway connection of one shard, which reconnects by itself.

    Events, requests and the cache of servers are those of the bot's client.
    """

    def __init__(self, client: discord.Client, shard: int, count: int) -> None:
        super().__init__(intents=client.intents, shard_id=shard, shard_count=count)
        self._client = client
        self.loop, self.http = client.loop, client.http
        self._connection = client._connection  # type: ignore[assignment]  # the whole client's, on purpose
        self._lost: object = self
        """The connection whose loss was logged."""

    @property
    def socket(self) -> Socket | None:
        """The WebSocket of the connection; None before the first one."""
        return self.ws  # discord.py has none before the first connection

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event to the bot's client; a lost connection is also dispatched as the shard's."""
        if event == "disconnect":
            self._client.dispatch("shard_disconnect", self.shard_id)
            self._log_outage(sys.exception())
        self._client.dispatch(event, *args, **kwargs)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Keep the connection open until cancelled, and reconnect after each loss.

        discord.py may try to resume a first connection that was never made; then a new one is started.

        Raises:
            AttributeError: A bug of discord.py at any other time.
        """
        while True:
            try:
                return await super().connect(reconnect=reconnect)
            except AttributeError:
                if self.socket is not None:
                    raise
                # discord.py has waited, and then wants to resume a first connection that was never made

    def _log_outage(self, error: BaseException | None) -> None:
        """Log that Discord cannot be reached, once for each connection that is lost, however often another is tried."""
        if error is None or isinstance(error, ReconnectWebSocket) or self._lost is self.socket:
            return
        self._lost = self.socket
        _log.warning("discord.out_of_reach", shard=self.shard_id, problem=str(error) or type(error).__name__)

    async def close(self) -> None:
        """Close this connection; the bot's client stays open."""
        if self.socket is not None and self.socket.open:
            await self.socket.close(code=1000)


def shard_count(client: discord.Client) -> int | None:
    """Return how many shards the bot has; None while that is not known."""
    return client._connection.shard_count


def serve_shards(client: discord.Client, shards: Sequence[int], count: int) -> None:
    """Set the shards that a client has to connect before it is ready; `count` is how many the bot has in all."""
    client._connection.shard_ids, client._connection.shard_count = list(shards), count  # type: ignore[attr-defined]


def forget_guild(client: discord.Client, guild: discord.Guild) -> None:
    """Remove a server from the cache, as discord.py does when the bot is removed from it."""
    client._connection._remove_guild(guild)


def stop_reading_content(client: discord.Client) -> None:
    """Identify without the message content intent from the next connection on."""
    client._connection._intents.message_content = False
