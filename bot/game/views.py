"""What a seat may see, by allow-list: what is not a field here is never shown.

The user interface and the robots get these views and no state. Instants are milliseconds of the match's clock.
"""

from collections.abc import Iterable, Mapping

from bot.game.actions import Action
from bot.game.cards import HAND_SIZE, Card
from bot.game.events import COUNTERS, CallKind, CallMargin, MatchPaused, Outcome, Penalty, Phase
from bot.game.rules.rules import Rules
from bot.game.signs import GestureKind, PlanOptions, Sign, SignCard, SignPlan, SignReport, Strategy
from bot.game.state import CallChain, Proposal, SeenExchange, ShownCards, Slots
from bot.game.value import value, value_with_dict


@value
class SeatInfo:
    """What all see of a seat. Chance takes what it owes at `take_ends_at`; `agreed_sweep` is for the time of a vote."""

    seat: int
    team: int
    owes: int
    can_counter: bool
    has_settled_sign: bool
    agreed_sweep: bool
    must_exchange: bool
    must_show_to: int | None
    take_ends_at: int | None = None


@value
class GestureInfo:
    """A gesture in the open, `at` milliseconds after the deal.

    `is_sign` is None until the match is over, or the round if its result tells the signs.
    """

    at: int
    seat: int
    kind: GestureKind
    text: str
    is_sign: bool | None


@value
class ResultInfo:
    """The end of a round, with all hands open. `at` is milliseconds after the deal.

    - `signs`: by team, only those made in this round, if they are told.
    - `margin`: None unless an opponent called in the same moment.
    - `in_vain`: the seat that added a false word to a true call.
    - `laid_by`: the seat that put down the third of three alike.
    - `is_of_deal`: the deal turned up three alike, and nobody has moved.
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
    margin: CallMargin | None
    in_vain: int | None
    laid_by: int | None
    is_of_deal: bool


@value
class Offers:
    """The moves that are open now, or that time alone will open shortly.

    A quiet that is too short, a pool that is not complete and a duel's missing sign do not close a move. In a pause all
    moves are closed.
    """

    calls: frozenset[CallKind] = frozenset()
    may_open: bool = False
    may_sweep: bool = False
    may_answer: bool = False


@value
class TableView:
    """The public table.

    - `phase_at`: when the phase began; `ends_at`: when it ends by itself, None for never.
    - `slots`: those of the pool within reach; cards beyond them wait in a row.
    - `exchanges`: those of the round, oldest first; none if the rules hide who took what.
    - `swept_third`: the seat whose card made three alike, for which the pool was swept, until the next exchange.
    - `sweep_from`: when a sweep may be asked for; None while more than time prevents it.
    - `reports`: their `at` counts from the deal.
    - `strategies`: what the vote allowed.
    - `known_single`: the teams that all know to play one sign for the rest of the match.
    - `excess`: the cards that were shown and given back at the deal.
    - `penalties`: events that gave points in this round before its end.
    - `offers`: the moves that are open to at least one seat.
    - `pause`: no move is accepted, and nothing ends.
    - `is_time_called`: this round is the last one; once the match is over, that it ended so.
    """

    rules: Rules
    phase: Phase
    round: int
    dealer: int
    teams: int
    seats: tuple[SeatInfo, ...]
    pool: Slots
    slots: int
    exchanges: tuple[SeenExchange, ...]
    swept_third: int | None
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
    reports: tuple[SignReport, ...]
    strategies: frozenset[Strategy]
    known_single: tuple[int, ...]
    excess: tuple[ShownCards, ...]
    penalties: tuple[Penalty, ...]
    result: ResultInfo | None
    game_won: bool
    winner: int | None
    offers: Offers
    pause: MatchPaused | None
    is_time_called: bool

    def members(self, team: int) -> range:
        """Return the seats of a team, in seating order."""
        return range(team, len(self.seats), self.teams)

    def __str__(self) -> str:
        """Return the table as text, with the hands that are open after a round."""
        return self.text({} if self.result is None else dict(enumerate(self.result.hands)))

    def text(self, hands: Mapping[int, Slots]) -> str:
        """Return the table as lines of text, with these hands by seat; `--` is an empty slot, `??` a hidden card."""
        lines = [f"{self.rules.preset}, round {self.round}, {self.phase}, score {_words(self.scores)}"]
        if self.result is not None:
            lines.append(f"ended by {self.result.outcome}, points {_words(self.result.points)}")
        lines.append(f"pool {_words(self.pool, empty='--') or 'empty'}, stock {self.stock}, discard {self.discard}")
        for info in self.seats:
            hidden = ("??",) * (HAND_SIZE - info.owes) if self.round else ()
            hand = hands.get(info.seat, (*hidden, *(None,) * info.owes))
            dealer = "  dealer" if info.seat == self.dealer else ""
            lines.append(f"seat {info.seat}, team {info.team}: {_words(hand, empty='--')}{dealer}")
        return "\n".join(lines)


@value_with_dict
class SeatView:
    """One seat's private view on top of the public table.

    - `member_signs`: those that each member of the team makes now, in seating order.
    - `is_half_found`: one sign of a double sign was found, and has no successor yet.
    - `spent`, `lost`: signs and strategies that never come back.
    - `options`: what a proposal may be.
    - `may_speak`: words may be a gesture of this seat.
    - `may_guess`: it may name an opposing team's sign.
    - `shown`: what others have shown to this seat; `showed`: what it had to show to others.
    - `by_chance`: the cards that chance took for the seat in its last exchange, at `by_chance_at`.
    - `third_alike`: cards of the hand that would make three alike in the pool, if the rules mind that.
    - `may_put_down`, `may_take`: a card of the hand, a card of the pool; `may_swap`: both at once.
    - `special_moves`: the legal ones that accept or keep a sign, accuse a team or show cards.
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
    proposal: Proposal | None
    may_change_sign: bool
    options: PlanOptions
    may_speak: bool
    may_guess: bool
    shown: tuple[ShownCards, ...]
    showed: tuple[ShownCards, ...]
    by_chance: tuple[Card, ...]
    by_chance_at: int
    third_alike: frozenset[Card]
    offers: Offers
    may_put_down: bool
    may_take: bool
    may_swap: bool
    special_moves: tuple[Action, ...]

    def __str__(self) -> str:
        """Return the table as text, with the hand of the seat."""
        return str(self.table) if self.table.result is not None else self.table.text({self.seat: self.hand})

    @property
    def signs(self) -> tuple[Sign, ...]:
        """The signs that this seat makes."""
        return self.signs_of(self.seat)

    @property
    def is_sign_shown(self) -> bool:
        """Whether a counter, a guess or the result of this round has revealed a sign that the team still uses."""
        table, result = self.table, self.table.result
        if result is None or self.plan is None:
            return False
        shown_signs: set[Sign | None] = set(result.signs[self.team])
        shown_signs.update(*(report.signs for report in table.reports if report.is_right and report.team == self.team))
        named = result.team if result.target is None else result.target % table.teams
        if result.outcome in COUNTERS and named == self.team:
            own = (made for made in table.gestures if made.seat in (self.seat, *self.partners))
            shown_signs.update(self.sign_made(made.seat, made.kind, made.text) for made in own)
        return not shown_signs.isdisjoint(self.plan.signs)

    def signs_of(self, seat: int) -> tuple[Sign, ...]:
        """Return the signs that this seat, or one of its partners, makes now."""
        return self.member_signs[seat // self.table.teams]

    def sign_made(self, seat: int, kind: GestureKind, text: str) -> Sign | None:
        """Return the sign that this gesture of the seat, or of a partner, makes now; None for a bluff."""
        return None if self.plan is None else self.plan.sign_made(seat // self.table.teams, kind, text, self.spent)


@value_with_dict
class PlayerView(SeatView):
    """What one seat sees at an instant, with all that it may do then.

    `legal` are the moves that the core accepts from the seat now, except gestures, guesses and proposals, which cannot
    be listed. Time alone adds none before `legal_until`; None: it never adds one.
    """

    legal: tuple[Action, ...]
    legal_until: int | None


def _words(items: Iterable[object], *, empty: str = "") -> str:
    return " ".join(empty if item is None else str(item) for item in items)
