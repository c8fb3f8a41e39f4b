"""The actions of seats and of the clock. `decide` turns an action into events or a refusal."""

from bot.game.cards import Card
from bot.game.signs import GestureKind, Sign, SignPlan, Strategy
from bot.game.value import value


@value
class ProposeSign:
    """Propose to the seat's team how it signals; without partners it is settled at once."""

    seat: int
    plan: SignPlan


@value
class AcceptSign:
    """Accept a partner's proposal. `plan` repeats it, so that a changed proposal is not accepted by mistake."""

    seat: int
    plan: SignPlan


@value
class KeepSign:
    """Keep a sign that the team may change now; of a double sign the other one, which is then known to be single."""

    seat: int


@value
class OpenHunt:
    """Open the hunt, as the dealer ("La chasse est ouverte")."""

    seat: int


@value
class PutDown:
    """Put a card of the hand down in the pool."""

    seat: int
    card: Card


@value
class Take:
    """Take a card from the pool."""

    seat: int
    card: Card


@value
class Swap:
    """Put a card down and take another at the same instant; refused as a whole if either part is."""

    seat: int
    put: Card
    taken: Card


@value
class AskSweep:
    """Ask for a sweep of the pool."""

    seat: int


@value
class AnswerSweep:
    """Agree to a sweep, or refuse it."""

    seat: int
    agrees: bool


@value
class MakeGesture:
    """Make a gesture in the open; `text` is the emoji, the emoji phrase or the message as posted."""

    seat: int
    kind: GestureKind
    text: str


@value
class CallKems:
    """Call Kem's."""

    seat: int


@value
class CallDouble:
    """Call a double Kem's."""

    seat: int


@value
class CounterPlayer:
    """Counter a player."""

    seat: int
    target: int


@value
class CounterTeam:
    """Counter a team, or its two Kem's at once (`is_double`)."""

    seat: int
    team: int
    is_double: bool = False


@value
class ShowCards:
    """Choose the cards to show after a false counter."""

    seat: int
    cards: tuple[Card, ...]


@value
class GuessSign:
    """Name signs of a team. The guess is right if every one of them is."""

    seat: int
    team: int
    signs: tuple[Sign, ...]


@value
class AccuseTeam:
    """Declare that a team plays "total", or ask it to stop pre-sign."""

    seat: int
    team: int
    strategy: Strategy


@value
class NextRound:
    """Deal the next round. `seat` is None if the clock deals it."""

    seat: int | None = None


@value
class CallTime:
    """Call time, as the organiser of the match: the running round is played out, then the match ends.

    Between rounds, and before the first deal, the match ends at once. Calling time again changes nothing.
    """


@value
class Tick:
    """Let the earliest deadline take effect if it is due."""


_SignMove = ProposeSign | AcceptSign | KeepSign | MakeGesture | GuessSign | AccuseTeam
_HuntMove = OpenHunt | PutDown | Take | Swap | AskSweep | AnswerSweep
_CallMove = CallKems | CallDouble | CounterPlayer | CounterTeam | ShowCards
Move = _SignMove | _HuntMove | _CallMove
"""An action of a seat."""

Action = Move | NextRound | CallTime | Tick
