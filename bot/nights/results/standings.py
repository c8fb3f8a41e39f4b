"""The standings of a night, with published tie-breaks."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from bot.nights.night import Night
from bot.nights.plan import TieBreak
from bot.nights.results.history import (
    PlayedTable,
    advancing_team,
    eliminated_entrants,
    played_tables,
    playing_pairs,
    ranked_entrants,
    recorded_pairs,
)


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the standings.

    - `place`: from 1; shared if level in all tie-breaks.
    - `entrants`: one person, or a pair.
    - `own`: the points of each person; all other figures are the mean of both.
    - `tables`: tables with a result; `won` of them were won. `byes`: rounds without one.
    - `values`: those of the format's tie-breaks, in order. `decided`: the tie-breaks that separate the line from its
      neighbours.
    """

    place: int
    entrants: tuple[int, ...]
    own: tuple[float, ...]
    points: float
    tables: float
    won: float
    byes: float
    values: tuple[float, ...]
    decided: frozenset[TieBreak] = frozenset()


@dataclass(frozen=True, slots=True)
class _Person:
    number: int
    record: tuple[PlayedTable, ...]
    byes: int
    points: float
    average: float
    survived: int

    @property
    def won(self) -> int:
        return sum(each.points == 2 * each.table.weight for each in self.record)


_People = dict[int, _Person]


def standings(night: Night, after_round: int | None = None) -> tuple[Standing, ...]:
    """Return the standings, best first, after all rounds or `after_round`; tables without a result do not count.

    Everybody in `ranked_entrants` has a line.
    """
    known = night if after_round is None else replace(night, rounds=night.rounds[:after_round])
    people, form = _people(known), night.plan.format
    lines = recorded_pairs(known) if form.has_pairs else tuple((number,) for number in sorted(ranked_entrants(known)))
    values: dict[tuple[int, ...], tuple[float, ...]] = dict.fromkeys(lines, ())
    for tie_break in form.tie_breaks:
        level: dict[tuple[float, ...], set[int]] = defaultdict(set)
        for line, so_far in values.items():
            level[so_far].update(line)
        both_of = max if tie_break is TieBreak.ROUNDS_SURVIVED else _mean  # who was away for a while survived with them
        values = {
            line: (*so_far, both_of([_value(known, tie_break, people[each], people, level[so_far]) for each in line]))
            for line, so_far in values.items()
        }
    ranked = sorted(lines, key=lambda line: (tuple(-value for value in values[line]), line))
    place, found = 0, list[Standing]()
    for number, line in enumerate(ranked, 1):
        if number == 1 or values[line] != values[ranked[number - 2]]:
            place = number
        both = [people[each] for each in line]
        tables, won = _mean([len(person.record) for person in both]), _mean([person.won for person in both])
        own = tuple(person.points for person in both)
        byes = _mean([person.byes for person in both])
        decided = {
            next(each for each, a, b in zip(form.tie_breaks, values[line], values[other], strict=True) if a != b)
            for other in ranked[max(0, number - 2) : number + 1]
            if values[line] != values[other]
        }
        found.append(Standing(place, line, own, _mean(own), tables, won, byes, values[line], frozenset(decided)))
    return tuple(found)


def winners(night: Night) -> tuple[int, ...]:
    """Return the entrants in first place, both of a pair; nobody wins without having won a table."""
    return tuple(chain.from_iterable(line.entrants for line in standings(night) if line.place == 1 and line.won))


def _mean(values: Sequence[float]) -> float:
    total = sum(values)
    return total / len(values) if total % len(values) else total // len(values)


def _people(night: Night) -> _People:
    records, form, found, all_who_count = played_tables(night), night.plan.format, _People(), ranked_entrants(night)
    survived = _survived(night, records) if form.eliminates else Counter[int]()
    tables = {number: sum(each.table.weight for each in record) for number, record in records.items()}
    least = max(tables.values(), default=0) / 2
    for entrant in night.entrants:
        record = tuple(records.get(entrant.number, ()))
        byes = sum(entrant.number in turn.byes for turn in night.rounds) if entrant.number in all_who_count else 0
        if form.has_pairs and not record and entrant.partner is None and not night.plan.fills_with_robots:
            byes = 0  # who waits for a partner earns nothing by it
        points = sum(each.points for each in record) + (2 if form.has_pairs else 1) * byes
        average = points / (max(tables.get(entrant.number, 0), least) or 1)
        found[entrant.number] = _Person(entrant.number, record, byes, points, average, byes + survived[entrant.number])
    return found


def _value(night: Night, tie_break: TieBreak, own: _Person, people: _People, level: set[int]) -> float:
    match tie_break:
        case TieBreak.POINTS:
            return own.points
        case TieBreak.WINS:
            return own.won
        case TieBreak.SCORE_DIFFERENCE:
            return sum(each.difference for each in own.record)
        case TieBreak.FINAL:
            final = next((each.tables[0] for each in night.rounds if each.has_final), None)
            return max((1 + each.points // 2 for each in own.record if each.table is final), default=0)
        case TieBreak.AVERAGE:
            return own.average
        case TieBreak.ROUNDS_SURVIVED:
            return own.survived
        case TieBreak.OPPONENTS:
            resting = own.byes * own.points * (1 if night.plan.format.has_pairs else night.plan.size - 2)
            return resting + sum(_opponent_points(night, each, people) for each in own.record)
        case TieBreak.DEFEATED:
            return sum(each.points * _opponent_points(night, each, people) for each in own.record)
        case TieBreak.HEAD_TO_HEAD:
            return sum(each.points for each in own.record if level.intersection(chain(*each.opponents)))


def _opponent_points(night: Night, each: PlayedTable, people: _People) -> float:
    """Return the points of the opponents at a table: per person, or per pair."""
    teams = ([people[number].points for number in team] for team in each.opponents if team)
    return sum(_mean(points) if night.plan.format.has_pairs else sum(points) for points in teams)


def _survived(night: Night, records: Mapping[int, Sequence[PlayedTable]]) -> Counter[int]:
    """Return how many tables of a knock-out each entrant has survived; the last pair present gets one more."""
    survived = Counter[int]()
    for table in night.all_tables:
        if table.result is not None and (team := advancing_team(night, table)) is not None:
            survived.update(table.present(team))
    left, _ = playing_pairs(night) if night.round is not None and night.round.is_over else ((), ())
    if len(left) == 1 and {*records} - eliminated_entrants(night) - {*left[0]}:
        survived.update(left[0])
    return survived
