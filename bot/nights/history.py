"""What each entrant of a night has played, read from its rounds."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain
from random import Random

from bot.nights.night import Night
from bot.nights.plan import Format
from bot.nights.rounds import NightTable


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table with a result, as one of its teams sees it. `round` counts from 1."""

    round: int
    table: NightTable
    team: int

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores of all teams."""
        return self.table.result.scores if self.table.result is not None else (0,) * self.table.teams

    @property
    def is_won(self) -> bool:
        """Whether this team has more points than all others."""
        return self.table.result is not None and self.table.result.winner == self.team

    @property
    def is_drawn(self) -> bool:
        """Whether this team shares the first place."""
        return not self.is_won and self.scores[self.team] == max(self.scores)

    @property
    def difference(self) -> int:
        """This team's score less the best of the others."""
        others = self.scores[: self.team] + self.scores[self.team + 1 :]
        return self.scores[self.team] - max(others)

    @property
    def opponents(self) -> tuple[int, ...]:
        """The entrants of the other teams."""
        others = (self.table.members(team) for team in range(self.table.teams) if team != self.team)
        return tuple(seat for seat in chain.from_iterable(others) if seat is not None)


def played(night: Night) -> dict[int, list[PlayedTable]]:
    """Returns the tables with a result of each entrant who had one, in the order of the rounds."""
    found: dict[int, list[PlayedTable]] = defaultdict(list)
    for turn in night.rounds:
        for table in turn.tables:
            for seat in table.seats:
                team = None if seat is None else table.team_of(seat)
                if seat is not None and team is not None and table.result is not None:
                    found[seat].append(PlayedTable(turn.number, table, team))
    return dict(found)


@dataclass(frozen=True, slots=True)
class Meetings:
    """How often entrants have met, by pairs of numbers (the smaller first), also at tables without a result.

    `byes` and `robots` count how often an entrant had no table, and how often a robot was their partner.
    """

    partners: Counter[tuple[int, int]]
    opponents: Counter[tuple[int, int]]
    byes: Counter[int]
    robots: Counter[int]


def meetings(night: Night) -> Meetings:
    """Returns who has met whom in the rounds so far."""
    partners, opponents = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    byes, robots = Counter[int](), Counter[int]()
    for turn in night.rounds:
        byes.update(turn.byes)
        for table in turn.tables:
            for seat, one in enumerate(table.seats):
                for later, other in enumerate(table.seats[seat + 1 :], seat + 1):
                    is_team = (later - seat) % table.teams == 0
                    if one is not None and other is not None:
                        (partners if is_team else opponents)[both(one, other)] += 1
                    elif is_team and (one is not None or other is not None):
                        robots[one if one is not None else other or 0] += 1
    return Meetings(partners, opponents, byes, robots)


def both(one: int, other: int) -> tuple[int, int]:
    """Two entrants as a key, in either order."""
    return (one, other) if one < other else (other, one)


def lot(night: Night, entrant: int) -> float:
    """What an entrant drew for the whole night, from 0 to 1: it decides where nothing else does."""
    return Random(f"{night.seed}:{entrant}").random()  # noqa: S311  # a lot that everybody may recompute


def seed_order(night: Night, entrants: tuple[int, ...]) -> tuple[float, float]:
    """Returns what seeds of a knock-out are sorted by, the best seed first: strength, then the lot of the first."""
    return -sum(night.entrants[number].strength for number in entrants), lot(night, min(entrants))


def advancing(night: Night, table: NightTable) -> int:
    """Returns the team of a knock-out's table that goes on: the best score, between equals the better seed."""
    scores = table.result.scores if table.result is not None else (0,) * table.teams

    def order(team: int) -> tuple[float, ...]:
        people = tuple(seat for seat in table.members(team) if seat is not None)
        return (-scores[team], *(seed_order(night, people) if people else (1.0, 1.0)))

    return min(range(table.teams), key=order)


def knocked_out(night: Night) -> frozenset[int]:
    """Returns the entrants who have lost a table of a knock-out."""
    if night.plan.format is not Format.KNOCKOUT:
        return frozenset()
    tables = (table for turn in night.rounds for table in turn.tables if table.result is not None)
    return frozenset(
        seat
        for table in tables
        for team in range(table.teams)
        if team != advancing(night, table)
        for seat in table.members(team)
        if seat is not None
    )
