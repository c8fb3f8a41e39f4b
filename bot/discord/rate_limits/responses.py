"""What Discord's answers say about its limits: rate limits, refusals, and exclusion of an address.

Source: https://discord.com/developers/docs/topics/rate-limits#header-format
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import discord
import orjson
import structlog

from bot.base.background import Backoff
from bot.discord.api.aiohttp_internals import HeardAnswer
from bot.discord.api.discord_internals import api_address
from bot.discord.api.error_codes import TOO_MANY, UNAUTHORIZED

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The rate limit in an answer of Discord.

    - `wait_s`: seconds until Discord accepts another request of the kind; 0 for no wait.
    - `is_refused`: the request was refused with 429.
    - `is_global`: the limit is that of the whole bot.
    - `is_shared`: the limit is shared with others, as by all users of a channel.
    """

    wait_s: float = 0.0
    is_refused: bool = False
    is_global: bool = False
    is_shared: bool = False


def limit_of(status: int, headers: Mapping[str, str]) -> RateLimit:
    """Return the rate limit in a response's headers; missing and malformed headers count as no limit."""
    if status == TOO_MANY:
        scope = headers.get("X-RateLimit-Scope", "")
        is_global = scope == "global" or "X-RateLimit-Global" in headers
        return RateLimit(_seconds(headers, "Retry-After"), True, is_global, scope == "shared")
    if headers.get("X-RateLimit-Remaining") == "0":
        return RateLimit(_seconds(headers, "X-RateLimit-Reset-After"))
    return RateLimit()


Hear = Callable[[discord.HTTPException], object]
_hearing: ContextVar[tuple[asyncio.Task[Any] | None, Hear] | None] = ContextVar("hearing", default=None)


@asynccontextmanager
async def bounded(most_s: float, hear: Hear = lambda _: None) -> AsyncIterator[None]:
    """Limit the time of requests in the body. discord.py would sleep as long as a 429 asks, which may be hours.

    Args:
        most_s: The limit in seconds.
        hear: Called at once with each 429 that has an error code.

    Raises:
        discord.HTTPException: The time is over; this is the last 429.
        TimeoutError: The time is over, and there was no such 429.
    """
    heard: list[discord.HTTPException] = []

    def note(error: discord.HTTPException) -> None:
        heard.append(error)
        hear(error)

    former = _hearing.set((asyncio.current_task(), note))
    try:
        async with asyncio.timeout(most_s):
            yield
    except TimeoutError as error:
        raise heard[-1] if heard else error from None
    finally:
        _hearing.reset(former)


def hear_words(answer: HeardAnswer) -> None:
    """Pass a 429 that has an error code to the `hear` of the enclosing `bounded`."""
    task, hear = _hearing.get() or (None, None)
    if hear is None or task is not asyncio.current_task():
        return
    try:
        body = orjson.loads(answer.words)
    except orjson.JSONDecodeError:  # a page
        return
    if isinstance(body, dict) and body.get("code"):
        hear(discord.HTTPException(answer, body))


def _seconds(headers: Mapping[str, str], name: str) -> float:
    try:
        return max(0.0, float(headers.get(name, "0")))
    except ValueError:
        return 0.0


FIRST_S: Final = 60.0
LONGEST_SHUT_OUT_S: Final = 1800.0
"""Longest pause between two requests of an address that is shut out; the first one is `FIRST_S`."""
ASK_S: Final = 10.0
SHUT_OUT: Final = (
    "Discord has shut this machine's address out, because of too many refused requests: does another program use it?"
    " The bot waits."
)


def shut_out_s(answer: aiohttp.ClientResponse) -> float | None:
    """Return for how many seconds Cloudflare blocks this address; None if the response is not Cloudflare's page.

    0 stands for a page that does not say how long, which may be from seconds to an hour.
    Source: https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
    """
    if answer.status not in (403, TOO_MANY):
        return None
    is_page = answer.content_type == "text/html" and answer.url.path.startswith("/api/")
    return _seconds(answer.headers, "Retry-After") if is_page else None


async def ask_gateway() -> float | None:
    """Make a request that needs no token, and return what `shut_out_s` says about the response.

    Raises:
        aiohttp.ClientError: Nobody answers.
        ConnectionError: Nobody answers.
        TimeoutError: Nobody answers.
    """
    agent = {"User-Agent": f"DiscordBot (https://github.com/Rapptz/discord.py {discord.__version__})"}
    timeout = aiohttp.ClientTimeout(total=ASK_S)
    async with (
        aiohttp.ClientSession(headers=agent, timeout=timeout) as session,
        session.get(f"{api_address()}/gateway") as answer,
    ):
        return shut_out_s(answer)


async def until_let_in(seconds: float) -> None:
    """Wait until Discord no longer blocks this address, which takes at least so many `seconds`.

    A single request is made after each pause, since many would prolong the block.
    """
    waits, left = Backoff(FIRST_S, LONGEST_SHUT_OUT_S), seconds
    while True:
        wait = max(waits.next_delay(), left)
        _log.error("address.shut_out", problem=SHUT_OUT, again_in_s=wait)
        await asyncio.sleep(wait)
        try:
            found = await ask_gateway()
        except (aiohttp.ClientError, ConnectionError, TimeoutError) as error:
            _log.warning("address.not_known", problem=type(error).__name__)
            left = 0.0
            continue
        if found is None:
            _log.info("address.let_in")
            return
        left = found


INVALID: Final = frozenset({UNAUTHORIZED, 403, TOO_MANY})
INVALID_S: Final = 600.0
WORTH_A_WARNING: Final = 2_000
WORTH_SILENCE: Final = 5_000


class InvalidRequests:
    """Counts the invalid requests of the last ten minutes; Discord shuts out an address that makes 10,000.

    Source: https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
    """

    def __init__(
        self, now: Callable[[], float] = time.monotonic, changed: Callable[[bool], None] = lambda _is_shut_out: None
    ) -> None:
        """Count by the clock `now`, in seconds; `changed` is called with whether the address is shut out."""
        self.is_token_refused = False
        """Whether Discord refused the bot's token in its last answer to a request with it."""
        self._now = now
        self._changed = changed
        self._at: deque[float] = deque()
        self._waiting: asyncio.Task[None] | None = None

    @property
    def is_shut_out(self) -> bool:
        """Whether Discord blocks this address."""
        return self._waiting is not None

    async def _wait(self, seconds: float) -> None:
        await until_let_in(seconds)
        self._waiting = None
        self._changed(False)

    def stop(self) -> None:
        """Stop waiting for the end of a block."""
        if self._waiting is not None:
            self._waiting.cancel()

    @property
    def count(self) -> int:
        """The number of invalid requests in the last ten minutes."""
        while self._at and self._at[0] <= self._now() - INVALID_S:
            self._at.popleft()
        return len(self._at)

    def on_answer(self, answer: aiohttp.ClientResponse) -> None:
        """Count an answer, and wait if it shuts the address out."""
        if "Authorization" in answer.request_info.headers:  # else an interaction's token has expired
            self.is_token_refused = answer.status == UNAUTHORIZED
        if (seconds := shut_out_s(answer)) is not None and self._waiting is None:
            self._waiting = asyncio.get_running_loop().create_task(self._wait(seconds))
            self._changed(True)
        if answer.status in INVALID and not limit_of(answer.status, answer.headers).is_shared:
            self._at.append(self._now())
            if (count := self.count) in (WORTH_A_WARNING, WORTH_SILENCE):
                _log.warning("requests.invalid", in_ten_minutes=count, only_answers=count >= WORTH_SILENCE)

    def check(self, path: str) -> None:
        """Check that a request to this path may be sent; after too many invalid requests, only answers to presses may.

        Raises:
            aiohttp.ClientConnectionError: It may not, or Discord blocks the address.
        """
        if self.is_shut_out:
            raise aiohttp.ClientConnectionError("Discord has shut this address out: nothing is sent")
        if len(self._at) >= WORTH_SILENCE and self.count >= WORTH_SILENCE and not path.endswith("/callback"):
            raise aiohttp.ClientConnectionError("Discord may shut this address out: nothing is sent for a while")


LONGEST_S: Final = 30.0
"""Seconds above which a wait is broken off."""


class LongWaitError(Exception):
    """Discord asks to wait for so many `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"Discord asks to wait {seconds:.0f} s.")
        self.seconds = seconds


class LongWaits:
    """Breaks off requests of one client for which Discord asks to wait long.

    discord.py would sleep as long as that, an hour for emojis, without a word. Its `max_ratelimit_timeout` would refuse
    every second request of a bucket with a longer window.
    """

    def __init__(self) -> None:
        self._until = 0.0
        self._is_refused = False
        self._long_wait = asyncio.Event()

    async def unless_long(self, request: Coroutine[Any, Any, object]) -> None:
        """Make a request, unless Discord asks to wait for more than `LONGEST_S`.

        Raises:
            LongWaitError: It was not carried out.
        """
        if self._long_wait.is_set():
            request.close()
            raise LongWaitError(self._left())
        work, long_wait = asyncio.create_task(request), asyncio.create_task(self._long_wait.wait())
        await asyncio.wait({work, long_wait}, return_when=asyncio.FIRST_COMPLETED)
        long_wait.cancel()
        if work.done():
            work.result()
            return
        work.cancel()  # discord.py sleeps: before a retry, or after the last request that its bucket allowed
        await asyncio.wait({work})
        if self._is_refused:
            raise LongWaitError(self._left())

    def _left(self) -> float:
        return self._until - asyncio.get_running_loop().time()

    def on_answer(self, answer: aiohttp.ClientResponse) -> None:
        """Record the wait that a response asks for, if it is long."""
        limit = limit_of(answer.status, answer.headers)
        if limit.wait_s > LONGEST_S:
            self._until = asyncio.get_running_loop().time() + limit.wait_s
            self._is_refused = limit.is_refused
            self._long_wait.set()
