"""Rounds of a finished match, places of teams, outcomes for players, and their streaks."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

from bot.game.build_view import table_view
from bot.game.events import Event, Phase, RoundEnded
from bot.game.evolve import evolve
from bot.game.rules.rules import EndsAt
from bot.game.state import State
from bot.game.views import TableView


def rounds_of(events: Iterable[Event]) -> tuple[TableView, ...]:
    """Return the public table at the end of each round, with every gesture explained, as after the match."""
    state: State | None = None
    ended: list[TableView] = []
    for event in events:
        state = evolve(state, event)
        if isinstance(event, RoundEnded):
            ended.append(table_view(replace(state, phase=Phase.MATCH_OVER)))
    return tuple(ended)


def places(winner: int | None, games: tuple[int, ...], scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return the place of each team, 0 the best; level teams share one. Games count before points."""
    ranks = [(team == winner, *pair) for team, pair in enumerate(zip(games, scores, strict=True))]
    return tuple(sum(other > rank for other in ranks) for rank in ranks)


def outcome(placed: tuple[int, ...], team: int, *, has_left: bool = False) -> int:
    """Return a player's outcome: 1 won, 0 level, -1 lost; a player who left has lost."""
    if has_left or placed[team] > 0:
        return -1
    return 1 if placed.count(0) == 1 else 0


def leader(games: tuple[int, ...], scores: tuple[int, ...]) -> int | None:
    """Return the team that leads; None if several do."""
    placed = places(None, games, scores)
    return placed.index(0) if placed.count(0) == 1 else None


def is_early(state: State, team: int) -> bool:
    """Return whether no opponent of a team is halfway yet: to the target of the running game, or through the rounds."""
    end = state.rules.end
    if end.ends_at is EndsAt.ROUNDS:
        return 2 * state.round <= end.rounds
    return all(2 * score < end.target for other, score in enumerate(state.scores) if other != team)


class Streak(NamedTuple):
    """The current streak of a player, and the best one of wins.

    `running` is negative for losses in a row, and 0 after a level match.
    """

    running: int = 0
    best: int = 0

    def after(self, outcome: int) -> "Streak":
        """Return the streak after one more match: 1 won, 0 level, -1 lost."""
        running = self.running + outcome if self.running * outcome > 0 else outcome
        return Streak(running, max(self.best, running))


def streaks(outcomes: Iterable[int]) -> Streak:
    """Return the streak after these outcomes."""
    return reduce(Streak.after, outcomes, Streak())
