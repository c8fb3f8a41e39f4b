"""Perfect matchings of least cost, by networkx's blossom algorithm (Galil, 1986), and tables made of several."""

from collections.abc import Callable, Sequence
from heapq import nsmallest
from itertools import combinations, product
from random import Random
from typing import Final

EdgeCost = Callable[[int, int], int | None]
"""The cost of matching two nodes; None: impossible."""
Meets = Callable[[int, int], bool]
"""Whether two nodes would meet again. The search accepts that only once it has seen all edges."""

EXACT: Final = 48
"""Largest graph that is searched whole, in a quarter of a second; in larger ones each node has few candidates."""
_CANDIDATES: Final = 6
_REPAIRS: Final = 4
"""How often large tables are matched again, for `EXACT` teams; more often for fewer."""


def cheapest_matching(count: int, cost: EdgeCost, again: Meets) -> list[tuple[int, int]]:
    """Return a perfect matching of the nodes 0 to `count` - 1 with the least total cost, sorted.

    Beyond `EXACT` nodes, only the cheapest edges of each node and the edge to its neighbour are considered. More edges
    are considered if these give no perfect matching, or only one in which two nodes meet `again`.

    Raises:
        ValueError: There is no perfect matching.
    """
    costs = {edge: price for edge in combinations(range(count), 2) if (price := cost(*edge)) is not None}
    most = count if count <= EXACT else _CANDIDATES
    while True:
        found = _matching(costs if most >= count else _thinned(count, costs, most))
        is_whole = len(found) * 2 == count
        if is_whole and (most >= count or not any(again(*edge) for edge in found)):
            return found
        if most >= count:
            raise ValueError(f"{count} nodes with {len(costs)} edges have no perfect matching")
        most *= 3


def _matching(costs: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
    import networkx  # noqa: PLC0415  # its import takes as long as the rest of a start; only nights need it

    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_weighted_edges_from((first, second, price) for (first, second), price in costs.items())
    edges = networkx.min_weight_matching(graph)
    return sorted((min(edge), max(edge)) for edge in edges)


def _thinned(count: int, costs: dict[tuple[int, int], int], most: int) -> dict[tuple[int, int], int]:
    """Return each node's cheapest edges, and a ring through all nodes, which keeps clusters connected."""
    edges: list[list[tuple[int, tuple[int, int]]]] = [[] for _ in range(count)]
    for edge, price in costs.items():
        edges[edge[0]].append((price, edge))
        edges[edge[1]].append((price, edge))
    kept = {edge for each in edges for _, edge in nsmallest(most, each)}
    kept |= {edge for edge in ((node, node + 1) for node in range(count - 1)) if edge in costs}
    return {edge: costs[edge] for edge in sorted(kept)}


def table_sizes(teams: int, most: int) -> list[int]:
    """Return how many teams sit at each table, as evenly as possible: at least two, at most `most`.

    Raises:
        ValueError: They do not divide into tables; tables of two need an even number.
    """
    count = -(-teams // most)
    if teams < 2 or (most == 2 and teams % 2):
        raise ValueError(f"{teams} teams do not go into tables of {most}")
    size, more = divmod(teams, count)
    return [size + 1] * more + [size] * (count - more)


def assign_tables(teams: int, most: int, cost: Callable[[int, int], int], rng: Random) -> list[tuple[int, ...]]:
    """Return the teams by table, in tables of `table_sizes`, with the least total cost of meetings.

    Teams are first matched two by two; a second matching then joins couples and single teams to tables. Tables of three
    and four are then split by lot and matched again, as long as that lowers the total cost.
    """
    sizes = table_sizes(teams, most)
    costs = {edge: cost(*edge) for edge in combinations(range(teams), 2)}
    takers = teams + sizes.count(3)  # nodes from `teams` on take one team each out of the first matching

    def price(first: int, second: int) -> int | None:
        return costs[first, second] if second < teams else None if first >= teams else 0

    found = cheapest_matching(takers, price, lambda first, second: False)
    couples = [edge for edge in found if edge[1] < teams]
    if max(sizes) == 2:
        return list(couples)
    parts: list[tuple[int, ...]] = [*couples, *((edge[0],) for edge in found if edge[1] >= teams)]
    best = _joined(parts, sizes.count(2), costs)
    for _ in range(max(_REPAIRS, _REPAIRS * EXACT // teams)):
        best = min(best, _joined(_halved(best, rng), sizes.count(2), costs), key=lambda tables: _total(tables, costs))
    return best


def _joined(parts: Sequence[tuple[int, ...]], alone: int, costs: dict[tuple[int, int], int]) -> list[tuple[int, ...]]:
    """Return tables of two parts each: a couple and another, or a single team; `alone` couples stay so."""

    def price(first: int, second: int) -> int | None:
        if second >= len(parts):  # who is matched with a node from there on stays alone
            return 0 if first < len(parts) and len(parts[first]) == 2 else None
        if len(parts[first]) + len(parts[second]) == 2:
            return None  # two single teams make no table of three
        return sum(costs[min(pair), max(pair)] for pair in product(parts[first], parts[second]))

    matched = cheapest_matching(len(parts) + alone, price, lambda first, second: False)
    return [parts[first] + (parts[second] if second < len(parts) else ()) for first, second in matched]


def _halved(tables: Sequence[tuple[int, ...]], rng: Random) -> list[tuple[int, ...]]:
    """Return the tables in two parts by lot: couples, and single teams from tables of three."""
    mixed = [tuple(rng.sample(table, len(table))) for table in tables]
    return [part for table in mixed for part in (table[:2], table[2:]) if part]


def _total(tables: Sequence[tuple[int, ...]], costs: dict[tuple[int, int], int]) -> int:
    return sum(costs[min(pair), max(pair)] for table in tables for pair in combinations(table, 2))


def seats(teams: Sequence[tuple[int | None, int | None]]) -> tuple[int | None, ...]:
    """Return the people of a table by seat: seat i belongs to team i mod the number of teams."""
    return (*(team[0] for team in teams), *(team[1] for team in teams))
