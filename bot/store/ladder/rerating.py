"""The ratings of a server's matches, computed again from the first match on."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from bot.ladder.formula import Formula, Rating, RunningRatings, shown
from bot.store.ladder.count_match import ranked_match


class RatedPart(NamedTuple):
    """One player's part in a ranked match, with the rating that is stored so far."""

    number: int
    user_id: int
    table_id: int
    season: int
    ended_at: int
    team: int
    place: int
    has_left: bool
    is_void: bool
    is_broken_off: bool
    mu: float | None
    sigma: float | None


class Rerating:
    """Rates a server's ranked matches in the order in which they were counted.

    The ratings depend on the record of matches alone, not on how far an interrupted run came.
    """

    def __init__(self, formula: Formula) -> None:
        self.unwritten: set[int] = set()
        """Players of the matches so far whose present ratings may differ from the stored ones."""
        self._formula = formula
        self._running = RunningRatings(formula)
        self._in_season: dict[tuple[int, int], Rating] = {}

    def rate(self, parts: Iterable[RatedPart]) -> list[dict[str, Any]]:
        """Rate the next whole matches; the columns of each `PlayRow` whose stored rating differs."""
        return [values for _, match in groupby(parts, lambda part: part.number) for values in self._match(list(match))]

    def present(self, user_id: int) -> Rating | None:
        """The rating after the matches so far."""
        return self._running.ratings.get(user_id)

    def in_season(self, user_id: int, season: int) -> Rating | None:
        """The rating after the last match of a season so far."""
        return self._in_season.get((user_id, season))

    def _match(self, parts: list[RatedPart]) -> list[dict[str, Any]]:
        first, stored = parts[0], {part.user_id: (part.mu, part.sigma) for part in parts}
        self.unwritten |= stored.keys()
        if first.is_void:
            return []
        people = ((p.user_id, p.team, p.place, p.has_left) for p in parts)
        match = ranked_match(first.season, first.ended_at, people, is_broken_off=first.is_broken_off)
        assert match is not None, "a match has players"
        after = self._running.rate(match)
        self._in_season |= {(user_id, first.season): rating for user_id, rating in after.items()}
        return [
            {
                "table_id": first.table_id,
                "user_id": user_id,
                "mu": rating.mu,
                "sigma": rating.sigma,
                "shown": shown(rating, self._formula),
            }
            for user_id, rating in after.items()
            if stored[user_id] != (rating.mu, rating.sigma)
        ]
