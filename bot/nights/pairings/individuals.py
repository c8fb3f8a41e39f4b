"""Everybody for themselves: new partners and new opponents, byes and robots in turn."""

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Final

from bot.nights.history import Meetings, both
from bot.nights.pairings.matching import cheapest_matching, into_tables, seats
from bot.nights.rounds import Pairing

_CHANCE: Final = 1_000
"""Chance decides between rounds of equal cost. Each level below outweighs all those above it together."""
_OPPONENT: Final = 10**5
_PARTNER: Final = 10**9
_BYE: Final = 10**13
_LOOK_AHEAD: Final = 24
"""Up to so many people it is seen to that the next round, too, can bring new partners only."""
_TRIES: Final = 8

_Team = tuple[int | None, int | None]


def pair_individuals(people: Sequence[int], before: Meetings, size: int, rng: Random, *, with_robots: bool) -> Pairing:
    """Returns tables of `size` for people who play for themselves, with robots or byes for what does not divide.

    By rank: byes (and robots as partners) go round, nobody has a partner again, nobody has an opponent again. At 6 and
    8 to a table fewer may sit at some.
    """
    order = sorted(people)
    rng.shuffle(order)
    missing = -len(order) % 4 if size == 4 else len(order) % 2
    robots = max(4 - len(order), missing) if with_robots else 0
    byes = 0 if with_robots else (len(order) % 4 if size == 4 else len(order) % 2)
    if not order or len(order) + robots - byes < 4:
        return Pairing((), tuple(sorted(order)))
    teams, resting = _partners(order, robots, byes, before, rng)
    tables = _tables(teams, size // 2, before, rng)
    return Pairing(tuple(seats(table) for table in tables), tuple(sorted(resting)))


def _partners(
    order: Sequence[int], robots: int, byes: int, before: Meetings, rng: Random
) -> tuple[list[_Team], list[int]]:
    """Teams, and who has no table. Nodes from `len(order)` on are robots, or byes."""
    people = len(order)

    def again(one: int, other: int) -> bool:
        return other < people and before.partners[both(order[one], order[other])] > 0

    def cost(one: int, other: int) -> int | None:
        if other < people:
            met = both(order[one], order[other])
            repeats = before.partners[met] ** 2 * _PARTNER + before.opponents[met] ** 2 * _OPPONENT
            return repeats + rng.randrange(_CHANCE)
        if one >= people:
            return people * _BYE if robots else None
        turns = before.byes[order[one]] + before.robots[order[one]]
        return turns**2 * _BYE + rng.randrange(_CHANCE)

    tries = _TRIES if people <= _LOOK_AHEAD else 1
    found: list[tuple[int, int]] = []
    for _ in range(tries):
        found = cheapest_matching(people + robots + byes, cost, again)
        if tries == 1 or _can_go_on(order, found, byes, before):
            break
    nodes = [*order, *[None] * (robots + byes)]
    edges = [(nodes[one], nodes[other]) for one, other in found]
    if not byes:
        return edges, []
    return [edge for edge in edges if None not in edge], [
        one for one, other in edges if one is not None and other is None
    ]


def _can_go_on(order: Sequence[int], found: Sequence[tuple[int, int]], byes: int, before: Meetings) -> bool:
    """Whether the same people can have new partners in the round after this one as well."""
    used = set(found)

    def cost(one: int, other: int) -> int | None:
        if other >= len(order):
            return 0 if one < len(order) else None
        is_new = (one, other) not in used and not before.partners[both(order[one], order[other])]
        return 0 if is_new else None

    try:
        cheapest_matching(len(order) + (byes or len(order) % 2), cost, lambda one, other: False)
    except ValueError:
        return False
    return True


def _tables(teams: Sequence[_Team], most: int, before: Meetings, rng: Random) -> list[list[_Team]]:
    """Teams by table, in an order by lot; robots sit apart where they can."""

    def met(one: int, other: int) -> list[int]:
        people = product(teams[one], teams[other])
        return [before.opponents[both(a, b)] for a, b in people if a is not None and b is not None]

    def cost(one: int, other: int) -> int:
        robots = None in teams[one] and None in teams[other]
        return sum(times**2 for times in met(one, other)) * _OPPONENT + robots * _CHANCE + rng.randrange(_CHANCE)

    tables = [
        [teams[team] for team in table] for table in into_tables(len(teams), most, cost, lambda a, b: any(met(a, b)))
    ]
    for table in tables:
        rng.shuffle(table)
    rng.shuffle(tables)
    return tables
