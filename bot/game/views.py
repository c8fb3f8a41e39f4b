"""What a seat may see, built by allow-list: a field that is not written here is never shown.

The user interface and the robots get these views and nothing else. Instants are milliseconds of the match's clock.
"""

from dataclasses import dataclass

from bot.game.actions import Action
from bot.game.cards import Card
from bot.game.events import CallKind, MatchPaused, Outcome
from bot.game.phase import Phase
from bot.game.rules import Rules
from bot.game.sign_cards import SignCard
from bot.game.sign_plans import PlanOptions, SignPlan
from bot.game.signs import GestureKind, Sign, Strategy
from bot.game.state import CallChain, ShownCards, Slots


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """What everybody sees of a seat. `agreed_sweep` counts only during a vote."""

    seat: int
    team: int
    owes: int
    can_counter: bool
    has_settled_sign: bool
    agreed_sweep: bool
    must_exchange: bool
    must_show_to: int | None


@dataclass(frozen=True, slots=True)
class GestureInfo:
    """A gesture in the open, `at` milliseconds after the deal; `is_sign` is None until it may be told.

    That is when the round is over, or the match where a vote allowed strategies.
    """

    at: int
    seat: int
    kind: GestureKind
    text: str
    is_sign: bool | None


@dataclass(frozen=True, slots=True)
class ReportInfo:
    """What `seat` said aloud of a team's signs, `at` milliseconds after the deal: signs, or a strategy."""

    at: int
    seat: int
    team: int
    signs: tuple[Sign, ...]
    strategy: Strategy | None
    is_right: bool


@dataclass(frozen=True, slots=True)
class ExcessInfo:
    """Cards that a seat had to show and give back at the deal."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class MarginInfo:
    """How narrowly the call that ended the round came before the `call` of an opponent, the `rival`."""

    rival: int
    call: CallKind
    milliseconds: int


@dataclass(frozen=True, slots=True)
class ResultInfo:
    """The end of a round: all hands are laid open. `at` is milliseconds after the deal.

    `signs` by team: those alone that were made in the open this round; the others stay secret. `margin` is None
    unless an opponent called in the same moment; `in_vain` is the seat that added a false word to a true call.
    """

    outcome: Outcome
    points: tuple[int, ...]
    caller: int | None
    target: int | None
    team: int | None
    at: int
    hands: tuple[Slots, ...]
    kems_holders: tuple[int, ...]
    signs: tuple[tuple[Sign, ...], ...]
    margin: MarginInfo | None = None
    in_vain: int | None = None


@dataclass(frozen=True, slots=True)
class Offers:
    """Which moves are open now, or will be in a moment by themselves: a quiet that is too short, a pool that is not
    complete yet and a duel's sign do not count against them. In a pause no move is open.
    """

    calls: frozenset[CallKind] = frozenset()
    may_open: bool = False
    may_sweep: bool = False
    may_answer: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """The public table. `phase_at` is when the phase began; `ends_at` when it ends by itself, None for never.

    While there is a `pause` no move is taken, and nothing ends.

    `strategies` are what the vote allowed; `known_single` the teams of which all know that they play one sign for good.
    """

    rules: Rules
    phase: Phase
    round: int
    dealer: int
    teams: int
    seats: tuple[SeatInfo, ...]
    pool: Slots
    stock: int
    discard: int
    scores: tuple[int, ...]
    games: tuple[int, ...]
    phase_at: int
    dealt_at: int
    ends_at: int | None
    sweep_from: int | None
    sweep_asker: int | None
    chain: CallChain | None
    duty_ends_at: int | None
    gestures: tuple[GestureInfo, ...]
    reports: tuple[ReportInfo, ...]
    strategies: frozenset[Strategy]
    known_single: tuple[int, ...]
    excess: tuple[ExcessInfo, ...]
    result: ResultInfo | None
    game_won: bool
    winner: int | None
    offers: Offers
    pause: MatchPaused | None = None

    def members(self, team: int) -> range:
        return range(team, len(self.seats), self.teams)


@dataclass(frozen=True, slots=True)
class ProposalInfo:
    seat: int
    plan: SignPlan
    accepted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat's private view on top of the public table. `legal` are the moves the core would take from it now.

    `member_signs` are those that each member of the team makes now, in seating order; `is_half_found`: one sign of a
    double was found, and awaits its successor; `spent` signs never come back, `lost` strategies neither.
    `options` is what a proposal may be, `may_speak` whether words may be a gesture of this seat.
    Gestures and guesses are not enumerated in `legal` (any text may be one); see `bot.game.legal`.
    """

    table: TableView
    seat: int
    team: int
    partners: tuple[int, ...]
    hand: Slots
    owes: int
    plan: SignPlan | None
    member_signs: tuple[tuple[Sign, ...], ...]
    sign_card: SignCard | None
    is_half_found: bool
    spent: frozenset[Sign]
    lost: frozenset[Strategy]
    proposal: ProposalInfo | None
    may_change_sign: bool
    options: PlanOptions
    may_speak: bool
    shown: tuple[ShownCards, ...]
    offers: Offers
    legal: frozenset[Action]
    legal_until: int | None

    @property
    def signs(self) -> tuple[Sign, ...]:
        """The signs that this seat makes now."""
        return self.signs_of(self.seat)

    def signs_of(self, seat: int) -> tuple[Sign, ...]:
        """The signs that this seat, or one of its partners, makes now."""
        return self.member_signs[seat // self.table.teams]

    def sign_made(self, seat: int, kind: GestureKind, text: str) -> Sign | None:
        """The sign that this gesture of the seat, or of one of its partners, makes now; None for a bluff."""
        return None if self.plan is None else self.plan.sign_made(seat // self.table.teams, kind, text, self.spent)
