"""The secret, unanimous vote on what teams may do beyond one sign (sheet 000, "Raffinements" and "Combinaisons").

Only the voter sees a ballot: no repr shows it, and ballots are dropped once the outcome is known. `Lobby` decides who
may vote and when.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot.game.signs import Strategy
from bot.records.player import Player


@dataclass(frozen=True, slots=True)
class Ballot:
    """A player's vote: yes to these strategies, no to all others."""

    user_id: int
    yes: frozenset[Strategy] = field(repr=False)


@dataclass(frozen=True, slots=True)
class StrategyVote:
    """A vote; once it `is_proposed`, it runs until it has an `outcome`, the strategies with everybody's yes."""

    ballots: frozenset[Ballot] = field(default=frozenset(), repr=False)
    outcome: frozenset[Strategy] | None = None
    is_proposed: bool = False

    @property
    def is_running(self) -> bool:
        """Whether the vote was proposed and has no outcome yet."""
        return self.is_proposed and self.outcome is None

    def ballot_of(self, user_id: int) -> frozenset[Strategy] | None:
        """Return the strategies a player voted for; None if they have not voted, or once the outcome is known."""
        return next((ballot.yes for ballot in self.ballots if ballot.user_id == user_id), None)

    def awaited(self, players: Sequence[Player | None]) -> tuple[Player, ...]:
        """Return the people that have not voted yet; robots have no vote."""
        voters = {ballot.user_id for ballot in self.ballots}
        return tuple(player for player in players if player and not player.is_robot and player.user_id not in voters)

    def cast(self, user_id: int, yes: frozenset[Strategy], players: Sequence[Player | None]) -> "StrategyVote":
        """Return the vote with a player's ballot, which replaces their earlier one."""
        others = {ballot for ballot in self.ballots if ballot.user_id != user_id}
        return replace(self, ballots=frozenset({*others, Ballot(user_id, yes)})).with_players(players)

    def with_players(self, players: Sequence[Player | None]) -> "StrategyVote":
        """Return the vote with these players at the table.

        The ballots of players who have left are dropped. So is the outcome after any change of players, since a new
        outcome would show how the new player has voted. There is an outcome once no seat is free and all have voted.
        """
        seated = {player.user_id for player in players if player}
        ballots = frozenset(ballot for ballot in self.ballots if ballot.user_id in seated)
        vote = replace(self, ballots=ballots, outcome=None)
        if not ballots or None in players or vote.awaited(players):
            return vote
        return replace(self, ballots=frozenset(), outcome=frozenset.intersection(*(ballot.yes for ballot in ballots)))


NO_VOTE: Final = StrategyVote()
PROPOSED: Final = StrategyVote(is_proposed=True)
