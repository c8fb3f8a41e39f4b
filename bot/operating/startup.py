"""What may keep the bot from starting: a network that is not up yet, many failed starts, a refusal of Discord."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final

import aiohttp
import discord
import structlog
import yarl

from bot.base.background import Backoff
from bot.base.errors import KemsError
from bot.base.settings import LOGIN_REFUSED, Settings, SettingsError
from bot.discord.api.absent_fields import fill_answers
from bot.discord.api.aiohttp_internals import ListeningConnector, OnAnswer
from bot.discord.api.discord_internals import api_address, send_to, use_connector
from bot.discord.api.requests import FAILED
from bot.discord.rate_limits.responses import SHUT_OUT, shut_out_s, until_let_in
from bot.store.engine.failures import UnreachedError

_PAUSES_S: Final = (1.0, 30.0)
"""The first pause between two attempts, and the longest."""
_CONNECT_S: Final = 10.0
_FREE_STARTS: Final = 3
_LONGEST_S: Final = 600.0
_RECENT_S: Final = 3600.0
_DIGITS: Final = 5
MOST_STARTS: Final = 1_000
"""The count of failed starts ends here."""

SERVED_S: Final = 300.0
"""A start has succeeded after so many seconds of unbroken connection to Discord."""
LOOK_S: Final = 10.0

INTENT_REFUSED: Final = (
    "Discord did not grant the message content intent: switch it on in the developer portal"
    " (Bot > Message Content Intent), or set MESSAGE_CONTENT=0."
)
# Source: https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
_CLOSED: Final = {
    4004: LOGIN_REFUSED,
    4011: "The bot is on too many servers for its shards: stop all its processes, then start them again.",
    4013: "Discord does not know the intents that the bot asks for: update the bot.",
    4014: INTENT_REFUSED,
}
_FOR_GOOD: Final = (4004, 4013, 4014)

_log = structlog.get_logger(__name__)


class ShutOutError(KemsError):
    """Discord refuses every request from this address for `seconds`; 0 if it does not say for how long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(SHUT_OUT)
        self.seconds = seconds


@asynccontextmanager
async def waiting_while_shut_out() -> AsyncIterator[None]:
    """If the `with` block raises `ShutOutError`, wait until Discord no longer blocks this address; then raise it again.

    Starting the bot earlier would only prolong the block.

    Raises:
        ShutOutError: Discord had blocked this address, and no longer does.
    """
    try:
        yield
    except ShutOutError as error:
        await until_let_in(error.seconds)
        raise


async def until_reached(attempt: Callable[[], Awaitable[None]]) -> None:
    """Retry an attempt with exponential backoff as long as the network or the database cannot be reached.

    A machine may start the bot before its network is up, or its database.
    """
    waits = Backoff(*_PAUSES_S)
    while True:
        try:
            return await attempt()
        except (UnreachedError, OSError, TimeoutError) as error:
            pause_s = waits.next_delay()
            _log.warning("start.waiting", problem=_problem(error), again_in_s=pause_s)
        await asyncio.sleep(pause_s)


@asynccontextmanager
async def spaced_starts(folder: Path, serves: Callable[[], bool]) -> AsyncIterator[None]:
    """Wait before the `with` block begins; the more starts in a row have failed, the longer.

    Discord resets the token of a bot that identifies a thousand times a day, which a supervisor that restarts the bot
    could cause. A file in `folder` counts the failed starts. A start that was cancelled or has served for `SERVED_S`
    ends the count, and so does an hour without starts.

    Args:
        folder: Where the count is kept.
        serves: Whether the bot is connected to Discord.

    Raises:
        asyncio.CancelledError: The start was cancelled.
    """
    file = folder / "kems-starts"
    try:
        with file.open() as counted:
            failed = int(counted.read(_DIGITS)) if time.time() - file.stat().st_mtime < _RECENT_S else 0
    except (OSError, ValueError):
        failed = 0
    failed = failed if 0 <= failed <= MOST_STARTS else 0  # another program has written that
    if failed >= _FREE_STARTS:
        pause_s = min(2.0 ** (failed - _FREE_STARTS + 2), _LONGEST_S)
        _log.warning("start.waiting", problem=f"The last {failed} starts have failed.", again_in_s=pause_s)
        await asyncio.sleep(pause_s)
    with suppress(OSError):
        file.write_text(str(min(failed + 1, MOST_STARTS)))
    serving = asyncio.create_task(_forget_failures(file, serves))
    try:
        yield
    except asyncio.CancelledError:
        file.unlink(missing_ok=True)
        raise
    finally:
        serving.cancel()


async def _forget_failures(file: Path, serves: Callable[[], bool]) -> None:
    served_s = 0.0
    while served_s < SERVED_S:
        await asyncio.sleep(LOOK_S)
        served_s = served_s + LOOK_S if serves() else 0.0
    _forget(file)


def _forget(file: Path) -> None:
    with suppress(OSError):
        file.unlink(missing_ok=True)


def grants_content(flags: discord.ApplicationFlags) -> bool:
    """Return whether the bot may connect with the message content intent."""
    return flags.gateway_message_content or flags.gateway_message_content_limited


def use_proxy(settings: Settings) -> None:
    """Send requests to DISCORD_API, if it is set, instead of Discord's API; gateway connections still go to Discord."""
    if settings.discord_api is not None:
        send_to(str(settings.discord_api))


async def reach_discord() -> None:
    """Open and close a connection to Discord's API.

    Raises:
        OSError: The host's name is not found, or nobody answers.
        TimeoutError: Nobody answers within ten seconds.
    """
    address = yarl.URL(api_address())
    _, writer = await asyncio.wait_for(asyncio.open_connection(address.host, address.port), _CONNECT_S)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


def _problem(error: Exception) -> str:
    if isinstance(error, UnreachedError):
        return str(error)
    reason = "its name is not found" if isinstance(error, socket.gaierror) else "nobody answers"
    return f"Discord cannot be reached ({reason}): is this machine online?"


@contextmanager
def asking_discord() -> Iterator[None]:
    """Turn discord.py's exceptions in the `with` block into errors whose message is a sentence for the operator.

    Raises:
        SettingsError: Discord refuses the token or an intent.
        ShutOutError: Discord has shut this address out.
        KemsError: Discord cannot be reached, or answers with another error.
    """
    try:
        yield
    except discord.LoginFailure:
        raise SettingsError(LOGIN_REFUSED) from None
    except discord.PrivilegedIntentsRequired:
        raise SettingsError(INTENT_REFUSED) from None
    except discord.ConnectionClosed as error:
        unknown = f"Discord closed the connection (code {error.code}): try again later."
        raise (SettingsError if error.code in _FOR_GOOD else KemsError)(_CLOSED.get(error.code, unknown)) from None
    except discord.HTTPException as error:
        seconds = shut_out_s(error.response) if isinstance(error.response, aiohttp.ClientResponse) else None
        if seconds is not None:
            raise ShutOutError(seconds) from None
        raise KemsError(
            f"Discord answers with {error.status} (code {error.code}): {error.text or 'no text'}"
        ) from error
    except (*FAILED, OSError) as error:
        raise KemsError(f"Discord cannot be reached ({type(error).__name__}): is this machine online?") from error


@asynccontextmanager
async def logged_in(settings: Settings, hear: OnAnswer) -> AsyncIterator[discord.Client]:
    """Yield a client that is logged in, but not connected to the gateway; `hear` is called with each HTTP response.

    Raises:
        KemsError: Discord cannot be reached, or refuses something in the `with` block (`asking_discord`).
    """
    token = settings.require_token()
    use_proxy(settings)
    with asking_discord():
        async with discord.Client(intents=discord.Intents(guilds=True)) as client:
            fill_answers(client)
            use_connector(client, ListeningConnector(hear))
            await client.login(token)
            yield client
