"""A start while PostgreSQL takes no connection: it says why, waits, and starts when PostgreSQL does."""

import asyncio
import secrets
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import make_url
from structlog.testing import capture_logs

from bot.operating import startup
from bot.store.engine.database import Database
from bot.store.migrate import open_for_bot
from tests.store.conftest import connected, on_server, opened
from tests.store.engine.proxy import Proxy
from tests.waiting import until

pytestmark = pytest.mark.both_databases
postgres_only = pytest.mark.parametrize("backend", ["postgres"])

_WANTS_TLS = 80877103
"""https://www.postgresql.org/docs/current/protocol-message-formats.html: SSLRequest"""


@pytest.fixture(autouse=True)
def _brief_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "_PAUSES_S", (0.05, 0.05))


class StartingUp(Proxy):
    """PostgreSQL before it takes connections: it answers the first message with its reason, and hangs up."""

    is_up = False

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_up:
            await super()._pass(reader, writer)
            return
        while True:
            (size,) = struct.unpack("!i", await reader.readexactly(4))
            (kind,) = struct.unpack("!i", (await reader.readexactly(size - 4))[:4])
            if kind != _WANTS_TLS:
                break
            writer.write(b"N")
        fields = b"SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"
        writer.write(b"E" + struct.pack("!i", len(fields) + 4) + fields)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def a_role_of_one_connection(address: str) -> AsyncIterator[str]:
    """The address of the same database, for a role that has one connection at most."""
    name = f"kems_test_{secrets.token_hex(6)}"
    await on_server(f"CREATE ROLE {name} LOGIN CONNECTION LIMIT 1")
    try:
        await on_server(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {name}", address)
        yield make_url(address).set(username=name).render_as_string(hide_password=False)
    finally:
        await on_server(f"DROP OWNED BY {name}; DROP ROLE {name}", address)


async def start(database: Database, mend: Callable[[], Awaitable[object]]) -> list[str]:
    """Why a start waits until it is mended; it succeeds then."""
    with capture_logs() as logs:
        starting = asyncio.create_task(startup.until_reached(lambda: open_for_bot(database, 0)))
        await until(lambda: starting.done() or any(line["event"] == "start.waiting" for line in logs))
        assert not starting.done()
        await mend()
        await starting
    return [line["problem"] for line in logs if line["event"] == "start.waiting"]


@postgres_only
async def test_a_start_waits_while_postgresql_is_starting_up(address: str) -> None:
    async with StartingUp.to(address) as proxy, opened(proxy.address) as database:

        async def come_up() -> None:
            proxy.is_up = True

        reasons = await start(database, come_up)
    assert reasons[0].endswith(" is starting up.")


@postgres_only
async def test_a_start_waits_while_postgresql_takes_no_more_connections(address: str) -> None:
    async with a_role_of_one_connection(address) as own, connected(own) as other, opened(own) as database:
        reasons = await start(database, other.close)
    assert reasons[0].endswith(" has as many connections as it takes.")
