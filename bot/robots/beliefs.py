"""What a robot remembers of cards, exchanges and signs, and what it believes about opponents' gestures.

Its memory is built from the views of one seat in the order in which they came. After a missed view it knows less, and
nothing wrong. It reads from the public list alone who took what: a table that hides this list hides it from robots,
too.

Its beliefs are what gestures before opened hands say about the opponents: which text is their sign, and how often one
means a Kem's. At the end of a round all hands are open. A gesture that a seat made since its last exchange was made
with that hand: with a Kem's it may have been the sign, without one it was none. A result that tells the signs says so
outright. `break_even` says from which odds of a Kem's a counter brings more points than it risks.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from math import inf
from random import Random
from statistics import median_low
from typing import Final, NamedTuple

from bot.game.cards import DECKS, HAND_SIZE, JOKER_GROUP, Card, DeckKind, alike_groups, is_kems
from bot.game.events import Outcome
from bot.game.rules.rules import Redrawn, Rules, ShownTo, SweptTo
from bot.game.signs import GestureKind, Sign, SignPlan, sign_of
from bot.game.state import SeenExchange, Slots
from bot.game.views import GestureInfo, ResultInfo, SeatView, TableView
from bot.robots.kept_signs import KEPT_WINS, winning_gestures
from bot.robots.level import DelayRange

# With this share of the groups, or more, still possible, a gesture is worth its full belief.
_OPEN_SHARE: Final = 0.35

# A Kem's is completed by taking a card, and the sign follows: a gesture so soon after a take is worth more.
_PROMPT_MS: Final = 4000
# So many gestures of a seat are weighed: the last ones.
_RECENT: Final = 8
# So many gaps between exchanges tell the pace of a seat, by the shortest: in the others nothing fitted. So many calls
# tell the pace of others in calls, by the middle one.
_TELLING: Final = 3
# A robot draws a longer wait than the shortest on average; if it went any faster, robots would hurry each other.
_BEHIND: Final = 1.25
# How many signs there may be; how many hands' gestures a sign without any counts for, with a Kem's and without.
_TEXTS: Final = 24
_UNSEEN: Final = 1.0
_BLUFFED: Final = 12.0
# How many hands a word of the game counts for: a wrong report of a sign, or a result that tells what was one.
_TOLD: Final = 3.0
# What is left after each round of what was learned with a Kem's, for a team may change its sign, and without one.
_KEPT: Final = {True: 0.85, False: 0.97}
_TRUE_CALLS: Final = (Outcome.KEMS, Outcome.DOUBLE)
# In so many rounds a team's gestures tell a habit.
_HABIT: Final = 3
# Before the first result: how many gestures of a kind meant a Kem's, of how many.
_PRIOR: Final = {True: (2.0, 5.0), False: (1.0, 8.0)}

# What is lost besides points: the right to counter in this round, and what cards that are shown tell.
_RIGHT: Final = 0.3
_SHOWN_CARDS: Final = 0.1


class SeenGesture(NamedTuple):
    """A gesture, and whether it followed soon after the seat's exchange."""

    info: GestureInfo
    is_prompt: bool

    @property
    def sign(self) -> Sign:
        """The gesture as a sign."""
        return sign_of(self.info.kind, self.info.text)


class Memory:
    """One robot's memory of the running round, and of the signs that results of former rounds showed."""

    def __init__(self, rng: Random, reaction: DelayRange, recalls: int) -> None:
        """Start with an empty memory.

        Args:
            rng: Draws reaction times.
            reaction: How long it takes to notice who took what.
            recalls: How many such exchanges it remembers.
        """
        self._rng = rng
        self._reaction = reaction
        self._recalls = recalls
        self._table: TableView | None = None
        self._seat = -1
        self._round = -1
        self.pool: frozenset[Card] = frozenset()
        """The cards of the pool, as last seen."""
        self._slots: Slots = ()
        self.hand: frozenset[Card] = frozenset()
        """The cards in its hand."""
        self._owes: tuple[int, ...] = ()
        self._piles = (0, 0)
        self._seen = 0
        self.made: dict[int, deque[SeenGesture]] = {}
        """By seat, the last gestures that it has made since its last exchange."""
        self.in_vain: list[tuple[int, deque[SeenGesture]]] = []
        """Gestures of the round whose hand was exchanged since, with the seat: they meant no Kem's."""
        self._learned = 0
        self._shown = 0
        self.gone: set[Card] = set()
        """Cards that were swept, or given back under the stock, and have not come back since."""
        self.known_holders: dict[Card, int | None] = {}
        """Cards that another seat took or showed, and which; None where the robot has not noticed it, or forgot it."""
        self._exchanges: list[SeenExchange] = []
        self._listed = 0
        self._took_at: dict[int, int] = {}
        self._gaps: dict[int, deque[int]] = {}
        self._call_gaps: deque[int] = deque(maxlen=_RECENT)
        self._noticed_at: list[int] = []
        self.noticed = 0
        """How many exchanges of other seats it has noticed in the round."""
        self.came: dict[Card, int] = {}
        """When a card was last seen to come into the pool."""
        self.exchanged_at: dict[int, int] = {}
        """When a seat was last seen to exchange."""
        self.waited: dict[int, int] = {}
        """How many sweeps each collected group has waited for its next card."""
        self.refused_at: int | None = None
        """When a sweep was last seen to be refused."""
        self._is_vote = False
        self.kems_since: int | None = None
        self.three_since: int | None = None
        """Since when the hand has held three alike, of whatever group, without being a Kem's."""
        self.signed_wins = 0
        """How many rounds the own team has won by a Kem's since it last changed how it signals."""
        self._plan: SignPlan | None = None
        self.former_signs: set[Sign] = set()
        """The signs that the own team has, or had."""

    @property
    def collects(self) -> dict[int, Counter[int]]:
        """By seat, how many cards of each group it took, as far as it has put none of them down since."""
        return taken_counts(self._exchanges[max(0, self.noticed - self._recalls) : self.noticed])

    @property
    def pace(self) -> float:
        """How long the quickest other seat takes for an exchange; infinite before that is known."""
        return _BEHIND * min((min(gaps) for gaps in self._gaps.values() if len(gaps) >= _TELLING), default=inf)

    @property
    def call_pace(self) -> float:
        """How long other seats take from a gesture to their call; infinite before that is known."""
        return _BEHIND * median_low(self._call_gaps) if len(self._call_gaps) >= _TELLING else inf

    def observe(self, view: SeatView, now: int) -> None:
        """Update the memory from a view at `now` (milliseconds)."""
        table = view.table
        hand = frozenset([card for card in view.hand if card is not None])
        if table.round != self._round:
            self._new_round(view)
        if table is not self._table or hand != self.hand:
            self.watch(table, now, hand)
        if hand != self.hand:
            self._note_hand(hand, now)
            self.hand = hand
        for reveal in view.shown[self._shown :]:
            self.known_holders.update((card, reveal.seat) for card in reveal.cards if card not in self.pool | hand)
        self._shown = len(view.shown)
        if view.plan != self._plan:
            self._plan, self.signed_wins = view.plan, 0
            self.former_signs.update(() if view.plan is None else view.plan.signs)
        self._note_result(view)

    def watch(self, table: TableView, now: int, hand: frozenset[Card] | None = None) -> None:
        """Update the memory from the public table. Pass `hand` if the robot's own has changed since the last view."""
        self._table = table
        hand_now = self.hand if hand is None else hand
        if table.pool != self._slots or hand_now != self.hand:
            self._watch_exchanges(table, now)
            pool = frozenset([card for card in table.pool if card is not None])
            self._watch_pool(table, pool, hand_now)
            self.came.update(dict.fromkeys(pool - self.pool, now))
            for card in (pool - self.pool) | (hand_now - self.hand):
                self.known_holders.pop(card, None)
                self.gone.discard(card)
            self._slots, self.pool = table.pool, pool
        elif self._is_vote and table.sweep_asker is None:
            self.refused_at = now
        self._is_vote = table.sweep_asker is not None
        self._piles = (table.stock, table.discard)
        self._notice_takers(table, now)
        self._watch_gestures(table)

    def _note_hand(self, hand: frozenset[Card], now: int) -> None:
        for group in {card.group for card in hand - self.hand}:
            self.waited.pop(group, None)
        if not is_kems(hand):
            self.kems_since = None
        elif self.kems_since is None:
            self.kems_since = now
        has_three = self.kems_since is None and bool(alike_groups(hand, HAND_SIZE - 1))
        self.three_since = (now if self.three_since is None else self.three_since) if has_three else None

    def _watch_gestures(self, table: TableView) -> None:
        for gesture in table.gestures[self._seen :]:
            exchanged_at = self.exchanged_at.get(gesture.seat)
            since = None if exchanged_at is None else table.dealt_at + gesture.at - exchanged_at
            if since is None or since >= 0:
                is_prompt = since is not None and since <= _PROMPT_MS
                self.made.setdefault(gesture.seat, deque(maxlen=_RECENT)).append(SeenGesture(gesture, is_prompt))
        self._seen = len(table.gestures)

    def kems_possibility(self, view: SeatView, seat: int) -> float:
        """Return how possible it is that `seat` holds a Kem's, from 0 to 1; more possible groups give a higher one."""
        out_of_reach = (
            self.pool
            | self.hand
            | self.gone
            | {card for card, at in self.known_holders.items() if at is not None and at != seat}
        )
        deck = view.table.rules.deal.deck
        reach = dict(_cards_by_group(deck))
        for card in out_of_reach:
            reach[card.group] -= 1
        jokers = reach.pop(JOKER_GROUP, 0)
        possible = {group for group, count in reach.items() if count and count + jokers >= HAND_SIZE}
        # What this seat was seen to take, or showed, and has not put down since, must be among the four.
        known = {card.group for card, at in self.known_holders.items() if at == seat and not card.is_joker}
        if known:
            return float(len(known) == 1 and known <= possible)
        return min(1.0, len(possible) / (_OPEN_SHARE * len(reach)))

    def _new_round(self, view: SeatView) -> None:
        table = view.table
        self._round = table.round
        self._seat = view.seat
        self.hand, self._shown, self._slots, self.pool = frozenset(), 0, (), frozenset()
        self._owes = tuple(info.owes for info in table.seats)
        self._piles, self._seen, self.made = (table.stock, table.discard), 0, {}
        self.in_vain = []
        self.known_holders, self.exchanged_at, self.waited, self.kems_since, self.three_since = {}, {}, {}, None, None
        self._exchanges, self._noticed_at, self.noticed, self._listed = [], [], 0, 0
        self.refused_at, self._is_vote, self._took_at = None, False, {}
        is_under = table.rules.deal.redrawn is Redrawn.UNDER
        self.gone = {card for item in table.excess for card in item.cards} if is_under else set()

    def _watch_exchanges(self, table: TableView, now: int) -> None:
        owes = tuple([info.owes for info in table.seats])
        if owes != self._owes:
            for seat, (before, after) in enumerate(zip(self._owes, owes, strict=True)):
                if before != after and seat != self._seat:
                    self._note_exchange(seat, now)
            self._owes = owes

    def _note_exchange(self, seat: int, now: int) -> None:
        self.exchanged_at[seat] = now
        if seat in self.made:
            self.in_vain.append((seat, self.made.pop(seat)))

    def _watch_pool(self, table: TableView, pool: frozenset[Card], hand: frozenset[Card]) -> None:
        vanished = self.pool - pool - hand
        if (table.stock, table.discard) != self._piles or self.pool.isdisjoint(pool):
            self._watch_sweep(table, vanished)
        else:
            self.known_holders.update(dict.fromkeys(vanished))

    def _watch_sweep(self, table: TableView, swept: frozenset[Card]) -> None:
        for group in {card.group for card in self.hand}:
            self.waited[group] = self.waited.get(group, 0) + 1
        if table.rules.sweep.swept is SweptTo.UNDER_STOCK:
            return
        if table.discard < self._piles[1] + len(swept):
            self.gone.clear()  # the discard pile was shuffled and is the stock now
        else:
            self.gone |= swept

    def _notice_takers(self, table: TableView, now: int) -> None:
        """Read the public list of exchanges: that a hand changed, at once; who took what, after a reaction time."""
        for exchange in table.exchanges[self._listed :]:
            if exchange.seat != self._seat:
                self._exchanges.append(exchange)
                self._noticed_at.append(now + self._rng.randint(*self._reaction))
                self._note_pace(exchange.seat, now)
                self._note_exchange(exchange.seat, now)
        self._listed = len(table.exchanges)
        while self.noticed < len(self._exchanges) and self._noticed_at[self.noticed] <= now:
            self._note_holder(self._exchanges[self.noticed], self._exchanges[self.noticed].seat)
            self.noticed += 1
            if self.noticed > self._recalls:
                self._note_holder(self._exchanges[self.noticed - self._recalls - 1], None)

    def _note_pace(self, seat: int, now: int) -> None:
        if seat in self._took_at:
            self._gaps.setdefault(seat, deque(maxlen=_RECENT)).append(now - self._took_at[seat])
        self._took_at[seat] = now

    def _note_holder(self, exchange: SeenExchange, holder: int | None) -> None:
        for card in exchange.taken:
            if card in self.known_holders:  # it has not come back since
                self.known_holders[card] = holder

    def _note_result(self, view: SeatView) -> None:
        table = view.table
        result = table.result
        if result is None or self._learned == table.round:
            return
        self._learned = table.round
        if result.caller in (view.seat, *view.partners) and result.points[view.team] > 0:
            self.signed_wins += 1
        answered = [made.at for made in table.gestures if made.seat != result.caller and made.at <= result.at]
        if answered and result.caller not in (None, view.seat):
            self._call_gaps.append(result.at - answered[-1])


def taken_counts(exchanges: Sequence[SeenExchange]) -> dict[int, Counter[int]]:
    """Return by seat how many cards of a group it took in these exchanges."""
    collects: dict[int, Counter[int]] = {}
    for exchange in exchanges:
        groups = collects.setdefault(exchange.seat, Counter())
        for card in exchange.put:
            groups.pop(card.group, None)
        groups.update(card.group for card in exchange.taken)
    return collects


@cache
def _cards_by_group(deck: DeckKind) -> Counter[int]:
    return Counter(card.group for card in DECKS[deck])


class GestureBeliefs:
    """One robot's beliefs about the gestures of all other teams: which texts mean a Kem's, and when."""

    def __init__(self) -> None:
        self._learned = 0
        self._hands: dict[tuple[int, bool], float] = {}
        self._signs: dict[tuple[int, bool], dict[Sign, float]] = {}
        self._meant: dict[tuple[int, bool], tuple[float, float]] = {}
        self._reports = 0
        self._round = 0
        self._signed: dict[int, list[frozenset[Sign]]] = {}
        self.unsigned: dict[int, int] = {}
        """By team, how many of its true calls followed no gesture of the hand that held the Kem's: a pre-sign."""
        self._won: Counter[tuple[int, Sign]] = Counter()
        self._proven: Counter[tuple[int, Sign]] = Counter()

    def observe(self, view: SeatView, memory: Memory) -> None:
        """Learn from reports, from exchanged hands, and from the hands that a result reveals."""
        table = view.table
        if table.round != self._round:
            self._round, self._reports = table.round, 0
        for report in table.reports[self._reports :]:
            for sign in report.signs:
                if report.is_right:
                    self._forget_sign(report.team)
                else:
                    self._note(report.team, sign, _TOLD, has_kems=False)
        self._reports = len(table.reports)
        while memory.in_vain:
            seat, made = memory.in_vain.pop()
            if seat % table.teams != view.team:
                self._learn_hand(seat % table.teams, made, has_kems=False)
        if table.result is None or self._learned == table.round:
            return
        self._learned = table.round
        for team in range(table.teams):
            if team != view.team:
                self._learn_result(table, table.result, memory, team)
        won = winning_gestures(table)
        self._won.update(won)
        self._proven.update(won)

    def has_won(self, team: int, sign: Sign) -> bool:
        """Return whether a team has won so many rounds with a gesture that a robot may look out for it."""
        return self._won[team, sign] >= KEPT_WINS

    def is_kept(self, team: int, sign: Sign) -> bool:
        """Return whether a team's gesture has won as many rounds since it last failed or was replaced by another."""
        return self._proven[team, sign] >= KEPT_WINS

    def sign_odds(self, team: int, sign: Sign) -> float:
        """Return the probability, from 0 to 1, that a text is the team's sign."""
        with_kems = self._signs.get((team, True), {}).get(sign, 0.0)
        without = self._signs.get((team, False), {}).get(sign, 0.0)
        share = (with_kems + _UNSEEN / _TEXTS) / (self._hands.get((team, True), 0.0) + _UNSEEN)
        return min(1.0, share) * (1 + with_kems) / (1 + with_kems + without)

    def ratio(self, team: int, sign: Sign) -> float:
        """Return how many times as often a team makes a gesture with a Kem's in hand as without one."""
        signs, bluffs = (self._signs.get((team, has_kems), {}).get(sign, 0.0) for has_kems in (True, False))
        hands, vain = (self._hands.get((team, has_kems), 0.0) for has_kems in (True, False))
        return (signs + _UNSEEN / _TEXTS) / (hands + _UNSEEN) * (vain + _BLUFFED) / (bluffs + _BLUFFED / _TEXTS)

    def likeliest(self, team: int) -> tuple[Sign, float] | None:
        """Return the likeliest sign of a team with its odds; None before any gesture was seen."""
        signs = self._signs.get((team, True))
        if not signs:
            return None
        sign = max(signs, key=lambda item: (self.sign_odds(team, item), item.text))
        return sign, self.sign_odds(team, sign)

    def kems_share(self, team: int, *, is_prompt: bool) -> float:
        """Return the share of a team's gestures, either prompt or late ones, that were made with a Kem's in hand."""
        meant, made = self._meant.get((team, is_prompt), _PRIOR[is_prompt])
        return meant / made

    def plays_total(self, team: int) -> bool:
        """Return whether the team has made a different gesture with each Kem's, in enough rounds to be a habit."""
        known = self._signed.get(team, [])
        return len(known) >= _HABIT and not any(
            first & other for number, first in enumerate(known) for other in known[:number]
        )

    def _learn_result(self, table: TableView, result: ResultInfo, memory: Memory, team: int) -> None:
        for has_kems, kept in _KEPT.items():
            self._hands[team, has_kems] = self._hands.get((team, has_kems), 0.0) * kept
            signs = self._signs.setdefault((team, has_kems), {})
            signs.update((sign, weight * kept) for sign, weight in signs.items())
        holders = [seat for seat in table.members(team) if seat in result.kems_holders]
        is_own_call = result.caller is not None and result.caller % table.teams == team
        if result.outcome in _TRUE_CALLS and is_own_call and not any(memory.made.get(seat) for seat in holders):
            self.unsigned[team] = self.unsigned.get(team, 0) + 1
        for seat in table.members(team):
            self._learn_hand(team, memory.made.get(seat, ()), has_kems=seat in holders)
        for gesture in table.gestures:
            if gesture.is_sign is not None and table.seats[gesture.seat].team == team:
                self._note(team, sign_of(gesture.kind, gesture.text), _TOLD, has_kems=gesture.is_sign)
        last = self._signed.get(team, [])[-_HABIT:]
        if len(last) > 1 and all(first.isdisjoint(other) for first, other in pairwise(last)):
            self._forget_sign(team)  # it changes its sign each time

    def _learn_hand(self, team: int, made: Iterable[SeenGesture], *, has_kems: bool) -> None:
        """Learn from the gestures that were made with one hand."""
        visible = [gesture for gesture in made if gesture.info.kind is not GestureKind.SAY]
        for gesture in visible:
            meant, count = self._meant.get((team, gesture.is_prompt), _PRIOR[gesture.is_prompt])
            self._meant[team, gesture.is_prompt] = (meant + has_kems, count + 1)
        signs = frozenset(gesture.sign for gesture in visible)
        if signs and has_kems:
            self._signed.setdefault(team, []).append(signs)
            if signs.isdisjoint(self._signs.get((team, True), ())):
                self._forget_sign(team)
        for sign in signs:
            self._note(team, sign, 1, has_kems=has_kems)
            if not has_kems:
                self._proven.pop((team, sign), None)
        self._hands[team, has_kems] = self._hands.get((team, has_kems), 0.0) + bool(signs)

    def _forget_sign(self, team: int) -> None:
        """Forget what was made with a Kem's: the team signals otherwise now, and a former sign is a good bluff."""
        self._hands[team, True], self._signs[team, True] = 0.0, {}
        self._proven = Counter({made: count for made, count in self._proven.items() if made[0] != team})

    def _note(self, team: int, sign: Sign, weight: float, *, has_kems: bool) -> None:
        signs = self._signs.setdefault((team, has_kems), {})
        signs[sign] = signs.get(sign, 0.0) + weight


def break_even(rules: Rules) -> float:
    """Return the probability of a Kem's from which countering a player, or a team, pays off.

    A true counter brings its points, and denies the opponents those of the Kem's that they would have called.
    """
    scoring = rules.scoring
    gain = scoring.counter - scoring.counter_accused + scoring.kems - scoring.kems_others
    risk = scoring.false_counter + scoring.false_counter_all - scoring.false_counter_own + 0.1
    if rules.penalty.counter_lost:
        risk += _RIGHT
    if rules.penalty.shows is not ShownTo.NOBODY:
        risk += _SHOWN_CARDS
    return min(0.95, max(0.1, risk / max(0.1, gain + risk)))
