"""Whose ranked matches a moderator should look at: rings of accounts, a friend who loses, partners who leave.

A pattern is no proof. Honest servers of any size show none (tests/ladder/test_watch.py simulates them).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp
from statistics import median_low
from typing import Final

from bot.game.value import Sentence

_FEW_OPPONENTS: Final = 4
_FEW_MATCHES: Final = 8
_TIED: Final = 4 / 5
"""An account with such a share of its matches with one other person is no opponent of its own."""
_ABOVE_USUAL: Final = 0.2
_SURELY_TIED: Final = 0.95
"""Where people meet the same few every day, a share has to be so much above the usual one, or this."""
_APART: Final = 0.3
"""A ring is one where such a share of the matches goes on without the person; else the person is always there."""
_BEATEN: Final = 9 / 10
_UNLIKELY: Final = 1e-5
_LEFT_LOSSES: Final = 3
_LOST_MATCHES: Final = 5


class Pattern(Sentence):
    FEW = "plays against few accounts"
    RING = "plays against accounts that hardly play without them"
    BEATS = "nearly always beats the same account, and meets it unusually often"
    LEFT = "a partner left these lost matches"
    LOSES = "a new account that only loses, and meets the same account unusually often"


@dataclass(frozen=True, slots=True)
class WatchedPlay:
    """One player's part in a ranked match; `is_first`: the player has no earlier one."""

    table_id: int
    user_id: int
    name: str
    team: int
    outcome: int
    has_left: bool
    is_first: bool


@dataclass(frozen=True, slots=True)
class Watched:
    """A player, and the matches that show the pattern, oldest first."""

    user_id: int
    name: str
    pattern: Pattern
    matches: tuple[int, ...]


def watched(plays: Iterable[WatchedPlay]) -> tuple[Watched, ...]:
    """Returns the players of these plays, oldest first, whose matches show a pattern."""
    record = _Record(plays)
    return tuple(
        Watched(user_id, own[-1].name, pattern, tuple(play.table_id for play in matches))
        for user_id, own in record.players.items()
        for pattern, matches in _patterns(user_id, own, record).items()
        if matches
    )


class _Record:
    """The plays by table and by player, and how often two people sat at one table."""

    def __init__(self, plays: Iterable[WatchedPlay]) -> None:
        self.tables: dict[int, list[WatchedPlay]] = {}
        self.players: dict[int, list[WatchedPlay]] = {}
        for play in plays:
            self.tables.setdefault(play.table_id, []).append(play)
            self.players.setdefault(play.user_id, []).append(play)
        self._together: Counter[tuple[int, int]] = Counter()
        for table in self.tables.values():
            self._together.update(combinations(sorted(play.user_id for play in table), 2))
        self.tied_from = self._tied_from()

    def share(self, user_id: int, other: int) -> float:
        """The share of a player's matches at which the other sat, on either side."""
        return self._together[min(user_id, other), max(user_id, other)] / len(self.players[user_id])

    def against(self, play: WatchedPlay) -> list[WatchedPlay]:
        return [other for other in self.tables[play.table_id] if other.team != play.team]

    def _tied_from(self) -> float:
        """Returns the share from which an account is tied to a person.

        What is usual on the server is the median over all plays of the highest share of who played.
        """
        highest: dict[int, float] = {}
        for pair in self._together:
            for user_id, other in (pair, pair[::-1]):
                highest[user_id] = max(highest.get(user_id, 0), self.share(user_id, other))
        usual = median_low([highest.get(user, 0) for user, own in self.players.items() for _ in own] or [0])
        return min(max(_TIED, usual + _ABOVE_USUAL), _SURELY_TIED)

    def chance(self, user_id: int, other: int) -> float:
        """Returns how likely an opponent of a player is that other one, if chance seats people who play as often."""
        plays = sum(map(len, self.players.values())) - len(self.players[user_id])
        return len(self.players[other]) / plays


def _patterns(user_id: int, own: Sequence[WatchedPlay], record: _Record) -> Mapping[Pattern, Collection[WatchedPlay]]:
    against = {play.table_id: record.against(play) for play in own}
    accounts = {other.user_id for others in against.values() for other in others}
    won = [play for play in own if play.outcome > 0]
    losses = [play for play in own if play.outcome < 0 and not play.has_left]
    left = [play for play in losses if any(o.has_left and o.team == play.team for o in record.tables[play.table_id])]
    tied = {other for other in accounts if record.share(other, user_id) >= record.tied_from}
    ring = [play for play in won if tied.issuperset(other.user_id for other in against[play.table_id])]
    is_apart = len(record.tables) - len(own) >= _APART * len(record.tables)
    is_new = own[0].is_first and all(play.outcome < 0 for play in own)
    few = len(own) >= _FEW_MATCHES and len(accounts) <= min(_FEW_OPPONENTS, len(record.players) // 4)
    return {
        Pattern.FEW: won if few else [],
        Pattern.RING: ring if len(ring) >= _FEW_MATCHES and is_apart else [],
        Pattern.BEATS: _beats(user_id, own, record),
        Pattern.LEFT: left if len(left) >= _LEFT_LOSSES and 2 * len(left) >= len(losses) else [],
        Pattern.LOSES: own if is_new and _often_met(user_id, own, record, _LOST_MATCHES) else [],
    }


def _often_met(
    user_id: int, own: Sequence[WatchedPlay], record: _Record, least: int
) -> Mapping[int, Sequence[WatchedPlay]]:
    """Returns the opponents whom a player met so often at least, and far more often than by chance, with the plays."""
    met: dict[int, list[WatchedPlay]] = {}
    for play in own:
        for other in record.against(play):
            met.setdefault(other.user_id, []).append(play)
    slots = sum(map(len, met.values()))
    return {
        other: plays
        for other, plays in met.items()
        if len(plays) >= least and _tail(len(plays), slots * record.chance(user_id, other)) < _UNLIKELY
    }


def _beats(user_id: int, own: Sequence[WatchedPlay], record: _Record) -> Sequence[WatchedPlay]:
    """Returns the wins against the accounts that a player meets so often, and nearly always beats."""
    found: dict[int, WatchedPlay] = {}
    for plays in _often_met(user_id, own, record, _FEW_MATCHES).values():
        wins = [play for play in plays if play.outcome > 0]
        if len(wins) >= _BEATEN * len(plays):
            found |= {play.table_id: play for play in wins}
    return sorted(found.values(), key=own.index)


def _tail(count: int, expected: float) -> float:
    """Returns how likely chance makes so many or more of what it makes `expected` times on average (Poisson)."""
    term, below = exp(-expected), 0.0
    for number in range(count):
        below += term
        term *= expected / (number + 1)
    return max(1 - below, term)
