"""The secret, unanimous vote on what teams may do beyond one sign (sheet 000, "Raffinements" and "Combinaisons").

A ballot is for whoever cast it: no repr shows it, and none is kept once the outcome is known. Who may vote and when is
the lobby's to say.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.game.signs import Strategy
from bot.records.player import Player


@dataclass(frozen=True, slots=True)
class Ballot:
    """What one person says yes to; all the rest is a no."""

    user_id: int
    yes: frozenset[Strategy] = field(repr=False)


@dataclass(frozen=True, slots=True)
class StrategyVote:
    """`ballots` while it runs, then `outcome`: what everybody said yes to. Neither: nobody has asked for a vote."""

    ballots: frozenset[Ballot] = field(default=frozenset(), repr=False)
    outcome: frozenset[Strategy] | None = None

    @property
    def is_running(self) -> bool:
        return bool(self.ballots)

    def ballot_of(self, user_id: int) -> frozenset[Strategy] | None:
        """What a person said yes to, None before they voted and once the outcome is known."""
        return next((ballot.yes for ballot in self.ballots if ballot.user_id == user_id), None)

    def awaited(self, players: Sequence[Player | None]) -> tuple[Player, ...]:
        """Who sits there and has not voted yet; robots always have."""
        voters = {ballot.user_id for ballot in self.ballots}
        return tuple(player for player in players if player and not player.is_robot and player.user_id not in voters)

    def cast(self, user_id: int, yes: frozenset[Strategy], players: Sequence[Player | None]) -> "StrategyVote":
        """The vote of these players with that ballot, in place of a former one."""
        others = {ballot for ballot in self.ballots if ballot.user_id != user_id}
        return StrategyVote(frozenset({*others, Ballot(user_id, yes)})).among(players)

    def among(self, players: Sequence[Player | None]) -> "StrategyVote":
        """The vote once these people sit there: a ballot goes with whoever left, an outcome with any change.

        For a changed outcome would tell what the newcomer said. The outcome comes once nobody and no seat is awaited.
        """
        seated = {player.user_id for player in players if player}
        ballots = frozenset(ballot for ballot in self.ballots if ballot.user_id in seated)
        vote = StrategyVote(ballots)
        if not ballots or None in players or vote.awaited(players):
            return vote
        return StrategyVote(outcome=frozenset.intersection(*(ballot.yes for ballot in ballots)))


NO_VOTE: Final = StrategyVote()
