"""A robot's memory: cards that went by, exchanges, and signs that results have shown.

It is built from the views of one seat in the order in which they came. A missed view makes it poorer, but not wrong
about what may be seen. Who took what is read from the public list alone: a table that hides it hides it from robots.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final

from bot.game.cards import DECKS, HAND_SIZE, JOKER_GROUP, Card, DeckKind, alike_groups, is_kems
from bot.game.rules.rules import Redrawn, SweptTo
from bot.game.signs import Sign, SignPlan
from bot.game.state import SeenExchange
from bot.game.views import GestureInfo, SeatView
from bot.robots.level import DelayRange

_START_TRUST: Final = 0.6
# Before the first result one gesture in seven is taken for a sign.
_MEANT, _MADE = 1, 7
# With this share of the groups, or more, still possible, a gesture is worth its full belief.
_OPEN_SHARE: Final = 0.35


class Memory:
    """One robot's memory of the running round, and of the signs that the results of former rounds showed."""

    def __init__(self, rng: Random, reaction: DelayRange, recalls: int) -> None:
        """`reaction` is how long it takes to notice who took what, `recalls` how many such exchanges it remembers."""
        self._rng = rng
        self._reaction = reaction
        self._recalls = recalls
        self._round = -1
        self._pool: frozenset[Card] = frozenset()
        self._hand: frozenset[Card] = frozenset()
        self._owes: tuple[int, ...] = ()
        self._piles = (0, 0)
        self._learned = 0
        self._shown = 0
        self.gone: set[Card] = set()
        """Cards that were swept, or given back under the stock, and have not come back since."""
        self.held: dict[Card, int | None] = {}
        """Cards that another seat took or showed, and which; None where the robot has not noticed it, or forgot it."""
        self.collects: dict[int, Counter[int]] = {}
        """By seat, how many cards of a group it was seen to take, unless it put one down since."""
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
        pool = frozenset(card for card in table.pool if card is not None)
        owes = tuple(info.owes for info in table.seats)
        if table.round != self._round:
            self._new_round(view)
        else:
            self._watch_exchanges(view, owes, now)
            self._watch_pool(view, pool, hand)
            if self._is_vote and table.sweep_asker is None and pool == self._pool:
                self.refused_at = now
        if hand != self._hand or pool != self._pool:
            for card in hand | pool:
                self.held.pop(card, None)
                self.gone.discard(card)
        self._notice_takers(view, now)
        if hand != self._hand:
            self._note_hand(hand, now)
        for shown in view.shown[self._shown :]:
            self.held.update((card, shown.seat) for card in shown.cards if card not in pool | hand)
        self._shown = len(view.shown)
        self._is_vote = table.sweep_asker is not None
        self._pool, self._hand, self._owes, self._piles = pool, hand, owes, (table.stock, table.discard)
        if view.plan != self._plan:
            self._plan, self.signed_wins = view.plan, 0
        self._learn_signs(view)

    def _note_hand(self, hand: frozenset[Card], now: int) -> None:
        for group in {card.group for card in hand - self._hand}:
            self.waited.pop(group, None)
        if not is_kems(hand):
            self.kems_since = None
        elif self.kems_since is None:
            self.kems_since = now
        has_three = self.kems_since is None and bool(alike_groups(hand, HAND_SIZE - 1))
        self.three_since = (now if self.three_since is None else self.three_since) if has_three else None

    def gestures_with_hand(self, view: SeatView, seat: int) -> list[GestureInfo]:
        """Returns the gestures that a seat has made since its last exchange."""
        since = self.exchanged_at.get(seat, 0) - view.table.dealt_at
        return [gesture for gesture in view.table.gestures if gesture.seat == seat and gesture.at >= since]

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
        self._hand, self._pool, self._shown = frozenset(), frozenset(), 0
        self.held, self.exchanged_at, self.waited, self.kems_since, self.three_since = {}, {}, {}, None, None
        self.collects, self._noticed_at, self.noticed = {}, [], 0
        self.refused_at, self._is_vote = None, False
        is_under = table.rules.deal.redrawn is Redrawn.UNDER
        self.gone = {card for item in table.excess for card in item.cards} if is_under else set()

    def _watch_exchanges(self, view: SeatView, owes: tuple[int, ...], now: int) -> None:
        for seat, (before, after) in enumerate(zip(self._owes, owes, strict=True)):
            if before != after and seat != view.seat:
                self.exchanged_at[seat] = now

    def _watch_pool(self, view: SeatView, pool: frozenset[Card], hand: frozenset[Card]) -> None:
        vanished = self._pool - pool - hand
        piles = (view.table.stock, view.table.discard)
        if piles != self._piles or self._pool.isdisjoint(pool):
            self._watch_sweep(view, vanished)
        else:
            self.held.update(dict.fromkeys(vanished))

    def _watch_sweep(self, view: SeatView, swept: frozenset[Card]) -> None:
        for group in {card.group for card in self._hand}:
            self.waited[group] = self.waited.get(group, 0) + 1
        if view.table.rules.sweep.swept is SweptTo.UNDER_STOCK:
            return
        if view.table.discard < self._piles[1] + len(swept):
            self.gone.clear()  # the discard pile was shuffled and is the stock now
        else:
            self.gone |= swept

    def _notice_takers(self, view: SeatView, now: int) -> None:
        """Reads the public list of exchanges: that a hand changed at once, who took what after a reaction time."""
        exchanges = [exchange for exchange in view.table.exchanges if exchange.seat != view.seat]
        for exchange in exchanges[len(self._noticed_at) :]:
            self._noticed_at.append(now + self._rng.randint(*self._reaction))
            self.exchanged_at[exchange.seat] = now
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
