"""What each entrant of a night has played, and with whom they play: read from its rounds and its sign-up."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from bot.nights.night import Night
from bot.nights.rounds import NightTable, Presence


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table with a result, as one of its teams sees it.

    `points`: 2 for the first place, 1 for a shared one. `difference` is the team's score less the best of the others;
    `opponents` are the entrants of the other teams.
    """

    table: NightTable
    team: int
    points: int
    difference: int
    opponents: tuple[int, ...]


def played(night: Night) -> dict[int, list[PlayedTable]]:
    """Returns the tables with a result of each entrant who had one, in the order of the rounds."""
    found: dict[int, list[PlayedTable]] = defaultdict(list)
    for table in night.all_tables:
        for team in range(table.teams) if table.result is not None else ():
            assert table.result is not None, "it has one"
            scores, own = table.result.scores, table.people(team)
            points = 2 if table.result.winner == team else int(scores[team] == max(scores))
            difference = scores[team] - max(scores[:team] + scores[team + 1 :])
            seen = PlayedTable(
                table, team, points, difference, tuple(each for each in table.people() if each not in own)
            )
            for entrant in own:
                found[entrant].append(seen)
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
        people = table.people(team)
        return (-scores[team], *(seed_order(night, people) if people else (1.0, 1.0)))

    return min(range(table.teams), key=order)


def knocked_out(night: Night) -> frozenset[int]:
    """Returns the entrants who have lost a table, where that eliminates them."""
    return frozenset(
        entrant
        for table in night.all_tables
        if night.plan.format.eliminates and table.result is not None
        for team in range(table.teams)
        if team != advancing(night, table)
        for entrant in table.people(team)
    )


# ---------------------------------------------------------------------- pairs


@dataclass(frozen=True, slots=True)
class NightPair:
    """Two who play together; `other` is None for a robot. The record of `first` is that of the pair.

    `is_new`: both were without a partner, and are partners from now on. Otherwise `other` may be a substitute for
    somebody who is absent.
    """

    first: int
    other: int | None
    is_new: bool = False

    @property
    def people(self) -> tuple[int, ...]:
        return (self.first,) if self.other is None else (self.first, self.other)


def playing_pairs(night: Night) -> tuple[tuple[NightPair, ...], tuple[int, ...]]:
    """Returns the pairs of those who are there, by number, and those who find no partner.

    People without a partner, or whose partner is absent, are put together by lot. A robot plays for the partner of the
    last one where robots fill, and where that one has played before. Nobody plays on who is eliminated.
    """
    out = knocked_out(night)
    records = played(night)
    tables = {number: len(record) for number, record in records.items()}
    there = {entrant.number for entrant in night.present} - out

    def together(one: int, other: int, *, is_new: bool = False) -> NightPair:
        first = min(one, other, key=lambda number: (-tables.get(number, 0), number))
        return NightPair(first, other if first == one else one, is_new)

    found = [
        together(number, partner)
        for number in there
        if (partner := night.entrants[number].partner) is not None and partner in there and number < partner
    ]
    single = sorted(there - {number for pair in found for number in pair.people}, key=lambda number: lot(night, number))
    for one, other in zip(single[::2], single[1::2], strict=False):
        are_free = night.entrants[one].partner is None and night.entrants[other].partner is None
        found.append(together(one, other, is_new=are_free))
    left = tuple(single[-1:]) if len(single) % 2 else ()
    if left and (night.plan.fills_with_robots or tables.get(left[0])):
        found.append(NightPair(left[0], None))
        left = ()
    return tuple(sorted(found, key=lambda pair: min(pair.people))), left


def recorded_pairs(night: Night) -> tuple[tuple[int, ...], ...]:
    """Returns the pairs that have a place in the standings, the one first whose record counts for both.

    A pair of now; then those who have played and are alone, with their last partner if that one is alone too. Whose
    last partner plays on with somebody else has left their record to them.
    """
    records = played(night)
    order = sorted(range(len(night.entrants)), key=lambda number: (-len(records.get(number, ())), number))
    placed: set[int] = set()
    found: list[tuple[int, ...]] = []

    def place(*people: int) -> None:
        placed.update(people)
        found.append(people)

    for number in order:
        partner = night.entrants[number].partner
        if partner is not None and number not in placed:
            place(number, partner)
    for number in order:
        if number in placed or not (number in records or night.entrants[number].presence is Presence.IN):
            continue
        mate = _last_partner(records[number][-1].table.seats, number) if number in records else None
        if mate is None:
            place(number)
        elif mate not in placed:
            place(number, mate)
    return tuple(found)


def _last_partner(seats: Sequence[int | None], number: int) -> int | None:
    half = len(seats) // 2
    return seats[(seats.index(number) + half) % len(seats)]
