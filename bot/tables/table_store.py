"""Lobbies, seats, places and logs of tables, as running tables need them stored; panels that a restart finds again."""

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
"""Some servers: whether the one with an id is among them."""


def all_servers(_guild_id: int) -> bool:
    """Return True: the filter that lets every server through."""
    return True


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One event of a match's log: `seq` counts from 1, `press_id` is the interaction that caused it."""

    seq: int
    event: Event
    press_id: int | None = None


class Journal(Protocol):
    """The durable log of all matches."""

    async def append(self, match_id: int, first_seq: int, events: Sequence[Event], press_id: int | None) -> None:
        """Make the events durable, numbered from `first_seq`; with a `MatchEnded` the match's result, too.

        Raises:
            StoreError: they were not saved, or it is not known whether they were.
        """

    async def read(self, match_id: int, first_seq: int) -> tuple[LogEntry, ...]:
        """Return the match's entries from `first_seq` on.

        Raises:
            StoreError: the log could not be read, or has a gap.
        """


@dataclass(frozen=True, slots=True)
class SavedTable:
    """A table as it is stored; an open lobby has no entries."""

    lobby: Lobby
    entries: tuple[LogEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class DamagedTable:
    """A table that should go on and cannot be read; `problem` says why in a sentence."""

    id: int
    place: TableChannel
    host_id: int
    locale: str
    opened_at: int
    status: Status
    problem: StoreError


@dataclass(frozen=True, slots=True)
class SeatChanges:
    """People who left their seats at a running match, and who came back, `at` an instant (milliseconds).

    - `gone`: the players who left, by seat. A ranked match is lost for those who are gone when it ends.
    - `back`: the user ids of those who came back.
    - `sent_away`: the player who was removed, and may not come back.
    - `ended_by`: the player who broke the match off, and alone loses it.
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
    was_sent_away: bool


class TableStore(Protocol):
    """Lobbies, seats and places of tables. Every method raises StoreError when it could not do its work."""

    async def gates(self, guild_id: int, at: int) -> RankedRules | None:
        """Return what a server asks of a ranked table at an instant; None where no season is running."""

    async def save_help_level(self, guild_id: int, user_id: int, name: str, level: HelpLevel) -> None:
        """Save what a person has chosen, for all servers."""

    async def create(self, lobby: Lobby) -> int:
        """Save a new lobby (its `id` is ignored) and return its id."""

    async def save(self, lobby: Lobby) -> None:
        """Save a lobby at which no match is running."""

    async def move(self, table_id: int, place: TableChannel) -> None:
        """Save the place of a table in any state, and nothing else."""

    async def save_open_channels(self, guild_id: int, channel_ids: Collection[int], gone_thread_id: int | None) -> None:
        """Save that @everyone can read a server's tables of these channels alone, and none of a thread that is gone."""

    async def cancel_damaged(self, table_id: int) -> None:
        """Save that a damaged table is cancelled; its rows stay."""

    async def record_start(self, lobby: Lobby, events: Sequence[Event]) -> None:
        """Save in one transaction the status and seats of a lobby that is playing, and the match's first events."""

    async def reseat(self, lobby: Lobby, changes: SeatChanges) -> None:
        """Save in one transaction the seats of a running match, whether it is ranked, and the changes of its seats."""

    async def break_off(self, lobby: Lobby, changes: SeatChanges) -> None:
        """Save in one transaction that a match was broken off, and the changes of its seats.

        A ranked match is lost for all players who are gone by then, or for `changes.ended_by` alone; it counts for no
        other player.
        """

    async def ask_for_rematch(self, table_id: int, user_id: int) -> None:
        """Save that a player of a match that is over asks for another one."""

    async def former(self, table_id: int, user_id: int) -> FormerSeat | None:
        """Return the former seat of a player who left a match; None if they did not leave it."""

    async def load(self, table_id: int) -> Lobby | None:
        """One table; None once its row is deleted."""

    async def read_table(self, table_id: int) -> SavedTable | DamagedTable | None:
        """One table with its log; None once its row is deleted."""

    def load_live(self, servers: ServerFilter = all_servers) -> AsyncIterator[SavedTable | DamagedTable]:
        """Every open lobby and running match of these servers, and ended ones whose message does not say so yet.

        They are read a part at a time, between which other work goes on. A cancelled or expired table has no entries.
        """


PanelKey = tuple[int, int]
"""The table and the user that a private panel belongs to."""


@dataclass(frozen=True, slots=True)
class OpenPanel:
    """A player's private panel at a table, and how it is reached.

    - `made_at`, `round`: when the newest press on it was made (milliseconds), and in which round.
    - `page`, `language`: what the panel shows, in names that the user interface gives them.
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
    """Whether the token posted the message after the press was answered; else it is that answer."""

    @property
    def key(self) -> PanelKey:
        return self.table_id, self.user_id


class PanelStore(Protocol):
    """Private panels that can be reached again after a restart.

    Tokens are secrets, at rest too. All methods raise StoreError when the store could not do its work.
    """

    async def save(self, opened: Sequence[OpenPanel], closed: Collection[PanelKey], since: int) -> None:
        """Save open panels; delete closed ones, and all whose press was made before `since` (milliseconds)."""

    async def load(self, since: int, table_ids: Collection[int]) -> tuple[OpenPanel, ...]:
        """Return the panels of these tables whose press was made after `since`.

        Deletes older ones, and unreadable ones.
        """
