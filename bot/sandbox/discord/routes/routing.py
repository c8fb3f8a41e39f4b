"""Finds the function that answers a route. Routes are written as `channels/*/messages/*`, a star for each id."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.discord import errors
from bot.sandbox.discord.objects import Upload
from bot.sandbox.discord.world import World

# The words of Discord's paths; every other part is an id, a token or an emoji.
_WORDS = frozenset((
    "active", "applications", "audit-logs", "bot", "callback", "channels", "commands", "emojis", "gateway", "guilds",
    "interactions", "members", "messages", "oauth2", "permissions", "reactions", "roles", "scheduled-events",
    "thread-members", "threads", "typing", "users", "webhooks",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Call:
    """One request of the bot. `shape` is its route; `ids` are the parts of the path for its stars, in order."""

    method: str
    path: str
    shape: str
    ids: tuple[str, ...]
    body: Any = None
    uploads: Sequence[Upload] = ()
    query: dict[str, str] = field(default_factory=dict)
    reason: str | None = None

    def number(self, index: int) -> int:
        """Return an id of the path.

        Raises:
            DiscordError: 404 if that part is no number.
        """
        text = self.ids[index]
        if not text.isdecimal():
            raise errors.no_route()
        return int(text)


Handler = Callable[[World, Call], Any]
ROUTES: dict[tuple[str, str], Handler] = {}


def route(method: str, *shapes: str) -> Callable[[Handler], Handler]:
    """Register a function as the handler of these routes."""

    def register(handler: Handler) -> Handler:
        for shape in shapes:
            ROUTES[method, shape] = handler
        return handler

    return register


def shape_of(path: str) -> tuple[str, tuple[str, ...]]:
    """Return the route of a path (without the version), and the ids in it."""
    parts, ids = [], []
    for part in path.strip("/").split("/"):
        if part in _WORDS:
            parts.append(part)
        else:
            parts.append("*")
            ids.append(part)
    return "/".join(parts), tuple(ids)
