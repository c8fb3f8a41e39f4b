"""What a robot remembers: cards that went by, exchanges, signs that results have shown; and what it believes.

Its memory is built from the views of one seat in the order in which they came. A missed view makes it poorer, but not
wrong about what may be seen. Who took what is read from the public list alone: a table that hides it hides it from
robots.

Its beliefs are what gestures before opened hands tell of the opponents: which text is their sign, and how often one
means a Kem's. At the end of a round all hands lie open. A gesture that a seat made since its last exchange was made
with the hand that lies there: with a Kem's it may have been the sign, without one it was none. This is public, whatever
results tell.
`break_even` says what a counter is worth: from which odds of a Kem's it brings more points than it risks.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final, NamedTuple

from bot.game.cards import DECKS, HAND_SIZE, JOKER_GROUP, Card, DeckKind, alike_groups, is_kems
from bot.game.events import Outcome
from bot.game.rules.rules import Redrawn, Rules, Shows, SweptTo
from bot.game.signs import GestureKind, Sign, SignPlan, fold_emojis
from bot.game.state import SeenExchange, Slots
from bot.game.views import GestureInfo, SeatView, TableView
from bot.robots.level import DelayRange

_START_TRUST: Final = 0.6
# Before the first result one gesture in seven is taken for a sign.
_MEANT, _MADE = 1, 7
# With this share of the groups, or more, still possible, a gesture is worth its full belief.
_OPEN_SHARE: Final = 0.35

# A Kem's is completed by taking a card, and the sign follows: a gesture so soon after a take is worth more.
_PROMPT_MS: Final = 4000
# How likely a seat makes the sign with a Kem's, makes some other gesture then, and makes the sign without one.
_SIGNS: Final = 0.9
_BLUFFS_WITH: Final = 0.15
_SLIPS: Final = 0.03
# One text in so many is the sign before anything was seen.
_TEXTS: Final = 24
# What is left of a team's odds after each round: it may have changed its sign.
_KEPT: Final = 0.8
_TRUE_CALLS: Final = (Outcome.KEMS, Outcome.DOUBLE)
# In so many rounds a team's gestures tell a habit.
_HABIT: Final = 3
# Before the first result: how many gestures of a kind meant a Kem's, of how many.
_PRIOR: Final = {True: (2.0, 5.0), False: (1.0, 8.0)}

# What is lost besides points: the right to counter in this round, and what cards that are shown tell.
_RIGHT: Final = 0.3
_SHOWN_CARDS: Final = 0.1
STOP: Final = 0.6
"""From so much of the break-even odds on, it is better to end the round without points."""


class SeenGesture(NamedTuple):
    """A gesture, and whether it followed soon after the seat's exchange."""

    info: GestureInfo
    is_prompt: bool


class Memory:
    """One robot's memory of the running round, and of the signs that the results of former rounds showed."""

    def __init__(self, rng: Random, reaction: DelayRange, recalls: int) -> None:
        """`reaction` is how long it takes to notice who took what, `recalls` how many such exchanges it remembers."""
        self._rng = rng
        self._reaction = reaction
        self._recalls = recalls
        self._table: TableView | None = None
        self._seat = -1
        self._round = -1
        self._pool: frozenset[Card] = frozenset()
        self._slots: Slots = ()
        self._hand: frozenset[Card] = frozenset()
        self._owes: tuple[int, ...] = ()
        self._piles = (0, 0)
        self._seen = 0
        self.made: dict[int, list[SeenGesture]] = {}
        """By seat, the gestures that it has made since its last exchange."""
        self._learned = 0
        self._shown = 0
        self.gone: set[Card] = set()
        """Cards that were swept, or given back under the stock, and have not come back since."""
        self.held: dict[Card, int | None] = {}
        """Cards that another seat took or showed, and which; None where the robot has not noticed it, or forgot it."""
        self.collects: dict[int, Counter[int]] = {}
        """By seat, how many cards of a group it was seen to take, unless it put one down since."""
        self._listed = 0
        self._noticed_at: list[int] = []
        self.noticed = 0
        """How many exchanges of other seats it has noticed in the round."""
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
        self.last_signs: dict[int, frozenset[Sign]] = {}
        """The signs that each team made in the last round in which it made any."""
        self.trust: dict[int, float] = {}
        """How likely a team is to keep its sign, from 0 to 1."""
        self._meant: dict[int, tuple[int, int]] = {}

    def observe(self, view: SeatView, now: int) -> None:
        """Updates the memory by a view at `now` (milliseconds)."""
        table = view.table
        hand = frozenset(card for card in view.hand if card is not None)
        if table.round != self._round:
            self._new_round(view)
        if table is not self._table or hand != self._hand:
            self.watch(table, now, hand)
        if hand != self._hand:
            self._note_hand(hand, now)
            self._hand = hand
        for shown in view.shown[self._shown :]:
            self.held.update((card, shown.seat) for card in shown.cards if card not in self._pool | hand)
        self._shown = len(view.shown)
        if view.plan != self._plan:
            self._plan, self.signed_wins = view.plan, 0
        self._learn_signs(view)

    def watch(self, table: TableView, now: int, hand: frozenset[Card] | None = None) -> None:
        """Updates the memory by the public table; `hand` where the robot's own has changed since the last view."""
        self._table = table
        held = self._hand if hand is None else hand
        self._watch_exchanges(table, now)
        if table.pool != self._slots or held != self._hand:
            pool = frozenset(card for card in table.pool if card is not None)
            self._watch_pool(table, pool, held)
            for card in held | pool:
                self.held.pop(card, None)
                self.gone.discard(card)
            self._slots, self._pool = table.pool, pool
        elif self._is_vote and table.sweep_asker is None:
            self.refused_at = now
        self._is_vote = table.sweep_asker is not None
        self._piles = (table.stock, table.discard)
        self._notice_takers(table, now)
        self._watch_gestures(table)

    def _note_hand(self, hand: frozenset[Card], now: int) -> None:
        for group in {card.group for card in hand - self._hand}:
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
                self.made.setdefault(gesture.seat, []).append(SeenGesture(gesture, is_prompt))
        self._seen = len(table.gestures)

    def can_hold_kems(self, view: SeatView, seat: int) -> float:
        """Returns from 0 to 1 how far a gesture of `seat` is believed, by the groups that it may hold four alike of."""
        out_of_reach = (
            self._pool
            | self._hand
            | self.gone
            | {card for card, at in self.held.items() if at is not None and at != seat}
        )
        deck = view.table.rules.deal.deck
        reach = dict(_cards_by_group(deck))
        for card in out_of_reach:
            reach[card.group] -= 1
        jokers = reach.pop(JOKER_GROUP, 0)
        possible = {group for group, count in reach.items() if count and count + jokers >= HAND_SIZE}
        # What this seat was seen to take, or showed, and has not put down since, must be among the four.
        known = {card.group for card, at in self.held.items() if at == seat and not card.is_joker}
        if known:
            possible &= known if len(known) == 1 else set()
        return min(1.0, len(possible) / (_OPEN_SHARE * len(reach)))

    def _new_round(self, view: SeatView) -> None:
        table = view.table
        self._round = table.round
        self._seat = view.seat
        self._hand, self._shown, self._slots, self._pool = frozenset(), 0, (), frozenset()
        self._owes = tuple(info.owes for info in table.seats)
        self._piles, self._seen, self.made = (table.stock, table.discard), 0, {}
        self.held, self.exchanged_at, self.waited, self.kems_since, self.three_since = {}, {}, {}, None, None
        self.collects, self._noticed_at, self.noticed, self._listed = {}, [], 0, 0
        self.refused_at, self._is_vote = None, False
        is_under = table.rules.deal.redrawn is Redrawn.UNDER
        self.gone = {card for item in table.excess for card in item.cards} if is_under else set()

    def _watch_exchanges(self, table: TableView, now: int) -> None:
        owes = tuple([info.owes for info in table.seats])
        for seat, (before, after) in enumerate(zip(self._owes, owes, strict=True)):
            if before != after and seat != self._seat:
                self._note_exchange(seat, now)
        self._owes = owes

    def _note_exchange(self, seat: int, now: int) -> None:
        self.exchanged_at[seat] = now
        self.made.pop(seat, None)

    def _watch_pool(self, table: TableView, pool: frozenset[Card], hand: frozenset[Card]) -> None:
        vanished = self._pool - pool - hand
        if (table.stock, table.discard) != self._piles or self._pool.isdisjoint(pool):
            self._watch_sweep(table, vanished)
        else:
            self.held.update(dict.fromkeys(vanished))

    def _watch_sweep(self, table: TableView, swept: frozenset[Card]) -> None:
        for group in {card.group for card in self._hand}:
            self.waited[group] = self.waited.get(group, 0) + 1
        if table.rules.sweep.swept is SweptTo.UNDER_STOCK:
            return
        if table.discard < self._piles[1] + len(swept):
            self.gone.clear()  # the discard pile was shuffled and is the stock now
        else:
            self.gone |= swept

    def _notice_takers(self, table: TableView, now: int) -> None:
        """Reads the public list of exchanges: that a hand changed at once, who took what after a reaction time."""
        if self.noticed == len(self._noticed_at) and len(table.exchanges) == self._listed:
            return
        self._listed = len(table.exchanges)
        exchanges = [exchange for exchange in table.exchanges if exchange.seat != self._seat]
        for exchange in exchanges[len(self._noticed_at) :]:
            self._noticed_at.append(now + self._rng.randint(*self._reaction))
            self._note_exchange(exchange.seat, now)
        before = self.noticed
        while self.noticed < len(exchanges) and self._noticed_at[self.noticed] <= now:
            self._note_holder(exchanges[self.noticed], exchanges[self.noticed].seat)
            self.noticed += 1
            if self.noticed > self._recalls:
                self._note_holder(exchanges[self.noticed - self._recalls - 1], None)
        if self.noticed > before:
            self.collects = _collected(exchanges[max(0, self.noticed - self._recalls) : self.noticed])

    def _note_holder(self, exchange: SeenExchange, holder: int | None) -> None:
        for card in exchange.taken:
            if card in self.held:  # it has not come back since
                self.held[card] = holder

    def _learn_signs(self, view: SeatView) -> None:
        table = view.table
        result = table.result
        if result is None or self._learned == table.round:
            return
        self._learned = table.round
        if result.caller in (view.seat, *view.partners) and result.points[view.team] > 0:
            self.signed_wins += 1
        for gesture in table.gestures:
            team = table.seats[gesture.seat].team
            meant, made = self._meant.get(team, (_MEANT, _MADE))
            self._meant[team] = (meant + bool(gesture.is_sign), made + 1)
        for team, signs in enumerate(result.signs):
            if not signs:
                continue
            before = self.last_signs.get(team)
            if before is not None:
                was_kept = bool(before & frozenset(signs))
                self.trust[team] = (self.trust.get(team, _START_TRUST) + was_kept) / 2
            self.last_signs[team] = frozenset(signs)

    def trust_in(self, team: int) -> float:
        """Returns from 0 to 1 how likely `team` still uses the signs that the last result showed."""
        return self.trust.get(team, _START_TRUST) if team in self.last_signs else 0.0

    def sincerity(self, team: int) -> float:
        """Returns the share of the gestures of `team` that turned out to be its sign, from 0 to 1."""
        meant, made = self._meant.get(team, (_MEANT, _MADE))
        return meant / made


def _collected(exchanges: Sequence[SeenExchange]) -> dict[int, Counter[int]]:
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
    """One robot's beliefs about the gestures of all other teams."""

    def __init__(self) -> None:
        self._learned = 0
        self._weights: dict[int, dict[str, float]] = {}
        self._meant: dict[tuple[int, bool], tuple[float, float]] = {}
        self._reports = 0
        self._round = 0
        self._texts: dict[int, list[frozenset[str]]] = {}
        self.unsigned: dict[int, int] = {}
        """By team, how many of its true calls followed no gesture of the hand that held the Kem's: a pre-sign."""

    def observe(self, view: SeatView, memory: Memory) -> None:
        """Learns from reports, and from the hands that a result lays open."""
        table = view.table
        if table.round != self._round:
            self._round, self._reports = table.round, 0
        for report in table.reports[self._reports :]:
            for sign in report.signs:
                weights = self._weights.setdefault(report.team, {})
                if report.is_right:
                    weights.clear()  # the team changes its sign
                else:
                    weights[sign.text] = 0.0
        self._reports = len(table.reports)
        if table.result is None or self._learned == table.round:
            return
        self._learned = table.round
        for team in range(table.teams):
            if team != view.team:
                self._learn(view, memory, team)

    def sign_odds(self, team: int, text: str) -> float:
        """Returns from 0 to 1 how likely a text is the sign of a team."""
        weights = self._weights.get(team, {})
        unseen = max(0, _TEXTS - len(weights))
        return weights.get(fold_emojis(text), 1.0) / (sum(weights.values()) + unseen)

    def likeliest(self, team: int) -> tuple[str, float] | None:
        """Returns the likeliest sign of a team with its odds, None before any was seen."""
        weights = self._weights.get(team)
        if not weights:
            return None
        text = max(weights, key=lambda item: (weights[item], item))
        return text, self.sign_odds(team, text)

    def meant(self, team: int, *, is_prompt: bool) -> float:
        """Returns the share of a team's gestures, prompt or late ones, that were made with a Kem's."""
        meant, made = self._meant.get((team, is_prompt), _PRIOR[is_prompt])
        return meant / made

    def plays_total(self, team: int) -> bool:
        """Returns whether all gestures with a Kem's were different ones, in as many rounds as tell a habit."""
        known = self._texts.get(team, [])
        return len(known) >= _HABIT and not any(
            one & other for number, one in enumerate(known) for other in known[:number]
        )

    def _learn(self, view: SeatView, memory: Memory, team: int) -> None:
        result = view.table.result
        assert result is not None, "it learns from a result"
        weights = self._weights.setdefault(team, {})
        for text in weights:
            weights[text] **= _KEPT
        if result.outcome in _TRUE_CALLS and result.caller is not None and result.caller % view.table.teams == team:
            holders = [seat for seat in result.kems_holders if seat % view.table.teams == team]
            if not any(self._with_last_hand(memory, seat) for seat in holders):
                self.unsigned[team] = self.unsigned.get(team, 0) + 1
        for seat in view.table.members(team):
            has_kems = seat in result.kems_holders
            made = self._with_last_hand(memory, seat)
            texts = {fold_emojis(gesture.info.text) for gesture in made}
            for gesture in made:
                key = (team, gesture.is_prompt)
                meant, count = self._meant.get(key, _PRIOR[key[1]])
                self._meant[key] = (meant + has_kems, count + 1)
            for text in texts:
                likelihood = _SIGNS / _BLUFFS_WITH if has_kems else _SLIPS / _BLUFFS_WITH
                weights[text] = weights.get(text, 1.0) * likelihood
            if has_kems and texts:
                self._texts.setdefault(team, []).append(frozenset(texts))
                for text in weights.keys() - texts:
                    weights[text] *= (1 - _SIGNS) / (1 - _BLUFFS_WITH)

    @staticmethod
    def _with_last_hand(memory: Memory, seat: int) -> list[SeenGesture]:
        """Returns the gestures that a seat made with the hand that lies open now."""
        return [made for made in memory.made.get(seat, ()) if made.info.kind is not GestureKind.SAY]


def break_even(rules: Rules) -> float:
    """Returns the odds of a Kem's from which a counter of one player, or team, gains more points than it risks.

    A true counter brings its points, and the opponents lose those of the Kem's that they would have called.
    """
    scoring = rules.scoring
    gain = scoring.counter - scoring.counter_accused + scoring.kems
    risk = scoring.false_counter + scoring.false_counter_all - scoring.false_counter_own + 0.1
    if rules.penalty.counter_lost:
        risk += _RIGHT
    if rules.penalty.shows is not Shows.NOBODY:
        risk += _SHOWN_CARDS
    return min(0.95, max(0.1, risk / max(0.1, gain + risk)))
