"""A proxy to PostgreSQL that can be frozen, cut and mended, and that can cut at a commit or swallow what it is sent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import Enum

from sqlalchemy import make_url

_COMMIT = b"COMMIT;"  # as asyncpg sends it


class CutAt(Enum):
    """Where a connection breaks; either way its process is not told whether the transaction is committed."""

    BEFORE_COMMIT = "before a commit"
    AFTER_COMMIT = "after a commit"


class Proxy:
    def __init__(self, host: str, port: int, target: str, own_port: int) -> None:
        self._target = (host, port)
        self._port = own_port
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._swallowed: set[asyncio.StreamWriter] = set()
        self._cuts: list[CutAt] = []
        url = make_url(target).set(host="127.0.0.1", port=own_port)
        self.address = url.render_as_string(hide_password=False)

    @classmethod
    @asynccontextmanager
    async def to(cls, address: str) -> "AsyncIterator[Proxy]":
        url = make_url(address)
        probe = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0)
        own_port = probe.sockets[0].getsockname()[1]
        probe.close()
        proxy = cls(url.host or "127.0.0.1", url.port or 5432, address, own_port)
        await proxy.mend()
        try:
            yield proxy
        finally:
            await proxy.cut()

    @property
    def has_cut(self) -> bool:
        """Whether all cuts that were asked for have been made."""
        return not self._cuts

    def freeze(self) -> None:
        """Connections stay, and nothing passes."""
        self._open.clear()

    def swallow(self) -> None:
        """Nothing passes on these connections any more, as behind a firewall that has forgotten them; new ones work."""
        self._swallowed |= self._writers

    def thaw(self) -> None:
        self._open.set()

    def cut_at(self, where: CutAt, times: int = 1) -> None:
        """Break the connections that commit next, so many of them, and no others."""
        self._cuts = [where] * times

    async def cut(self) -> None:
        """All connections break, and nobody answers."""
        self._open.set()
        if self._server is not None:
            self._server.close()
        for writer in tuple(self._writers):
            writer.transport.abort()
        await asyncio.sleep(0.05)

    async def mend(self) -> None:
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", self._port)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            theirs, to_them = await asyncio.open_connection(*self._target)
        except OSError:
            writer.transport.abort()
            return
        await asyncio.gather(self._pump(reader, to_them, back=writer), self._pump(theirs, writer))

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, back: asyncio.StreamWriter | None = None
    ) -> None:
        """``back`` leads to the process, where the process is read."""
        self._writers.add(writer)
        with suppress(OSError):
            while data := await reader.read(65536):
                await self._open.wait()
                if writer in self._swallowed:
                    continue
                if back is not None and self._cuts and _COMMIT in data:
                    if self._cuts.pop() is CutAt.AFTER_COMMIT:
                        writer.write(data)
                        await writer.drain()
                    back.transport.abort()
                    break
                writer.write(data)
                await writer.drain()
        writer.close()
        self._writers.discard(writer)
