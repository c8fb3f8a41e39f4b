"""Lets the bot hear each answer of Discord, of which discord.py hands on no headers.

A trace of the session (`http_trace`) would say the same. It costs as much as a fifth of the request.
"""

from collections.abc import Callable, Sequence

import aiohttp
from aiohttp.client import ClientTimeout
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

Hear = Callable[[aiohttp.ClientResponse], None]


class HearingConnector(aiohttp.TCPConnector):
    """Connects to Discord. Create it while the event loop runs.

    `before` is called before each request, which fails with what it raises. Each of `heard` gets every answer as soon
    as its headers are there.
    """

    def __init__(self, before: Callable[[], None], heard: Sequence[Hear]) -> None:
        super().__init__(limit=0)  # as discord.py's own: the bot's budgets are the limit
        self._before = before
        self._answer = _answers(tuple(heard))

    async def connect(self, req: ClientRequest, traces: list[Trace], timeout: ClientTimeout) -> Connection:  # noqa: ASYNC109
        self._before()
        req.response_class = self._answer
        return await super().connect(req, traces, timeout)


def _answers(heard: Sequence[Hear]) -> type[aiohttp.ClientResponse]:
    class HeardAnswer(aiohttp.ClientResponse):
        async def start(self, connection: Connection) -> aiohttp.ClientResponse:
            answer = await super().start(connection)
            for hear in heard:
                hear(answer)
            return answer

    return HeardAnswer
