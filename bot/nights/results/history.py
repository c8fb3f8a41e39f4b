"""What each entrant of a night has played, and with whom they play: read from its rounds and its sign-up."""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from bot.nights.night import Night
from bot.nights.rounds import NightTable, Presence, ResultKind, TableResult


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table with a result, as somebody of one of its teams who came sees it.

    `points`: 2 for the first place, 1 for a shared one, which is worth nothing where nobody played; times the
    table's weight. Where nobody of the other side came, this is the first place. `difference` is the
    team's score less the best of the others.
    """

    table: NightTable
    team: int
    points: float
    difference: int

    @property
    def opponents(self) -> list[tuple[int, ...]]:
        """The people of the other teams, by team."""
        return [self.table.people(team) for team in range(self.table.teams) if team != self.team]


def played(night: Night) -> dict[int, list[PlayedTable]]:
    """Returns the tables with a result to which each entrant came, in the order of the rounds; only those who came."""
    found: dict[int, list[PlayedTable]] = defaultdict(list)
    for table in night.all_tables:
        if table.result is None or table.result.is_void:
            continue
        scores, is_played, best = table.result.scores, table.result.kind is not ResultKind.FORFEIT, table.leaders
        for team in range(table.teams):
            points = 2 if best == (team,) else int(is_played and team in best)
            difference = scores[team] - max(scores[:team] + scores[team + 1 :])
            for entrant in table.there(team):
                found[entrant].append(PlayedTable(table, team, table.weight * points, difference))
    return dict(found)


def turnout(night: Night) -> tuple[frozenset[int], frozenset[int]]:
    """Return the entrants who came, and those who never did though they were called to a table, or said nothing.

    Somebody who is absent did not come to their last table. A person whom the host removed came to nothing, whatever
    result their table has; they are missing only if they never played.
    """
    last, tables = dict[int, NightTable](), played(night)
    for table in night.all_tables:
        last |= dict.fromkeys(table.people() if table.result is not None else (), table)
    absent = {one.number for one in night.entrants if one.presence is Presence.ABSENT}
    removed = {one.number for one in night.entrants if one.is_removed}
    only_missed = {each for each in absent & tables.keys() if [one.table for one in tables[each]] == [last[each]]}
    silent = {one.number for one in night.present if one.is_silent}
    missing = (last.keys() | silent) - (tables.keys() - only_missed)
    return frozenset(tables.keys() - removed - only_missed), frozenset(missing)


def counting(night: Night) -> frozenset[int]:
    """Return the entrants who have a place: those who came, and until the end those who are there.

    Boards, podiums, pictures, reviews and the league ask nothing else. Once somebody has come, nobody waits for an
    entrant who left the check-in unanswered.
    """
    if night.is_finished:
        return turnout(night)[0]
    came = frozenset(number for number in played(night) if not night.entrants[number].is_removed)
    return came | {one.number for one in night.present if not (came and one.is_silent)}


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
            for (seat, one), (later, other) in combinations(enumerate(table.seats), 2):
                is_team = (later - seat) % table.teams == 0
                if one is not None and other is not None:
                    (partners if is_team else opponents)[both(one, other)] += 1
                elif is_team and (one is not None or other is not None):
                    robots[one if one is not None else other or 0] += 1
    return Meetings(partners, opponents, byes, robots)


def both(one: int, other: int) -> tuple[int, int]:
    """Two entrants as a key, in either order."""
    return (one, other) if one < other else (other, one)


def lot(night: Night, *what: int) -> float:
    """What an entrant drew for the whole night, or for one round, from 0 to 1: it decides where nothing else does."""
    return Random(":".join(map(str, (night.seed, *what)))).random()  # noqa: S311  # a lot that everybody may recompute


def seed_order(night: Night, entrants: tuple[int, ...]) -> tuple[float, float]:
    """Returns what seeds of a knock-out are sorted by, the best seed first: strength, then the lot of the first."""
    return -sum(night.entrants[number].strength for number in entrants), lot(night, min(entrants))


def advancing(night: Night, table: NightTable) -> int | None:
    """Returns the team of a knock-out's table that goes on: the best score, between equals the better seed.

    None where nobody came. A correction does not change who went on.
    """
    drawn = replace(table, result=table.drawn_by or table.result or TableResult((0,) * table.teams))

    def order(team: int) -> tuple[float, ...]:
        people = table.people(team)
        return seed_order(night, people) if people else (1.0, 1.0)

    return min(drawn.leaders, key=order, default=None)


def knocked_out(night: Night) -> frozenset[int]:
    """Returns the entrants who have lost a table, where that eliminates them."""
    lost = set[int]()
    for table in night.all_tables if night.plan.format.eliminates else ():
        if table.result is not None:
            best = advancing(night, table)
            lost.update(*(table.people(team) for team in range(table.teams) if team != best))
    return frozenset(lost)


def keeps_up(night: Night, number: int) -> bool:
    """Returns whether an entrant has had a table or a bye in every round so far."""
    return all(number in turn.byes or any(number in table.seats for table in turn.tables) for turn in night.rounds)


# ---------------------------------------------------------------------- pairs


NightPair = tuple[int, ...]
"""The two who play together; one with a robot."""


def playing_pairs(night: Night) -> tuple[tuple[NightPair, ...], tuple[int, ...]]:
    """Returns the pairs of those who are there, by number, and who rests.

    People without a partner, or whose partner is absent, are put together by lot. Where one is left, a robot plays with
    them if robots fill, or if they took one. Otherwise the lot of the round says who rests: one of those who rested
    least and, among these, played most; their partner plays with the one who was left. In a knock-out nobody else can
    rest, so those who have played or rested go on with a robot. Eliminated people do not play on.
    """
    there, silent = {entrant.number for entrant in night.present} - knocked_out(night), night.silent
    partners = {number: mate for number in there if (mate := night.entrants[number].partner) in there}
    singles = sorted(
        there - partners.keys(),
        key=lambda number: (night.entrants[number].takes_robot, number in silent, lot(night, number)),
    )
    rests: tuple[int, ...] = ()
    if len(singles) % 2 and not night.plan.fills_with_robots and not night.entrants[singles[-1]].takes_robot:
        tables = {number: len(record) for number, record in played(night).items()}
        rested = Counter(number for turn in night.rounds for number in turn.byes)

        def order(number: int) -> tuple[float, ...]:
            mate = partners.get(number)  # pairs that have not rested stay whole: they may have to rest as a pair
            rested_alone = 1 if mate is None else rested[mate]
            drawn = lot(night, number, len(night.rounds))
            return number not in silent, rested[number], -rested_alone, -tables.get(number, 0), drawn

        if not night.plan.format.eliminates:
            rests = (min(there, key=order),)
        elif singles[-1] not in tables and not rested[singles[-1]]:
            rests = (singles[-1],)
        mates = [partners.pop(number) for number in rests if number in partners]
        singles = [number for number in (*singles, *mates) if number not in rests]
    found: set[NightPair] = {(number, mate) for number, mate in partners.items() if number < mate and mate in partners}
    found |= {tuple(sorted(singles[at : at + 2])) for at in range(0, len(singles), 2)}
    return tuple(sorted(found)), rests


def recorded_pairs(night: Night) -> tuple[NightPair, ...]:
    """Returns the pairs that have a place in the standings: those of now, then the others who count,
    each with their last partner if that one is alone, too. Who does not count leaves their partner a place alone.
    """
    records, found, placed, all_who_count = played(night), list[NightPair](), set[int](), counting(night)
    for entrant in sorted(night.entrants, key=lambda each: each.partner is None):
        number, mate = entrant.number, entrant.partner
        if number in placed or number not in all_who_count:
            continue
        if mate is None and number in records:
            last = records[number][-1]
            mate = next((each for each in last.table.people(last.team) if each not in (number, *placed)), None)
        mate = mate if mate in all_who_count else None
        found.append((number,) if mate is None else (number, mate))
        placed.update(found[-1])
    return tuple(found)
