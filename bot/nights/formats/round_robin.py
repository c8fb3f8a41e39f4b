"""A round robin: each pair meets each, two at a table by Berger's tables; many pairs play in groups, then a final.

From the second round on the schedule is that of those present then. Pairs that would sit out at the same time meet.
"""

from collections.abc import Iterable, Sequence, Set
from itertools import chain, combinations, pairwise
from random import Random
from typing import Final

from bot.nights.formats.format import PairFormat
from bot.nights.formats.matching import table_sizes
from bot.nights.formats.swiss import level_tables, rank_pairs
from bot.nights.night import Night
from bot.nights.plan import NightPlan, TieBreak
from bot.nights.results.history import NightPair, meetings, pair_key, playing_pairs
from bot.nights.rounds import NightRound

MOST: Final = 8
"""Most pairs in a group."""
_AT_LARGE_TABLES: Final = {4: 3, 5: 4, 6: 7, 7: 6, 8: 6}
"""Most rounds until all have met, by pairs of a group that do not fit at one table."""

_STRAYS: Final = 10**9
"""The difference of points that a table outside the schedule counts as: more than meeting again."""

_Numbers = tuple[tuple[int, ...], ...]


class RoundRobin(PairFormat):
    """The round-robin format."""

    name = "round_robin"
    title = "Pairs, all play all"
    sentence = "each pair meets each; more than 8 play in groups, then a final"
    tie_breaks = (
        TieBreak.FINAL, TieBreak.POINTS, TieBreak.HEAD_TO_HEAD, TieBreak.DEFEATED, TieBreak.SCORE_DIFFERENCE
    )  # fmt: skip
    is_closed = True

    def tables(self, night: Night, pairs: Sequence[NightPair], most: int, rng: Random) -> list[list[NightPair]]:
        if not night.rounds:
            return _first_tables(night, pairs, most, rng)
        if _have_met(night):  # beside the final
            return level_tables(night, pairs, most, rng)
        groups = _placed(pairs, _groups(night, chain.from_iterable(pairs)))
        if most == 2:
            counts, turn = meetings(night).opponents, len(night.rounds) - 1
            planned = [table for group in groups for table in _berger(group, turn)]
            due = {frozenset(table) for table in planned if not counts[pair_key(table[0][0], table[1][0])]}
            return level_tables(night, pairs, most, rng, gap=lambda *edge: _STRAYS * ({*edge} not in due))
        there = [[pair for pair in group if pair is not None] for group in groups]
        found = [[pair] for pair in pairs if not any(pair in group for group in there)]
        whole = sorted((group for group in [*there, *found] if group), key=len, reverse=True)
        while len(whole) > 1 and len(whole[-1]) < 2:  # nobody to meet in their own group
            whole[-2:] = [[*whole[-2], *whole[-1]]]
        return [table for group in whole for table in level_tables(night, group, most, rng)]

    def finalists(self, night: Night, pairs: Sequence[NightPair]) -> list[NightPair]:
        if not night.rounds or not _have_met(night) or len(groups := drawn_groups(night)) == 1:
            return []
        order = rank_pairs(night, pairs)
        first = {next((pair for pair in order if pair in group), None) for group in _placed(pairs, groups)}
        return sorted(order, key=lambda pair: pair not in first)[:2]  # if a whole group has gone, the next best

    def rounds_of(self, plan: NightPlan, count: int) -> int:
        sizes, most = table_sizes(max(2, count), MOST), plan.size // 2
        if most == 2:
            rounds = sizes[0] - 1 + sizes[0] % 2
        else:
            rounds = max(1 if size <= most else _AT_LARGE_TABLES[size] for size in sizes)
        return rounds + (len(sizes) > 1)

    def round_count(self, night: Night) -> int:
        pairs = sum(map(_count, drawn_groups(night))) if night.rounds else len(playing_pairs(night)[0])
        return max(len(night.rounds), self.rounds_of(night.plan, pairs))

    def has_played_all(self, night: Night, last: NightRound) -> bool:
        return last.has_final or (len(drawn_groups(night)) == 1 and _have_met(night))


def _first_tables(night: Night, pairs: Sequence[NightPair], most: int, rng: Random) -> list[list[NightPair]]:
    """Return groups by lot, in order; pairs without an opponent in their group meet at the last tables."""
    drawn = sorted(rng.sample(pairs, len(pairs)), key=len, reverse=True)  # who has a robot plays at first
    ends = [0]
    for size in table_sizes(len(pairs), MOST):
        ends.append(ends[-1] + size)
    groups = [drawn[start:end] for start, end in pairwise(ends)]
    if most > 2:
        return [table for group in groups for table in level_tables(night, group, most, rng)]
    alone = [group[0] for group in groups if len(group) % 2]
    tables = [table for group in groups for table in _berger([*group, *[None] * (len(group) % 2)], 0)]
    return [*tables, *(alone[at : at + 2] for at in range(0, len(alone) - 1, 2))]


def _berger(numbered: Sequence[NightPair | None], played: int) -> list[list[NightPair]]:
    """Return the couples of a round: the last pairing number stays, the others move on by one place a round."""
    moving = len(numbered) - 1
    if moving < 1:
        return []
    turn = played % moving
    places = [*numbered[turn:moving], *numbered[:turn], numbered[moving]]
    couples = ((places[place], places[moving - place]) for place in range(len(places) // 2))
    return [[first, second] for first, second in couples if first is not None and second is not None]


def _groups(night: Night, there: Iterable[int] = ()) -> list[_Numbers]:
    """Return the people of each pairing number of each group, from the second round on.

    They are drawn for those who were present in the second round; for `there` if that is to be drawn.
    """
    if len(night.rounds) > 1:
        second = night.rounds[1]
        there = chain(second.byes, *(table.people() for table in second.tables))
    people, drawn = {*there}, drawn_groups(night)
    return [_again(group, people) for group in drawn] if night.plan.size == 4 else drawn


def _again(group: _Numbers, there: Set[int]) -> _Numbers:
    """Return the pairing numbers of those present, so that first-round opponents meet in the last round.

    So do pairs whose opponents are gone.
    """
    moving = len(group) - 1
    couples = [(group[place], group[moving - place]) for place in range(len(group) // 2)]
    left = [[people for people in couple if not there.isdisjoint(people)] for couple in couples]
    alone = [people for each in left if len(each) == 1 for people in each]
    odd = [(alone.pop(), ())] if len(alone) % 2 else []
    complete = [(front, back) for front, back in (each for each in left if len(each) == 2)]
    leftover, *others = [*odd, *complete, *zip(alone[::2], alone[1::2], strict=True)] or [((), ())]
    return (*(front for front, _ in others), *(back for _, back in reversed(others)), *leftover)


def drawn_groups(night: Night) -> list[_Numbers]:
    """Return the people by group and pairing number, as the first round seats them.

    Table t of a group seats number t-1 and its mirror image. In a group of an odd number, nobody has the last pairing
    number; number 0 then sits at a table after those of the groups, or sits out.
    """
    first, most, groups = night.rounds[0], night.plan.size // 2, list[_Numbers]()
    seated = [[table.people(team) for team in range(table.teams)] for table in first.tables]
    pairs = sum(map(len, seated)) + len(first.byes) // 2
    sizes = table_sizes(pairs, MOST) if pairs > 1 else [pairs]
    own = sum(size // 2 for size in sizes) if most == 2 else len(seated)
    resting = [*chain.from_iterable(seated[own:]), *(first.byes[at : at + 2] for at in range(0, len(first.byes), 2))]
    for size in sizes:
        count = size // 2 if most == 2 else len(table_sizes(size, most))
        tables, seated = seated[:count], seated[count:]
        if most > 2:
            groups.append(tuple(chain.from_iterable(tables)))
            continue
        if size % 2:
            tables.insert(0, [resting.pop(0), ()])
        groups.append((*(front for front, _ in tables), *(back for _, back in reversed(tables))))
    return groups


def _placed(pairs: Sequence[NightPair], groups: Sequence[_Numbers]) -> list[list[NightPair | None]]:
    """Return the pair that plays for each number: that of its first person who is present and plays for no other."""
    free = list(pairs)

    def placed(people: tuple[int, ...]) -> NightPair | None:
        found = next((each for number in people for each in free if number in each), None)
        if found is not None:
            free.remove(found)
        return found

    return [[placed(people) for people in group] for group in groups]


def _have_met(night: Night) -> bool:
    """Return whether each pair has met each other of its group, or had the rounds for it."""
    drawn = drawn_groups(night)
    if len(night.rounds) >= ROUND_ROBIN.rounds_of(night.plan, sum(map(_count, drawn))) - (len(drawn) > 1):
        return True
    counts, pairs = meetings(night).opponents, playing_pairs(night)[0]
    groups = _placed(pairs, _groups(night, chain.from_iterable(pairs)))
    there = ([pair for pair in group if pair is not None] for group in groups)
    return all(counts[pair_key(a[0], b[0])] > 0 for group in there for a, b in combinations(group, 2))


def _count(group: _Numbers) -> int:
    return sum(bool(people) for people in group)


ROUND_ROBIN: Final = RoundRobin()
