"""The standings of a night, with tie-breaks that are published."""

from collections import defaultdict
from dataclasses import dataclass, replace

from bot.nights.history import PlayedTable, advancing, knocked_out, played, playing_pairs, recorded_pairs
from bot.nights.night import Night
from bot.nights.plan import TieBreak
from bot.nights.rounds import Presence


@dataclass(frozen=True, slots=True)
class Standing:
    """One line. `place` counts from 1, and is shared by those who are level in everything.

    `entrants` is one person, or the two of a pair. `points` as `TieBreak.POINTS` says; `won`, `drawn` and `lost` count
    tables, `byes` rounds without one. `values` are those of the tie-breaks of the format, in their order.
    """

    place: int
    entrants: tuple[int, ...]
    points: int
    won: int
    drawn: int
    lost: int
    byes: int
    values: tuple[int, ...]

    @property
    def tables(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """What counts for one line: the record of its first entrant."""

    entrants: tuple[int, ...]
    record: tuple[PlayedTable, ...]
    byes: int
    points: int

    def against(self, each: PlayedTable, lines: dict[int, "_Line"]) -> "set[_Line]":
        return {lines[other] for other in each.opponents if other in lines}


def standings(night: Night, after_round: int | None = None) -> tuple[Standing, ...]:
    """Returns the standings, the best first, of all rounds or of the first ones; tables without a result count nothing.

    Everybody who is there or has played has a line.
    """
    known = night if after_round is None else replace(night, rounds=night.rounds[:after_round])
    lines = _lines(known)
    values: dict[_Line, tuple[int, ...]] = dict.fromkeys(lines, ())
    by_entrant = {number: line for line in lines for number in line.entrants}
    for tie_break in night.plan.format.tie_breaks:
        level = defaultdict(set)
        for line in lines:
            level[values[line]].add(line)
        values = {
            line: (*values[line], _value(known, tie_break, line, by_entrant, level[values[line]])) for line in lines
        }
    ranked = sorted(lines, key=lambda line: (tuple(-value for value in values[line]), line.entrants))
    place, found = 0, list[Standing]()
    for number, line in enumerate(ranked, 1):
        if number == 1 or values[line] != values[ranked[number - 2]]:
            place = number
        won, drawn, lost = (sum(each.points == points for each in line.record) for points in (2, 1, 0))
        found.append(Standing(place, line.entrants, line.points, won, drawn, lost, line.byes, values[line]))
    return tuple(found)


def _lines(night: Night) -> list[_Line]:
    records = played(night)
    if night.plan.format.has_pairs:
        people = recorded_pairs(night)
    else:
        people = tuple(
            (entrant.number,)
            for entrant in night.entrants
            if entrant.number in records or entrant.presence is Presence.IN
        )
    return [_line(night, each, tuple(records.get(each[0], ()))) for each in people]


def _line(night: Night, people: tuple[int, ...], record: tuple[PlayedTable, ...]) -> _Line:
    has_pairs = night.plan.format.has_pairs
    byes = 0
    if not has_pairs or len(people) == 2 or record or night.plan.fills_with_robots:  # others wait for a partner
        byes = sum(set(people) <= set(turn.byes) for turn in night.rounds)
    points = sum(each.points for each in record) + (2 if has_pairs else 1) * byes
    return _Line(people, record, byes, points)


def _value(night: Night, tie_break: TieBreak, line: _Line, lines: dict[int, _Line], level: set[_Line]) -> int:
    match tie_break:
        case TieBreak.POINTS:
            return line.points
        case TieBreak.WINS:
            return sum(each.points == 2 for each in line.record)
        case TieBreak.SCORE_DIFFERENCE:
            return sum(each.difference for each in line.record)
        case TieBreak.FEWEST_TABLES:
            return -len(line.record)
        case TieBreak.ROUNDS_SURVIVED:
            survived = sum(advancing(night, each.table) == each.team for each in line.record)
            return line.byes + survived + _is_walkover(night, line)
        case TieBreak.OPPONENTS:
            own = line.byes * line.points * (1 if night.plan.format.has_pairs else night.plan.size - 2)
            return own + sum(other.points for each in line.record for other in line.against(each, lines))
        case TieBreak.DEFEATED:
            return sum(each.points * other.points for each in line.record for other in line.against(each, lines))
        case TieBreak.HEAD_TO_HEAD:
            among = [each for each in line.record if line.against(each, lines) & level]
            return sum(each.points for each in among)


def _is_walkover(night: Night, line: _Line) -> bool:
    """Whether this is the last pair of a knock-out that is there, while others who are not knocked out are not."""
    left, _ = playing_pairs(night)
    last = night.round
    if last is None or not last.is_over or len(left) != 1 or left[0].first not in line.entrants:
        return False
    unbeaten = set(played(night)) - knocked_out(night) - set(line.entrants)
    return bool(unbeaten)
