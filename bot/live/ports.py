"""What live tables need from outside, as Protocols: a clock, a journal, a store, somebody who watches.

Instants are int milliseconds since the Unix epoch. Tests hand in fakes; `bot.compose` hands in the real ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from bot.errors import KemsError
from bot.game.events import Event
from bot.ladder.eligibility import Gates
from bot.live.lobby import Lobby, Status
from bot.live.people import Place, Player
from bot.live.server import ServerSettings
from bot.live.themes import Theme

if TYPE_CHECKING:
    from bot.live.table import Table


PanelKey = tuple[int, int]
"""The table and the user that a private panel belongs to."""


class StoreError(KemsError):
    """Nothing was saved or read, so nothing has happened: try again, or read the sentence for what to repair."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of a match's log: `seq` counts from 1, `press_id` is the interaction that caused it."""

    seq: int
    event: Event
    press_id: int | None = None


@dataclass(frozen=True, slots=True)
class SavedTable:
    """A table as the store remembers it: no entries while its lobby is open."""

    lobby: Lobby
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Damaged:
    """A table that should go on and cannot be read: where it is shown, whose it is, and the sentence that says why."""

    id: int
    place: Place
    host_id: int
    locale: str
    opened_at: int
    status: Status
    problem: StoreError


@dataclass(frozen=True, slots=True)
class Moves:
    """People who have left their seats at a running match, for the time being or for good, and who are there again.

    For whoever is gone when it ends the match is lost, however it ends for the others. Who was `sent_away` may not
    come back.
    """

    at: int
    gone: tuple[tuple[int, Player], ...] = ()
    back: tuple[int, ...] = ()
    sent_away: int | None = None


@dataclass(frozen=True, slots=True)
class Former:
    """Where somebody sat before they left a match, and whether they were sent away."""

    seat: int
    was_sent_away: bool


@dataclass(frozen=True, slots=True)
class PastPlace:
    """Where a match was played that is over, and the people who sat there at its end."""

    table_id: int
    channel_id: int
    user_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A match that was played to its end: its people by seat, who have no name if forgotten, and its whole log.

    Without events the log is not kept any longer, nor are the names.
    """

    table_id: int
    theme: Theme
    people: tuple[Player, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class OpenPanel:
    """Somebody's private panel at a table: its message, and the token of their newest press, by which it is reached.

    `made_at` is when that press was made, `round` the round in which it was. `page` and `language` are what the panel
    shows, by the names of whoever shows it.
    """

    table_id: int
    user_id: int
    seat: int
    page: str
    language: str
    round: int
    made_at: int
    message_id: int
    token: str = field(repr=False)

    @property
    def key(self) -> PanelKey:
        return self.table_id, self.user_id


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since the Unix epoch."""


class Journal(Protocol):
    """The durable log of all matches."""

    async def append(self, match_id: int, first_seq: int, events: Sequence[Event], press_id: int | None) -> None:
        """Make the events durable, numbered from `first_seq`; with a `MatchEnded`, the match's result too.

        Raises:
            StoreError: they were not saved, or nobody knows whether they were.
        """

    async def read(self, match_id: int, first_seq: int) -> tuple[Entry, ...]:
        """The match's entries from `first_seq` on.

        Raises:
            StoreError: the log could not be read, or has a gap.
        """


class TableStore(Protocol):
    """Lobbies, seats and where tables are shown. Every method raises StoreError when it could not do its work."""

    async def gates(self, guild_id: int, at: int) -> Gates | None:
        """What a server asks of a ranked table at an instant; None where no season is running."""

    async def create(self, lobby: Lobby) -> int:
        """Save a new lobby (its `id` is ignored) and return its id."""

    async def save(self, lobby: Lobby) -> None:
        """Save a lobby that no match is being played at."""

    async def move(self, table_id: int, place: Place) -> None:
        """Save a table's place alone, whatever its state."""

    async def give_up(self, table_id: int) -> None:
        """Save that a damaged table is cancelled; what is left of it stays."""

    async def record_start(self, lobby: Lobby, events: Sequence[Event]) -> None:
        """Save in one transaction that the lobby is playing, its final seats and the match's first events."""

    async def reseat(self, lobby: Lobby, moves: Moves) -> None:
        """Save in one transaction who sits at a running match now, and who has gone or come back."""

    async def break_off(self, lobby: Lobby, moves: Moves) -> None:
        """Save in one transaction that a match ended before its end, and who has gone.

        A ranked one is lost for all who have gone by then and are not back; it counts for nobody else.
        """

    async def former(self, table_id: int, user_id: int) -> Former | None:
        """Whether and where somebody sat at a match before."""

    async def load(self, table_id: int) -> Lobby | None:
        """One table's people and place; None once they are not kept any longer."""

    async def load_live(self) -> tuple[SavedTable | Damaged, ...]:
        """Take over every open lobby and running match, and those that ended while their message still does not say so.

        Whoever wrote them before can write no more. One that ended otherwise than by its rules comes without entries.
        """


class Archive(Protocol):
    """Matches that were played to their end. Every method raises StoreError when the store could not do its work."""

    async def finished(
        self, guild_id: int, channel_id: int | None, table_id: int | None = None
    ) -> tuple[PastPlace, ...]:
        """Finished matches of a server: that of the table, else the channel's and then the others, youngest first.

        A handful at most. One that is still played, or was broken off, is not finished.
        """

    async def read(self, table_id: int) -> PastMatch | None:
        """A finished match, whole; None where there is no such match."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules that a server keeps under a name; `bot.game.rules_line` reads the line."""

    name: str
    line: str


class RuleSets(Protocol):
    """What servers keep, each for itself; names are the same in any case. Every method may raise StoreError."""

    async def save(self, guild_id: int, rule_set: RuleSet, *, most: int) -> bool:
        """Keep a set, in place of the one of its name; False where the server keeps `most` others already."""

    async def delete(self, guild_id: int, name: str) -> bool:
        """Forget a set; False where there is none of that name."""

    async def all(self, guild_id: int) -> tuple[RuleSet, ...]:
        """The server's sets in the order of their names."""


class Servers(Protocol):
    """What each server has chosen apart from its ladder. Every method may raise StoreError."""

    async def read(self, guild_id: int) -> ServerSettings:
        """What the server has chosen, or the defaults."""

    async def change(self, guild_id: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        """Save what `change` makes of the server's settings; gives what holds now. Two changes never overlap."""


class PanelStore(Protocol):
    """Private panels that can be reached again after a restart. Tokens are secrets, at rest too.

    Both methods raise StoreError when the store could not do its work.
    """

    async def save(self, opened: Sequence[OpenPanel], closed: Collection[PanelKey], since: int) -> None:
        """Remember panels as they are now; forget others, and all whose press was made before an instant."""

    async def load(self, since: int) -> tuple[OpenPanel, ...]:
        """The panels whose press was made since an instant; all others are forgotten, and what nobody can read."""


class Observer(Protocol):
    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """Something became durable at a table, or other people sit at it, and then there are no events.

        Called outside the table's lock; must return at once.
        """


class Watcher(Observer, Protocol):
    """Whoever shows the tables. Every method must return at once."""

    def awaits(self, table: Table, seats: Sequence[int], until: int) -> None:
        """These people are missed at a table: tell them. After `until` (milliseconds) it does without them.

        Whatever becomes of that, and whoever comes, is a change.
        """

    def closed(self, lobby: Lobby) -> None:
        """A lobby that nobody started is closed for good, or a match was broken off."""
