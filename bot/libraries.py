"""What the bot takes of libraries beyond what they promise, by the file that says what for and what to do without."""

from collections.abc import Mapping
from importlib.metadata import version
from os import EX_CONFIG
from typing import Final

from bot.errors import KemsError

WORKING: Final = {"aiohttp": "3.14.5", "aiosqlite": "0.22.1", "discord": "2.7.1"}
"""By the library's module: the version that the bot is tested with."""


class LibraryError(KemsError):
    """A library lacks what the bot needs of it."""

    status = EX_CONFIG

    def __init__(self, module: str, problem: str) -> None:
        package = {"discord": "discord.py"}.get(module, module)
        found, working = version(package), WORKING[module]
        super().__init__(f"{package} {found} does not fit the bot ({problem}): install {package}=={working}.")


def taken() -> Mapping[str, Mapping[str, object]]:
    """By file: the names, and what has them."""
    import aiosqlite  # noqa: PLC0415 - what cannot be imported is the caller's to tell
    import discord  # noqa: PLC0415
    from aiohttp.client_reqrep import ClientResponse  # noqa: PLC0415
    from aiohttp.connector import TCPConnector  # noqa: PLC0415
    from discord.client import ExponentialBackoff  # type: ignore[attr-defined]  # noqa: PLC0415
    from discord.http import HTTPClient  # noqa: PLC0415
    from discord.state import ConnectionState  # noqa: PLC0415

    connection, client = aiosqlite.connect(":memory:"), discord.Client(intents=discord.Intents(guilds=True))
    state = vars(client)["_connection"]
    http = HTTPClient(None)  # type: ignore[arg-type]  # it asks the loop for nothing yet
    return {
        "bot/store/engine/one_hop.py": {"_execute": connection, "_thread": connection, "_conn": type(connection)},
        "bot/ui/client.py": {"_handlers": client, "_hooks": client, "_remove_guild": ConnectionState},
        "bot/ui/shard_keeper.py": {
            "_connection": client,
            "_intents": state,
            "_max": ExponentialBackoff(),
        },
        "bot/ui/kit/interactions.py": {
            "_response_type": discord.InteractionResponse,
            "_HTTPClient__session": http,
            "_state": discord.Interaction,
        },
        "bot/ui/live/answers.py": {"start": ClientResponse, "connect": TCPConnector},
    }


def check() -> None:
    """Raises LibraryError."""
    try:
        owned = [(name, owner) for names in taken().values() for name, owner in names.items()]
    except ImportError as error:
        raise fault(error) from error
    for name, owner in owned:
        if not hasattr(owner, name):
            kind = owner if isinstance(owner, type) else type(owner)
            raise LibraryError(kind.__module__.partition(".")[0], f"{kind.__name__} has no {name}")


def fault(error: ImportError) -> Exception:
    """A failed import as a LibraryError if it is one of these libraries' fault."""
    module = (error.name or "").partition(".")[0]
    return LibraryError(module, error.msg) if module in WORKING else error
