"""A rotation: everybody plays for themselves, with new partners and opponents each round; byes and robots in turn.

An express night is a short one that nobody hosts.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import combinations, product
from operator import itemgetter
from random import Random
from typing import ClassVar, Final

from bot.game.rules.presets import BELL
from bot.nights.clocks import FRIDAY
from bot.nights.formats.format import SetRounds
from bot.nights.formats.matching import EXACT, assign_tables, cheapest_matching, seats
from bot.nights.night import Night
from bot.nights.plan import TieBreak
from bot.nights.results.history import Meetings, draw_lot, meetings, pair_key
from bot.nights.rounds import Pairing

_CHANCE: Final = 1_000
"""Chance decides between rounds of equal cost. Each level below outweighs the sum of those above it."""
_OPPONENT: Final = 10**5
_PARTNER: Final = 10**9
_BYE: Final = 10**13
_LOOK_AHEAD: Final = 24
"""Most people for whom a round leaves new partners for the next one."""
_DRAWS: Final = 12
"""How many rounds are drawn for a few people at tables of four, to keep the best."""

_Team = tuple[int | None, int | None]


class Rotation(SetRounds):
    """The rotation format."""

    name = "rotation"
    title = "Solo, changing partners"
    sentence = "a new partner each round, everybody for themselves"
    tie_breaks = (TieBreak.POINTS, TieBreak.WINS, TieBreak.SCORE_DIFFERENCE, TieBreak.OPPONENTS)

    def pair(self, night: Night, rng: Random) -> Pairing:
        numbers, robots = [entrant.number for entrant in night.present], night.plan.fills_with_robots
        if night.chooses_partners and night.present[0].partner == numbers[1]:
            return Pairing((seats([(numbers[0], numbers[1]), (None, None)]),))
        schedule = _plane(sorted(numbers, key=lambda number: draw_lot(night, number)), len(night.rounds))
        before, draws = meetings(night), min(4, 2 * EXACT // max(1, len(numbers)))
        if night.plan.size == 4:  # who was a partner has been met
            before.opponents.update(before.partners)
            draws = _DRAWS if len(numbers) <= _LOOK_AHEAD else draws
        drawn = pair_individuals(numbers, before, night.plan.size, rng, schedule, draws, with_robots=robots)
        return _with_silent_last(drawn, night.silent)


def _with_silent_last(drawn: Pairing, silent: Set[int]) -> Pairing:
    """Return the round with byes for those who did not answer the check-in, and their tables opened last."""
    seated = [number for table in drawn.tables for number in table if number is not None and number in silent]
    changes = list(zip(seated, (number for number in drawn.byes if number not in silent), strict=False))
    changed = dict([*changes, *((other_number, silent_number) for silent_number, other_number in changes)])
    tables = [tuple(None if seat is None else changed.get(seat, seat) for seat in table) for table in drawn.tables]
    byes = tuple(sorted(changed.get(number, number) for number in drawn.byes))
    return replace(drawn, tables=tuple(sorted(tables, key=lambda table: len(silent & {*table}))), byes=byes)


def pair_individuals(
    people: Sequence[int],
    before: Meetings,
    size: int,
    rng: Random,
    schedule: list[list[_Team]] | None = None,
    draws: int = 1,
    *,
    with_robots: bool,
) -> Pairing:
    """Return tables of `size` for people who play for themselves, with robots or byes for the remainder.

    By priority: byes (and robot partners) take turns, no partner repeats, no opponent repeats.

    Args:
        people: The numbers of the entrants who play.
        before: Who has met whom, and had byes, in earlier rounds.
        size: The seats at a table; a table of 6 or 8 may get fewer.
        rng: Decides between equals.
        schedule: Tables prepared for this round, used if no draw is better.
        draws: How many rounds to draw at most, of which the best counts.
        with_robots: Whether robots fill tables, instead of byes.
    """
    order = sorted(people)
    rng.shuffle(order)
    rest = len(order) % (4 if size == 4 else 2)
    byes = 0 if with_robots else rest
    robots = max(4 - len(order), -len(order) % (4 if size == 4 else 2)) if with_robots else 0
    if not order or len(order) + robots - byes < 4:
        return Pairing((), tuple(sorted(order)))
    drawn: list[tuple[tuple[bool, int], list[list[_Team]]]] = []
    if schedule is not None and size == 4:
        repeats = sum(before.partners[pair_key(a or 0, b or 0)] for table in schedule for a, b in table)
        drawn.append(((repeats > 0, sum(_repeats(table, before) for table in schedule)), schedule))
    for _ in range(max(1, draws)):
        if drawn and drawn[-1][0] == (False, 0):
            break
        teams, goes_on = _partners(order, robots, byes, before, rng)
        tables = _tables(teams, size // 2, before, rng)
        drawn.append(((not goes_on, sum(_repeats(table, before) for table in tables)), tables))
    _, tables = min(drawn, key=itemgetter(0))
    for table in tables:
        rng.shuffle(table)
    rng.shuffle(tables)
    seated = {number for table in tables for team in table for number in team}
    return Pairing(
        tuple(seats(table) for table in tables), tuple(number for number in sorted(order) if number not in seated)
    )


def _plane(people: Sequence[int], played: int) -> list[list[_Team]] | None:
    """Return the next round of 16: the lines of one slope in the affine plane of order 4.

    In five rounds each meets each. After five rounds the same lines have other partners, up to three times.
    """
    if len(people) != 16 or played >= 15:
        return None
    slope, turn = played % 5, played // 5
    lines: list[list[int]] = [[], [], [], []]
    for number, (x, y) in zip(people, product(range(4), repeat=2), strict=True):
        times = (slope + x - 2) % 3 + 1 if slope and x else 0  # in the field of four elements
        lines[x if slope == 4 else y ^ times].append(number)
    orders = [[line[0], *line[1 + turn :], *line[1 : 1 + turn]] for line in lines]
    return [[(a, b), (c, d)] for a, b, c, d in orders]


def _partners(order: Sequence[int], robots: int, byes: int, before: Meetings, rng: Random) -> tuple[list[_Team], bool]:
    """Return the teams, and whether the next round can have new partners only.

    Nodes from `len(order)` on are robots or byes.
    """
    people = len(order)

    def again(first: int, second: int) -> bool:
        return second < people and before.partners[pair_key(order[first], order[second])] > 0

    def cost(first: int, second: int) -> int | None:
        if second < people:
            pair = pair_key(order[first], order[second])
            repeats = before.partners[pair] ** 2 * _PARTNER + before.opponents[pair] ** 2 * _OPPONENT
            return repeats + rng.randrange(_CHANCE)
        if first >= people:
            return people * _BYE if robots else None
        turns = before.byes[order[first]] + before.robots[order[first]]
        return turns**2 * _BYE + rng.randrange(_CHANCE)

    found = cheapest_matching(people + robots + byes, cost, again)
    nodes = [*order, *[None] * (robots + byes)]
    teams = [(nodes[first], nodes[second]) for first, second in found if second < people or robots]
    return teams, people > _LOOK_AHEAD or _can_go_on(order, found, byes, before)


def _can_go_on(order: Sequence[int], found: Sequence[tuple[int, int]], byes: int, before: Meetings) -> bool:
    """Return whether the same people can have new partners in the round after this one, too."""
    used = set(found)

    def cost(first: int, second: int) -> int | None:
        if second >= len(order):
            return 0 if first < len(order) else None
        is_new = (first, second) not in used and not before.partners[pair_key(order[first], order[second])]
        return 0 if is_new else None

    try:
        cheapest_matching(len(order) + (byes or len(order) % 2), cost, lambda first, second: False)
    except ValueError:
        return False
    return True


def _tables(teams: Sequence[_Team], most: int, before: Meetings, rng: Random) -> list[list[_Team]]:
    """Return the teams by table; robots sit apart if possible."""

    def cost(first: int, second: int) -> int:
        robots = None in teams[first] and None in teams[second]
        repeats = _repeats((teams[first], teams[second]), before)
        return repeats * _OPPONENT + robots * _CHANCE + rng.randrange(_CHANCE)

    return [[teams[team] for team in table] for table in assign_tables(len(teams), most, cost, rng)]


def _repeats(table: Sequence[_Team], before: Meetings) -> int:
    """Return the cost of repeated opponents at a table: two meetings cost four times as much as one."""
    people = (pair for first, second in combinations(table, 2) for pair in product(first, second))
    return sum(before.opponents[pair_key(a, b)] ** 2 for a, b in people if a is not None and b is not None)


ROTATION: Final = Rotation()


class Express(Rotation):
    """The express format: a short rotation without a host."""

    name = "express"
    title = "Express"
    sentence = "half an hour at the bell, three partners, nobody hosts"
    night_title = "Kem's Friday"
    weekday = FRIDAY
    runs_alone = True
    defaults: ClassVar[Mapping[str, object]] = {
        "rules": BELL, "rule_set": None, "rounds": 3, "round_minutes": 10, "break_minutes": 1, "size": 8,
        "fills_with_robots": True, "is_ranked": False, "is_weekly": True,
        "calls_role": True,
    }  # fmt: skip


EXPRESS: Final = Express()
