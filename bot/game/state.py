"""A match's state with all that is hidden: for `bot.game`, the running table and the ladder. Times are milliseconds."""

from dataclasses import field
from typing import Any, TypeVar

from bot.game.cards import Card, is_kems
from bot.game.events import CallMargin, ChainBroken, ExcessRedrawn, MatchPaused, Outcome, Penalty, Phase, RoundEnded
from bot.game.rules.rules import Rules
from bot.game.signs import GestureKind, PlanKind, Sign, SignCard, SignPlan, SignReport, Strategy
from bot.game.value import value, value_with_dict

Slots = tuple[Card | None, ...]
EMPTY_HAND: Slots = (None, None, None, None)


def _cards(slots: Slots) -> tuple[Card, ...]:
    """Return the cards without the empty slots; most hands and pools have none."""
    return tuple(card for card in slots if card is not None) if None in slots else slots  # type: ignore[return-value]


@value
class ShownCards:
    """Cards that `seat` showed: to one viewer, or to all at the deal."""

    seat: int
    cards: tuple[Card, ...]


@value
class SeenExchange:
    """A complete exchange that changed a hand, as all at the table see it. `by_chance`: chance took for the seat."""

    seat: int
    put: tuple[Card, ...]
    taken: tuple[Card, ...]
    by_chance: bool = False


@value_with_dict
class Seat:
    """One player's part: four fixed slots; an empty one is a take that the seat owes.

    - `before`: the hand when the running exchange began, at `owes_since`.
    - `taken`: cards taken in the round.
    - `by_chance`: the cards that chance took in the last exchange, at `by_chance_at`.
    - `signed_at`: when the sign was first made with this Kem's, or with pre-sign with three alike of one of the groups
      `signed_for`. `halves`: those halves of a combined sign that were made with it.
    - `shown`: what others have shown to this seat.
    """

    hand: Slots = EMPTY_HAND
    before: tuple[Card, ...] | None = None
    owes_since: int | None = None
    taken: int = 0
    by_chance: tuple[Card, ...] = ()
    by_chance_at: int = 0
    signed_at: int | None = None
    signed_for: frozenset[int] = frozenset()
    halves: frozenset[Sign] = frozenset()
    can_counter: bool = True
    shown: tuple[ShownCards, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in hand."""
        return _cards(self.hand)

    @property
    def owes(self) -> int:
        """How many cards the seat owes."""
        return self.hand.count(None)

    @property
    def holds_kems(self) -> bool:
        """Whether the hand is a Kem's."""
        return is_kems(self.cards)


@value
class Proposal:
    """What `seat` proposed `at` an instant (milliseconds), and the seats that have accepted it (the proposer first)."""

    seat: int
    plan: SignPlan
    accepted: tuple[int, ...]
    at: int = field(default=0, compare=False)


@value_with_dict
class Team:
    """A team's secrets.

    - `may_change`: an opponent's guess, or a counter, lets it change its sign in mid-round.
    - `found`: the signs that opponents have named.
    - `spent`: signs that never come back: found ones of a team that played several, and signs of one use that have won.
    - `lost`: the strategies that it may not play any more.
    - `is_known_single`: all players know that it plays one sign for the rest of the match.
    """

    plan: SignPlan | None = None
    card: SignCard | None = None
    proposal: Proposal | None = None
    may_change: bool = False
    found: frozenset[Sign] = frozenset()
    spent: frozenset[Sign] = frozenset()
    lost: frozenset[Strategy] = frozenset()
    is_known_single: bool = False

    @property
    def is_half_found(self) -> bool:
        """Whether one sign of a double sign was found, and the team has not decided yet how to go on."""
        plan = self.plan
        return plan is not None and plan.kind is PlanKind.DOUBLE and not self.spent.isdisjoint(plan.signs)


@value
class SweepVote:
    """A running sweep vote; the asker has agreed by asking."""

    asker: int
    agreed: tuple[int, ...]
    ends_at: int


@value
class ExchangeDuty:
    """The refuser of a sweep owes an exchange that changes the hand, before `ends_at`."""

    seat: int
    ends_at: int


@value
class PendingShow:
    """`seat` has to choose cards to show to `viewer`, before `ends_at`."""

    seat: int
    viewer: int
    ends_at: int


@value
class CallChain:
    """A true call to which its team may add a word; `outcome` stands without it. `team` is what a counter named."""

    caller: int
    outcome: Outcome
    team: int | None = None


@value
class Gesture:
    """A recorded gesture; the `sign` that it made, None for a bluff, is secret until the round is over.

    `taken` is the seat's when it made it, `plan` what its team had agreed on.
    """

    at: int
    seat: int
    kind: GestureKind
    text: str
    sign: Sign | None
    taken: int = 0
    plan: SignPlan | None = None


@value_with_dict
class State:
    """A match at one instant.

    - `round`: from 1; 0 before the first deal.
    - `pool`: cards keep their slots. `slots` of them lie within reach: four and one for each player, or fewer if the
      table has no room; cards beyond wait in a row, and enter the first slot that frees.
    - `exchanges`: those of the round, oldest first.
    - `sweeps`: those of the hunt since the last exchange.
    - `third`: the seat that laid the third of three alike last; None since the pool was turned up. `swept_third`: the
      one for whose card the pool was swept, until the next exchange.
    - `penalties`: events that gave points in this round before its end.
    - `is_time_called`: the match ends with the running round.
    """

    rules: Rules
    seats: tuple[Seat, ...]
    teams: tuple[Team, ...]
    dealer: int
    strategies: frozenset[Strategy] = frozenset()
    phase: Phase = Phase.SIGNS
    round: int = 0
    phase_at: int = 0
    dealt_at: int = 0
    last_exchange: int = 0
    sweeps: int = 0
    pool: Slots = ()
    slots: int = 0
    exchanges: tuple[SeenExchange, ...] = ()
    third: int | None = None
    swept_third: int | None = None
    stock: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    vote: SweepVote | None = None
    duty: ExchangeDuty | None = None
    pending_shows: tuple[PendingShow, ...] = ()
    chain: CallChain | None = None
    gestures: tuple[Gesture, ...] = ()
    reports: tuple[SignReport, ...] = ()
    excess: tuple[ExcessRedrawn, ...] = ()
    pause: MatchPaused | None = None
    margin: CallMargin | None = None
    broken: ChainBroken | None = None
    penalties: tuple[Penalty, ...] = ()
    result: RoundEnded | None = None
    scores: tuple[int, ...] = ()
    games: tuple[int, ...] = ()
    game_won: bool = False
    is_time_called: bool = False
    winner: int | None = None

    def team_of(self, seat: int) -> int:
        """Return the team of a seat."""
        return seat % len(self.teams)

    def members(self, team: int) -> range:
        """Return the seats of a team, in seating order."""
        return range(team, len(self.seats), len(self.teams))

    def partners(self, seat: int) -> tuple[int, ...]:
        """Return the other seats of a seat's team."""
        teams = len(self.teams)
        return tuple(other for other in range(seat % teams, len(self.seats), teams) if other != seat)

    def signs_of(self, seat: int) -> tuple[Sign, ...]:
        """Return the signs that a seat makes."""
        team = self.teams[self.team_of(seat)]
        return () if team.plan is None else team.plan.signs_of(seat // len(self.teams), team.spent)

    @property
    def pool_cards(self) -> tuple[Card, ...]:
        """The cards in the pool."""
        return _cards(self.pool)

    @property
    def is_exchange_pending(self) -> bool:
        """Whether any seat owes a card."""
        return any(seat.owes_since is not None for seat in self.seats)

    @property
    def ended_at_deal(self) -> bool:
        """Whether the round ended at the deal because three alike were turned up; nobody has moved in it."""
        end = self.result
        if end is None or end.outcome is not Outcome.THREE_ALIKE:
            return False
        return end.laid_by is None and end.at == self.dealt_at

    def kems_holders(self, team: int) -> tuple[int, ...]:
        """Return the seats of a team that hold four alike now."""
        return tuple(seat for seat in self.members(team) if self.seats[seat].holds_kems)


_Record = TypeVar("_Record")


def with_changes(record: _Record, **changes: Any) -> _Record:
    """Return a copy of a `value_with_dict` with some fields changed.

    It copies all fields at once and runs no `__init__`: ten times as fast as `dataclasses.replace`.
    """
    copy = object.__new__(type(record))
    copy.__dict__ = record.__dict__ | changes
    return copy


def seats_with(state: State, seat: int, seat_state: Seat) -> tuple[Seat, ...]:
    """Return all seats, with `seat` replaced."""
    seats = list(state.seats)
    seats[seat] = seat_state
    return tuple(seats)


def with_seat(state: State, seat: int, **changes: Any) -> State:
    """Return the state with some fields of a seat changed."""
    return with_changes(state, seats=seats_with(state, seat, with_changes(state.seats[seat], **changes)))


def with_team(state: State, team: int, **changes: Any) -> State:
    """Return the state with some fields of a team changed."""
    teams = list(state.teams)
    teams[team] = with_changes(teams[team], **changes)
    return with_changes(state, teams=tuple(teams))
