"""The ratings of a server's matches made anew, as far as they depend on matches that were declared void."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from bot.ladder.formula import Formula, Rating, RunningRatings, shown
from bot.store.ladder.count_match import ranked_match


class RatedPart(NamedTuple):
    """One person's part in a ranked match, with the rating that is stored so far."""

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
    """Goes through a server's ranked matches from the first one on, in the order in which they were counted.

    Whoever sat in a match that is void, of those from number `since` on, has other ratings from then on, and so has
    whoever plays with them later. Their matches are rated again; what is stored of all others is true. `since` 0 means
    that nothing stored is believed. What comes out depends on the record of matches alone, not on how far an earlier
    run came that was interrupted.
    """

    def __init__(self, since: int, formula: Formula) -> None:
        self.changed: defaultdict[int, set[int]] = defaultdict(set)
        """People whose rating is to be written, and the seasons of which it is."""
        self._since = since
        self._formula = formula
        self._ratings = RunningRatings(formula)
        self._touched: set[int] = set()
        self._in_season: dict[tuple[int, int], Rating] = {}

    def take(self, parts: Iterable[RatedPart]) -> list[dict[str, Any]]:
        """Some matches, whole ones, after those before; what is to be written of `PlayRow`."""
        return [values for _, match in groupby(parts, lambda part: part.number) for values in self._match(list(match))]

    def present(self, user_id: int) -> Rating | None:
        """The rating after the matches so far."""
        return self._ratings.ratings.get(user_id)

    def in_season(self, user_id: int, season: int) -> Rating | None:
        """The rating after the last match of a season so far."""
        return self._in_season.get((user_id, season))

    def _match(self, parts: list[RatedPart]) -> list[dict[str, Any]]:
        first, users = parts[0], {part.user_id for part in parts}
        if first.is_void:
            if first.number >= self._since:
                self._touch(users, first.season)
            return []
        people = ((p.user_id, p.team, p.place, p.has_left) for p in parts)
        match = ranked_match(first.season, first.ended_at, people, is_broken_off=first.is_broken_off)
        assert match is not None, "somebody was in it"
        stored = {p.user_id: (p.mu, p.sigma) for p in parts if p.mu is not None and p.sigma is not None}
        if self._since and len(stored) == len(users) and self._touched.isdisjoint(users):
            after = self._ratings.recall(match, stored)
        else:
            after = self._ratings.rate(match)
            self._touch(users, first.season)
        self._in_season |= {(user_id, first.season): rating for user_id, rating in after.items()}
        return [
            {
                "table_id": first.table_id,
                "user_id": user_id,
                "mu": r.mu,
                "sigma": r.sigma,
                "shown": shown(r, self._formula),
            }
            for user_id, r in after.items()
            if stored.get(user_id) != (r.mu, r.sigma)
        ]

    def _touch(self, users: set[int], season: int) -> None:
        self._touched |= users
        for user_id in users:
            self.changed[user_id].add(season)
