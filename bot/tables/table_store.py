"""The Protocols by which running tables are stored: lobbies, seats, places, logs, and panels that survive a restart."""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bot.base.errors import StoreError
from bot.game.events import Event
from bot.ladder.seasons import RankedRules
from bot.records.player import HelpLevel, Player
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.table_channel import TableChannel

ServerFilter = Callable[[int], bool]
"""A set of servers, as a predicate of their ids."""


def all_servers(_guild_id: int) -> bool:
    """Return True: a `ServerFilter` that lets all servers pass."""
    return True


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An event in a match's log; `seq` counts from 1, `press_id` is the id of the interaction that caused it."""

    seq: int
    event: Event
    press_id: int | None = None


class Journal(Protocol):
    """The durable log of all matches."""

    async def append(self, match_id: int, first_seq: int, events: Sequence[Event], press_id: int | None) -> None:
        """Save events durably, numbered from `first_seq`; with a `MatchEnded`, also the match's result.

        Raises:
            StoreError: They were not saved, or it is not known whether they were.
        """

    async def read(self, match_id: int, first_seq: int) -> tuple[LogEntry, ...]:
        """Return the match's entries from `first_seq` on.

        Raises:
            StoreError: The log could not be read, or has a gap.
        """


@dataclass(frozen=True, slots=True)
class SavedTable:
    """A table as it is stored; an open lobby has no entries."""

    lobby: Lobby
    entries: tuple[LogEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class DamagedTable:
    """A table whose log cannot be read; `problem` says why."""

    id: int
    place: TableChannel
    host_id: int
    locale: str
    opened_at: int
    status: Status
    problem: StoreError


@dataclass(frozen=True, slots=True)
class SeatChanges:
    """The people who left their seats at a running match or came back, at the time `at` (Unix milliseconds).

    - `gone`: the players who left, by seat. Those who are still gone at the end lose a ranked match.
    - `back`: the user ids of people who came back.
    - `sent_away`: the user id of a player who was removed, and may not come back.
    - `ended_by`: the user id of the player who broke the match off, and alone loses it.
    """

    at: int
    gone: tuple[tuple[int, Player], ...] = ()
    back: tuple[int, ...] = ()
    sent_away: int | None = None
    ended_by: int | None = None


@dataclass(frozen=True, slots=True)
class FormerSeat:
    """The seat of a player before they left a match, and whether they were removed."""

    seat: int
    was_removed: bool


class TableStore(Protocol):
    """The stored lobbies, seats and places of tables. Every method may raise StoreError."""

    async def ranked_rules(self, guild_id: int, at: int) -> RankedRules | None:
        """Return a server's rules for ranked matches at the time `at`; None if no season is running."""

    async def save_help_level(self, guild_id: int, user_id: int, name: str, level: HelpLevel) -> None:
        """Save the level of help that a person has chosen, for all servers."""

    async def create(self, lobby: Lobby) -> int:
        """Save a new lobby (its `id` is ignored) and return its id."""

    async def save(self, lobby: Lobby) -> None:
        """Save a lobby at which no match is running."""

    async def move(self, table_id: int, place: TableChannel) -> None:
        """Save the place of a table in any state, and nothing else."""

    async def save_open_channels(self, guild_id: int, channel_ids: Collection[int], gone_thread_id: int | None) -> None:
        """Save that @everyone can no longer see tables outside these channels, nor those of a deleted thread."""

    async def cancel_damaged(self, table_id: int) -> None:
        """Save that a damaged table is cancelled; its rows stay."""

    async def record_start(self, lobby: Lobby, events: Sequence[Event]) -> None:
        """Save the start of a match in one transaction: its lobby's status and seats, and its first events."""

    async def reseat(self, lobby: Lobby, changes: SeatChanges) -> None:
        """Save a change of a running match's people in one transaction: the seats, `is_ranked` and the changes."""

    async def break_off(self, lobby: Lobby, changes: SeatChanges) -> None:
        """Save in one transaction that a match was broken off, and the changes of its seats.

        A ranked match is lost by `changes.ended_by` alone or, without one, by all players who have left by then. It
        does not count for the others.
        """

    async def ask_for_rematch(self, table_id: int, user_id: int) -> None:
        """Save that a player of a finished match requests a rematch."""

    async def former(self, table_id: int, user_id: int) -> FormerSeat | None:
        """Return the former seat of a player who has left a match; None if they have not."""

    async def load(self, table_id: int) -> Lobby | None:
        """Return a table's lobby; None if its row was deleted."""

    async def read_table(self, table_id: int) -> SavedTable | DamagedTable | None:
        """Return a table with its log; None if its row was deleted."""

    def load_live(self, servers: ServerFilter = all_servers) -> AsyncIterator[SavedTable | DamagedTable]:
        """Yield these servers' open lobbies, running matches, and ended tables whose message is not final yet.

        They are read in batches, between which other work goes on. A cancelled or expired table has no entries.
        """


PanelKey = tuple[int, int]
"""The ids of the table and of the user to which an ephemeral panel belongs."""


@dataclass(frozen=True, slots=True)
class OpenPanel:
    """A player's ephemeral panel at a table, and how it is reached.

    - `made_at`: when the newest press on it was made (Unix milliseconds).
    - `round`: the round of that press.
    - `page`, `language`: what the panel shows, by names of the user interface.
    - `token`: the interaction token of that press.
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
    channel_id: int = 0
    is_follow_up: bool = False
    """Whether the panel was posted after the answer to the press; if not, it is that answer."""

    @property
    def key(self) -> PanelKey:
        """The id of its table and the id of its user."""
        return self.table_id, self.user_id


class PanelStore(Protocol):
    """The ephemeral panels that can be edited after a restart. Every method may raise StoreError.

    Tokens are secrets, also at rest.
    """

    async def save(self, opened: Sequence[OpenPanel], closed: Collection[PanelKey], since: int) -> None:
        """Save open panels; delete closed ones, and those last pressed before `since` (Unix milliseconds)."""

    async def load(self, since: int, table_ids: Collection[int]) -> tuple[OpenPanel, ...]:
        """Return the panels of these tables that were pressed after `since`; delete older and unreadable ones."""
