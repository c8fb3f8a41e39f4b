"""What the bot uses of aiohttp beyond its public API. No other module does so (`bot.base.libraries`).

The public alternative, a trace of the session (`http_trace`), costs a fifth of a request.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus

import aiohttp
import yarl
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import Connection
from aiohttp.tracing import Trace


class HeardAnswer(aiohttp.ClientResponse):
    """A response of Discord. `words` is the body of a 429, and empty for any other response."""

    words: bytes = b""


OnAnswer = Callable[[HeardAnswer], None]


def names() -> Mapping[str, object]:
    """Return the internal names that are used later, with their objects; importing this module checks all others."""
    return {"start": aiohttp.ClientResponse, "connect": aiohttp.TCPConnector}


class ListeningConnector(aiohttp.TCPConnector):
    """A connector that hands on each response with its headers, which discord.py keeps to itself.

    Create it while the event loop runs.
    """

    def __init__(self, *listeners: OnAnswer, before: Callable[[yarl.URL], None] = lambda _url: None) -> None:
        """Connect for one client.

        Args:
            listeners: Called with each response once its headers are there, and with a 429 once its body is: discord.py
                sleeps after a 429 without a word.
            before: Called with the address of each request; whatever it raises fails the request.
        """
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
