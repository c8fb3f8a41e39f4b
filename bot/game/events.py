"""What happened in a match: the only thing that is stored, and all that `evolve` needs.

Every event carries `at`, milliseconds of the match's clock (the Unix epoch in production, 0-based in notation), and
the outcome of any chance, so that a replay never shuffles. Events name seats, never people.
"""

from dataclasses import dataclass
from enum import StrEnum

from bot.game.cards import Card
from bot.game.rules import Rules
from bot.game.signs import GestureKind, Sign


class Outcome(StrEnum):
    """How a round ended."""

    KEMS = "kems"
    DOUBLE = "double"
    COUNTER = "counter"
    DOUBLE_COUNTER = "double_counter"
    FALSE_KEMS = "false_kems"
    FALSE_DOUBLE = "false_double"
    FALSE_COUNTER = "false_counter"
    FALSE_DOUBLE_COUNTER = "false_double_counter"
    FOUR_KEMS = "four_kems"
    THREE_ALIKE = "three_alike"


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """`seats` sit clockwise; seat i belongs to team i mod `teams`; `dealer` deals first."""

    at: int
    rules: Rules
    seats: int
    teams: int
    dealer: int


@dataclass(frozen=True, slots=True)
class SignProposed:
    at: int
    seat: int
    sign: Sign


@dataclass(frozen=True, slots=True)
class SignAccepted:
    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class SignSettled:
    """A team agreed on its sign, or chance chose it after the deadline."""

    at: int
    team: int
    signs: tuple[Sign, ...]
    by_chance: bool = False


@dataclass(frozen=True, slots=True)
class SignKept:
    at: int
    team: int


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """A new round: `order` is the whole shuffled deck, next card first; each seat has its four, the rest is stock."""

    at: int
    round: int
    dealer: int
    order: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ExcessRedrawn:
    """`seat` showed `cards`, gave them back and drew as many; `stock` is the stock between giving back and drawing."""

    at: int
    seat: int
    cards: tuple[Card, ...]
    stock: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PoolTurnedUp:
    """The next cards of the stock lie open in the pool."""

    at: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class StockRebuilt:
    """The shuffled discard pile became the stock."""

    at: int
    order: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HuntOpened:
    at: int


@dataclass(frozen=True, slots=True)
class CardPutDown:
    at: int
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class CardTaken:
    at: int
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class SweepAsked:
    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class SweepAgreed:
    """`silent`: the vote's time ran out."""

    at: int
    seat: int
    silent: bool = False


@dataclass(frozen=True, slots=True)
class SweepRefused:
    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class PoolSwept:
    """The open cards left the pool. `asker` is None where three alike or an overdue refusal swept it."""

    at: int
    asker: int | None


@dataclass(frozen=True, slots=True)
class GestureMade:
    at: int
    seat: int
    kind: GestureKind
    text: str


@dataclass(frozen=True, slots=True)
class KemsCalled:
    """A true Kem's that another voice of the team may still make a double."""

    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class CounterHadNoEffect:
    """The team held two Kem's, against which these rules know no counter. `target` as in `CounterFailed`."""

    at: int
    seat: int
    team: int
    target: int | None


@dataclass(frozen=True, slots=True)
class CounterFailed:
    """A false counter that does not end the round. `target` is the accused seat, None where a team was accused."""

    at: int
    seat: int
    team: int
    target: int | None
    points: tuple[int, ...]
    is_double: bool = False


@dataclass(frozen=True, slots=True)
class CardsShown:
    """`viewer`, and nobody else, sees these cards of `seat`."""

    at: int
    seat: int
    viewer: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class SignGuessed:
    at: int
    seat: int
    team: int
    sign: Sign
    is_right: bool
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """`points` by team; `caller` and what was named, where a call ended it."""

    at: int
    outcome: Outcome
    points: tuple[int, ...]
    caller: int | None = None
    target: int | None = None
    team: int | None = None


@dataclass(frozen=True, slots=True)
class GameWon:
    """A game of the match (`best_of`) is won; the score starts anew with the next round."""

    at: int
    team: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """`winner` is None where a match of fixed rounds ended level."""

    at: int
    winner: int | None


Event = (
    MatchStarted
    | SignProposed
    | SignAccepted
    | SignSettled
    | SignKept
    | CardsDealt
    | ExcessRedrawn
    | PoolTurnedUp
    | StockRebuilt
    | HuntOpened
    | CardPutDown
    | CardTaken
    | SweepAsked
    | SweepAgreed
    | SweepRefused
    | PoolSwept
    | GestureMade
    | KemsCalled
    | CounterHadNoEffect
    | CounterFailed
    | CardsShown
    | SignGuessed
    | RoundEnded
    | GameWon
    | MatchEnded
)
