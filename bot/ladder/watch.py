"""Whose ranked matches a moderator should look at: against few accounts, with losses left by partners, only lost."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.game.value import Sentence

_FEW_OPPONENTS: Final = 4
_FEW_MATCHES: Final = 8
_LEFT_LOSSES: Final = 3
_LOST_MATCHES: Final = 5


class Pattern(Sentence):
    FEW = "plays against few accounts"
    LEFT = "a partner left these lost matches"
    LOSES = "a new account that only loses"


@dataclass(frozen=True, slots=True)
class WatchedPlay:
    """One player's part in a ranked match; `is_first` where no ranked match of the player came before."""

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
    tables: dict[int, list[WatchedPlay]] = {}
    players: dict[int, list[WatchedPlay]] = {}
    for play in plays:
        tables.setdefault(play.table_id, []).append(play)
        players.setdefault(play.user_id, []).append(play)
    found = []
    everybody = len(players)
    for user_id, own in players.items():
        others = {play.table_id: [o for o in tables[play.table_id] if o.team != play.team] for play in own}
        accounts = {other.user_id for against in others.values() for other in against}
        losses = [play for play in own if play.outcome < 0 and not play.has_left]
        left = [play for play in losses if any(o.has_left and o.team == play.team for o in tables[play.table_id])]
        won = [play for play in own if play.outcome > 0]
        marks = {
            Pattern.FEW: won
            if len(own) >= _FEW_MATCHES and len(accounts) <= min(_FEW_OPPONENTS, everybody // 4)
            else [],
            Pattern.LEFT: left if len(left) >= _LEFT_LOSSES and 2 * len(left) >= len(losses) else [],
            Pattern.LOSES: own
            if own[0].is_first and len(own) >= _LOST_MATCHES and all(play.outcome < 0 for play in own)
            else [],
        }
        found += [
            Watched(user_id, own[-1].name, pattern, tuple(play.table_id for play in matches))
            for pattern, matches in marks.items()
            if matches
        ]
    return tuple(found)
