"""Chooses the cards that a robot collects: the best exchange for cards of one group, and the next step towards it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from math import inf
from typing import Final, NamedTuple

from bot.game.actions import PutDown, Take
from bot.game.cards import HAND_SIZE, JOKER_GROUP, Card
from bot.game.rules.rules import ThreeAlike
from bot.game.views import SeatView
from bot.robots.beliefs import Memory
from bot.robots.level import Skill
from bot.robots.reasons import Motive, MoveReason

# The worth of none, one, two, three and four alike.
_WORTH: Final = (0.0, 1.0, 4.0, 11.0, 40.0)
# An exchange shows what a seat collects: it has to bring this much.
_MARGIN: Final = 0.4
_ALIKE_ENDS: Final = 3
# What it is worth to hold a card that an opponent collects, by how many cards of the group it was seen to take; and
# what it costs, each card, to hold what a partner collects.
_BLOCK: Final = (0.0, 1.2, 2.5, 3.5, 3.5)
_FEED: Final = 0.9
# What one more sweep without its next card leaves of a group's odds, and of the worth of blocking it.
_PATIENT: Final = 0.92
_STUBBORN: Final = 0.8
_NOBODY: Final = (0, 0)
_NOTHING: Final = (0.0,) * len(_WORTH)
# How much one card that another player collects lowers the odds of a group.
_CONTESTED: Final = 0.12

HELD: Final = -1
"""The target of a robot that may choose among the groups in its hand."""

_Worths = dict[int, tuple[float, ...]]
"""By group, the worth of none to four of its cards in a hand."""


class Step(NamedTuple):
    """The next put-down or take, and its reason; after a put-down that begins an exchange, what to `take` next."""

    action: PutDown | Take
    reason: MoveReason
    take: Card | None = None


class TargetHand(NamedTuple):
    """A hand within reach, its worth, and how to get it: `takes` cards of `group`, for cards of other groups."""

    worth: float
    group: int
    takes: int
    puts: tuple[int, ...]


class Collector:
    """Judges hands as one seat sees them at one moment, without the `overlooked` cards of the pool.

    With a `target` it collects that group alone, or `HELD` ones; while none of it lies in the pool it takes only what
    is owed.
    """

    def __init__(
        self,
        view: SeatView,
        memory: Memory,
        skill: Skill | None = None,
        overlooked: Collection[Card] = (),
        target: int | None = None,
    ) -> None:
        self._target = target
        self._view = view
        self._memory = memory
        self._skill = skill or Skill()
        self.hand = tuple([card for card in view.hand if card is not None])
        self.pool = tuple([card for card in view.table.pool if card is not None])
        noticed = [card for card in self.pool if card not in overlooked]
        self._noticed = noticed if len(noticed) >= view.owes else self.pool
        self._held_counts = _by_group(self.hand)
        self._jokers = self._held_counts.pop(JOKER_GROUP, 0)
        self._pool_counts = _by_group(self.pool)
        self._ends = view.table.rules.exchange.three_alike is ThreeAlike.ENDS
        self._rivals: dict[int, tuple[int, int]] = {}
        self._friends: dict[int, tuple[int, int]] = {}
        if self._skill.watches:
            self._watch()
        self._packs = view.table.rules.deal.deck.packs
        counts = self._skill.counts
        self._gone, self._held = (_by_group(memory.gone), _by_group(memory.known_holders)) if counts else ({}, {})
        self._waited = memory.waited if counts else {}

    def next_step(self, *, must: bool = False) -> Step | None:
        """Return the next put-down or take; None if the hand is best as it is.

        Args:
            must: Whether to put a card down for the best target even if that does not improve the hand.
        """
        owes = self._view.owes
        worth, take, put = self._best_goals(self._view.table.rules.exchange.down - owes)
        least = (worth if take is None else take.worth) + _MARGIN
        if put is not None and (put.worth > least or (must and not owes)):
            return Step(self._put_worst(put), self._reason(put), None if owes else self._taken(put))
        return None if take is None else Step(Take(self._view.seat, self._taken(take)), self._reason(take))

    def stopper(self) -> PutDown | None:
        """Return a put-down that makes three alike in the pool, if that ends the round."""
        if not self._ends:
            return None
        cards = [card for card in self.hand if self._pool_counts.get(card.group) == _ALIKE_ENDS - 1]
        cards = [card for card in cards if not card.is_joker and card.group != self._target]
        return PutDown(self._view.seat, cards[0]) if cards else None

    def least_telling(self, choices: Sequence[tuple[Card, ...]]) -> tuple[Card, ...]:
        """Return the choice that reveals least about what the robot collects."""
        return min(choices, key=lambda cards: (sum(self._held_counts.get(card.group, 1) for card in cards), cards))

    def _best_goals(self, puts: int) -> tuple[float, TargetHand | None, TargetHand | None]:
        """Return the hand's worth, the best target without a put-down, and the best with up to `puts`.

        Cards of one group are worth the same, so it goes through groups, not cards. Jokers are never put down, and
        stand for cards of the group that gains most.
        """
        noticed = _by_group(self._noticed)
        found = noticed.pop(JOKER_GROUP, 0)
        plain = {group: self.worths(group) for group in self._held_counts | noticed}
        now = 0.0
        best: list[TargetHand | None] = [None, None]
        for take_count in range(found + 1):
            jokers = self._jokers + take_count
            for boosted in plain if jokers else (JOKER_GROUP,):
                worths = plain
                if jokers:
                    alike = plain[boosted]
                    worths = {**plain, boosted: (*alike[jokers:], *alike[-1:] * jokers)}
                base = sum(worth[self._held_counts.get(group, 0)] for group, worth in worths.items())
                if not take_count:
                    now = max(now, base)
                for goal in self._goals(base, worths, {JOKER_GROUP: take_count} if take_count else noticed, puts):
                    known = best[bool(goal.puts)]
                    if known is None or goal > known:
                        best[bool(goal.puts)] = goal
        return now, best[0], best[1]

    def _goals(self, base: float, worths: _Worths, pool: dict[int, int], puts: int) -> Iterator[TargetHand]:
        """Yield what cards of one group of the pool bring, for the cards that cost least; better targets come last."""
        owes = self._view.owes
        order = self._put_order(worths) if puts else []
        best = [-inf, -inf]
        if (target := self._target) is not None:
            wanted = {JOKER_GROUP, *self._held_counts} if target == HELD else {JOKER_GROUP, target}
            if not owes or not wanted.isdisjoint(pool):
                pool = {group: seen for group, seen in pool.items() if group in wanted}
                order = [item for item in order if item[1] != target]
            else:
                order = []
        for group, seen in pool.items():
            own = self._held_counts.get(group, 0)
            others = [item for item in order if item[1] != group] if own else order
            worth, gains = base, worths.get(group, _NOTHING)
            for count in range(1, min(seen, HAND_SIZE - own, owes + min(puts, len(others))) + 1):
                downs = max(0, count - owes)
                worth += gains[own + count] - gains[own + count - 1] - (others[downs - 1][0] if downs else 0)
                if worth > best[downs > 0] and (count == seen or group != JOKER_GROUP):
                    best[downs > 0] = worth
                    yield TargetHand(worth, group, count, tuple([down for _, down in others[:downs]]))

    def _put_order(self, worths: _Worths) -> list[tuple[float, int]]:
        """Return the groups of the hand's cards as they would go down, the cheapest first, with the cost of each.

        A card that ends the round does not go down, as far as the robot looks.
        """
        order: list[tuple[float, int]] = []
        left = dict(self._held_counts)
        most = {group: self._most_down(group) for group in left}
        while heads := [
            (worths[group][count] - worths[group][count - 1], group)
            for group, count in left.items()
            if count and self._held_counts[group] - count < most[group]
        ]:
            order.append(min(heads))
            left[order[-1][1]] -= 1
        return order

    def _most_down(self, group: int) -> int:
        return max(0, _ALIKE_ENDS - 1 - self._pool_counts.get(group, 0)) if self._ends else HAND_SIZE

    def _put_worst(self, goal: TargetHand) -> PutDown:
        """Return the put-down towards the target that helps opponents least, then the one that costs the hand least."""

        def cost(card: Card) -> tuple[int, int, float, Card]:
            group = card.group
            return self._rivals.get(group, _NOBODY)[0], self._held_counts[group], self.worths(group)[1], card

        worst = min((card for card in self.hand if card.group in goal.puts), key=cost)
        return PutDown(self._view.seat, worst)

    def _taken(self, goal: TargetHand) -> Card:
        return max(card for card in self._noticed if card.group == goal.group)

    def _reason(self, goal: TargetHand) -> MoveReason:
        """Return why an exchange for this hand is made."""
        group, count = goal.group, self._held_counts.get(goal.group, 0) + goal.takes
        is_other = self._target not in (None, HELD, group) or (self._target == HELD and group not in self._held_counts)
        if is_other and group != JOKER_GROUP:
            return MoveReason(Motive.MAKES_ROOM)
        if group in self._rivals and count < HAND_SIZE - 1:
            return MoveReason(Motive.BLOCKS, group=group, seat=self._rivals[group][1])
        if count + self._jokers > 1 or group == JOKER_GROUP:
            has_some = group in self._held_counts or group == JOKER_GROUP
            return MoveReason(Motive.COLLECTS if has_some else Motive.STARTS, group=group)
        for down in goal.puts:
            if down in self._friends and goal.puts.count(down) == self._held_counts[down]:
                return MoveReason(Motive.FEEDS, group=down, seat=self._friends[down][1])
        return MoveReason(Motive.MAKES_ROOM)

    def worths(self, group: int) -> tuple[float, ...]:
        """Return what zero to four cards of a group are worth in this hand."""
        rivals, friends = self._rivals.get(group, _NOBODY)[0], self._friends.get(group, _NOBODY)[0]
        gone, held_count = self._gone.get(group, 0), self._held.get(group, 0)
        return _worths(gone, held_count, self._packs, rivals, friends, self._waited.get(group, 0))

    def _watch(self) -> None:
        """Find which groups opponents and partners collect: how many cards they took of it, and who did."""
        partners = self._view.partners
        for seat, groups in self._memory.collects.items():
            known = self._friends if seat in partners else self._rivals
            for group, count in groups.items():
                if group != JOKER_GROUP and count > known.get(group, (0, 0))[0]:
                    known[group] = (count, seat)


@lru_cache(4096)  # buys 7 % of a match between robots (tests.bench.simulation)
def _worths(gone: int, held_count: int, packs: int, rivals: int, friends: int, waited: int) -> tuple[float, ...]:
    """Return the worth of none to four cards of a group: less if the others are out of reach or contested."""
    odds = max(0.05, 1 - (0.3 * gone + 0.2 * held_count) / packs - _CONTESTED * (rivals + friends)) * _PATIENT**waited
    # Who only blocks in vain gives in, else no hand changes any more.
    block = _BLOCK[min(rivals, HAND_SIZE)] * _STUBBORN**waited
    alike = [worth * odds + block - _FEED * friends * count for count, worth in enumerate(_WORTH[:HAND_SIZE])]
    return (0.0, *alike[1:], _WORTH[HAND_SIZE])


def _by_group(cards: Iterable[Card]) -> dict[int, int]:
    counts: dict[int, int] = {}  # no Counter: this is asked for at every move
    for card in cards:
        counts[card.group] = counts.get(card.group, 0) + 1
    return counts
