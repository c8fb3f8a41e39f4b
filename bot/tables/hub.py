"""The hub: says what changed to all that `bot.compose` subscribes. `TableChanged` stands beside `Table`."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, TypeVar

import structlog

from bot.nights.night import Night
from bot.tables.lobby.lobby import Lobby
from bot.tables.match.table import Table

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SeatsCalled:
    """A match waits for the players of these seats until `until` (milliseconds); `SeatsChanged` follows."""

    table: Table
    seats: Sequence[int]
    until: int


@dataclass(frozen=True, slots=True)
class SeatsMissing:
    """Players of a match were called and have let their time pass."""

    table: Table


@dataclass(frozen=True, slots=True)
class SeatsChanged:
    """Other players or robots play at a match, or a player who was called has acted.

    `before` is the table before others played there; None where the same do.
    """

    table: Table
    before: Lobby | None = None


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """An open lobby is to be shown as it is now, or one was cancelled."""

    lobby: Lobby


@dataclass(frozen=True, slots=True)
class TableClosed:
    """A lobby expired, or a match was broken off."""

    lobby: Lobby


@dataclass(frozen=True, slots=True)
class MatchEndChanged:
    """Something new stands on the result of a match, such as a challenge or a try at one."""

    guild_id: int
    table_id: int


@dataclass(frozen=True, slots=True)
class NightChanged:
    """A night was saved or brought back, or what is shown of its tables has changed."""

    night: Night


@dataclass(frozen=True, slots=True)
class ModerationDone:
    """Somebody did something to others in a server, for its log channel.

    `words` tells it, given the texts of a language.
    """

    guild_id: int
    words: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class RightsChanged:
    """The bot may have gained rights in a server, or in one of its channels."""

    guild_id: int
    channel_id: int | None = None


@dataclass(frozen=True, slots=True)
class PersonBanned:
    """A person may come to no table and no night of a server until `until` (milliseconds). Published in turn."""

    guild_id: int
    user_id: int
    until: int
    by_id: int
    reason: str


@dataclass(frozen=True, slots=True)
class OpenChannels:
    """@everyone can read these channels of a server and no others; a thread may be gone."""

    guild_id: int
    channel_ids: Collection[int]
    gone_thread_id: int | None = None


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The settings of a server were changed."""

    guild_id: int


@dataclass(frozen=True, slots=True)
class SeasonChanged:
    """A season, or a board of one that is over, was saved."""


@dataclass(frozen=True, slots=True)
class ServersLost:
    """Discord cannot be reached for these servers: their clocks stop."""

    guild_ids: Collection[int]


@dataclass(frozen=True, slots=True)
class ServersReached:
    """Discord serves these servers (again): their messages may be out of date. Published in turn.

    `has_missed`: events of them may have been missed.
    """

    guild_ids: Collection[int]
    has_missed: bool = False


@dataclass(frozen=True, slots=True)
class PersonErased:
    """A person is to be forgotten. Published in turn: a handler raises StoreError where that is not saved."""

    user_id: int


@dataclass(frozen=True, slots=True)
class ErasureDone:
    """The rows of erased people are gone; what Discord still has of them goes, too. Published in turn."""


_Event = TypeVar("_Event")
Subscription = tuple[type, tuple[Callable[[Any], object], ...]]


def on(kind: type[_Event], *handlers: Callable[[_Event], object]) -> Subscription:
    """Return what a feature declares: these handlers hear each event of a kind."""
    return kind, handlers


class Hub:
    """One for the whole process. Handlers are called in the order in which they were subscribed."""

    def __init__(self) -> None:
        self._handlers: defaultdict[type, list[Callable[[Any], object]]] = defaultdict(list)

    def subscribe(self, kind: type[_Event], *handlers: Callable[[_Event], object]) -> None:
        """Call `handlers` with each event of a kind. Unless the kind is published in turn, they return at once."""
        self._handlers[kind] += handlers

    def publish(self, event: object) -> None:
        """Call all handlers of an event. One that fails is logged: what the event says has happened already."""
        for handler in self._handlers[type(event)]:
            try:
                handler(event)
            except Exception:  # noqa: BLE001 - the player whose move is durable must not read that it failed
                _log.exception("handler.failed", what=type(event).__name__)

    async def publish_and_wait(self, event: object) -> None:
        """Call the handlers of an event one after another, and await each.

        An exception of a handler reaches the caller, and the handlers after it are not called.
        """
        for handler in self._handlers[type(event)]:
            done = handler(event)
            if isawaitable(done):
                await done
