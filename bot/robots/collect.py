"""Chooses the cards that a robot collects: the best hand within its reach, and the next step towards it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

from bot.game.actions import PutDown, Take
from bot.game.cards import HAND_SIZE, JOKER_GROUP, Card
from bot.game.rules.rules import ThreeAlike
from bot.game.views import SeatView
from bot.robots.beliefs import Memory
from bot.robots.level import Skill
from bot.robots.reasons import Motive, Reason

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
# In the search a state's number has the put-downs in its lowest bits.
_DOWN_BITS: Final = 4
_DOWNS: Final = (1 << _DOWN_BITS) - 1
_FULL: Final = HAND_SIZE + 1 << _DOWN_BITS
# How much one card that another player collects lowers the odds of a group.
_CONTESTED: Final = 0.12


class Step(NamedTuple):
    """The next put-down or take, and what for; after a put-down that begins an exchange, what to `take` then."""

    action: PutDown | Take
    reason: Reason
    take: Card | None = None


@dataclass(frozen=True, slots=True)
class Goal:
    """A hand within reach: how many cards of each group, what it is worth, and how many put-downs it needs."""

    counts: dict[int, int]
    worth: float
    puts: int


class Collector:
    """Judges hands as one seat sees them at one moment, without the `overlooked` cards of the pool."""

    def __init__(
        self, view: SeatView, memory: Memory, skill: Skill | None = None, overlooked: Collection[Card] = ()
    ) -> None:
        self._view = view
        self._memory = memory
        self._skill = skill or Skill()
        self.hand = tuple(card for card in view.hand if card is not None)
        self.pool = tuple(card for card in view.table.pool if card is not None)
        noticed = tuple(card for card in self.pool if card not in overlooked)
        self._noticed = noticed if len(noticed) >= view.owes else self.pool
        self._held_counts = _by_group(self.hand)
        self._noticed_counts = _by_group(self._noticed)
        self._pool_counts = _by_group(self.pool)
        self._ends = view.table.rules.exchange.three_alike is ThreeAlike.ENDS
        self._rivals: dict[int, tuple[int, int]] = {}
        self._friends: dict[int, tuple[int, int]] = {}
        if self._skill.watches:
            self._watch()
        self._gone = _by_group(memory.gone) if self._skill.counts else {}
        self._held = _by_group(memory.held)
        self._worths: dict[int, tuple[float, ...]] = {}

    def value(self, cards: Iterable[Card]) -> float:
        """Returns the worth of a hand: alike cards, less if the others are out of reach; jokers join the best."""
        return self._worth_of(_by_group(cards))

    def next_step(self, *, must: bool = False) -> Step | None:
        """Returns the next put-down or take, None where the hand is best as it is. `must` asks for any real change."""
        if self._view.owes:
            return self._finish_exchange()
        _, best = self._best_goals(self._view.table.rules.exchange.down)
        if best is None or not (must or best.worth > self._worth_of(self._held_counts) + _MARGIN):
            return None
        return Step(self._put_worst(best), self._reason(best), self._best_take(best))

    def stopper(self) -> PutDown | None:
        """Returns a put-down that makes three alike in the pool, where that ends the round."""
        if not self._ends:
            return None
        cards = [card for card in self.hand if self._pool_counts.get(card.group) == _ALIKE_ENDS - 1]
        cards = [card for card in cards if not card.is_joker]
        return PutDown(self._view.seat, cards[0]) if cards else None

    def least_telling(self, choices: Sequence[tuple[Card, ...]]) -> tuple[Card, ...]:
        """Returns the choice of cards that tells least about what the robot collects."""
        return min(choices, key=lambda cards: (sum(self._held_counts[card.group] for card in cards), cards))

    def _finish_exchange(self) -> Step:
        """Returns the best take, or another put-down where that is clearly better; the seat owes takes."""
        view = self._view
        goal, bolder = self._best_goals(view.table.rules.exchange.down - view.owes)
        if bolder is not None and (goal is None or bolder.worth > goal.worth + _MARGIN):
            return Step(self._put_worst(bolder), self._reason(bolder))
        card = self._best_take(goal)
        reason = Reason(Motive.MAKES_ROOM) if goal is None else self._reason(goal, card.group)
        return Step(Take(view.seat, card), reason)

    def _best_take(self, goal: Goal | None) -> Card:
        grown = [] if goal is None else [group for group in goal.counts if self._is_grown(group, goal)]
        wanted = [card for card in self._noticed if card.group in grown]
        return max(wanted or self.pool, key=lambda card: (self.value((*self.hand, card)), card))

    def _is_grown(self, group: int, goal: Goal) -> bool:
        return goal.counts[group] > self._held_counts.get(group, 0)

    def _best_goals(self, puts: int) -> tuple[Goal | None, Goal | None]:
        """Returns the best four of hand and pool without a put-down, and with up to so many that end no round.

        Cards of one group are worth the same, so it goes through groups, not cards. Jokers are never put down, and
        stand for cards of the group that gains most.
        """
        jokers = self._held_counts.get(JOKER_GROUP, 0)
        most_jokers = min(jokers + self._noticed_counts.get(JOKER_GROUP, 0), HAND_SIZE)
        best: list[Goal | None] = [None, None]
        for kept in range(jokers, most_jokers + 1):
            groups = [group for group in (self._held_counts | self._noticed_counts) if group != JOKER_GROUP]
            for boosted in groups if kept else (JOKER_GROUP,):
                for found in self._search(groups, kept, boosted, puts):
                    known = best[found.puts > 0]
                    if known is None or (found.worth, -found.puts) > (known.worth, -known.puts):
                        best[found.puts > 0] = found
        return best[0], best[1]

    def _search(self, groups: Collection[int], jokers: int, boosted: int, puts: int) -> Iterator[Goal]:
        """Yields the best hands, by put-downs, with so many jokers, which stand for cards of the group `boosted`."""
        # By cards chosen and put-downs, as one number: the worth, and three bits for the count of each group.
        states: dict[int, tuple[float, int]] = {jokers << _DOWN_BITS: (0.0, 0)}
        left = sum(map(self._reach, groups))
        for group in groups:
            held, reach = self._held_counts.get(group, 0), self._reach(group)
            steps = _steps(held, reach, jokers if group == boosted else 0, self._most_down(group))
            worths = self.worths(group)
            left -= reach
            least = max(0, HAND_SIZE - left) << _DOWN_BITS  # the groups that follow have no more cards for a hand
            after: dict[int, tuple[float, int]] = {}
            for key, (worth, chosen) in states.items():
                for step, count, alike in steps:
                    reached = key + step
                    if not least <= reached < _FULL or reached & _DOWNS > puts:
                        continue
                    total = worth + worths[alike]
                    known = after.get(reached)
                    if known is None or total > known[0]:
                        after[reached] = (total, chosen | count << 3 * group)
            states = after
        whole = [(key & _DOWNS, *found) for key, found in states.items() if key >> _DOWN_BITS == HAND_SIZE]
        for is_put in (False, True):
            found = [item for item in whole if (item[0] > 0) is is_put]
            if found:
                downs, worth, chosen = max(found, key=lambda item: (item[1], -item[0]))
                counts = {group: chosen >> 3 * group & 7 for group in groups if chosen >> 3 * group & 7}
                yield Goal({**counts, JOKER_GROUP: jokers}, worth, downs)

    def _most_down(self, group: int) -> int:
        """Returns how many cards of a group may go down without an end of the round, as far as the robot looks."""
        if self._ends:
            return max(0, _ALIKE_ENDS - 1 - self._pool_counts.get(group, 0))
        return HAND_SIZE

    def _reach(self, group: int) -> int:
        return self._held_counts.get(group, 0) + self._noticed_counts.get(group, 0)

    def _put_worst(self, goal: Goal) -> PutDown:
        """Returns the put-down of the goal that helps opponents least, then the one that costs the hand least."""
        surplus = [card for card in self.hand if goal.counts.get(card.group, 0) < self._held_counts[card.group]]
        return PutDown(
            self._view.seat,
            min(
                surplus,
                key=lambda card: (
                    self._rivals.get(card.group, (0, 0))[0],
                    self._held_counts[card.group],
                    self.odds(card.group),
                    card,
                ),
            ),
        )

    def _reason(self, goal: Goal, taken: int | None = None) -> Reason:
        """Returns what an exchange for this hand is for: the group `taken`, or the one that gains most."""
        gains = {group: self._gain(group, count) for group, count in goal.counts.items()}
        grown = [group for group in goal.counts if self._is_grown(group, goal)]
        best = taken if taken is not None else max(grown, key=lambda group: (gains[group], group), default=None)
        if best is None:
            return Reason(Motive.MAKES_ROOM)
        count = goal.counts.get(best, 0)
        fed = [group for group in self._held_counts if group in self._friends and not goal.counts.get(group)]
        if best in self._rivals and count < HAND_SIZE - 1:
            return Reason(Motive.BLOCKS, group=best, seat=self._rivals[best][1])
        if count + goal.counts.get(JOKER_GROUP, 0) > 1 or best == JOKER_GROUP:
            return Reason(Motive.COLLECTS, group=best)
        if fed:
            return Reason(Motive.FEEDS, group=fed[0], seat=self._friends[fed[0]][1])
        return Reason(Motive.MAKES_ROOM)

    def _gain(self, group: int, count: int) -> float:
        if group == JOKER_GROUP:
            return _WORTH[HAND_SIZE] if count > self._held_counts.get(group, 0) else 0.0
        worths = self.worths(group)
        return worths[count] - worths[self._held_counts.get(group, 0)]

    def _worth_of(self, counts: dict[int, int]) -> float:
        jokers = counts.get(JOKER_GROUP, 0)
        worth = sum(self.worths(group)[count] for group, count in counts.items() if group != JOKER_GROUP)
        if jokers:
            worth += max(
                (
                    self.worths(group)[min(count + jokers, HAND_SIZE)] - self.worths(group)[count]
                    for group, count in counts.items()
                    if group != JOKER_GROUP
                ),
                default=_WORTH[min(jokers, HAND_SIZE)],
            )
        return worth

    def worths(self, group: int) -> tuple[float, ...]:
        """Returns the worth of none to four cards of a group in this hand."""
        known = self._worths.get(group)
        if known is None:
            known = self._worths[group] = _worths(
                self.odds(group),
                self._rivals.get(group, _NOBODY)[0],
                self._friends.get(group, _NOBODY)[0],
                self._memory.waited.get(group, 0),
            )
        return known

    def odds(self, group: int) -> float:
        """Returns from 0 to 1 how well the group can still be completed."""
        if not self._skill.counts:
            return 1.0
        contested = self._rivals.get(group, _NOBODY)[0] + self._friends.get(group, _NOBODY)[0]
        packs = self._view.table.rules.deal.deck.packs
        gone, held = self._gone.get(group, 0) / packs, self._held.get(group, 0) / packs
        return _odds(gone, held, contested, self._memory.waited.get(group, 0))

    def _watch(self) -> None:
        """Notes which groups opponents and partners collect: how many cards they took of it, and who did."""
        partners = self._view.partners
        for seat, groups in self._memory.collects.items():
            known = self._friends if seat in partners else self._rivals
            for group, count in groups.items():
                if group != JOKER_GROUP and count > known.get(group, (0, 0))[0]:
                    known[group] = (count, seat)


@cache
def _steps(held: int, reach: int, extra: int, most_down: int) -> tuple[tuple[int, int, int], ...]:
    """Returns what each count of a group's cards adds to a search's state, the count, and how many it makes alike."""
    return tuple(
        (count << _DOWN_BITS | max(0, held - count), count, min(count + extra, HAND_SIZE))
        for count in range(reach + 1)
        if held - count <= most_down
    )


@lru_cache(4096)
def _odds(gone: float, held: float, contested: int, waited: int) -> float:
    return max(0.05, 1.0 - 0.3 * gone - 0.2 * held - _CONTESTED * contested) * _PATIENT**waited


@lru_cache(4096)
def _worths(odds: float, rivals: int, friends: int, waited: int) -> tuple[float, ...]:
    # Who only blocks in vain gives in, else no hand changes any more.
    block = _BLOCK[min(rivals, HAND_SIZE)] * _STUBBORN**waited
    alike = [worth * odds + block - _FEED * friends * count for count, worth in enumerate(_WORTH[:HAND_SIZE])]
    return (0.0, *alike[1:], _WORTH[HAND_SIZE])


def _by_group(cards: Iterable[Card]) -> dict[int, int]:
    counts: dict[int, int] = {}  # no Counter: this is asked for at every move
    for card in cards:
        counts[card.group] = counts.get(card.group, 0) + 1
    return counts
