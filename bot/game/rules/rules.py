"""Rules as data: one frozen `Rules` of small parts, every number a field, every choice an enum.

A field declares all of its axis: default, name, needs, bounds (`bot.game.rules.axis`). A member of an enum has its name
in a menu, and the sentence that it adds to the rules unless that depends on other axes. User interfaces translate both.

Field names are unique over all parts, because KGN and the house rules name an axis by its field alone. Seconds are
rules; the state counts milliseconds.
"""

from dataclasses import dataclass
from typing import Final

from bot.game.cards import HAND_SIZE, DeckKind
from bot.game.rules.axis import SIGNED, Need, axes_of, axis
from bot.game.value import Choice

PLAYERS: Final = "players"
"""The axis of the numbers of players; how many sit down is chosen with the table."""


class OnExcess(Choice):
    """What happens to three or four alike (or two jokers) in a hand at the deal; `hand` redraws all four cards."""

    REDRAW = (
        "redraw",
        "shown, and as many drawn again",
        "A player who is dealt {what} shows them and draws as many again.",
    )
    HAND = (
        "hand",
        "shown, and a whole new hand drawn",
        "A player who is dealt {what} shows them and draws a whole new hand.",
    )
    REDEAL = "redeal", "everything is dealt again", "If anybody is dealt {what}, all cards are dealt again."
    KEEP = "keep", "kept", "You keep what you are dealt, even three or four of a kind."


class Redrawn(Choice):
    """Where the cards shown for an excess go."""

    SHUFFLED = "shuffled", "shuffled into the stock", "The cards shown are shuffled into the stock."
    UNDER = "under", "put under the stock", "The cards shown go under the stock."


class ThreeAlike(Choice):
    """Three alike in the pool: the round ends, nothing happens, or the pool is swept."""

    ENDS = (
        "ends",
        "the round ends",
        "Three of a kind in the middle, a turn-up too: the round ends at once, without points.",
    )
    ALLOWED = "allowed", "play goes on", "Three of a kind may lie in the middle."
    SWEEPS = "sweeps", "they are swept", "Three of a kind in the middle, a turn-up too: they are swept at once."


class SweptTo(Choice):
    """Where swept cards go."""

    DISCARD = (
        "discard",
        "to the discard pile",
        "Swept cards go face down to the discard pile, shuffled when the stock is out.",
    )
    UNDER_STOCK = "under", "put under the stock", "Swept cards go under the stock."


class SweepBy(Choice):
    """The players who may ask for a sweep: all, and everybody votes; or the dealer, who counts until a put-down."""

    ANYBODY = "anybody", "anybody, and all vote"
    DEALER = "dealer", "the dealer, after a count"


class StockOut(Choice):
    """What happens if the stock cannot supply four cards."""

    RESHUFFLE = "reshuffle", "the discard pile is shuffled"
    ENDS = "ends", "the round is over"


class Holder(Choice):
    """Whose four alike make a Kem's true."""

    PARTNER = "partner", "that of a partner", "Say Kem's! when a partner of yours holds one."
    TEAM = "team", "that of anybody in the team", "Say Kem's! when anybody of your team holds one, yourself included."


class DoubleCall(Choice):
    """How a double is called: by the caller at once, or "Kem's", then "double Kem's" by another of the team."""

    AT_ONCE = "at_once", "at once", "If you hold one too, say at once: {double}!"
    TWO_VOICES = (
        "two_voices",
        "by two partners",
        "Two in your team: one says Kem's, another says {double} within {chain}.",
    )


class Names(Choice):
    """What a counter names."""

    PLAYER = "player", "a player", "Counter: name the opponent who, you think, holds a Kem's."
    TEAM = "team", "a team", "Counter: name the opposing team that, you think, holds a Kem's."


class CounterTwo(Choice):
    """A counter against a team that holds two Kem's."""

    NO_EFFECT = "no_effect", "no effect", "Counter against two Kem's: no effect, the hunt goes on."
    COUNTS = "counts", "counts", "Counter against two Kem's: your team {gets}."


class ShownTo(Choice):
    """Which player shows cards to the other after a false counter."""

    NOBODY = "nobody", "nobody"
    ACCUSED = "accused", "the accused"
    ACCUSER = "accuser", "the accuser"


class Guess(Choice):
    """Guessing the opponents' sign."""

    NOT_PLAYED = "not_played", "not played"
    REPORT = "report", "played without points"
    POINTS = "points", "played for points"


class SignChange(Choice):
    """When a team may change a sign that was not found.

    - `once`: between rounds; after a Kem's by it, it has to.
    - `after_counter`: between rounds; in a hunt that a counter has not ended, the team of its caller and the accused
      one.
    """

    ALWAYS = "always", "at any time", "A team may change its sign at any time."
    BETWEEN = "between", "between rounds", "Between rounds a team may change its sign."
    AFTER_COUNTER = (
        "after_counter",
        "between rounds, and after a counter",
        "Between rounds a team may change its sign; after a counter, both teams may at once.",
    )
    ONCE = (
        "once",
        "after each Kem's",
        "A sign serves for one Kem's: then the team agrees on another, and it never comes back.",
    )
    NEVER = "never", "only when it is found", "A sign stays for the whole match, unless it is found."


class SignsTold(Choice):
    """When a result says which gestures were the sign: at the end of the match, or of each round."""

    MATCH = "match", "when the match is over"
    ROUND = "round", "at the end of each round"


class EndsAt(Choice):
    """What ends a match."""

    TARGET = "target", "a number of points"
    ROUNDS = "rounds", "a number of rounds"


_REDRAWS: Final = Need("excess", OnExcess.REDRAW, lambda rules: rules.deal.excess in (OnExcess.REDRAW, OnExcess.HAND))
_ACTS_ON_EXCESS: Final = Need("excess", OnExcess.REDRAW, lambda rules: rules.deal.excess is not OnExcess.KEEP)
_JOKERS: Final = Need("deck", DeckKind.D54, lambda rules: rules.deal.deck is DeckKind.D54)
_MUST_EXCHANGE: Final = Need("must_exchange", "yes", lambda rules: rules.sweep.must_exchange)
_DISCARDS: Final = Need("swept", SweptTo.DISCARD, lambda rules: rules.sweep.swept is SweptTo.DISCARD)
_CHAINS: Final = Need(
    "double", DoubleCall.TWO_VOICES, lambda rules: rules.calls.double is DoubleCall.TWO_VOICES or plays_four_kems(rules)
)
_DUELS: Final = Need(PLAYERS, "2", lambda rules: 2 in rules.seating.players)
_COUNTERS: Final = Need("counters", "yes", lambda rules: rules.calls.counters)
_COUNTER_CHANGES: Final = Need(
    "counters", "yes", lambda rules: rules.calls.counters or rules.signs.sign_change is not SignChange.AFTER_COUNTER
)
_COUNTS_TWO: Final = Need("counter_two", CounterTwo.COUNTS, lambda rules: rules.calls.counter_two is CounterTwo.COUNTS)
_DOUBLE_COUNTERS: Final = Need("double_counters", "yes", lambda rules: rules.calls.double_counters)
_NAMES_PLAYER: Final = Need("counter_names", Names.PLAYER, lambda rules: rules.calls.counter_names is Names.PLAYER)
_GOES_ON: Final = Need("false_counter_ends", "no", lambda rules: not rules.calls.false_counter_ends)
_SHOWS: Final = Need("shows", ShownTo.ACCUSED, lambda rules: rules.penalty.shows is not ShownTo.NOBODY)
_SHOWS_SEVERAL: Final = Need("show_count", "2", lambda rules: rules.penalty.show_count > 1)
_GUESSES: Final = Need("guess", Guess.POINTS, lambda rules: rules.signs.guess is Guess.POINTS)
_REPORTS: Final = Need("guess", Guess.REPORT, lambda rules: rules.signs.guess is Guess.REPORT)
_TO_TARGET: Final = Need("ends_at", EndsAt.TARGET, lambda rules: rules.end.ends_at is EndsAt.TARGET)
_FIXED_ROUNDS: Final = Need("ends_at", EndsAt.ROUNDS, lambda rules: rules.end.ends_at is EndsAt.ROUNDS)

# Cards are shown between two players while the hunt goes on: never where a whole team is accused.
_CAN_SHOW: Final = (_COUNTERS, _GOES_ON, _NAMES_PLAYER)
_DOUBLE: Final = (_COUNTERS, _DOUBLE_COUNTERS)


@dataclass(frozen=True, slots=True)
class Seats:
    """The numbers of players, and the size of teams (a two-player match is always two teams of one)."""

    players: tuple[int, ...] = axis(
        (2, 4, 6, 8, 9, 12), "Number of players", hints="people seats persons", choices=(2, 4, 6, 8, 9, 10, 12)
    )
    team_size: int = axis(2, "Team size", hints="partners teams", choices=range(2, 5))


@dataclass(frozen=True, slots=True)
class Deal:
    """The deck, and what happens to excess cards at the deal."""

    deck: DeckKind = axis(DeckKind.D32, "Deck", hints="cards pack packs double")
    excess: OnExcess = axis(
        OnExcess.REDRAW, "Three or four of a kind at the deal", hints="three four alike dealt redraw redeal misdeal"
    )
    redrawn: Redrawn = axis(Redrawn.SHUFFLED, "Cards shown at the deal", hints="given back shown", needs=(_REDRAWS,))
    excess_jokers: bool = axis(False, "Two jokers are shown too", hints="jokers", needs=(_ACTS_ON_EXCESS, _JOKERS))


@dataclass(frozen=True, slots=True)
class Exchange:
    """Exchanges of cards.

    - `down`: how many cards may be down at once, 1 to 4.
    - `take_limit`: seconds after which chance takes what is owed.
    - `swap`: a card may be put down and another taken at one instant.
    - `takes_seen`: everybody sees who took what.
    """

    down: int = axis(4, "Cards down at once", hints="put exchange cards hand limit", choices=range(1, HAND_SIZE + 1))
    three_alike: ThreeAlike = axis(ThreeAlike.ENDS, "Three of a kind in the middle", hints="triple middle pool")
    take_limit: float = axis(45, "Owed cards picked at random after (0: never)", hints="owed owe timeout freeze afk")
    swap: bool = axis(True, "A card of the middle first, then one's own", hints="exchange at once middle first direct")
    takes_seen: bool = axis(True, "Everybody sees who took what", hints="who took hide hidden public show")


@dataclass(frozen=True, slots=True)
class Sweep:
    """Sweeps; times in seconds. A dealer counts for `sweep_vote`.

    `max_sweeps` without an exchange in between end the round (0: never).
    """

    quiet: float = axis(5, "Quiet time before a sweep", hints="silence pause calm wait delay sweep")
    sweep_by: SweepBy = axis(SweepBy.ANYBODY, "Who asks for a sweep", hints="asker flush count")
    sweep_vote: float = axis(8, "Silence agrees to a sweep after", hints="answer agree time seconds timeout vote")
    must_exchange: bool = axis(True, "Refusing a sweep: an exchange is due", hints="refuse refusal")
    refusal_grace: float = axis(20, "Time for that exchange", hints="refuse time delay", needs=(_MUST_EXCHANGE,))
    swept: SweptTo = axis(SweptTo.DISCARD, "Swept cards", hints="discard flush trash")
    stock_out: StockOut = axis(
        StockOut.RESHUFFLE, "When the stock is out", hints="empty reshuffle draw pile", needs=(_DISCARDS,)
    )
    max_sweeps: int = axis(20, "Sweeps in a row at most (0: no limit)", hints="sweep limit flushes most maximum")


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls and counters; `chain` and `duel_delay` in seconds.

    Without `counters` no word stops a Kem's. `bell` changes words only: the caller hits a bell, a double is a Super
    Kem's.
    """

    holder: Holder = axis(Holder.PARTNER, "Whose Kem's may be called", hints="own self caller holds")
    double: DoubleCall = axis(DoubleCall.AT_ONCE, "How a double is called", hints="two voices once super")
    chain: float = axis(3, "Time for a second call", hints="second voice time delay", needs=(_CHAINS,), least=1)
    counters: bool = axis(True, "Counters", hints="counter played allowed cut stop accuse without")
    counter_names: Names = axis(
        Names.PLAYER, "A counter names", hints="accuse named cut stop target", needs=(_COUNTERS,)
    )
    double_counters: bool = axis(False, "Double counters", hints="counter allowed", needs=(_COUNTERS,))
    counter_two: CounterTwo = axis(
        CounterTwo.NO_EFFECT, "Counter against two Kem's", hints="against effect", needs=(_COUNTERS,)
    )
    false_counter_ends: bool = axis(
        False, "A false counter ends the round", hints="wrong stop end round", needs=(_COUNTERS,)
    )
    duel_delay: float = axis(3, "Two players: from sign to call", hints="two players time duel", needs=(_DUELS,))
    bell: bool = axis(False, "A bell, and Super Kem's", hints="super buzzer")


@dataclass(frozen=True, slots=True)
class Scoring:
    """Points. False calls pay each opposing team, false counters the accused one; `own` is the team that was wrong.

    - `kems_others`, `double_kems_others`: for each team but the caller's.
    - `counter_accused`: for the accused team of a true counter.
    - `false_counter_all`: for each team but the own one, on top of `false_counter`.
    - `four_kems` (0: not played): for a team that says both double Kem's and double counter, and is right in both.
    """

    kems: int = axis(1, "Kem's", hints="kem kemps kent")
    kems_others: int = axis(0, "Kem's: each opposing team", hints="kemps kent lose minus letter others", least=SIGNED)
    double_kems: int = axis(2, "Double Kem's", hints="kem kemps super")
    double_kems_others: int = axis(
        0, "Double Kem's: each opposing team", hints="kemps super lose minus letter others", least=SIGNED
    )
    false_kems: int = axis(1, "False Kem's: each opposing team", hints="wrong kem kemps call opponents", least=SIGNED)
    false_kems_own: int = axis(
        0, "False Kem's: own team", hints="wrong kem kemps penalty lose minus loss", least=SIGNED
    )
    false_double: int = axis(1, "False double: each opposing team", hints="wrong kems opponents", least=SIGNED)
    false_double_own: int = axis(0, "False double: own team", hints="wrong kems penalty lose minus loss", least=SIGNED)
    counter: int = axis(1, "Counter", hints="cut stop", needs=(_COUNTERS,))
    counter_of_two: int = axis(1, "Counter of two Kem's", hints="double", needs=(_COUNTERS, _COUNTS_TWO))
    counter_accused: int = axis(
        0, "True counter: accused team", hints="caught lose minus", needs=(_COUNTERS,), least=SIGNED
    )
    double_counter: int = axis(2, "Double counter", hints="counter2 cut", needs=_DOUBLE)
    false_counter_own: int = axis(
        0, "False counter: own team", hints="wrong penalty lose minus loss cut", needs=(_COUNTERS,), least=SIGNED
    )
    false_counter: int = axis(
        0, "False counter: accused team", hints="wrong accused cut", needs=(_COUNTERS,), least=SIGNED
    )
    false_counter_all: int = axis(
        0, "False counter: each opposing team", hints="wrong everybody everyone others cut", needs=(_COUNTERS,)
    )
    false_double_counter: int = axis(
        2, "False double counter: accused team", hints="wrong counter2 accused", needs=_DOUBLE
    )
    false_double_counter_own: int = axis(
        0,
        "False double counter: own team",
        hints="wrong counter2 penalty lose minus loss",
        needs=_DOUBLE,
        least=SIGNED,
    )
    four_kems: int = axis(0, "All four hold one: both calls", hints="all chain both", needs=_DOUBLE)


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a false counter costs besides points. After `show_delay` seconds chance chooses the cards."""

    shows: ShownTo = axis(ShownTo.NOBODY, "Who shows cards", hints="show reveal cards", needs=_CAN_SHOW)
    show_count: int = axis(
        2,
        "Cards to show",
        hints="shown reveal number cards",
        needs=(*_CAN_SHOW, _SHOWS),
        choices=range(1, HAND_SIZE + 1),
    )
    show_different: bool = axis(
        False, "Shown cards of different ranks", hints="rank ranks reveal", needs=(*_CAN_SHOW, _SHOWS, _SHOWS_SEVERAL)
    )
    show_delay: float = axis(20, "Picked at random after", hints="time reveal", needs=(*_CAN_SHOW, _SHOWS))
    counter_lost: bool = axis(
        False, "Right to counter lost for the round", hints="right lose again", needs=(_COUNTERS, _GOES_ON)
    )


@dataclass(frozen=True, slots=True)
class Signs:
    """Signs, guesses and accusations; `sign_deadline` in seconds.

    - `guess_right`: for the guesser's team.
    - `guess_wrong`: for the team guessed at; `guess_wrong_own`: for the guesser's team; `guess_wrong_all`: for all
      others, too.
    - `guess_limit`: wrong guesses of a team in a round, if guesses give no points (0: no limit).
    - `oral_signs`: a team may use words, or an emoji and words, without a vote.
    - `counter_needs_sign`: a counter finds the four alike only of a player who has made the sign with them.
    """

    sign_change: SignChange = axis(
        SignChange.BETWEEN,
        "Changing the sign",
        hints="signal keep between rounds once use",
        needs=(_COUNTER_CHANGES,),
    )
    signs_told: SignsTold = axis(
        SignsTold.MATCH,
        "Which gestures were signs is told",
        hints="signal reveal explain known after match round bluff",
    )
    oral_signs: bool = axis(False, "Spoken signs without a vote", hints="words speech oral verbal talk say")
    guess: Guess = axis(Guess.NOT_PLAYED, "Guessing the opponents' sign", hints="report signal")
    guess_limit: int = axis(
        2,
        "Wrong guesses a round at most (0: no limit)",
        hints="wrong most maximum number report signal",
        needs=(_REPORTS,),
    )
    guess_right: int = axis(0, "Right guess: own team", hints="correct signal", needs=(_GUESSES,))
    guess_wrong: int = axis(0, "Wrong guess: team guessed at", hints="false incorrect", needs=(_GUESSES,))
    guess_wrong_own: int = axis(
        0, "Wrong guess: own team", hints="false incorrect penalty lose minus", needs=(_GUESSES,), least=SIGNED
    )
    guess_wrong_all: int = axis(
        0, "Wrong guess: each opposing team", hints="false incorrect everybody everyone others", needs=(_GUESSES,)
    )
    sign_required: bool = axis(False, "Kem's only after the sign", hints="signal must need")
    counter_needs_sign: bool = axis(
        False, "True counters only after the sign", hints="signal made given cut must", needs=(_COUNTERS,)
    )
    sign_cards: bool = axis(False, "Sign cards", hints="signal")
    sign_deadline: float = axis(90, "Time to agree on a sign", hints="signal time limit delay")


@dataclass(frozen=True, slots=True)
class End:
    """How a match ends. `win_by` is the lead that reaching the target needs; `best_of` counts games of a match."""

    ends_at: EndsAt = axis(EndsAt.TARGET, "The match ends at", hints="end finish mode until")
    target: int = axis(
        10, "Points to reach", hints="points score win goal max maximum limit", needs=(_TO_TARGET,), least=1
    )
    rounds: int = axis(8, "Rounds to play", hints="hands turns deals length", needs=(_FIXED_ROUNDS,), least=1)
    win_by: int = axis(1, "Lead needed to win", hints="lead margin ahead difference", needs=(_TO_TARGET,), least=1)
    best_of: int = axis(
        1, "Best of how many games", hints="games matches sets", needs=(_TO_TARGET,), choices=range(1, 6, 2)
    )


@dataclass(frozen=True, slots=True)
class Pace:
    """Clocks that no sheet knows, in seconds, 0 = never: the hunt opens, the next round is dealt by itself."""

    auto_open: float = axis(0, "Hunt opens by itself after (0: never)", hints="open hunt timer automatic")
    auto_next: float = axis(0, "Next round is dealt after (0: never)", hints="next deal timer automatic")


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


AXES: Final = axes_of(Rules)


def unmet(rules: Rules, axis: str) -> Need | None:
    """Return the first need of an axis that these rules do not meet; None if the axis has an effect."""
    return next((need for need in AXES[axis].needs if not need.is_met(rules)), None)


def plays_double_counters(rules: Rules) -> bool:
    """Return whether double counters are played."""
    return rules.calls.counters and rules.calls.double_counters


def plays_four_kems(rules: Rules) -> bool:
    """Return whether a team that was right with a double Kem's or double counter may add the other for more points."""
    return plays_double_counters(rules) and rules.scoring.four_kems > 0
