"""Who plays whom in a night, and with what result."""

from dataclasses import dataclass
from enum import StrEnum


class How(StrEnum):
    """How a table's result came about. `PLAYED` to the end, or `TIMED` when the round's time was over; `ENTERED` by the
    host; `FORFEIT`: one side did not come.
    """

    PLAYED = "played"
    TIMED = "timed"
    ENTERED = "entered"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class TableResult:
    """`scores` by team; a team with more points than all others has won, equal first places are a draw."""

    scores: tuple[int, ...]
    how: How = How.PLAYED

    @property
    def winner(self) -> int | None:
        """The team that won; None for a draw."""
        best = max(self.scores)
        return self.scores.index(best) if self.scores.count(best) == 1 else None


@dataclass(frozen=True, slots=True)
class NightTable:
    """One table of a round. `number` counts from 1 within the round.

    `seats` are entrants by seat, None for a robot; seat i belongs to team i mod (seats // 2). `thread_id` and
    `table_id` are where it is played once it is open; `table_id` is that of `bot.tables`, None while nothing is dealt.
    `restarts` counts how often the host had it dealt from the beginning. `ended_at` is when the result came
    (milliseconds).
    """

    number: int
    seats: tuple[int | None, ...]
    thread_id: int | None = None
    table_id: int | None = None
    result: TableResult | None = None
    restarts: int = 0
    ended_at: int | None = None

    @property
    def teams(self) -> int:
        """How many teams of two sit here."""
        return len(self.seats) // 2

    def members(self, team: int) -> tuple[int | None, ...]:
        """The entrants of a team, in seating order."""
        return self.seats[team :: self.teams]

    def team_of(self, entrant: int) -> int | None:
        """The team of an entrant; None for somebody who does not sit here."""
        return self.seats.index(entrant) % self.teams if entrant in self.seats else None


@dataclass(frozen=True, slots=True)
class NightRound:
    """`number` counts from 1; `byes` are entrants without a table. Instants in milliseconds.

    `ends_at` is when time is called, so that each table plays its running round to the end; `called_at` is when that
    happened. Without `ends_at` the tables play to the end of their matches. A lounge is one round, to which tables
    are added.
    """

    number: int
    tables: tuple[NightTable, ...]
    byes: tuple[int, ...]
    began_at: int
    ends_at: int | None
    called_at: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether every table has a result."""
        return all(table.result is not None for table in self.tables)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round that is proposed: entrants by seat for each table (None: a robot), and those without a table.

    `partners` are people without a partner who become a pair for the rest of the night.
    """

    tables: tuple[tuple[int | None, ...], ...]
    byes: tuple[int, ...] = ()
    partners: tuple[tuple[int, int], ...] = ()
