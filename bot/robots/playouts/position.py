"""A match at one instant, all hidden cards known, made to be changed in place by millions of moves.

It says what `bot.game.state.State` says, but for gestures, shown cards and what players know of each other's signs.
"""

from random import Random
from typing import Final, NamedTuple

from bot.game.events import Outcome
from bot.game.phase import Phase
from bot.robots.playouts.compiled_rules import NEVER, CompiledRules

_DEAL: Final = Phase.DEAL


class Chain(NamedTuple):
    """A true call to which its team may add a word. `outcome` stands without it; `team` is what a counter named."""

    caller: int
    outcome: Outcome
    team: int


class Position:
    """One position. Masks of cards are those of `masks`; instants are milliseconds; lists are by seat or by team.

    Cards: `hands` and `pool` are masks. `stock` (next card last) and `discard` are lists of card numbers.
    Exchanges: `owes` counts the takes that each seat owes, `owed` those of all. `before` is the hand when the exchange
    began, and `owes_since` when; both have a meaning while the seat owes. `last_exchange` is when a hand last changed,
    and `sweeps` counts the sweeps since. `duty`: the seat that must exchange before `duty_ends_at`, -1 for none.
    Votes: `agreed` is the mask of the seats that agree to a sweep, 0 without a vote; it ends at `vote_ends_at`.
    Calls: `calls` is the mask of the calls that each seat may still make in this round. `signed_at` is when a seat
    made its sign with the Kem's that it holds, `first_sign_at` when it first made it in this round; NEVER otherwise.
    Score: `outcome` is how the round ended, None before that; `points` are what each team has gained in it since
    the position was built. `winner` is the team that won the match, None before its end and where it ended level.
    `is_time_called`: the match ends with this round.
    Time: no deadline falls due before `wake`. It may be too early, never too late.
    """

    __slots__ = (
        "agreed", "before", "calls", "chain", "dealer", "discard", "duty", "duty_ends_at", "first_sign_at",
        "game_won", "games", "hands", "is_time_called", "last_exchange", "now", "outcome", "owed", "owes",
        "owes_since", "phase", "phase_at", "points", "pool", "rng", "round", "rules", "scores", "signed_at",
        "stock", "sweeps", "vote_ends_at", "wake", "winner",
    )  # fmt: skip

    def __init__(self, rules: CompiledRules, rng: Random, *, dealer: int, now: int = 0) -> None:
        self.rules = rules
        self.rng = rng
        self.now = now
        self.wake = 0
        self.dealer = dealer
        self.round = 0
        self.scores = [0] * rules.teams
        self.games = [0] * rules.teams
        self.game_won = False
        self.is_time_called = False
        self.winner: int | None = None
        self.clear()

    def clear(self) -> None:
        """Forgets all that belongs to one round; no card lies anywhere then."""
        seats = self.rules.seats
        self.phase = _DEAL
        self.phase_at = self.now
        self.hands = [0] * seats
        self.pool = 0
        self.stock: list[int] = []
        self.discard: list[int] = []
        self.owes = [0] * seats
        self.owed = 0
        self.before = [0] * seats
        self.owes_since = [0] * seats
        self.last_exchange = self.now
        self.sweeps = 0
        self.duty = -1
        self.duty_ends_at = NEVER
        self.agreed = 0
        self.vote_ends_at = NEVER
        self.calls = list(self.rules.calls)
        self.chain: Chain | None = None
        self.signed_at = [NEVER] * seats
        self.first_sign_at = [NEVER] * seats
        self.outcome: Outcome | None = None
        self.points = [0] * self.rules.teams

    def copy(self, rng: Random | None = None) -> "Position":
        """Returns the same position, to be changed on its own; it draws from `rng`, or from the same random numbers."""
        twin = Position.__new__(Position)
        for name in Position.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if type(value) is list else value)
        if rng is not None:
            twin.rng = rng
        return twin
