"""Simulated servers: honest players of known strength, and players who try to buy a rating in the second of two months.

Strengths are drawn as the formula expects them of newcomers. Strength and luck win a match. `python -m
tests.ladder.simulated` prints the tables of `docs/ladder-formula.md`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import sqrt
from random import Random
from statistics import mean, median, pstdev
from typing import Final

from bot.base.times import DAY_MS
from bot.ladder.formula import FORMULA, RankedMatch, RunningRatings, Side, displayed_rating
from bot.ladder.seasons import SHORT_TARGET

SEEDS: Final = 20
ORDER_BEFORE: Final = {40: 0.951, 6: 0.931}
"""Spearman's order of the honest players, by their number, where only matches of the same four weigh less."""
_START: Final = 1_800_000_000_000 // DAY_MS * DAY_MS
_MONTH: Final = 30
_MATCH_MS: Final = 600_000
_WHOLE: Final = 10
"""The points to which a match is played that is not short."""
MAIN: Final = 1000
"""The account whose rating is bought; the next numbers are its helpers."""


@dataclass
class Server:
    """People who play three matches on the evenings when they are there, and more if they are to fewer `points`.

    `honest` ones are numbered from 1. The fewer points, the more luck and the less weight.
    """

    honest: int
    seed: int
    points: int = _WHOLE
    running: RunningRatings = field(default_factory=RunningRatings)

    def __post_init__(self) -> None:
        self.dice = Random(self.seed)
        self.strength = {user: self.dice.gauss(FORMULA.mu, FORMULA.sigma) for user in range(1, self.honest + 1)}
        least = 0.2 if self.honest > 6 else 0.6
        self.presence = {user: self.dice.uniform(least, least + 0.6) for user in self.strength}
        self.at = _START
        self.fresh = count(MAIN + 1)

    def rate(self, winners: Side, losers: Side) -> None:
        self.at += _MATCH_MS
        self.running.rate(RankedMatch(1, self.at, (winners, losers), weight=self.points / _WHOLE))

    def matches(self, whole: int) -> range:
        """As many as `whole` matches take time."""
        return range(whole * _WHOLE // self.points)

    def evening(self) -> None:
        here = [user for user, share in self.presence.items() if self.dice.random() < share]
        luck = 2 * FORMULA.beta * sqrt(_WHOLE / self.points)
        for _ in self.matches(3):
            self.dice.shuffle(here)
            for first in range(0, len(here) - 3, 4):
                teams = tuple(here[first : first + 2]), tuple(here[first + 2 : first + 4])
                lead = sum(self.strength[user] for user in teams[0]) - sum(self.strength[user] for user in teams[1])
                won, lost = teams if lead + self.dice.gauss(0, luck) > 0 else teams[::-1]
                self.rate(Side(0, won), Side(1, lost))

    def ratings(self) -> list[int]:
        """What is shown of the honest players who have played."""
        return [displayed_rating(self.running.ratings[user]) for user in self.strength if user in self.running.ratings]

    def bought(self) -> int:
        return displayed_rating(self.running.ratings[MAIN])

    def bound(self) -> float:
        """The honest median and half a standard deviation of honest ratings."""
        return median(self.ratings()) + pstdev(self.ratings()) / 2

    def order(self) -> float:
        """Spearman's correlation of honest players' ratings with their strengths."""
        users = sorted(self.running.ratings.keys() & self.strength.keys())
        rating = _ranks([self.running.ratings[user].mu - 3 * self.running.ratings[user].sigma for user in users])
        strength = _ranks([self.strength[user] for user in users])
        distance = sum((one - other) ** 2 for one, other in zip(rating, strength, strict=True))
        return 1 - 6 * distance / (len(users) * (len(users) ** 2 - 1))


def _ranks(values: Sequence[float]) -> list[int]:
    order = sorted(values)
    return [order.index(value) for value in values]


Attack = Callable[[Server], None]
"""One day of it: five matches, or as many short ones as take that time."""


def honest(_server: Server) -> None:
    pass


def colluders(accounts: int) -> Attack:
    """Two players always beat accounts of theirs."""

    def attack(server: Server) -> None:
        for _ in server.matches(5):
            losers = server.dice.sample(range(MAIN + 2, MAIN + 2 + accounts), 2)
            server.rate(Side(0, (MAIN, MAIN + 1)), Side(1, tuple(losers)))

    return attack


def ring(accounts: int) -> Attack:
    """One player with accounts, one of them the partner."""

    def attack(server: Server) -> None:
        for _ in server.matches(5):
            partner, *losers = server.dice.sample(range(MAIN + 1, MAIN + 1 + accounts), 3)
            server.rate(Side(0, (MAIN, partner)), Side(1, tuple(losers)))

    return attack


def fresh_ring(server: Server) -> None:
    """One player with three new accounts each day."""
    accounts = [next(server.fresh) for _ in range(3)]
    for _ in server.matches(5):
        partner, *losers = server.dice.sample(accounts, 3)
        server.rate(Side(0, (MAIN, partner)), Side(1, tuple(losers)))


def friend_who_loses(server: Server) -> None:
    """A friend, who plays honestly besides, sits on the other side and sees to it that the player wins."""
    for _ in server.matches(5):
        partner, other = server.dice.sample(range(2, server.honest + 1), 2)
        server.rate(Side(0, (MAIN, partner)), Side(1, (1, other)))


def throw_away(partners: int) -> Attack:
    """A player as strong as the opponents, whose partner leaves as soon as they are three points behind, or would lose.

    Without a number of `partners` each match has a new one.
    """

    def attack(server: Server) -> None:
        for _ in server.matches(5):
            partner = server.dice.randint(MAIN + 1, MAIN + partners) if partners else next(server.fresh)
            points, gone = [0, 0], frozenset[int]()
            while max(points) < server.points and not gone:
                points[server.dice.random() < 0.5] += 1
                is_early = 2 * points[1] < server.points
                if (points[1] - points[0] >= 3 and is_early) or points[1] == server.points - 1 > points[0]:
                    gone = frozenset({partner})
            ours = (MAIN, partner), gone, gone if 2 * points[1] < server.points else frozenset[int]()
            theirs = tuple(server.dice.sample(sorted(server.strength), 2))
            if gone or points[1] == server.points:
                server.rate(Side(0, theirs), Side(1, *ours))
            else:
                server.rate(Side(0, *ours), Side(1, theirs))

    return attack


ATTACKS: Final = {
    "two colluders, 2 accounts": colluders(2),
    "two colluders, 4 accounts": colluders(4),
    "two colluders, 8 accounts": colluders(8),
    "one player, 7 new accounts": ring(7),
    "a throw-away partner": throw_away(1),
    "8 throw-away partners": throw_away(8),
    "a new throw-away partner each match": throw_away(0),
}


RINGS: Final = {
    **{f"{accounts} accounts of one player": ring(accounts) for accounts in (4, 8, 14, 20, 30)},
    "2 accounts of two players": colluders(2),
    "three new accounts a day": fresh_ring,
}
"""Accounts that play for one person: a ladder that only counts opponents is bought by them."""


def played(people: int, attack: Attack, seed: int, points: int = _WHOLE) -> Server:
    """A month of honest matches, and one with an attack."""
    server = Server(people, seed, points)
    for day in range(2 * _MONTH):
        server.at = _START + day * DAY_MS
        server.evening()
        if day >= _MONTH:
            attack(server)
    return server


def table(seeds: int = SEEDS, points: int = _WHOLE) -> Iterator[str]:
    yield "| on a server of | attack | bought | bound | honest order |"
    yield "| --- | --- | --- | --- | --- |"
    for people in ORDER_BEFORE:
        for name, attack in {"none": honest, **ATTACKS}.items():
            servers = [played(people, attack, seed, points) for seed in range(seeds)]
            bought = "" if attack is honest else f"{mean(server.bought() for server in servers):.0f}"
            bound, order = (mean(each) for each in zip(*((s.bound(), s.order()) for s in servers), strict=True))
            yield f"| {people} | {name} | {bought} | {bound:.0f} | {order:.3f} |"


def ring_table(people: int = 40, seeds: int = SEEDS) -> Iterator[str]:
    """What rings, and a friend, buy in a month."""
    yield "| on a server of 40 | bought | best honest | above the best |"
    yield "| --- | --- | --- | --- |"
    for name, attack in {**RINGS, "a friend who loses": friend_who_loses}.items():
        servers = [played(people, attack, seed) for seed in range(seeds)]
        best = [max(server.ratings()) for server in servers]
        above = sum(server.bought() > most for server, most in zip(servers, best, strict=True))
        bought = mean(server.bought() for server in servers)
        yield f"| {name} | {bought:.0f} | {mean(best):.0f} | {above} of {seeds} |"


if __name__ == "__main__":
    for played_to in (_WHOLE, int(SHORT_TARGET)):
        print(f"to {played_to} points:", *table(points=played_to), sep="\n")
    print(*ring_table(), sep="\n")
