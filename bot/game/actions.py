"""What a seat, or the clock, may ask of a match. An action is a wish; `decide` turns it into events or a refusal."""

from dataclasses import dataclass

from bot.game.cards import Card
from bot.game.sign_plans import SignPlan
from bot.game.signs import GestureKind, Sign, Strategy


@dataclass(frozen=True, slots=True)
class ProposeSign:
    """Propose to one's own team how it signals; without partners it is settled at once."""

    seat: int
    plan: SignPlan


@dataclass(frozen=True, slots=True)
class AcceptSign:
    """Accept what a partner proposed. `plan` names it, so that a changed proposal is not accepted by mistake."""

    seat: int
    plan: SignPlan


@dataclass(frozen=True, slots=True)
class KeepSign:
    """Keep the sign though the team might change it now; of a double sign, go on with the other one in the open."""

    seat: int


@dataclass(frozen=True, slots=True)
class OpenHunt:
    """The dealer says that the hunt is open ("La chasse est ouverte")."""

    seat: int


@dataclass(frozen=True, slots=True)
class PutDown:
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Take:
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class AskSweep:
    """Ask for a sweep (balayage)."""

    seat: int


@dataclass(frozen=True, slots=True)
class AnswerSweep:
    seat: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class MakeGesture:
    """A gesture in the open; `text` is the emoji, the emoji phrase or the message as it was posted."""

    seat: int
    kind: GestureKind
    text: str


@dataclass(frozen=True, slots=True)
class CallKems:
    seat: int


@dataclass(frozen=True, slots=True)
class CallDouble:
    seat: int


@dataclass(frozen=True, slots=True)
class CounterPlayer:
    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class CounterTeam:
    """Counter a whole team, or its two Kem's at once (`is_double`)."""

    seat: int
    team: int
    is_double: bool = False


@dataclass(frozen=True, slots=True)
class ShowCards:
    """Choose the cards to show after a false counter."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class GuessSign:
    """Name the sign of a team, or all that its members have: a guess is right when every named one is."""

    seat: int
    team: int
    signs: tuple[Sign, ...]


@dataclass(frozen=True, slots=True)
class AccuseTeam:
    """Declare that a team plays "total", or ask it to stop pre-sign."""

    seat: int
    team: int
    strategy: Strategy


@dataclass(frozen=True, slots=True)
class NextRound:
    """Deal the next round; `seat` asked for it, or nobody did."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Nobody acts: the earliest deadline falls due, if it is its time."""


Move = (
    ProposeSign
    | AcceptSign
    | KeepSign
    | OpenHunt
    | PutDown
    | Take
    | AskSweep
    | AnswerSweep
    | MakeGesture
    | CallKems
    | CallDouble
    | CounterPlayer
    | CounterTeam
    | ShowCards
    | GuessSign
    | AccuseTeam
)
"""What a seat does."""

Action = Move | NextRound | Tick
