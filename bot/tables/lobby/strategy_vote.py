"""The secret, unanimous vote on what teams may do beyond one sign (sheet 000, "Raffinements" and "Combinaisons").

Only the voter sees a ballot: no repr shows it, and no ballot is kept once the outcome is known. `Lobby` decides who may
vote and when.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot.game.signs import Strategy
from bot.records.player import Player


@dataclass(frozen=True, slots=True)
class Ballot:
    """The strategies that one player says yes to; to all others they say no."""

    user_id: int
    yes: frozenset[Strategy] = field(repr=False)


@dataclass(frozen=True, slots=True)
class StrategyVote:
    """A vote that `is_proposed` runs until it has an `outcome`: what all said yes to."""

    ballots: frozenset[Ballot] = field(default=frozenset(), repr=False)
    outcome: frozenset[Strategy] | None = None
    is_proposed: bool = False

    @property
    def is_running(self) -> bool:
        return self.is_proposed and self.outcome is None

    def ballot_of(self, user_id: int) -> frozenset[Strategy] | None:
        """Return what a player said yes to; None before they voted, and once the outcome is known."""
        return next((ballot.yes for ballot in self.ballots if ballot.user_id == user_id), None)

    def awaited(self, players: Sequence[Player | None]) -> tuple[Player, ...]:
        """Return the players who have not voted yet; a robot has no vote."""
        voters = {ballot.user_id for ballot in self.ballots}
        return tuple(player for player in players if player and not player.is_robot and player.user_id not in voters)

    def cast(self, user_id: int, yes: frozenset[Strategy], players: Sequence[Player | None]) -> "StrategyVote":
        """Return the vote with this ballot, in place of the player's former ballot."""
        others = {ballot for ballot in self.ballots if ballot.user_id != user_id}
        return replace(self, ballots=frozenset({*others, Ballot(user_id, yes)})).among(players)

    def among(self, players: Sequence[Player | None]) -> "StrategyVote":
        """Return the vote once these players sit at the table.

        A player who leaves takes their ballot away. Any change of players takes the outcome away, as a changed outcome
        would show how the new player voted. The outcome is there once all seats are taken and all players have voted.
        """
        seated = {player.user_id for player in players if player}
        ballots = frozenset(ballot for ballot in self.ballots if ballot.user_id in seated)
        vote = replace(self, ballots=ballots, outcome=None)
        if not ballots or None in players or vote.awaited(players):
            return vote
        return replace(self, ballots=frozenset(), outcome=frozenset.intersection(*(ballot.yes for ballot in ballots)))


NO_VOTE: Final = StrategyVote()
PROPOSED: Final = StrategyVote(is_proposed=True)
