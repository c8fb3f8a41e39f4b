"""A round robin: each pair meets each, two at a table by Berger's tables; many pairs play in groups, then a final."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from random import Random
from typing import Final

from bot.nights.formats.format import PairFormat
from bot.nights.formats.swiss import level_tables, ranked
from bot.nights.history import NightPair, both, meetings, playing_pairs
from bot.nights.matching import table_sizes
from bot.nights.night import Night
from bot.nights.plan import NightPlan, TieBreak
from bot.nights.rounds import NightRound

MOST: Final = 8
"""Pairs of a group."""
_AT_LARGE_TABLES: Final = {4: 3, 5: 4, 6: 7, 7: 6, 8: 6}
"""How many rounds it takes at most until all have met, by pairs of a group that do not sit at one table."""

_Numbers = tuple[tuple[int, ...], ...]


class RoundRobin(PairFormat):
    name = "round_robin"
    tie_breaks = (
        TieBreak.FINAL, TieBreak.POINTS, TieBreak.HEAD_TO_HEAD, TieBreak.DEFEATED, TieBreak.SCORE_DIFFERENCE
    )  # fmt: skip
    is_closed = True

    def tables(self, night: Night, pairs: Sequence[NightPair], most: int, rng: Random) -> list[list[NightPair]]:
        if night.rounds and _have_met(night):  # beside the final
            return level_tables(night, pairs, most, rng, lambda pair: 0)
        if night.rounds:
            groups = _placed(pairs, _groups(night))
        else:
            drawn = sorted(rng.sample(pairs, len(pairs)), key=len, reverse=True)  # who has a robot plays at first
            ends = [0]
            for size in table_sizes(len(pairs), MOST):
                ends.append(ends[-1] + size)
            groups = [[*drawn[start:end], *[None] * ((end - start) % 2)] for start, end in pairwise(ends)]
        if most == 2:
            return [table for group in groups for table in _berger(group, len(night.rounds))]
        there = ([pair for pair in group if pair is not None] for group in groups)
        return [table for group in there for table in level_tables(night, group, most, rng, lambda pair: 0)]

    def finalists(self, night: Night, pairs: Sequence[NightPair]) -> list[NightPair]:
        if not night.rounds or not _have_met(night) or len(groups := _groups(night)) == 1:
            return []
        order = ranked(night, pairs)
        first = {next((pair for pair in order if pair in group), None) for group in _placed(pairs, groups)}
        return [pair for pair in order if pair in first][:2]

    def rounds_of(self, plan: NightPlan, count: int) -> int:
        sizes, most = table_sizes(max(2, count), MOST), plan.size // 2
        if most == 2:
            rounds = sizes[0] - 1 + sizes[0] % 2
        else:
            rounds = max(1 if size <= most else _AT_LARGE_TABLES[size] for size in sizes)
        return rounds + (len(sizes) > 1)

    def round_count(self, night: Night) -> int:
        pairs = sum(map(_count, _groups(night))) if night.rounds else len(playing_pairs(night)[0])
        return max(len(night.rounds), self.rounds_of(night.plan, pairs))

    def has_played_all(self, night: Night, last: NightRound) -> bool:
        return last.has_final or (len(_groups(night)) == 1 and _have_met(night))


def _berger(numbered: Sequence[NightPair | None], played: int) -> list[list[NightPair]]:
    """The last pairing number stays, the others move on by one place a round."""
    moving = len(numbered) - 1
    turn = played % moving
    places = [*numbered[turn:moving], *numbered[:turn], numbered[moving]]
    couples = ((places[place], places[moving - place]) for place in range(len(places) // 2))
    return [[one, other] for one, other in couples if one is not None and other is not None]


def _groups(night: Night) -> list[_Numbers]:
    """The people of each pairing number of each group, read from the first round, which has the groups in their order.

    Table t of a group seats number t-1 and its mirror image. With an odd number of pairs number 0 has the bye, and the
    last one is nobody's.
    """
    first = night.rounds[0]
    resting = [first.byes[at : at + 2] for at in range(0, len(first.byes) - 1, 2)]
    tables, most, groups = list(first.tables), night.plan.size // 2, list[_Numbers]()
    for size in table_sizes(sum(table.teams for table in tables) + len(resting), MOST):
        count = size // 2 if most == 2 else len(table_sizes(size, most))
        seated = [[table.people(team) for team in range(table.teams)] for table in tables[:count]]
        del tables[:count]
        if most > 2:
            groups.append(tuple(people for table in seated for people in table))
            continue
        if size % 2:
            seated.insert(0, [resting.pop(0), ()])
        groups.append((*(one for one, _ in seated), *(other for _, other in reversed(seated))))
    return groups


def _placed(pairs: Sequence[NightPair], groups: Sequence[_Numbers]) -> list[list[NightPair | None]]:
    """The pair that plays for each number: that of the first of its people who is there and plays for no other."""
    free = list(pairs)

    def placed(people: tuple[int, ...]) -> NightPair | None:
        found = next((each for number in people for each in free if number in each), None)
        if found is not None:
            free.remove(found)
        return found

    return [[placed(people) for people in group] for group in groups]


def _have_met(night: Night) -> bool:
    """Whether each pair has met each of its group, or had the rounds for it."""
    groups = _groups(night)
    if len(night.rounds) >= ROUND_ROBIN.rounds_of(night.plan, sum(map(_count, groups))) - (len(groups) > 1):
        return True
    met, pairs = meetings(night).opponents, playing_pairs(night)[0]
    there = ([pair for pair in group if pair is not None] for group in _placed(pairs, groups))
    return night.plan.size > 4 and all(
        met[both(one[0], other[0])] > 0 for group in there for one, other in combinations(group, 2)
    )


def _count(group: _Numbers) -> int:
    return sum(bool(people) for people in group)


ROUND_ROBIN: Final = RoundRobin()
