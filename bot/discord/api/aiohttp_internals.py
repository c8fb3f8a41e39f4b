"""What the bot takes of aiohttp beyond what it promises: such names stand in this module alone (`bot.base.libraries`).

A trace of the session (`http_trace`) would say the same; it costs as much as a fifth of the request.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus

import aiohttp
import yarl
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import Connection
from aiohttp.tracing import Trace


class HeardAnswer(aiohttp.ClientResponse):
    """`words` is the body of a 429; that of any other answer is not read yet."""

    words: bytes = b""


OnAnswer = Callable[[HeardAnswer], None]


def names() -> Mapping[str, object]:
    """Return the names that are looked up in objects, and what has them. Importing this module looks up all others."""
    return {"start": aiohttp.ClientResponse, "connect": aiohttp.TCPConnector}


class ListeningConnector(aiohttp.TCPConnector):
    """Connects to Discord, and hands on each answer, of which discord.py hands on no headers.

    Create it while the event loop runs. `before` is called with the address of each request, which fails with what it
    raises. Each of `listeners` gets every answer as soon as its headers are there, a 429 with its words: discord.py
    sleeps after it, and says nothing of it.
    """

    def __init__(self, *listeners: OnAnswer, before: Callable[[yarl.URL], None] = lambda _url: None) -> None:
        super().__init__(limit=0)  # as discord.py's own: the bot's windows are the limit
        self._before = before

        class Answer(HeardAnswer):
            async def start(self, connection: Connection) -> aiohttp.ClientResponse:
                answer = await super().start(connection)
                if self.status == HTTPStatus.TOO_MANY_REQUESTS:
                    self.words = await self.read()
                for hear in listeners:
                    hear(self)
                return answer

        self._answer = Answer

    async def connect(
        self,
        req: ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109
    ) -> Connection:
        self._before(req.url)
        req.response_class = self._answer
        return await super().connect(req, traces, timeout)
