"""Perfect matchings of least cost, by networkx's blossom algorithm (Galil, 1986), and tables made of several."""

from collections.abc import Callable, Sequence
from heapq import nsmallest
from itertools import combinations, product
from typing import Final

Cost = Callable[[int, int], int | None]
"""What it costs to put two nodes together; None: they cannot be."""
Meets = Callable[[int, int], bool]
"""Whether two nodes meet again, which the search is not content with before it has seen all edges."""

EXACT: Final = 48
"""Up to so many nodes the whole graph is searched, which takes a quarter of a second; then each has few candidates."""
_CANDIDATES: Final = 6


def cheapest_matching(count: int, cost: Cost, again: Meets) -> list[tuple[int, int]]:
    """Returns a perfect matching of the nodes 0 to `count` - 1 of least total cost, in their order.

    Of more than `EXACT` nodes each keeps its cheapest edges and that to its neighbour in the order; more of them where
    no perfect matching is found, or none without somebody who meets `again`.

    Raises:
        ValueError: there is no perfect matching.
    """
    costs = {
        (one, other): price for one, other in combinations(range(count), 2) if (price := cost(one, other)) is not None
    }
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
    graph.add_weighted_edges_from((one, other, price) for (one, other), price in costs.items())
    edges = networkx.min_weight_matching(graph)
    return sorted((min(edge), max(edge)) for edge in edges)


def _thinned(count: int, costs: dict[tuple[int, int], int], most: int) -> dict[tuple[int, int], int]:
    """Each node's cheapest edges, and a ring through all nodes in their order, which keeps clusters together."""
    edges: list[list[tuple[int, tuple[int, int]]]] = [[] for _ in range(count)]
    for edge, price in costs.items():
        edges[edge[0]].append((price, edge))
        edges[edge[1]].append((price, edge))
    kept = {edge for each in edges for _, edge in nsmallest(most, each)}
    kept |= {edge for edge in ((node, node + 1) for node in range(count - 1)) if edge in costs}
    return {edge: costs[edge] for edge in sorted(kept)}


def table_sizes(teams: int, most: int) -> list[int]:
    """Returns how many teams sit at each table, as even as possible: at most `most`, at least two.

    Raises:
        ValueError: the teams do not go into tables; two at each table need an even number.
    """
    count = -(-teams // most)
    if teams < 2 or (most == 2 and teams % 2):
        raise ValueError(f"{teams} teams do not go into tables of {most}")
    size, more = divmod(teams, count)
    return [size + 1] * more + [size] * (count - more)


def into_tables(teams: int, most: int, cost: Callable[[int, int], int], again: Meets) -> list[tuple[int, ...]]:
    """Returns teams by table, `table_sizes` of them, in which those meet whose meetings cost least.

    Two by two first; then couples of teams, and single teams, become tables by another matching.
    """
    sizes = table_sizes(teams, most)
    singles = sizes.count(3)

    def first_cost(one: int, other: int) -> int | None:
        if other < teams:
            return cost(one, other)
        return 0 if one < teams else None  # nodes from `teams` on take one team each out of this matching

    found = cheapest_matching(teams + singles, first_cost, lambda one, other: other < teams and again(one, other))
    couples = [edge for edge in found if edge[1] < teams]
    parts: list[tuple[int, ...]] = [*couples, *((edge[0],) for edge in found if edge[1] >= teams)]
    pairs_only = sizes.count(2)
    if pairs_only == len(sizes):
        return list(couples)

    def second_cost(one: int, other: int) -> int | None:
        if other >= len(parts):  # nodes from there on keep a couple of teams for itself
            return 0 if one < len(couples) else None
        if one >= len(couples):
            return None  # two single teams make no table of three
        return sum(cost(*sorted(pair)) for pair in product(parts[one], parts[other]))

    def second_again(one: int, other: int) -> bool:
        return other < len(parts) and any(again(*sorted(pair)) for pair in product(parts[one], parts[other]))

    matched = cheapest_matching(len(parts) + pairs_only, second_cost, second_again)
    return [parts[one] + (parts[other] if other < len(parts) else ()) for one, other in matched]


def seats(teams: Sequence[tuple[int | None, int | None]]) -> tuple[int | None, ...]:
    """Returns the people of a table by seat: seat i belongs to team i mod the number of teams."""
    return (*(team[0] for team in teams), *(team[1] for team in teams))
