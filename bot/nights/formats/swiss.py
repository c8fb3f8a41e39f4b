"""A Swiss: fixed pairs meet pairs of equal score, none twice."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from bot.nights.formats.format import PairFormat, SetRounds
from bot.nights.formats.matching import assign_tables, cheapest_matching
from bot.nights.night import Night
from bot.nights.plan import NightPlan, TieBreak
from bot.nights.results.history import NightPair, meetings, pair_key
from bot.nights.results.standings import standings

_CHANCE: Final = 100
"""Chance decides between rounds of equal cost. Each level below outweighs the sum of those above it."""
_GAP: Final = 10**5
_REMATCH: Final = 10**11
_BYE: Final = 10**16


class Swiss(SetRounds, PairFormat):
    """The Swiss format."""

    name = "swiss"
    title = "Pairs, Swiss"
    sentence = "pairs of equal score meet, none twice"
    tie_breaks = (TieBreak.FINAL, TieBreak.POINTS, TieBreak.OPPONENTS, TieBreak.DEFEATED, TieBreak.SCORE_DIFFERENCE)
    may_have_final = True

    def rounds_of(self, plan: NightPlan, count: int) -> int:
        return plan.rounds + plan.has_final

    def finalists(self, night: Night, pairs: Sequence[NightPair]) -> list[NightPair]:
        is_last = night.plan.has_final and len(night.rounds) == night.plan.rounds
        return rank_pairs(night, pairs)[:2] if is_last else []

    def tables(self, night: Night, pairs: Sequence[NightPair], most: int, rng: Random) -> list[list[NightPair]]:
        points = {number: own for line in standings(night) for number, own in zip(line.entrants, line.own, strict=True)}

        def score(pair: NightPair) -> int:
            return int(2 * sum(points.get(each, 0) for each in pair) / len(pair))

        return level_tables(night, pairs, most, rng, score=score)


def rank_pairs(night: Night, pairs: Sequence[NightPair]) -> list[NightPair]:
    """Return the pairs in the order of the standings; those without a place come last."""
    places = {number: place for place, line in enumerate(standings(night)) for number in line.entrants}
    return sorted(pairs, key=lambda pair: sum(places.get(number, len(places)) for number in pair) / len(pair))


def level_tables(
    night: Night,
    pairs: Sequence[NightPair],
    most: int,
    rng: Random,
    *,
    score: Callable[[NightPair], int] = lambda pair: 0,
    gap: Callable[[NightPair, NightPair], int] = lambda first, second: 0,
) -> list[list[NightPair]]:
    """Return tables of pairs with equal scores, without rematches if possible; byes rotate from the last place up.

    Args:
        night: The night so far.
        pairs: The pairs to seat.
        most: The most pairs at a table.
        rng: Decides between equal tables.
        score: The score of a pair.
        gap: A further distance between two pairs, added to that of their scores.
    """
    before = meetings(night)
    drawn = {each: rng.random() for each in pairs}
    order = sorted(pairs, key=lambda each: (-score(each), drawn[each]))
    scores = [score(each) for each in order]

    def meeting_count(first: int, second: int) -> int:
        return max(before.opponents[pair_key(a, b)] for a in order[first] for b in order[second])

    def again(first: int, second: int) -> bool:
        return second < len(order) and meeting_count(first, second) > 0

    def bye_cost(index: int) -> int:
        byes = sum(before.byes[number] for number in order[index])
        return byes**2 * _BYE + (scores[index] - scores[-1]) ** 2 * _GAP + rng.randrange(_CHANCE)

    def cost(first: int, second: int) -> int:
        if second == len(order):
            return bye_cost(first)
        apart = (scores[first] - scores[second]) ** 2 + gap(order[first], order[second])
        return meeting_count(first, second) ** 2 * _REMATCH + apart * _GAP + rng.randrange(_CHANCE)

    if len(pairs) < 2:
        return []
    if most > 2:
        tables = assign_tables(len(order), most, cost, rng)
    else:
        tables = [edge for edge in cheapest_matching(len(order) + len(order) % 2, cost, again) if edge[1] < len(order)]
    return [[order[number] for number in table] for table in tables]


SWISS: Final = Swiss()
