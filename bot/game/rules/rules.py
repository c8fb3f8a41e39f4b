"""Rules as data: one frozen `Rules` of small parts, every number a field, every choice an enum; and what each needs.

Field names are unique over all parts, because KGN and the house rules name an axis by its field alone. Seconds are
rules; the state counts milliseconds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.game.cards import DeckKind
from bot.game.value import Worded


class Excess(Worded):
    """What happens to three or four alike (or two jokers) in a hand at the deal; `hand` redraws all four cards."""

    REDRAW = "redraw", "A player who is dealt {what} shows them and draws as many again."
    HAND = "hand", "A player who is dealt {what} shows them and draws a whole new hand."
    REDEAL = "redeal", "If anybody is dealt {what}, all cards are dealt again."
    KEEP = "keep", "You keep what you are dealt, even three or four alike."


class Redrawn(Worded):
    """Where the shown cards of an excess go."""

    SHUFFLED = "shuffled", "The cards shown are shuffled into the stock."
    UNDER = "under", "The cards shown go under the stock."


class ThreeAlike(Worded):
    """Three alike in the pool: the round ends, nothing happens, or the pool is swept."""

    ENDS = "ends", "Three alike in the middle, a turn-up too: the round ends at once, without points."
    ALLOWED = "allowed", "Three alike may lie in the middle."
    SWEEPS = "sweeps", "Three alike in the middle, a turn-up too: they are swept at once."


class SweptTo(Worded):
    """Where swept cards go."""

    DISCARD = "discard", "Swept cards go face down to the discard pile, shuffled when the stock is out."
    UNDER_STOCK = "under", "Swept cards go under the stock."


class SweepBy(StrEnum):
    """Who may ask for a sweep: anybody, and all vote; or the dealer, who counts while a put-down stops the count."""

    ANYBODY = "anybody"
    DEALER = "dealer"


class StockOut(StrEnum):
    """What happens where the stock cannot supply four cards."""

    RESHUFFLE = "reshuffle"
    ENDS = "ends"


class Holder(Worded):
    """Whose four alike make a Kem's true."""

    PARTNER = "partner", "Say Kem's! when a partner of yours holds one."
    TEAM = "team", "Say Kem's! when anybody of your team holds one, yourself included."


class DoubleCall(Worded):
    """How a double is called: by the caller at once, or "Kem's", then "double Kem's" by another of the team."""

    AT_ONCE = "at_once", "If you hold one too, say at once: {double}!"
    TWO_VOICES = "two_voices", "Two in your team: one says Kem's, another says {double} within {chain}."


class Names(Worded):
    """What a counter names."""

    PLAYER = "player", "Counter: name the opponent who, you think, holds a Kem's."
    TEAM = "team", "Counter: name the opposing team that, you think, holds a Kem's."


class CounterTwo(Worded):
    """A counter against a team that holds two Kem's."""

    NO_EFFECT = "no_effect", "Counter against two Kem's: no effect, the hunt goes on."
    COUNTS = "counts", "Counter against two Kem's: your team {gets}."


class Shows(StrEnum):
    """Which player shows cards to the other after a false counter."""

    NOBODY = "nobody"
    ACCUSED = "accused"
    ACCUSER = "accuser"


class Guess(StrEnum):
    """Guessing the opponents' sign."""

    NOT_PLAYED = "not_played"
    REPORT = "report"
    POINTS = "points"


class SignChange(Worded):
    """When a team may change a sign that was not found; `once`: between rounds, and after its Kem's it must."""

    ALWAYS = "always", "A team may change its sign at any time."
    BETWEEN = "between", "Between rounds a team may change its sign."
    ONCE = "once", "A sign serves for one Kem's: then the team agrees on another, and it never comes back."
    NEVER = "never", "A sign stays for the whole match, unless it is found."


class SignsTold(StrEnum):
    """When a result tells which gestures were the sign: at the end of the match, or of each round."""

    MATCH = "match"
    ROUND = "round"


class EndsAt(StrEnum):
    """What ends a match."""

    TARGET = "target"
    ROUNDS = "rounds"


@dataclass(frozen=True, slots=True)
class Seats:
    """How many may sit, and in teams of how many (a two-player match is always two teams of one)."""

    players: tuple[int, ...] = (2, 4, 6, 8, 9, 12)
    team_size: int = 2


@dataclass(frozen=True, slots=True)
class Deal:
    deck: DeckKind = DeckKind.D32
    excess: Excess = Excess.REDRAW
    redrawn: Redrawn = Redrawn.SHUFFLED
    excess_jokers: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """`down`: how many cards may be down at once, 1 to 4. `take_limit` in seconds: then chance takes what is owed.

    `swap`: a card may be put down and another taken at one instant. `takes_seen`: all see who took what.
    """

    down: int = 4
    three_alike: ThreeAlike = ThreeAlike.ENDS
    take_limit: float = 45
    swap: bool = True
    takes_seen: bool = True


@dataclass(frozen=True, slots=True)
class Sweep:
    """In seconds; a dealer counts for `sweep_vote`. `max_sweeps` with no exchange between end the round (0: never)."""

    quiet: float = 5
    sweep_by: SweepBy = SweepBy.ANYBODY
    sweep_vote: float = 15
    must_exchange: bool = True
    refusal_grace: float = 20
    swept: SweptTo = SweptTo.DISCARD
    stock_out: StockOut = StockOut.RESHUFFLE
    max_sweeps: int = 20


@dataclass(frozen=True, slots=True)
class Calls:
    """`chain` and `duel_delay` in seconds. `bell`: the caller hits a bell and a double is a Super Kem's; only words."""

    holder: Holder = Holder.PARTNER
    double: DoubleCall = DoubleCall.AT_ONCE
    chain: float = 3
    counter_names: Names = Names.PLAYER
    double_counters: bool = False
    counter_two: CounterTwo = CounterTwo.NO_EFFECT
    false_counter_ends: bool = False
    duel_delay: float = 3
    bell: bool = False


@dataclass(frozen=True, slots=True)
class Scoring:
    """Points. False calls pay each opposing team, false counters the accused one; `own` is the team that was wrong.

    `counter_accused` goes to the accused team of a true counter; `false_counter_all` to each team but the own one,
    beside what `false_counter` gives the accused.

    `four_kems` (0: not played) is for a team that says both double Kem's and double counter, and is right in both.
    """

    kems: int = 1
    double_kems: int = 2
    false_kems: int = 1
    false_kems_own: int = 0
    false_double: int = 1
    false_double_own: int = 0
    counter: int = 1
    counter_of_two: int = 1
    counter_accused: int = 0
    double_counter: int = 2
    false_counter_own: int = 0
    false_counter: int = 0
    false_counter_all: int = 0
    false_double_counter: int = 2
    false_double_counter_own: int = 0
    four_kems: int = 0


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a false counter costs besides points. `show_delay` in seconds: then chance chooses the cards."""

    shows: Shows = Shows.NOBODY
    show_count: int = 2
    show_different: bool = False
    show_delay: float = 20
    counter_lost: bool = False


@dataclass(frozen=True, slots=True)
class Signs:
    """`sign_deadline` in seconds; `guess_right` goes to the guesser's team, `guess_wrong` to the team guessed at.

    Of a wrong guess `guess_wrong_own` goes to the guesser's team, and `guess_wrong_all` to each other team besides.
    Without points a team has `guess_limit` wrong guesses a round (0: no limit).
    `oral_signs`: a team may take words, or an emoji and words, without a vote.
    `counter_needs_sign`: a counter finds the four alike only of a player who has made the sign with them.
    """

    sign_change: SignChange = SignChange.BETWEEN
    signs_told: SignsTold = SignsTold.MATCH
    oral_signs: bool = False
    guess: Guess = Guess.NOT_PLAYED
    guess_limit: int = 2
    guess_right: int = 0
    guess_wrong: int = 0
    guess_wrong_own: int = 0
    guess_wrong_all: int = 0
    sign_required: bool = False
    counter_needs_sign: bool = False
    sign_cards: bool = False
    sign_deadline: float = 90


@dataclass(frozen=True, slots=True)
class End:
    """`win_by` is the lead a target match asks for; `best_of` counts games of a match."""

    ends_at: EndsAt = EndsAt.TARGET
    target: int = 10
    rounds: int = 8
    win_by: int = 1
    best_of: int = 1


@dataclass(frozen=True, slots=True)
class Pace:
    """House clocks no sheet knows, in seconds, 0 = never: the hunt opens, the next round is dealt by itself."""

    auto_open: float = 0
    auto_next: float = 0


@dataclass(frozen=True, slots=True)
class Rules:
    """The whole rules of one match."""

    preset: str
    seating: Seats
    deal: Deal
    exchange: Exchange
    sweep: Sweep
    calls: Calls
    scoring: Scoring
    penalty: Penalty
    signs: Signs
    end: End
    pace: Pace = Pace()


PLAYERS: Final = "players"
"""The axis of the numbers of players; which of them sit down is chosen with the table."""


@dataclass(frozen=True, slots=True)
class Need:
    """What must hold for an axis to have an effect. `axis` and `value` are one way to get there, as KGN writes them."""

    axis: str
    value: str
    is_met: Callable[[Rules], bool]


_REDRAWS: Final = Need("excess", Excess.REDRAW, lambda rules: rules.deal.excess in (Excess.REDRAW, Excess.HAND))
_ACTS_ON_EXCESS: Final = Need("excess", Excess.REDRAW, lambda rules: rules.deal.excess is not Excess.KEEP)
_JOKERS: Final = Need("deck", DeckKind.D54, lambda rules: rules.deal.deck is DeckKind.D54)
_MUST_EXCHANGE: Final = Need("must_exchange", "yes", lambda rules: rules.sweep.must_exchange)
_DISCARDS: Final = Need("swept", SweptTo.DISCARD, lambda rules: rules.sweep.swept is SweptTo.DISCARD)
_CHAINS: Final = Need(
    "double", DoubleCall.TWO_VOICES, lambda rules: rules.calls.double is DoubleCall.TWO_VOICES or plays_four_kems(rules)
)
_DUELS: Final = Need(PLAYERS, "2", lambda rules: 2 in rules.seating.players)
_COUNTS_TWO: Final = Need("counter_two", CounterTwo.COUNTS, lambda rules: rules.calls.counter_two is CounterTwo.COUNTS)
_DOUBLE_COUNTERS: Final = Need("double_counters", "yes", lambda rules: rules.calls.double_counters)
_NAMES_PLAYER: Final = Need("counter_names", Names.PLAYER, lambda rules: rules.calls.counter_names is Names.PLAYER)
_GOES_ON: Final = Need("false_counter_ends", "no", lambda rules: not rules.calls.false_counter_ends)
_SHOWS: Final = Need("shows", Shows.ACCUSED, lambda rules: rules.penalty.shows is not Shows.NOBODY)
_SHOWS_SEVERAL: Final = Need("show_count", "2", lambda rules: rules.penalty.show_count > 1)
_GUESSES: Final = Need("guess", Guess.POINTS, lambda rules: rules.signs.guess is Guess.POINTS)
_REPORTS: Final = Need("guess", Guess.REPORT, lambda rules: rules.signs.guess is Guess.REPORT)
_TO_TARGET: Final = Need("ends_at", EndsAt.TARGET, lambda rules: rules.end.ends_at is EndsAt.TARGET)
_FIXED_ROUNDS: Final = Need("ends_at", EndsAt.ROUNDS, lambda rules: rules.end.ends_at is EndsAt.ROUNDS)

# Cards are shown between two players while the hunt goes on: never where a whole team is accused.
_CAN_SHOW: Final = (_GOES_ON, _NAMES_PLAYER)

NEEDS: Final[dict[str, tuple[Need, ...]]] = {
    "redrawn": (_REDRAWS,),
    "excess_jokers": (_ACTS_ON_EXCESS, _JOKERS),
    "refusal_grace": (_MUST_EXCHANGE,),
    "stock_out": (_DISCARDS,),
    "chain": (_CHAINS,),
    "duel_delay": (_DUELS,),
    "counter_of_two": (_COUNTS_TWO,),
    "double_counter": (_DOUBLE_COUNTERS,),
    "false_double_counter": (_DOUBLE_COUNTERS,),
    "false_double_counter_own": (_DOUBLE_COUNTERS,),
    "four_kems": (_DOUBLE_COUNTERS,),
    "shows": _CAN_SHOW,
    "show_count": (*_CAN_SHOW, _SHOWS),
    "show_different": (*_CAN_SHOW, _SHOWS, _SHOWS_SEVERAL),
    "show_delay": (*_CAN_SHOW, _SHOWS),
    "counter_lost": (_GOES_ON,),
    "guess_limit": (_REPORTS,),
    "guess_right": (_GUESSES,),
    "guess_wrong": (_GUESSES,),
    "guess_wrong_own": (_GUESSES,),
    "guess_wrong_all": (_GUESSES,),
    "target": (_TO_TARGET,),
    "win_by": (_TO_TARGET,),
    "best_of": (_TO_TARGET,),
    "rounds": (_FIXED_ROUNDS,),
}
"""By axis; an axis without an entry matters under any rules."""


def unmet(rules: Rules, axis: str) -> Need | None:
    """Returns the first need of an axis that these rules do not meet, None where the axis has an effect."""
    return next((need for need in NEEDS.get(axis, ()) if not need.is_met(rules)), None)


def plays_four_kems(rules: Rules) -> bool:
    """Returns whether a team may add the other word to a true double Kem's or double counter."""
    return rules.calls.double_counters and rules.scoring.four_kems > 0
