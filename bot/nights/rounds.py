"""The people of a night by number, who plays whom, and with what result."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum


class Presence(StrEnum):
    """`IN` plays the next round. `WAITING` is on the waiting list. `ABSENT` did not come to the last table and is not
    paired until they say that they are there. `OUT` has left, or was dropped by the host.
    """

    IN = "in"
    WAITING = "waiting"
    ABSENT = "absent"
    OUT = "out"


class News(StrEnum):
    """What somebody does not know yet: they are `ASKED` to be a partner, their own question was `ACCEPTED` or
    `REFUSED`, they have moved up from the waiting list, or their partner left them `ALONE` before the night.
    """

    ASKED = "asked"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    MOVED_UP = "moved_up"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class Entrant:
    """One person. `number` counts from 0 in the order of sign-up and never changes; all else names people by it.

    `user_id` is None once the person is forgotten. `partner` is mutual; `asks` is the entrant whom this one has asked
    to be their partner. `seeks_partner`: looks for one. `joined_at` is when the person signed up, or came back
    (milliseconds): the order of the waiting list; 0: never. `declines`: said before the night that they do not come.
    `strength` seeds a knock-out: points of the season, 0 for newcomers.
    `takes_robot`: plays with a robot rather than rest. `comes_weekly`: is signed up for the next night of a series.
    `is_silent`: has not answered the check-in, nor played a table. `is_removed`: the host does not let them come back.
    `is_let_in`: the host signed them up, whatever the night asks for. `lacks_role`: they had lost the role that it asks
    for when they last said that they come. `knew_former_plan`: had signed up when the plan was changed last.
    `news` is what has happened since they last looked at their own panel; `is_told`: a post calls them to it.
    """

    number: int
    user_id: int | None
    name: str
    joined_at: int
    presence: Presence = Presence.IN
    seeks_partner: bool = False
    partner: int | None = None
    asks: int | None = None
    strength: float = 0.0
    takes_robot: bool = False
    comes_weekly: bool = False
    is_silent: bool = False
    is_removed: bool = False
    declines: bool = False
    is_let_in: bool = False
    lacks_role: bool = False
    knew_former_plan: bool = False
    news: News | None = None
    is_told: bool = False


class ResultKind(StrEnum):
    """Where a table's result comes from. `PLAYED` to the end, or `TIMED` when the round's time was over; `ENTERED` by
    the host; `FORFEIT`: one side did not come, or the table was broken off; `DESERTED`: nobody came; `INTERRUPTED`:
    people came, and stopped.
    """

    PLAYED = "played"
    TIMED = "timed"
    ENTERED = "entered"
    FORFEIT = "forfeit"
    DESERTED = "deserted"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class TableResult:
    """`scores` by team; a team with more points than all others has won, equal first places are a draw."""

    scores: tuple[int, ...]
    kind: ResultKind = ResultKind.PLAYED

    @property
    def is_void(self) -> bool:
        """Whether it gives points to nobody."""
        return self.kind in (ResultKind.DESERTED, ResultKind.INTERRUPTED)

    @property
    def winner(self) -> int | None:
        best = max(self.scores)
        return self.scores.index(best) if self.scores.count(best) == 1 else None


@dataclass(frozen=True, slots=True)
class NightTable:
    """One table of a round. `number` counts from 1 within the round.

    `seats` are entrants by seat, None for a robot; seat i belongs to team i mod (seats // 2). `thread_id` and
    `table_id` are where it is played once it is open; `table_id` is that of `bot.tables`, None while nothing is dealt.
    `restarts` counts how often the host had it dealt from the beginning. `drawn_by` is the result by which the next
    round was drawn, where the host has corrected it since. The host is asked about its score until `asked_until`;
    without an answer the score stands then. Instants in milliseconds: `ended_at` is when the result came, `paused_at`
    when the host stopped this table, `ends_at` when its time is called, where that is not when the round's is.
    `missed_by` are its entrants who did not come, or went away, and for whom a robot played to its end.
    """

    number: int
    seats: tuple[int | None, ...]
    thread_id: int | None = None
    table_id: int | None = None
    result: TableResult | None = None
    restarts: int = 0
    ended_at: int | None = None
    drawn_by: TableResult | None = None
    paused_at: int | None = None
    ends_at: int | None = None
    asked_until: int | None = None
    missed_by: tuple[int, ...] = ()

    @property
    def teams(self) -> int:
        return len(self.seats) // 2

    @property
    def weight(self) -> float:
        """What the table counts for the standings: a half where most seats are robots'."""
        return 0.5 if 2 * len(self.people()) < len(self.seats) else 1

    def members(self, team: int) -> tuple[int | None, ...]:
        return self.seats[team :: self.teams]

    def people(self, team: int | None = None) -> tuple[int, ...]:
        """The entrants of a team, or of all teams, without robots."""
        return tuple(seat for seat in (self.seats if team is None else self.members(team)) if seat is not None)

    def there(self, team: int) -> tuple[int, ...]:
        """The entrants of a team who came."""
        return tuple(one for one in self.people(team) if one not in self.missed_by)

    def is_missed(self, team: int) -> bool:
        """Whether nobody of a team came: it has people, and robots played for all of them."""
        return bool(self.people(team)) and not self.there(team)

    def missed(self, people: Collection[int]) -> "NightTable":
        """The table to which these did not come, either. A side to which the host gives the win came all the same."""
        table = replace(self, missed_by=tuple(sorted({*self.missed_by, *people})))
        if self.result is None or self.result.kind is not ResultKind.ENTERED:
            return table
        scores = self.result.scores
        won = (team for team in range(self.teams) if scores[team] == max(scores) and table.is_missed(team))
        came = {one for team in won for one in self.people(team)}
        return replace(table, missed_by=tuple(one for one in table.missed_by if one not in came))

    @property
    def leaders(self) -> tuple[int, ...]:
        """The teams that share the best score, of those of which somebody came; none without a result.

        A team that nobody came for loses by forfeit, however well its robots played.
        """
        teams = [team for team in range(self.teams) if not self.is_missed(team)]
        if self.result is None or self.result.is_void or not any(map(self.there, teams)):
            return ()
        scores = self.result.scores
        best = max(scores[team] for team in teams)
        return tuple(team for team in teams if scores[team] == best)

    @property
    def ended_as(self) -> ResultKind | None:
        """Where its result comes from; a forfeit also where it was played against robots alone."""
        if self.result is None:
            return None
        is_played = self.result.kind in (ResultKind.PLAYED, ResultKind.TIMED)
        is_missed = any(self.is_missed(team) for team in range(self.teams))
        return ResultKind.FORFEIT if is_played and is_missed else self.result.kind

    def team_of(self, entrant: int) -> int | None:
        """The team of an entrant; None for somebody who does not sit here."""
        return self.seats.index(entrant) % self.teams if entrant in self.seats else None


@dataclass(frozen=True, slots=True)
class NightRound:
    """`number` counts from 1; `byes` are entrants without a table. Instants in milliseconds.

    `ends_at` is when time is called, so that each table plays its running round to the end; `called_at` is when that
    happened. Where it `has_final`, that is its first table. Without `ends_at` the tables play to the end of their
    matches. A lounge is one round, to which tables are added.
    """

    number: int
    tables: tuple[NightTable, ...]
    byes: tuple[int, ...]
    began_at: int
    ends_at: int | None
    called_at: int | None = None
    has_final: bool = False

    @property
    def is_over(self) -> bool:
        return all(table.result is not None for table in self.tables)

    @property
    def over_at(self) -> int:
        return max((table.ended_at or 0 for table in self.tables), default=self.began_at)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round that is proposed: entrants by seat for each table (None: a robot), and those without a table.

    `partners` are people without a partner who become a pair for the rest of the night.
    """

    tables: tuple[tuple[int | None, ...], ...]
    byes: tuple[int, ...] = ()
    partners: tuple[tuple[int, int], ...] = ()
    has_final: bool = False
