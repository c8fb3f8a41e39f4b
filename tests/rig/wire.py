"""What the rig's Discord and the tests tell each other over HTTP, as JSON: msgspec reads and writes these types.

Instants are milliseconds since the Unix epoch, of this machine's clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.seen import Seen


@dataclass(frozen=True, slots=True)
class Change:
    """A message was posted, edited or (``gone``) deleted. ``number`` counts the changes from 1."""

    number: int
    at: int
    seen: Seen
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Changes:
    """What has changed since the reader asked last."""

    last: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a press, a command or a form, once it is answered or three seconds have passed.

    ``what`` is the custom id or the command; ``kind`` how the bot answered (message, update, modal ...), "" when it
    did not. ``answer`` is the message of the answer as it was at that instant, when ``changes`` changes had been made;
    ``fields`` are the custom ids of the fields of a form.
    """

    id: int
    user: int
    what: str
    sent_at: int
    kind: str = ""
    took_ms: int = 0
    answer: Seen | None = None
    fields: tuple[str, ...] = ()
    changes: int = 0

    @property
    def is_answered(self) -> bool:
        return self.kind != ""


@dataclass(frozen=True, slots=True)
class Counts:
    """What Discord holds against a bot, and what it has done.

    ``limited`` names each route that was refused with 429; ``missed`` each interaction that was left without an
    answer for three seconds while the bot was connected; ``invalid`` counts the other refusals by status and code;
    ``violations`` says what was wrong with a request.
    """

    requests: int = 0
    limited: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    invalid: dict[str, int] = field(default_factory=dict)
    resumes: int = 0
    violations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Weather:
    """What goes wrong from now on.

    Latencies in seconds, lowest and highest; ``errors`` REST calls are answered with ``status`` (0: the connection is
    cut without an answer; 429 tells to wait ``retry_after`` seconds, is for all routes if ``is_global``, and else of
    ``scope`` user or shared). Both are for the REST calls whose method and path, such as `PATCH /channels/1`, contain
    ``where``. While ``away`` the gateway takes no connection.
    """

    limits: bool = True
    rest: tuple[float, float] = (0.0, 0.0)
    gateway: tuple[float, float] = (0.0, 0.0)
    errors: int = 0
    status: int = 502
    where: str = ""
    is_global: bool = False
    away: bool = False
    retry_after: float = 0.4
    scope: str = "user"


@dataclass(frozen=True, slots=True)
class Order:
    """What a member does; which fields count depends on it."""

    user: int = 0
    channel: int = 0
    message: int = 0
    custom_id: str = ""
    values: tuple[str, ...] = ()
    name: str = ""
    options: dict[str, str] = field(default_factory=dict)
    interaction: int = 0
    text: str = ""
    present: bool = True
    with_ping: bool = True


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens to a server: a method of `tests.rig.discord.moderator.Moderator`, and its arguments."""

    name: str
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Served:
    """What the Discord says once it listens: its address, and the ids in its world.

    ``guild_id`` and ``channel_id`` are the first of ``channels``, which has one channel for each guild.
    """

    address: str
    users: dict[str, int]
    guild_id: int
    channel_id: int
    bot_id: int
    channels: dict[int, int] = field(default_factory=dict)
