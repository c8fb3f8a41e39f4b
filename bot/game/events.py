"""What happened in a match: all that is stored of it, and all that `evolve` needs; and the phases of a match.

Every event carries `at`, milliseconds of the match's clock (the Unix epoch in production, 0-based in notation), and
the outcome of any chance, so that a replay never shuffles. Events name seats, never people.
"""

from enum import StrEnum
from typing import Final

from bot.game.cards import Card
from bot.game.rules.rules import Rules
from bot.game.signs import GestureKind, Sign, SignCard, SignPlan, Strategy
from bot.game.value import Worded, value


class Phase(StrEnum):
    """The phases of a match; the values are KGN's words."""

    SIGNS = "signs"
    DEAL = "deal"
    READY = "ready"
    HUNT = "hunt"
    SWEEP = "sweep"
    CHAIN = "chain"
    OVER = "over"
    MATCH_OVER = "match_over"


HUNT: Final = Phase.HUNT
"""For what is asked several times a move: Python 3.11 looks up a member of an enum ten times as slowly as a global."""


class Outcome(Worded):
    """How a round ended."""

    KEMS = "kems", "Kem's"
    DOUBLE = "double", "double"
    COUNTER = "counter", "counter"
    DOUBLE_COUNTER = "double_counter", "double counter"
    FALSE_KEMS = "false_kems", "false Kem's"
    FALSE_DOUBLE = "false_double", "false double"
    FALSE_COUNTER = "false_counter", "false counter"
    FALSE_DOUBLE_COUNTER = "false_double_counter", "false double counter"
    FOUR_KEMS = "four_kems", "four Kem's"
    THREE_ALIKE = "three_alike", "three of a kind"
    TOO_MANY_SWEEPS = "too_many_sweeps", "too many sweeps"
    STOCK_OUT = "stock_out", "stock out"


COUNTERS: Final = (Outcome.COUNTER, Outcome.DOUBLE_COUNTER)
TRUE_KEMS: Final = (Outcome.KEMS, Outcome.DOUBLE, Outcome.FOUR_KEMS)


class CallKind(Worded):
    """What was called."""

    KEMS = "kems", "{milliseconds} ms before {rival}'s Kem's"
    DOUBLE = "double", "{milliseconds} ms before {rival}'s double"
    COUNTER = "counter", "{milliseconds} ms before {rival}'s counter"
    DOUBLE_COUNTER = "double_counter", "{milliseconds} ms before {rival}'s double counter"


@value
class MatchStarted:
    """`seats` sit clockwise; seat i belongs to team i mod `teams`; `dealer` deals first.

    `strategies` are those that the vote allowed; `sign_cards`, by team, were drawn where the rules play them.
    """

    at: int
    rules: Rules
    seats: int
    teams: int
    dealer: int
    strategies: tuple[Strategy, ...] = ()
    sign_cards: tuple[SignCard, ...] = ()


@value
class SignProposed:
    at: int
    seat: int
    plan: SignPlan


@value
class SignAccepted:
    at: int
    seat: int


@value
class SignSettled:
    """A team agreed on how it signals, or chance drew a sign: after the deadline, or at the next deal."""

    at: int
    team: int
    plan: SignPlan
    by_chance: bool = False


@value
class SignKept:
    """The team keeps its sign; of a double sign the one that was not found, which all know to be single then."""

    at: int
    team: int


@value
class CardsDealt:
    """A new round: `order` is the whole shuffled deck, next card first; each seat has its four, the rest is stock."""

    at: int
    round: int
    dealer: int
    order: tuple[Card, ...]


@value
class ExcessRedrawn:
    """`seat` showed `cards`, gave them back and drew as many; `stock` is the stock between giving back and drawing."""

    at: int
    seat: int
    cards: tuple[Card, ...]
    stock: tuple[Card, ...]


@value
class PoolTurnedUp:
    """The next cards of the stock lie open in the pool."""

    at: int
    cards: tuple[Card, ...]


@value
class StockRebuilt:
    """The shuffled discard pile became the stock."""

    at: int
    order: tuple[Card, ...]


@value
class HuntOpened:
    at: int


@value
class CardPutDown:
    at: int
    seat: int
    card: Card


@value
class CardTaken:
    """`by_chance`: the seat owed the take for too long."""

    at: int
    seat: int
    card: Card
    by_chance: bool = False


@value
class SweepAsked:
    at: int
    seat: int


@value
class SweepAgreed:
    """`silent`: the vote's time ran out."""

    at: int
    seat: int
    silent: bool = False


@value
class SweepRefused:
    at: int
    seat: int


@value
class PoolSwept:
    """The open cards left the pool. `asker` is None where three alike or an overdue refusal swept it."""

    at: int
    asker: int | None


@value
class GestureMade:
    at: int
    seat: int
    kind: GestureKind
    text: str


@value
class MatchPaused:
    """The clock stands still; `by_itself`: no player asked for it, for none could go on.

    No rule makes it, nor `MatchResumed`: the running table adds them, and takes no move in between.
    """

    at: int
    by_itself: bool = False


@value
class MatchResumed:
    """The clock runs again. Deadlines are as far away as they were when the match was paused."""

    at: int


@value
class CallMargin:
    """The call of `seat`, which follows, came so many milliseconds before the `call` of `rival`, an opponent.

    No rule makes it, and nothing follows from it: the running table notes it for the result.
    """

    at: int
    seat: int
    rival: int
    call: CallKind
    milliseconds: int


@value
class ChainOpened:
    """A true call to which its team may add a word; `outcome` is what stands without it.

    A Kem's may become a double (two voices); a double and a double counter together may find all four Kem's.
    `team` is the one that a double counter named.
    """

    at: int
    seat: int
    outcome: Outcome
    team: int | None = None


@value
class ChainBroken:
    """The word that `seat` added was false, and the first call stands. `team` as in `ChainOpened`."""

    at: int
    seat: int
    team: int | None = None


@value
class CounterHadNoEffect:
    """The team held two Kem's, against which these rules have no counter. `target` as in `CounterFailed`."""

    at: int
    seat: int
    team: int
    target: int | None


@value
class CounterFailed:
    """A false counter that does not end the round. `target` is the accused seat, None where a team was accused."""

    at: int
    seat: int
    team: int
    target: int | None
    points: tuple[int, ...]
    is_double: bool = False


@value
class CardsShown:
    """`viewer` alone sees these cards of `seat`."""

    at: int
    seat: int
    viewer: int
    cards: tuple[Card, ...]


@value
class SignGuessed:
    at: int
    seat: int
    team: int
    signs: tuple[Sign, ...]
    is_right: bool
    points: tuple[int, ...]


@value
class TeamAccused:
    """`strategy` is "total", which was declared, or the pre-sign that the team was asked to stop."""

    at: int
    seat: int
    team: int
    strategy: Strategy
    is_right: bool


@value
class RoundEnded:
    """`points` by team; `caller` and what was named, where a call ended it.

    `laid_by` put down the third of three alike; None where the cards were turned up.
    """

    at: int
    outcome: Outcome
    points: tuple[int, ...]
    caller: int | None = None
    target: int | None = None
    team: int | None = None
    laid_by: int | None = None


@value
class TimeCalled:
    """The match ends with the running round; see `bot.game.effects.calls.timed_winner`."""

    at: int


@value
class GameWon:
    """A game of the match (`best_of`) is won. The score starts at 0 again with the next round."""

    at: int
    team: int


@value
class MatchEnded:
    """`winner` is None where a match of fixed rounds, or one whose time was called, ended level."""

    at: int
    winner: int | None


_SignEvent = SignProposed | SignAccepted | SignSettled | SignKept | GestureMade | SignGuessed | TeamAccused
_DealEvent = CardsDealt | ExcessRedrawn | PoolTurnedUp | StockRebuilt
_HuntEvent = HuntOpened | CardPutDown | CardTaken | SweepAsked | SweepAgreed | SweepRefused | PoolSwept
_CallEvent = CallMargin | ChainOpened | ChainBroken | CounterHadNoEffect | CounterFailed | CardsShown
_MatchEvent = MatchStarted | MatchPaused | MatchResumed | TimeCalled | RoundEnded | GameWon | MatchEnded
Penalty = CounterFailed | SignGuessed
"""Gives points before the end of a round."""
Event = _SignEvent | _DealEvent | _HuntEvent | _CallEvent | _MatchEvent
