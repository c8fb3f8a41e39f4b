"""A table in a few words: any hands, pool and stock; moves as KGN writes them, such as `A put 7S`.

A refusal is an error unless it is expected. Seats are A, B, C ... clockwise; time is in seconds since the deal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from bot.game import actions as a
from bot.game.cards import DECKS, HAND_SIZE, Card, parse_card
from bot.game.checks.refusals import Code, Refusal
from bot.game.decide import decide, next_deadline, start_match
from bot.game.events import CardsDealt, Event, HuntOpened, PoolTurnedUp, SignSettled
from bot.game.evolve import evolve_all
from bot.game.notation.actions import read_action, read_plan
from bot.game.rules import house_rules
from bot.game.signs import HOUSE_SIGNS, SignCard, Strategy
from bot.game.state import State

NAMES: Final = "ABCDEFGHIJKL"


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in codes.split())


def codes(found: Iterable[Card]) -> set[str]:
    return {card.code for card in found}


def seat_of(name: str) -> int:
    return NAMES.index(name)


class Stacked(Random):
    """Shuffles into the given order first, then as the seed says."""

    def __init__(self, order: Iterable[Card]) -> None:
        super().__init__(1)
        self.order = list(order)

    def shuffle(self, x: list[Card]) -> None:
        if self.order:
            x[:], self.order = self.order, []
        else:
            super().shuffle(x)


class Table:
    """A match in its first round, the hunt open unless `opened=False`.

    Cards that are not given are filled in without making three alike. `stock` given: the rest is the discard pile.
    """

    def __init__(
        self,
        preset: str = "classic",
        *,
        players: int = 4,
        hands: Mapping[str, str] | None = None,
        pool: str = "",
        stock: str | None = None,
        dealer: str | None = None,
        opened: bool = True,
        scores: tuple[int, ...] = (),
        seed: int = 0,
        strategies: str = "",
        plans: Mapping[str, str] | None = None,
        sign_cards: str = "",
        **rules: float | bool | str,
    ) -> None:
        self.rules = house_rules.override(
            house_rules.for_players(house_rules.preset(preset), players),
            {name: house_rules.text(value) for name, value in rules.items()},
        )
        house_rules.check_table(self.rules, players)
        self.names = NAMES[:players]
        self.rng = Random(seed)
        self.now = 0
        self.log: list[Event] = []
        teams = house_rules.teams_for(self.rules, players)
        self.dealer = seat_of(dealer) if dealer else players - 1
        self._start = partial(
            start_match,
            self.rules,
            seats=players,
            teams=teams,
            dealer=self.dealer,
            now=0,
            strategies=[Strategy(word) for word in strategies.split()],
            sign_cards=tuple(SignCard(word) for word in sign_cards.split()),
        )
        said = {number: HOUSE_SIGNS[number] for number in range(teams)}
        said.update({int(team[1:]) - 1: words for team, words in (plans or {}).items()})
        events: list[Event] = [*self._start()]
        for team, words in said.items():
            events.append(SignSettled(0, team, read_plan(0, words.split(), self.names[team::teams])))
        dealt, turned, rest = self._lay(hands or {}, pool, stock or "")
        events += [CardsDealt(0, 1, self.dealer, (*dealt, *turned, *rest)), PoolTurnedUp(0, turned)]
        events += [HuntOpened(0)] if opened else []
        self.opening: Final = tuple(events)
        self.state: State = evolve_all(None, events)
        if stock is not None:
            kept = len(cards(stock))
            self.state = replace(self.state, stock=rest[:kept], discard=rest[kept:])
        if scores:
            self.state = replace(self.state, scores=scores)

    @classmethod
    def starting(
        cls,
        preset: str = "classic",
        *,
        players: int = 4,
        seed: int = 0,
        strategies: str = "",
        sign_cards: str = "",
        **rules: float | bool | str,
    ) -> "Table":
        """A match before its first deal: the teams have no signs yet."""
        table = cls(preset, players=players, seed=seed, strategies=strategies, sign_cards=sign_cards, **rules)
        table.state = evolve_all(None, table._start())
        return table

    @classmethod
    def dealt(cls, preset: str, hands: Sequence[str], **rules: float | bool | str) -> "tuple[Table, tuple[Event, ...]]":
        """A match dealt by the core, A, B, C and D getting these hands first, and all that the deal brought about."""
        table = cls(preset, hands=dict(zip(NAMES, hands, strict=False)), opened=False, **rules)
        state = table.state
        first = [state.seats[seat].cards[turn] for turn in range(HAND_SIZE) for seat in range(4)]
        table = cls.starting(preset, **rules)
        table.rng = Stacked((*first, *state.pool_cards, *state.stock))
        table.do("A sign 👀", "C sign 👀", "D sign 🍀", "B sign 🍀")
        return table, tuple(table.log)

    @classmethod
    def stillborn(cls) -> "Table":
        """A match whose first deal has turned up three alike, which ends the round."""
        table = cls(pool="7S 7H 7D 9C", opened=False)
        state = table.state
        dealt = [state.seats[seat].cards[turn] for turn in range(HAND_SIZE) for seat in range(4)]
        table = cls.starting()
        table.rng = Stacked((*dealt, *state.pool_cards, *state.stock))
        table.do("A sign 👀", "C sign 👀", "D sign 🍀", "B sign 🍀")
        return table

    def _lay(
        self, hands: Mapping[str, str], pool: str, stock: str
    ) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
        """The cards in dealing order, the pool, and the rest with the wanted stock first."""
        wanted = [list(cards(hands.get(name, ""))) for name in self.names]
        turned, first = list(cards(pool)), cards(stock)
        used = [card for place in (*wanted, turned, first) for card in place]
        assert len(set(used)) == len(used), "a card was given twice"
        left = [card for card in DECKS[self.rules.deal.deck] if card not in used]
        for place in (*wanted, turned):
            while len(place) < HAND_SIZE:
                groups = [other.group for other in place]
                card = min(left, key=lambda card: groups.count(card.group))
                left.remove(card)
                place.append(card)
        count = len(wanted)
        order = tuple(
            wanted[(self.dealer + 1 + step) % count][turn] for turn in range(HAND_SIZE) for step in range(count)
        )
        return order, tuple(turned), (*first, *left)

    def read(self, move: str) -> a.Action:
        """The action of a line of KGN, or of `C accept 👀`, which KGN writes as `C sign 👀`."""
        action = read_action(move.replace(" accept ", " sign "), self.names, len(self.state.teams))
        is_accepted = isinstance(action, a.ProposeSign) and " accept " in move
        return a.AcceptSign(action.seat, action.plan) if is_accepted else action

    def do(self, *moves: str | a.Action) -> None:
        """Act now, one after the other; none may be refused."""
        for move in moves:
            action = self.read(move) if isinstance(move, str) else move
            done = decide(self.state, action, self.now, self.rng)
            assert not isinstance(done, Refusal), f"{move} was refused: {done.code}"
            self.log += done.events
            self.state = done.state

    def refuses(self, code: str, *moves: str | a.Action) -> None:
        """Each of the moves is refused with this code."""
        for move in moves:
            action = self.read(move) if isinstance(move, str) else move
            assert decide(self.state, action, self.now, self.rng) == Refusal(Code(code)), move

    def wait(self, seconds: float) -> None:
        """Let time pass; deadlines take effect at their instants."""
        until = self.now + round(seconds * 1000)
        while (due := next_deadline(self.state)) is not None and due <= until:
            self.now = max(self.now, due)
            self.do(a.Tick())
        self.now = until

    def play(self, *lines: str) -> None:
        """Act at the time of each line, as KGN writes it: `1.5 B put KD`."""
        for line in lines:
            seconds, _, move = line.partition(" ")
            self.wait(float(seconds) + (self.state.dealt_at - self.now) / 1000)
            self.do(move)

    def next_round(self, hands: Mapping[str, str], pool: str = "") -> None:
        """Deal the next round, with these hands and this pool, and open the hunt."""
        self.dealer = (self.dealer + 1) % len(self.names)
        dealt, turned, rest = self._lay(hands, pool, "")
        self.rng = Stacked((*dealt, *turned, *rest))
        self.do(a.NextRound(), a.OpenHunt(self.dealer))

    def hand(self, name: str) -> set[str]:
        return codes(self.state.seats[seat_of(name)].cards)

    @property
    def pool(self) -> set[str]:
        return codes(self.state.pool_cards)

    @property
    def phase(self) -> str:
        return self.state.phase

    @property
    def scores(self) -> tuple[int, ...]:
        return self.state.scores

    @property
    def outcome(self) -> str | None:
        return None if self.state.result is None else self.state.result.outcome

    def shown(self, name: str) -> list[tuple[str, set[str]]]:
        """What was shown to a seat: whose cards, and which."""
        return [(NAMES[item.seat], codes(item.cards)) for item in self.state.seats[seat_of(name)].shown]

    def all_cards(self) -> list[Card]:
        state = self.state
        held = [card for seat in state.seats for card in seat.cards]
        return [*held, *state.pool_cards, *state.stock, *state.discard]


def swap(who: str, down: str, up: str) -> tuple[str, ...]:
    """Put the cards down, then take the others."""
    return (*(f"{who} put {card}" for card in down.split()), *(f"{who} take {card}" for card in up.split()))
