"""What a seat or the clock asks of a match. `decide` turns an action into events or a refusal."""

from bot.game.cards import Card
from bot.game.signs import GestureKind, Sign, SignPlan, Strategy
from bot.game.value import value


@value
class ProposeSign:
    """Proposes to the seat's team how it signals; without partners it is settled at once."""

    seat: int
    plan: SignPlan


@value
class AcceptSign:
    """Accepts what a partner proposed. `plan` names it, so that a changed proposal is not accepted by mistake."""

    seat: int
    plan: SignPlan


@value
class KeepSign:
    """Keeps a sign that the team may change now; of a double sign the other one, which is then known to be single."""

    seat: int


@value
class OpenHunt:
    """Opens the hunt; the dealer says so ("La chasse est ouverte")."""

    seat: int


@value
class PutDown:
    seat: int
    card: Card


@value
class Take:
    seat: int
    card: Card


@value
class Swap:
    """Puts a card down and takes another at one instant; refused whole where either part would be."""

    seat: int
    put: Card
    taken: Card


@value
class AskSweep:
    seat: int


@value
class AnswerSweep:
    seat: int
    agrees: bool


@value
class MakeGesture:
    """Makes a gesture in the open; `text` is the emoji, the emoji phrase or the message as it was posted."""

    seat: int
    kind: GestureKind
    text: str


@value
class CallKems:
    seat: int


@value
class CallDouble:
    seat: int


@value
class CounterPlayer:
    seat: int
    target: int


@value
class CounterTeam:
    """Counters a whole team, or its two Kem's at once (`is_double`)."""

    seat: int
    team: int
    is_double: bool = False


@value
class ShowCards:
    """Chooses the cards to show after a false counter."""

    seat: int
    cards: tuple[Card, ...]


@value
class GuessSign:
    """Names signs of a team. The guess is right when every named one is."""

    seat: int
    team: int
    signs: tuple[Sign, ...]


@value
class AccuseTeam:
    """Declares that a team plays "total", or asks it to stop pre-sign."""

    seat: int
    team: int
    strategy: Strategy


@value
class NextRound:
    """Deals the next round. `seat` is None where the clock deals it."""

    seat: int | None = None


@value
class CallTime:
    """Calls time, which the organiser of the match does: the running round is played out, then the match ends.

    Between rounds, and before the first deal, it ends at once. Time is called once; again changes nothing.
    """


@value
class Tick:
    """Lets the earliest deadline take effect if it is due."""


_SignMove = ProposeSign | AcceptSign | KeepSign | MakeGesture | GuessSign | AccuseTeam
_HuntMove = OpenHunt | PutDown | Take | Swap | AskSweep | AnswerSweep
_CallMove = CallKems | CallDouble | CounterPlayer | CounterTeam | ShowCards
Move = _SignMove | _HuntMove | _CallMove
"""An action of a seat."""

Action = Move | NextRound | CallTime | Tick
