"""The rating formula: how ranked matches, time and a new season change a rating.

A player's strength is a normal distribution of mean mu and deviation sigma (OpenSkill, the Plackett-Luce model of Weng
and Lin, 2011). A match is rated once, by the places of its teams; rounds and margins do not count. Users are opaque
numbers, instants milliseconds since the Unix epoch.
"""

from bisect import bisect_right, insort
from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from math import fsum, sqrt
from statistics import median_low
from typing import Final

from bot.base.times import DAY_MS, WEEK_MS


@dataclass(frozen=True, slots=True)
class Formula:
    """Every number of the ladder. Ratings that are stored were made with these: after a change, rebuild them.

    - `mu`, `sigma`: the rating of a newcomer.
    - `beta`: how much luck there is in one match.
    - `tau`: how much sigma grows with each match, so that it never freezes.
    - `base`, `scale`: a rating is displayed as base + scale * (mu - 3 sigma), at least 0.
    - `drift`: how much sigma grows, in quadrature, with every idle week after `rest_days`.
    - `widening`: the same, with a new season; `return_share`: the share of its way to a newcomer's that mu then goes.
    - `season_matches`: matches in a season that a place on its board needs.
    - `repeat`: the weight of an opponent for each match against them in the last `repeat_days`, at least
      `least_weight`.
    - `few`: a player with fewer different opponents in `known_days` than this share of the server's median rises above
      the server's median rating by at most `day_gain` points a day.
    - `spare_matches`, `most_spared`: in so many matches, so many losses through early leavers are spared; the leavers
      are different partners.
    - `sure_matches`, `sure_partners`: matches and different partners after which a rating is no longer provisional.
    - `tied_share`: an account that played such a share of its matches in `known_days` at a player's tables is no
      opponent of that player, if at least `apart_share` of the server's matches were played without the player.
    """

    mu: float = 25.0
    sigma: float = 25 / 3
    beta: float = 25 / 6
    tau: float = 25 / 300
    base: int = 1000
    scale: int = 40
    rest_days: int = 14
    drift: float = 0.5
    widening: float = 1.0
    return_share: float = 1 / 3
    season_matches: int = 8
    repeat: float = 0.8
    repeat_days: int = 7
    least_weight: float = 0.2
    known_days: int = 30
    few: float = 0.5
    day_gain: int = 3
    spare_matches: int = 20
    most_spared: int = 2
    sure_matches: int = 10
    sure_partners: int = 3
    tied_share: float = 4 / 5
    apart_share: float = 0.3


FORMULA: Final = Formula()
_SLACK_MS: Final = WEEK_MS  # matches that are recorded one after the other may have ended in another order


def formula_with(sure_matches: int, sure_partners: int) -> Formula:
    """Return the formula with these numbers of matches and partners that a rating needs to be sure.

    A season's board requires no more matches than that.
    """
    season_matches = min(sure_matches, FORMULA.season_matches)
    return replace(FORMULA, sure_matches=sure_matches, sure_partners=sure_partners, season_matches=season_matches)


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating after the matches up to `last_at`, in season number `season`.

    - `partners`: the first different partners, until there are enough for a sure rating.
    - `opponents`: the number of different opponents in the `known_days` before `last_at`.
    - `day_start_rating`: the rating displayed before that UTC day.
    """

    mu: float
    sigma: float
    season: int
    last_at: int
    matches: int = 0
    partners: frozenset[int] = frozenset()
    opponents: int = 0
    day_start_rating: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """A team of a ranked match.

    - `place`: 0 is the best; level teams share one.
    - `quitters`: the users who left the match; `early`: those who left before the opponents were halfway.
    """

    place: int
    users: tuple[int, ...]
    quitters: frozenset[int] = frozenset()
    early: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class RankedMatch:
    """A ranked match, as the formula sees it. The order of sides and users has no meaning.

    - `at`: its end.
    - `is_broken_off`: the sides are those who left it, and nobody else.
    - `weight`: the factor of all changes of ratings.
    """

    season: int
    at: int
    sides: tuple[Side, ...]
    is_broken_off: bool = False
    weight: float = 1.0

    @property
    def people(self) -> frozenset[int]:
        """The users who played it."""
        return frozenset(user for side in self.sides for user in side.users)


@dataclass(frozen=True, slots=True)
class Background:
    """What a server's record says before a match.

    - `opponents_met`: by user, opponents of the last `known_days` with the number of matches in the last `repeat_days`.
    - `deserted`: by user and match, for the last `spare_matches - 1`, the partners who left early.
    - `median_opponents`, `median_displayed_rating`: over all players who were rated in the last `known_days`.
    - `tied`: by user, what `tied_accounts` returns.
    """

    opponents_met: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    deserted: Mapping[int, Iterable[Collection[int]]] = field(default_factory=dict)
    median_opponents: int = 0
    median_displayed_rating: int = 0
    tied: Mapping[int, Collection[int]] = field(default_factory=dict)


NO_BACKGROUND: Final = Background()


def after_idleness(rating: Rating, season: int, at: int, formula: Formula = FORMULA) -> Rating:
    """Return the rating at an instant: idle weeks and a new season raise sigma, at most to a new player's.

    A new season also moves mu towards a new player's.
    """
    weeks = max(0, at - rating.last_at - formula.rest_days * DAY_MS) // WEEK_MS
    is_new_season = season > rating.season  # once for any number of seasons: time alone does the rest
    variance = rating.sigma**2 + weeks * formula.drift**2 + is_new_season * formula.widening**2
    mu = rating.mu + is_new_season * formula.return_share * (formula.mu - rating.mu)
    return replace(rating, mu=mu, sigma=min(sqrt(variance), max(formula.sigma, rating.sigma)))


def fresh_until(rating: Rating, at: int, formula: Formula = FORMULA) -> int:
    """Return the first instant after `at` at which idleness raises sigma again."""
    first = rating.last_at + formula.rest_days * DAY_MS
    return first + WEEK_MS * max(1, (at - first) // WEEK_MS + 1)


def displayed_rating(rating: Rating, formula: Formula = FORMULA) -> int:
    """Return the number that players see, a lower bound of strength: base + scale * (mu - 3 sigma), at least 0."""
    return max(0, round(formula.base + formula.scale * (rating.mu - 3 * rating.sigma)))


def is_provisional(rating: Rating, formula: Formula = FORMULA) -> bool:
    """Return whether a rating rests on too few matches or partners."""
    return rating.matches < formula.sure_matches or len(rating.partners) < formula.sure_partners


def weight(repeats: int, formula: Formula = FORMULA) -> float:
    """Return the weight of an opponent whom a player has met in `repeats` other matches within `repeat_days`."""
    return max(formula.least_weight, formula.repeat**repeats)


def tied_accounts(
    people: Collection[int], together: Mapping[int, Mapping[int, int]], matches: int, formula: Formula = FORMULA
) -> dict[int, frozenset[int]]:
    """Return, for each player of a match, the others in it that hardly ever play without that player.

    Args:
        people: The players of the match.
        together: How many matches of the last `known_days` two users played in, on any sides, as `together[a][b]`;
            `together[a][a]` is how many `a` played. This match does not count.
        matches: How many matches the server had in that time, without this one.
        formula: The numbers of the ladder.
    """

    def played(user: int, other: int) -> int:
        return together.get(user, {}).get(other, 0) + 1

    def hardly_without(user: int) -> frozenset[int]:
        if matches + 1 - played(user, user) < formula.apart_share * (matches + 1):
            return frozenset()  # the player is always there
        share = formula.tied_share
        return frozenset(o for o in people if o != user and played(o, user) >= share * played(o, o))

    return {user: hardly_without(user) for user in people}


def rate(
    match: RankedMatch,
    before: Mapping[int, Rating],
    background: Background = NO_BACKGROUND,
    formula: Formula = FORMULA,
) -> dict[int, Rating]:
    """Return the rating of each player after a match. A player who is not in `before` is new.

    A player who left is rated as last of all. A partner who stayed loses no rating if the player left early, within the
    limits of the formula. A player who left a match that was broken off is rated as if a team of equal strength had
    won, however often the opponents have met.
    """
    start = {user: _on_arrival(before.get(user), match, formula) for user in match.people}
    if match.is_broken_off:
        rated = _lost_to_equals(match.sides, start, formula)
    else:
        rated = _as_placed(match.sides, start, formula)
        for side in match.sides:
            for user in set(side.users) - side.quitters:
                if rated[user][0] < start[user].mu and _is_spared(side, background.deserted.get(user, ()), formula):
                    rated[user] = (start[user].mu, start[user].sigma)
    return {
        user: _after(start[user], *rated[user], match, side, user, background, formula)
        for side in match.sides
        for user in side.users
    }


def _is_spared(side: Side, before: Iterable[Collection[int]], formula: Formula) -> bool:
    deserted = [early for early in before if early]
    is_again = any(not side.early.isdisjoint(early) for early in deserted)
    return bool(side.early) and not is_again and len(deserted) < formula.most_spared


class RunningRatings:
    """The ratings of a server's players, match by match from the first one, in the order of recording."""

    def __init__(self, formula: Formula = FORMULA) -> None:
        self.ratings: dict[int, Rating] = {}
        self._formula = formula
        # Tuples of numbers cost the garbage collector nothing.
        self._past: dict[int, deque[tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]]] = {}
        """By user, of each match its end, the opponents, the partners who left it early, and all who played it."""
        self._ends: list[int] = []
        """The ends of the latest matches that were played to their end, the oldest first."""
        self._latest: dict[int, int] = {}
        """The players in the order of their last matches, and the ends of these."""

    def rate(self, match: RankedMatch) -> dict[int, Rating]:
        """Rate the next match and return its players' ratings after it."""
        after = rate(match, self.ratings, self._background(match), self._formula)
        self.remember(match, after)
        return after

    def remember(self, match: RankedMatch, after: Mapping[int, Rating]) -> None:
        """Add the next match with the ratings of its players after it, which are known already."""
        self.ratings.update(after)
        for side in match.sides:
            for user in side.users:
                against = () if match.is_broken_off else opponents(match, side)
                people = () if match.is_broken_off else tuple(match.people)
                self._past.setdefault(user, deque()).append((match.at, against, tuple(side.early - {user}), people))
                self._latest.pop(user, None)
                self._latest[user] = after[user].last_at
        if not match.is_broken_off:
            insort(self._ends, match.at)

    def remember_player(self, user: int, rating: Rating, deserters: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        """Set a player's present rating, and their last matches with partners who left early.

        Args:
            user: The player.
            rating: The present one.
            deserters: By match, oldest first: its end, and the partners who left it early. The latest of these matches
                may be known already.
        """
        self.ratings[user] = rating
        past = self._past.setdefault(user, deque())
        older = deserters[: max(0, len(deserters) - len(past))]
        past.extendleft((at, (), early, ()) for at, early in reversed(older))

    def _background(self, match: RankedMatch) -> Background:
        since, kept = known_since(match.at, self._formula), self._formula.spare_matches - 1
        opponents_met: dict[int, Counter[int]] = {}
        deserted: dict[int, list[tuple[int, ...]]] = {}
        together: dict[int, Counter[int]] = {}
        for user in match.people:
            past = self._past.get(user, deque())
            while len(past) > kept and past[0][0] <= since - _SLACK_MS:
                past.popleft()
            deserted[user] = [early for _, _, early, _ in past][-kept:]
            opponents_met[user], together[user] = Counter(), Counter()
            for at, against, _, people in past:
                if at > since:
                    repeats = int(at > repeats_since(match.at, self._formula))
                    opponents_met[user].update(dict.fromkeys(against, repeats))
                    together[user].update(match.people.intersection(people))
        del self._ends[: bisect_right(self._ends, since - _SLACK_MS)]
        lately = len(self._ends) - bisect_right(self._ends, since)
        tied = tied_accounts(match.people, together, lately, self._formula)
        for user in [*takewhile(lambda user: self._latest[user] <= since - _SLACK_MS, self._latest)]:
            del self._latest[user]
        present = [self.ratings[user] for user, at in self._latest.items() if at > since]
        if not present:
            return Background(opponents_met, deserted, tied=tied)
        by_rating = sorted(present, key=lambda rating: rating.mu - 3 * rating.sigma)
        median_displayed_rating = displayed_rating(by_rating[(len(present) - 1) // 2], self._formula)
        return Background(
            opponents_met, deserted, median_low(each.opponents for each in present), median_displayed_rating, tied
        )


def opponents(match: RankedMatch, side: Side) -> tuple[int, ...]:
    """Return the users on the other sides of a match."""
    return tuple(user for other in match.sides if other is not side for user in other.users)


def repeats_since(at: int, formula: Formula) -> int:
    """Return the start of the period before `at` in which meeting the same opponents lowers a match's weight."""
    return at - formula.repeat_days * DAY_MS


def known_since(at: int, formula: Formula) -> int:
    """Return the instant since which opponents count as known at `at`."""
    return at - formula.known_days * DAY_MS


def _on_arrival(known: Rating | None, match: RankedMatch, formula: Formula) -> Rating:
    if known is None:
        return Rating(formula.mu, formula.sigma, match.season, match.at)
    return after_idleness(known, match.season, match.at, formula)


def _as_placed(
    sides: tuple[Side, ...], start: Mapping[int, Rating], formula: Formula
) -> dict[int, tuple[float, float]]:
    rated = _plackett_luce(sides, start, formula)
    for side in sides:
        if not side.quitters:
            continue
        last = replace(side, place=max(other.place for other in sides) + 1)
        as_last = _plackett_luce(tuple(last if other is side else other for other in sides), start, formula)
        rated |= {user: as_last[user] for user in side.quitters}
    return rated


def _lost_to_equals(
    sides: tuple[Side, ...], start: Mapping[int, Rating], formula: Formula
) -> dict[int, tuple[float, float]]:
    rated: dict[int, tuple[float, float]] = {}
    for side in sides:
        # Against themselves: of a user's two ratings the later one stays, which is the loser's.
        rated |= _plackett_luce((replace(side, place=0), replace(side, place=1)), start, formula)
    return rated


def _plackett_luce(
    sides: tuple[Side, ...], start: Mapping[int, Rating], formula: Formula
) -> dict[int, tuple[float, float]]:
    """Return mean and deviation by user. Sums of floats depend on their order, so strength alone decides it."""

    def strength(user: int) -> tuple[float, float]:
        return start[user].mu, start[user].sigma

    lineups = [(side.place, sorted(side.users, key=strength)) for side in sides]
    lineups.sort(key=lambda lineup: (lineup[0], [strength(user) for user in lineup[1]]))
    from openskill.models import PlackettLuce  # noqa: PLC0415 - tests/test_late_imports.py

    model = PlackettLuce(beta=formula.beta, tau=formula.tau)
    teams = [[model.create_rating(list(strength(user))) for user in users] for _, users in lineups]
    rated = model.rate(teams, ranks=[float(place) for place, _ in lineups])
    return {
        user: (rating.mu, rating.sigma)
        for (_, users), team in zip(lineups, rated, strict=True)
        for user, rating in zip(users, team, strict=True)
    }


def _after(
    start: Rating,
    mu: float,
    sigma: float,
    match: RankedMatch,
    side: Side,
    user: int,
    background: Background,
    formula: Formula,
) -> Rating:
    """Return the rating moved from `start` towards mu and sigma, by the weight of the match for the user."""
    share, known = match.weight, start.opponents
    if not match.is_broken_off:
        opponents_met, against = background.opponents_met.get(user, {}), opponents(match, side)
        known = len(opponents_met.keys() | set(against))
        tied = background.tied.get(user, ())
        share *= fsum(weight(opponents_met.get(o, 0), formula) for o in against if o not in tied) / len(against)
    sigma = sqrt(start.sigma**2 + share * (sigma**2 - start.sigma**2))
    mu = start.mu + share * (mu - start.mu)
    is_same_day = start.matches > 0 and start.last_at // DAY_MS == match.at // DAY_MS
    day_start_rating = start.day_start_rating if is_same_day else displayed_rating(start, formula)
    if mu > start.mu and known < formula.few * background.median_opponents:
        most = max(day_start_rating, background.median_displayed_rating) + formula.day_gain
        mu = min(mu, max(start.mu, (most - formula.base) / formula.scale + 3 * sigma))
    are_enough = len(start.partners) >= formula.sure_partners
    return Rating(
        mu=mu,
        sigma=sigma,
        season=max(start.season, match.season),
        last_at=max(start.last_at, match.at),
        matches=start.matches + 1,
        partners=start.partners if are_enough else start.partners | set(side.users) - {user},
        opponents=known,
        day_start_rating=day_start_rating,
    )
