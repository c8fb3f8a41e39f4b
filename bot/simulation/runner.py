"""Plays many matches on several cores, in an order and with results that do not depend on how many there are."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Final

from bot.game.rules.house_rules import check_table, teams_for
from bot.game.rules.rules import Rules
from bot.robots import Level
from bot.simulation.match import PlayedMatch, play_random, play_robots

# How many matches are given out ahead, by core: enough to keep it busy, few to be dropped where a duel ends early.
_AHEAD: Final = 4

Turned = tuple[PlayedMatch, int]
"""A match, and by how many seats its sides were turned."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match to be played. `levels` are by side, and go round the table; none: random moves."""

    rules: Rules
    players: int
    levels: tuple[Level, ...]
    seed: int
    turned: int
    dealer: int

    def play(self) -> Turned:
        if not self.levels:
            return play_random(self.rules, self.players, self.seed, dealer=self.dealer), self.turned
        seats = [self.levels[(seat - self.turned) % len(self.levels)] for seat in range(self.players)]
        return play_robots(self.rules, seats, self.seed, dealer=self.dealer), self.turned


def match_plans(
    rules: Rules, levels: Sequence[Level], *, matches: int, players: int = 4, seed: int = 1
) -> Iterator[MatchPlan]:
    """Yields the matches to be played. Sides that differ play each deal from every team's seats.

    `levels` are one for all, one for each team, or none for random moves.

    Raises RulesError: the table cannot be played; ValueError: the number of levels is not that of the teams.
    """
    check_table(rules, players)
    teams = teams_for(rules, players)
    if len(levels) not in (0, 1, teams):
        raise ValueError(f"Name one level for all, or one for each of the {teams} teams.")
    turns = teams if len(set(levels)) > 1 else 1
    for number in range(matches):
        deal, turned = divmod(number, turns)
        yield MatchPlan(rules, players, tuple(levels), seed + deal, turned, (seed + deal) % players)


def play_all(plan: Iterable[MatchPlan], jobs: int | None = None) -> Iterator[Turned]:
    """Yields the matches in the order of the plan; closing the iterator drops those that were not asked for.

    `jobs` is how many processes play, one for each core by default; with 1 this process plays them itself.
    """
    count = jobs or os.cpu_count() or 1
    if count == 1:
        yield from (match.play() for match in plan)
        return
    waiting = iter(plan)
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"))
    try:
        running: deque[Future[Turned]] = deque(pool.submit(match.play) for match in islice(waiting, count * _AHEAD))
        while running:
            played = running.popleft().result()
            running.extend(pool.submit(match.play) for match in islice(waiting, 1))
            yield played
    finally:
        pool.shutdown(cancel_futures=True)
