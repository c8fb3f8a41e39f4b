"""The entrants of a night by number, who plays whom, and the results."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum


class Presence(StrEnum):
    """Whether an entrant plays.

    - `IN`: plays the next round.
    - `WAITING`: is on the waiting list.
    - `ABSENT`: missed the last table; is not paired until they say that they are back.
    - `OUT`: has left, or was dropped by the host.
    """

    IN = "in"
    WAITING = "waiting"
    ABSENT = "absent"
    OUT = "out"


class News(StrEnum):
    """What an entrant does not know yet.

    - `ASKED`: somebody asks them to be partners.
    - `ACCEPTED`, `REFUSED`: the answer to their own request.
    - `MOVED_UP`: they have got a place from the waiting list.
    - `ALONE`: their partner has left before the night.
    """

    ASKED = "asked"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    MOVED_UP = "moved_up"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person at a night.

    - `number`: from 0 in the order of sign-up; never changes, and identifies the person everywhere else.
    - `user_id`: None once the person is erased.
    - `joined_at`: when they signed up or came back (milliseconds), which orders the waiting list; 0: never.
    - `seeks_partner`: looks for a partner. `partner`: mutual. `asks`: the entrant whom they have asked.
    - `strength`: the seed in a knock-out: points of the season, 0 for newcomers.
    - `takes_robot`: plays with a robot rather than sit out.
    - `comes_weekly`: is signed up for the next night of the series.
    - `is_silent`: has neither answered the check-in nor played a table.
    - `is_removed`: the host does not let them come back.
    - `declines`: said before the night that they do not come.
    - `is_let_in`: the host signed them up, whatever the conditions.
    - `lacks_role`: had lost the required role when they last confirmed.
    - `knew_former_plan`: had signed up when the plan changed last.
    - `news`: since they last looked at their own panel. `is_notified`: a post has notified them of it.
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
    is_notified: bool = False


class ResultKind(StrEnum):
    """The origin of a result.

    - `PLAYED`: to the end. `TIMED`: until time was called. `ENTERED`: by the host.
    - `FORFEIT`: one side did not come, or the table was broken off.
    - `DESERTED`: nobody came. `INTERRUPTED`: people came, and stopped.
    """

    PLAYED = "played"
    TIMED = "timed"
    ENTERED = "entered"
    FORFEIT = "forfeit"
    DESERTED = "deserted"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class TableResult:
    """The result of a table: `scores` by team. A sole best score wins; a shared one is a draw."""

    scores: tuple[int, ...]
    kind: ResultKind = ResultKind.PLAYED

    @property
    def is_void(self) -> bool:
        """Whether the result gives points to nobody."""
        return self.kind in (ResultKind.DESERTED, ResultKind.INTERRUPTED)

    @property
    def winner(self) -> int | None:
        """The winning team; None after a draw."""
        best = max(self.scores)
        return self.scores.index(best) if self.scores.count(best) == 1 else None


@dataclass(frozen=True, slots=True)
class NightTable:
    """A table of a round. Instants in milliseconds.

    - `number`: from 1 within the round.
    - `seats`: entrants by seat, None for a robot; seat i belongs to team i mod (seats // 2).
    - `thread_id`: where it is played. `table_id`: its id in `bot.tables`; None while nothing is dealt.
    - `restarts`: how often the host had it dealt anew.
    - `ended_at`: when the result came.
    - `drawn_by`: the result by which the next round was drawn, if the host has corrected it since.
    - `paused_at`: when the host paused this table.
    - `ends_at`: when its time is called, if not with the round's.
    - `asked_until`: until when the host is asked about its score, which stands without an answer.
    - `no_shows`: entrants who did not come or went away; a robot played for them to the end.
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
    no_shows: tuple[int, ...] = ()

    @property
    def teams(self) -> int:
        """How many teams there are."""
        return len(self.seats) // 2

    @property
    def weight(self) -> float:
        """How much the table counts in the standings: half if robots have most seats, or all the other side's."""
        sides = [team for team in range(self.teams) if self.people(team)]
        return 0.5 if len(sides) < 2 or 2 * len(self.people()) < len(self.seats) else 1

    def members(self, team: int) -> tuple[int | None, ...]:
        """Return the seats of a team: entrants, and None for robots."""
        return self.seats[team :: self.teams]

    def people(self, team: int | None = None) -> tuple[int, ...]:
        """Return the entrants of a team, or of all teams, without robots."""
        return tuple(seat for seat in (self.seats if team is None else self.members(team)) if seat is not None)

    def present(self, team: int) -> tuple[int, ...]:
        """Return the entrants of a team who came."""
        return tuple(entrant for entrant in self.people(team) if entrant not in self.no_shows)

    def is_no_show_team(self, team: int) -> bool:
        """Return whether nobody of a team came: robots played for all its people."""
        return bool(self.people(team)) and not self.present(team)

    def mark_no_shows(self, people: Collection[int]) -> "NightTable":
        """Return the table with further no-shows. A team to which the host gave the win counts as having come."""
        table = replace(self, no_shows=tuple(sorted({*self.no_shows, *people})))
        if self.result is None or self.result.kind is not ResultKind.ENTERED:
            return table
        scores = self.result.scores
        won = (team for team in range(self.teams) if scores[team] == max(scores) and table.is_no_show_team(team))
        came = {entrant for team in won for entrant in self.people(team)}
        return replace(table, no_shows=tuple(entrant for entrant in table.no_shows if entrant not in came))

    @property
    def leaders(self) -> tuple[int, ...]:
        """The teams with the best score among the teams of which somebody came; empty without a result.

        A team of which nobody came loses by forfeit, however well its robots played.
        """
        teams = [team for team in range(self.teams) if not self.is_no_show_team(team)]
        if self.result is None or self.result.is_void or not any(map(self.present, teams)):
            return ()
        scores = self.result.scores
        best = max(scores[team] for team in teams)
        return tuple(team for team in teams if scores[team] == best)

    @property
    def ended_as(self) -> ResultKind | None:
        """The origin of the result; FORFEIT also for a match against robots alone."""
        if self.result is None:
            return None
        is_played = self.result.kind in (ResultKind.PLAYED, ResultKind.TIMED)
        is_no_show_team = any(self.is_no_show_team(team) for team in range(self.teams))
        return ResultKind.FORFEIT if is_played and is_no_show_team else self.result.kind

    def team_of(self, entrant: int) -> int | None:
        """Return the team of an entrant; None for others."""
        return self.seats.index(entrant) % self.teams if entrant in self.seats else None


@dataclass(frozen=True, slots=True)
class NightRound:
    """A round. Instants in milliseconds. A lounge is one round, to which tables are added.

    - `number`: from 1.
    - `byes`: the entrants without a table.
    - `ends_at`: when time is called, so that each table finishes its running round; None: tables play to the end.
    - `called_at`: when time was called.
    - `has_final`: the first table is the final.
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
        """Whether all tables have a result."""
        return all(table.result is not None for table in self.tables)

    @property
    def over_at(self) -> int:
        """When the last table ended."""
        return max((table.ended_at or 0 for table in self.tables), default=self.began_at)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A proposed round: entrants by seat for each table (None: a robot), and the byes.

    `partners` are people without a partner who become a pair for the rest of the night.
    """

    tables: tuple[tuple[int | None, ...], ...]
    byes: tuple[int, ...] = ()
    partners: tuple[tuple[int, int], ...] = ()
    has_final: bool = False
