"""The hub, which publishes typed events of what changed. `TableChanged` is defined beside `Table`."""

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
    """The players of these seats were called, and have until `until` (Unix milliseconds) to act."""

    table: Table
    seats: Sequence[int]
    until: int


@dataclass(frozen=True, slots=True)
class SeatsMissing:
    """Players of a match were called and have not acted in time."""

    table: Table


@dataclass(frozen=True, slots=True)
class SeatsChanged:
    """Other players or robots play at a match, or a called player has acted.

    `before` is the lobby before the change; None if the same people play.
    """

    table: Table
    before: Lobby | None = None


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """An open lobby was changed or cancelled."""

    lobby: Lobby


@dataclass(frozen=True, slots=True)
class TableClosed:
    """A lobby expired, or a match was broken off."""

    lobby: Lobby


@dataclass(frozen=True, slots=True)
class MatchEndChanged:
    """The result of a match has to be shown anew, such as after a challenge or an attempt at one."""

    guild_id: int
    table_id: int


@dataclass(frozen=True, slots=True)
class NightChanged:
    """A night was saved or loaded, or what it shows of its tables has changed."""

    night: Night


@dataclass(frozen=True, slots=True)
class ModerationDone:
    """A manager or a host did something to other people, for the server's log channel.

    `words` returns the sentence about it for the texts of a language.
    """

    guild_id: int
    words: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class RightsChanged:
    """The bot's permissions may have changed in a server, or in one of its channels."""

    guild_id: int
    channel_id: int | None = None


@dataclass(frozen=True, slots=True)
class PersonBanned:
    """A person was banned from the tables and nights of a server until `until` (Unix milliseconds).

    Its handlers are awaited (`Hub.publish_and_wait`).
    """

    guild_id: int
    user_id: int
    until: int
    by_id: int
    reason: str


@dataclass(frozen=True, slots=True)
class OpenChannels:
    """The channels of a server that @everyone can see, after a change, and a thread that was deleted, if one was."""

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
    """Discord cannot be reached for these servers, whose clocks stop."""

    guild_ids: Collection[int]


@dataclass(frozen=True, slots=True)
class ServersReached:
    """Discord can be reached for these servers, perhaps again: their messages may be out of date.

    `has_missed` says whether events of theirs may have been missed. Its handlers are awaited (`Hub.publish_and_wait`).
    """

    guild_ids: Collection[int]
    has_missed: bool = False


@dataclass(frozen=True, slots=True)
class PersonErased:
    """A person's data has to be dropped from memory.

    Its handlers are awaited (`Hub.publish_and_wait`), and raise StoreError if a change was not saved.
    """

    user_id: int


@dataclass(frozen=True, slots=True)
class ErasureDone:
    """The rows of erased people were deleted, and what Discord has of them is to be removed.

    Its handlers are awaited (`Hub.publish_and_wait`).
    """


_Event = TypeVar("_Event")
Subscription = tuple[type, tuple[Callable[[Any], object], ...]]


def on(kind: type[_Event], *handlers: Callable[[_Event], object]) -> Subscription:
    """Return a subscription of these handlers to a kind of event, for `Feature.hears`."""
    return kind, handlers


class Hub:
    """Publishes events to handlers, in the order in which they were subscribed."""

    def __init__(self) -> None:
        self._handlers: defaultdict[type, list[Callable[[Any], object]]] = defaultdict(list)

    def subscribe(self, kind: type[_Event], *handlers: Callable[[_Event], object]) -> None:
        """Call `handlers` with each event of a kind. They may be coroutines only if `publish_and_wait` publishes it."""
        self._handlers[kind] += handlers

    def publish(self, event: object) -> None:
        """Call all handlers of an event. A handler's error is logged, since the event has already happened."""
        for handler in self._handlers[type(event)]:
            try:
                handler(event)
            except Exception:  # noqa: BLE001 - the player whose move is durable must not read that it failed
                _log.exception("handler.failed", what=type(event).__name__)

    async def publish_and_wait(self, event: object) -> None:
        """Call and await the handlers of an event one after another.

        If a handler raises an exception, it is passed on, and the later handlers are not called.
        """
        for handler in self._handlers[type(event)]:
            done = handler(event)
            if isawaitable(done):
                await done
