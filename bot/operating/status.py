"""The bot's state over HTTP: `/metrics` for Prometheus, `/healthz` and `/readyz` for a supervisor.

The server listens on `STATUS_ADDRESS`, and nowhere by default. It names no people, servers or channels.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Final

import structlog
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.base import metrics
from bot.base.errors import KemsError, StoreError
from bot.base.settings import LOGIN_REFUSED
from bot.discord.gateway.client import KemsClient
from bot.discord.rate_limits.responses import SHUT_OUT
from bot.store.engine.database import Database

Handler = Callable[[web.Request], Awaitable[web.Response]]
State = dict[str, dict[str, float]]
"""The values of gauges by the gauge's name, then by label value; that is "" for a gauge without a label."""
_log = structlog.get_logger(__name__)


class StateGauges(Collector):
    """Gauges whose values are computed on each scrape of Prometheus."""

    def __init__(self, read: Callable[[], State]) -> None:
        self._read = read

    def collect(self) -> Iterable[Metric]:
        """Yield the gauges with their present values."""
        for name, values in self._read().items():
            label, help_text = GAUGES[name]
            gauge = GaugeMetricFamily(name, help_text, labels=[label] if label else None)
            for value_of, value in values.items():
                gauge.add_metric([value_of] if label else [], value)
            yield gauge


GAUGES: Final = {
    "kems_tables": ("state", "Tables by state"),
    "kems_people": ("", "People who sit at a table"),
    "kems_discord_budget_free": ("", "Requests with the bot's token that may begin at once"),
    "kems_discord_invalid": ("", "Requests of ten minutes that Discord calls invalid"),
    "kems_panel_rate": ("", "Edits of panels a second at which this process has arrived"),
    "kems_servers": ("", "Servers that the bot is in"),
    "kems_gateway_latency_seconds": ("shard", "Time of the last heartbeat to Discord's gateway and back"),
}


def state_of(client: KemsClient) -> State:
    """Return the values of all gauges for a running bot."""
    directory, states, people = client.rooms.directory, Counter[str](), 0
    for lobby in directory.open_lobbies():
        states["lobby"] += 1
        people += len(lobby.people)
    for table in directory.tables():
        states["over" if table.is_over else "paused" if table.pause is not None else "playing"] += 1
        people += 0 if table.is_over else len(table.lobby.people)
    states["damaged"] = len(directory.all_damaged())
    return {
        "kems_tables": {state: states[state] for state in ("lobby", "playing", "paused", "over", "damaged")},
        "kems_people": {"": people},
        "kems_servers": {"": len(client.guilds)},
        "kems_discord_budget_free": {"": client.rooms.requests.free},
        "kems_discord_invalid": {"": client.invalid.count},
        "kems_panel_rate": {"": client.rooms.panel_requests.rate},
        "kems_gateway_latency_seconds": {str(shard): time for shard, time in client.keeper.latencies.items()},
    }


WAITING: Final = "Other processes serve all shards: this one waits for one that is free."


async def problem_of(client: KemsClient, database: Database) -> str | None:
    """Return a sentence on why the bot is not ready; None if it is."""
    try:
        await database.check()
    except StoreError as error:
        return str(error)
    if client.invalid.is_token_refused:
        return LOGIN_REFUSED
    if client.invalid.is_shut_out:
        return SHUT_OUT
    if client.keeper.problem is not None:
        return client.keeper.problem
    if unconnected := client.keeper.unconnected:
        return f"Not connected to Discord: shards {', '.join(map(str, unconnected))}."
    return None if client.rooms.store.cluster.owned_shards else WAITING


@asynccontextmanager
async def serving(
    address: str,
    read: Callable[[], State],
    problems: Callable[[], Awaitable[str | None]],
    remark: Callable[[], str | None] = lambda: None,
) -> AsyncIterator[int]:
    """Serve the bot's state over HTTP while the context is open, and yield the port.

    Args:
        address: `HOST:PORT`; port 0 for any free one.
        read: Returns the values of the gauges.
        problems: Returns why the bot is not ready, None if it is.
        remark: Returns what a bot that is ready has to do without, None if nothing.

    Raises:
        KemsError: The address is taken, or is not this machine's.
    """
    host, _, port = address.rpartition(":")
    app = web.Application()
    ready = _ready(problems, remark)
    app.add_routes([web.get("/metrics", _metrics(problems)), web.get("/healthz", _healthy), web.get("/readyz", ready)])
    runner = web.AppRunner(app, access_log=None)
    gauges = StateGauges(read)
    REGISTRY.register(gauges)
    try:
        await runner.setup()
        try:
            await web.TCPSite(runner, host.strip("[]"), int(port)).start()
        except OSError as error:
            raise KemsError(
                f"STATUS_ADDRESS {address} cannot be used ({error.strerror or error}): choose another port, or an"
                " address of this machine."
            ) from None
        bound: int = runner.addresses[0][1]
        _log.info("status.listening", host=host, port=bound)
        yield bound
    finally:
        REGISTRY.unregister(gauges)
        await runner.cleanup()


def _metrics(problems: Callable[[], Awaitable[str | None]]) -> Handler:
    async def answer(_request: web.Request) -> web.Response:
        metrics.READY.set(await problems() in (None, WAITING))
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    return answer


async def _healthy(_request: web.Request) -> web.Response:
    return web.Response(text="The bot runs.\n")


def _ready(problems: Callable[[], Awaitable[str | None]], remark: Callable[[], str | None]) -> Handler:
    async def answer(_request: web.Request) -> web.Response:
        problem = await problems()
        text = problem or " ".join(filter(None, ("The bot is ready.", remark())))
        return web.Response(text=f"{text}\n", status=503 if problem else 200)

    return answer
