"""What the bot takes of libraries beyond what they promise, by file, and why nothing that they promise does."""

from collections.abc import Mapping
from importlib.metadata import version
from os import EX_CONFIG
from types import ModuleType
from typing import Final, NamedTuple

from bot.base.errors import KemsError

WORKING: Final = {"aiohttp": "3.14.5", "aiosqlite": "0.22.1", "discord": "2.7.1"}
"""By the library's module: the version that the bot is tested with."""


class LibraryError(KemsError):
    """A library lacks what the bot needs of it."""

    status = EX_CONFIG

    def __init__(self, module: str, problem: str) -> None:
        package = {"discord": "discord.py"}.get(module, module)
        found, working = version(package), WORKING[module]
        super().__init__(f"{package} {found} does not fit the bot ({problem}): install {package}=={working}.")


class Taken(NamedTuple):
    """`names` and what has them; `why` the promised way does not do."""

    why: str
    names: Mapping[str, object]


def taken() -> Mapping[str, Taken]:
    """By file."""
    import aiosqlite  # noqa: PLC0415 - what cannot be imported is the caller's to tell
    import discord  # noqa: PLC0415
    import discord.http  # noqa: PLC0415
    from aiohttp.client_reqrep import ClientResponse  # noqa: PLC0415
    from aiohttp.connector import TCPConnector  # noqa: PLC0415
    from discord.client import ExponentialBackoff  # type: ignore[attr-defined]  # noqa: PLC0415
    from discord.state import ConnectionState  # noqa: PLC0415
    from discord.webhook import async_  # noqa: PLC0415

    connection, client = aiosqlite.connect(":memory:"), discord.Client(intents=discord.Intents(guilds=True))
    state = vars(client)["_connection"]
    http = discord.http.HTTPClient(None)  # type: ignore[arg-type]  # it asks the loop for nothing yet
    return {
        "bot/store/engine/one_hop.py": Taken(
            "A commit by aiosqlite's own calls takes three hops to its thread: 2 ms instead of 0.6.",
            {"_execute": connection, "_thread": connection, "_conn": type(connection)},
        ),
        "bot/discord/gateway/client.py": Taken(
            "A discord.Client keeps one shard. What this one serves changes, and events are left unread that concern"
            " no table.",
            {"_handlers": client, "_hooks": client, "_remove_guild": ConnectionState, "parsers": state},
        ),
        "bot/discord/gateway/shard_keeper.py": Taken(
            "A shard is connected and cut by itself, and asks how many connections are left.",
            {
                "_connection": client,
                "_intents": state,
                "_max": ExponentialBackoff(),
                "_remove_guild": ConnectionState,
                "get_bot_gateway": http,
            },
        ),
        "bot/discord/api/requests.py": Taken(
            "The promised calls build a message from each answer: 157 us of CPU by Webhook.partial(...).edit_message"
            " instead of 11, 146 by PartialMessage.edit instead of 20. By Webhook.partial(...).send it is 61 for 19,"
            " and a private message is refused.",
            {
                "_HTTPClient__session": http,
                "Route": discord.http,
                "handle_message_parameters": discord.http,
                "async_context": async_,
                "edit_message": http,
            },
        ),
        "bot/discord/api/absent_fields.py": Taken(
            "What discord.py cannot do without is added to answers before it reads them.", {"request": http}
        ),
        "bot/discord/rate_limits/responses.py": Taken(
            "Every answer's headers are heard, also of what discord.py asks by itself.",
            {"start": ClientResponse, "connect": TCPConnector},
        ),
        "bot/discord/messages/posted_message.py": Taken(
            "`history` builds messages, and ends at one that it cannot read.", {"logs_from": http}
        ),
        "bot/discord/places/events.py": Taken(
            "The promised calls need an event that the cache has; it was made a moment ago, or by another process.",
            {"create_guild_scheduled_event": http, "edit_scheduled_event": http, "delete_scheduled_event": http},
        ),
        "bot/discord/places/members.py": Taken(
            "The promised calls need a server that the cache has: the roles of another process's are taken back, too.",
            {"get_member": http, "add_role": http, "remove_role": http},
        ),
        "bot/discord/gateway/command_tree.py": Taken(
            "`sync` translates all commands once more, and registers them where nothing has changed, too.",
            {"Route": discord.http, "request": http},
        ),
        "bot/operating/startup.py": Taken(
            "DISCORD_API leads the requests elsewhere.", {"Route": discord.http, "INTERNAL_API_VERSION": discord.http}
        ),
        "bot/operating/first_contact/contact.py": Taken(
            "Requests are made once, without discord.py's waiting; events that cannot be read are skipped.",
            {"_connection": client, "parsers": state, "Route": discord.http, "user_agent": http},
        ),
        "bot/operating/first_contact/runner.py": Taken(
            "No promised call tells how many connections are left.", {"get_bot_gateway": http, "get_guilds": http}
        ),
        "bot/operating/doctor.py": Taken(
            "`fetch_member` needs a server in the cache, which a client without a connection does not have.",
            {"get_guilds": http, "get_member": http},
        ),
        "bot/operating/setup.py": Taken(
            "`fetch_guilds` builds servers; whether there is one is enough.", {"get_guilds": http}
        ),
    }


def check() -> None:
    """Raises LibraryError."""
    try:
        owned = [(name, owner) for each in taken().values() for name, owner in each.names.items()]
    except ImportError as error:
        raise fault(error) from error
    for name, owner in owned:
        if not hasattr(owner, name):
            kind = owner if isinstance(owner, type | ModuleType) else type(owner)
            module = kind.__name__ if isinstance(kind, ModuleType) else kind.__module__
            raise LibraryError(module.partition(".")[0], f"{kind.__name__} has no {name}")


def fault(error: ImportError) -> Exception:
    """A failed import as a LibraryError if it is one of these libraries' fault."""
    module = (error.name or "").partition(".")[0]
    return LibraryError(module, error.msg) if module in WORKING else error
