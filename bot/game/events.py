"""The events of a match, which are all that is stored of it and all that `evolve` needs; and its phases.

Every event has `at`, milliseconds of the match's clock (the Unix epoch in production, 0-based in notation), and the
outcome of any chance, so that a replay never shuffles. Events name seats, never people.
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
"""A global for hot paths: Python 3.11 looks up a member of an enum ten times as slowly."""


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
    """What was called, and how a margin is told."""

    KEMS = "kems", "{milliseconds} ms before {rival}'s Kem's"
    DOUBLE = "double", "{milliseconds} ms before {rival}'s double"
    COUNTER = "counter", "{milliseconds} ms before {rival}'s counter"
    DOUBLE_COUNTER = "double_counter", "{milliseconds} ms before {rival}'s double counter"


@value
class MatchStarted:
    """A match started. `seats` sit clockwise; seat i belongs to team i mod `teams`; `dealer` deals first.

    `strategies` are those that the vote allowed; `sign_cards`, by team, were drawn if the rules play them.
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
    """A seat proposed to its team how it signals."""

    at: int
    seat: int
    plan: SignPlan


@value
class SignAccepted:
    """A seat accepted what was proposed to its team."""

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
    """The team keeps its sign; of a double sign the one that was not found, which all then know to be single."""

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
    """The next cards of the stock were turned up in the pool."""

    at: int
    cards: tuple[Card, ...]


@value
class StockRebuilt:
    """The shuffled discard pile became the stock."""

    at: int
    order: tuple[Card, ...]


@value
class HuntOpened:
    """The hunt was opened."""

    at: int


@value
class CardPutDown:
    """A seat put a card down."""

    at: int
    seat: int
    card: Card


@value
class CardTaken:
    """A seat took a card. `by_chance`: it had owed the take for too long."""

    at: int
    seat: int
    card: Card
    by_chance: bool = False


@value
class SweepAsked:
    """A seat asked for a sweep."""

    at: int
    seat: int


@value
class SweepAgreed:
    """A seat agreed to a sweep. `silent`: the vote's time ran out."""

    at: int
    seat: int
    silent: bool = False


@value
class SweepRefused:
    """A seat refused a sweep."""

    at: int
    seat: int


@value
class PoolSwept:
    """The open cards left the pool. `asker` is None if three alike or an overdue refusal swept it."""

    at: int
    asker: int | None


@value
class GestureMade:
    """A seat made a gesture."""

    at: int
    seat: int
    kind: GestureKind
    text: str


@value
class MatchPaused:
    """The clock stands still; `by_itself`: no player asked for it, for none could go on.

    No rule makes it, nor `MatchResumed`: the running table adds them, and accepts no move in between.
    """

    at: int
    by_itself: bool = False


@value
class MatchResumed:
    """The clock runs again. Deadlines are as far away as when the match was paused."""

    at: int


@value
class CallMargin:
    """The call of `seat`, which follows, came so many milliseconds before the `call` of `rival`, an opponent.

    No rule makes it, and nothing follows from it: the running table adds it for the result.
    """

    at: int
    seat: int
    rival: int
    call: CallKind
    milliseconds: int


@value
class ChainOpened:
    """A true call to which its team may add a word; without it `outcome` stands.

    A Kem's may become a double (two voices); a double and a double counter together may find all four Kem's. `team` is
    the one that a double counter named.
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
    """A false counter that does not end the round. `target` is the accused seat; None if a team was accused."""

    at: int
    seat: int
    team: int
    target: int | None
    points: tuple[int, ...]
    is_double: bool = False


@value
class CardsShown:
    """`seat` showed these cards to `viewer` alone."""

    at: int
    seat: int
    viewer: int
    cards: tuple[Card, ...]


@value
class SignGuessed:
    """A seat named signs of a team."""

    at: int
    seat: int
    team: int
    signs: tuple[Sign, ...]
    is_right: bool
    points: tuple[int, ...]


@value
class TeamAccused:
    """A team was accused: of "total", or of the pre-sign that it was asked to stop."""

    at: int
    seat: int
    team: int
    strategy: Strategy
    is_right: bool


@value
class RoundEnded:
    """A round ended. `points` by team; `caller` and what was named, if a call ended it.

    `laid_by` put down the third of three alike; None if the cards were turned up.
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
    """Time was called: the match ends with the running round; see `bot.game.effects.calls.timed_winner`."""

    at: int


@value
class GameWon:
    """A game of the match (`best_of`) was won. The score starts at 0 again with the next round."""

    at: int
    team: int


@value
class MatchEnded:
    """The match ended. `winner` is None if a match of fixed rounds, or one whose time was called, ended level."""

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
