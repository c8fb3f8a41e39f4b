"""What each entrant has played and with whom, read from the rounds and the sign-up of a night."""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from bot.nights.night import Night
from bot.nights.rounds import NightTable, Presence, ResultKind, TableResult


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table with a result, from the view of a team of which somebody came.

    - `points`: 2 for the first place, 1 for a shared one (0 if nobody played), times the weight of the table. The first
      place also if nobody of the other teams came.
    - `difference`: the team's score less the best other one.
    """

    table: NightTable
    team: int
    points: float
    difference: int

    @property
    def opponents(self) -> list[tuple[int, ...]]:
        """The opponents' teams, each with its people."""
        return [self.table.people(team) for team in range(self.table.teams) if team != self.team]


def played_tables(night: Night) -> dict[int, list[PlayedTable]]:
    """Return, for each entrant who came, the tables with a result that they came to, in the order of rounds."""
    found: dict[int, list[PlayedTable]] = defaultdict(list)
    for table in night.all_tables:
        if table.result is None or table.result.is_void:
            continue
        scores, is_played, best = table.result.scores, table.result.kind is not ResultKind.FORFEIT, table.leaders
        for team in range(table.teams):
            points = 2 if best == (team,) else int(is_played and team in best)
            difference = scores[team] - max(scores[:team] + scores[team + 1 :])
            for entrant in table.present(team):
                found[entrant].append(PlayedTable(table, team, table.weight * points, difference))
    return dict(found)


def turnout(night: Night) -> tuple[frozenset[int], frozenset[int]]:
    """Return the entrants that came, and the no-shows.

    No-shows were called to a table and never came, or left the check-in unanswered. A person who is absent did not come
    to their last table. A person whom the host removed did not come, whatever their tables' results; they are a no-show
    only if they never played.
    """
    last, tables = dict[int, NightTable](), played_tables(night)
    for table in night.all_tables:
        last |= dict.fromkeys(table.people() if table.result is not None else (), table)
    absent = {entrant.number for entrant in night.entrants if entrant.presence is Presence.ABSENT}
    removed = {entrant.number for entrant in night.entrants if entrant.is_removed}
    only_missed = {each for each in absent & tables.keys() if [row.table for row in tables[each]] == [last[each]]}
    silent = {entrant.number for entrant in night.present if entrant.is_silent}
    missing = (last.keys() | silent) - (tables.keys() - only_missed)
    return frozenset(tables.keys() - removed - only_missed), frozenset(missing)


def ranked_entrants(night: Night) -> frozenset[int]:
    """Return the entrants with a place: those who came and, until the end of the night, those who are present.

    Boards, podiums, pictures, recaps and the league rely on this alone. Once somebody has come, an entrant who left the
    check-in unanswered does not count.
    """
    if night.is_finished:
        return turnout(night)[0]
    came = frozenset(number for number in played_tables(night) if not night.entrants[number].is_removed)
    return came | {entrant.number for entrant in night.present if not (came and entrant.is_silent)}


@dataclass(frozen=True, slots=True)
class Meetings:
    """How often entrants have met, by pairs of numbers (smaller first), also at tables without a result.

    `byes` and `robots` count how often an entrant had no table, and how often a robot as a partner.
    """

    partners: Counter[tuple[int, int]]
    opponents: Counter[tuple[int, int]]
    byes: Counter[int]
    robots: Counter[int]


def meetings(night: Night) -> Meetings:
    """Return how often entrants have met."""
    partners, opponents = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    byes, robots = Counter[int](), Counter[int]()
    for turn in night.rounds:
        byes.update(turn.byes)
        for table in turn.tables:
            for (seat, first), (later_seat, second) in combinations(enumerate(table.seats), 2):
                is_team = (later_seat - seat) % table.teams == 0
                if first is not None and second is not None:
                    (partners if is_team else opponents)[pair_key(first, second)] += 1
                elif is_team and (first is not None or second is not None):
                    robots[first if first is not None else second or 0] += 1
    return Meetings(partners, opponents, byes, robots)


def pair_key(first: int, second: int) -> tuple[int, int]:
    """Return two entrants as a key, in either order."""
    return (first, second) if first < second else (second, first)


def draw_lot(night: Night, *what: int) -> float:
    """Return a random number from 0 to 1 for an entrant and a whole night, or one round; it decides last of all."""
    return Random(":".join(map(str, (night.seed, *what)))).random()  # noqa: S311  # a lot that everybody may recompute


def seed_order(night: Night, entrants: tuple[int, ...]) -> tuple[float, float]:
    """Return the sort key of seeds in a knock-out, best first: strength, then the lot of the first entrant."""
    return -sum(night.entrants[number].strength for number in entrants), draw_lot(night, min(entrants))


def advancing_team(night: Night, table: NightTable) -> int | None:
    """Return the team that advances from a knock-out table; None if nobody came.

    The best score advances; at equal scores, the better seed. A correction of the result does not change it.
    """
    drawn = replace(table, result=table.drawn_by or table.result or TableResult((0,) * table.teams))

    def order(team: int) -> tuple[float, ...]:
        people = table.people(team)
        return seed_order(night, people) if people else (1.0, 1.0)

    return min(drawn.leaders, key=order, default=None)


def eliminated_entrants(night: Night) -> frozenset[int]:
    """Return the entrants who have lost a table of a format that eliminates."""
    lost = set[int]()
    for table in night.all_tables if night.plan.format.eliminates else ():
        if table.result is not None:
            best = advancing_team(night, table)
            lost.update(*(table.people(team) for team in range(table.teams) if team != best))
    return frozenset(lost)


def has_played_every_round(night: Night, number: int) -> bool:
    """Return whether an entrant has had a table or a bye in every round so far."""
    return all(number in turn.byes or any(number in table.seats for table in turn.tables) for turn in night.rounds)


# ---------------------------------------------------------------------- pairs


NightPair = tuple[int, ...]
"""The two entrants who play together; one with a robot."""


def playing_pairs(night: Night) -> tuple[tuple[NightPair, ...], tuple[int, ...]]:
    """Return the pairs of the next round, and the entrants that sit it out.

    People without a partner, or whose partner is absent, are paired by lot. The last one left gets a robot if robots
    fill seats or they asked for one. Otherwise a lot decides who sits out, among those with fewest byes and then most
    games; if that person has a partner, the partner plays with the one left. In a knock-out nobody can sit out later,
    so whoever has played or had a bye goes on with a robot. Eliminated entrants do not play.
    """
    there, silent = {entrant.number for entrant in night.present} - eliminated_entrants(night), night.silent
    partners = {number: mate for number in there if (mate := night.entrants[number].partner) in there}
    singles = sorted(
        there - partners.keys(),
        key=lambda number: (night.entrants[number].takes_robot, number in silent, draw_lot(night, number)),
    )
    rests: tuple[int, ...] = ()
    if len(singles) % 2 and not night.plan.fills_with_robots and not night.entrants[singles[-1]].takes_robot:
        tables = {number: len(record) for number, record in played_tables(night).items()}
        rested = Counter(number for turn in night.rounds for number in turn.byes)

        def order(number: int) -> tuple[float, ...]:
            mate = partners.get(number)  # pairs that have not rested stay whole: they may have to rest as a pair
            rested_alone = 1 if mate is None else rested[mate]
            drawn = draw_lot(night, number, len(night.rounds))
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
    """Return the pairs in the standings: the present ones, then the other entrants who count.

    Entrants who are not present keep their last partner if that partner has no other one. The partner of an entrant who
    does not count has a place alone.
    """
    records, found, placed, all_who_count = played_tables(night), list[NightPair](), set[int](), ranked_entrants(night)
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
