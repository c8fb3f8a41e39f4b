"""Playouts against the core: the same choices are played in both, and all that a position says is compared."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from bot.game import Match, deadlines
from bot.game import actions as a
from bot.game.cards import Card
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, start_match
from bot.game.decks import DECKS
from bot.game.events import CardsShown, Event, ExcessRedrawn, Outcome, PoolSwept, RoundEnded
from bot.game.evolve import evolve_all
from bot.game.legal import legal_actions
from bot.game.phase import Phase
from bot.game.rules.house_rules import AXES, RulesError, check_table, choices, override, roomy, settled, teams_for
from bot.game.rules.parts import Redrawn, Rules, SweptTo
from bot.game.rules.presets import PRESETS
from bot.game.signs.sign import HOUSE_SIGNS, GestureKind, emoji_sign
from bot.game.signs.sign_plans import one_sign
from bot.game.state import State
from bot.robots.playouts import (
    NEVER,
    Position,
    action_of,
    advance,
    apply,
    bits,
    from_state,
    from_view,
    guess_hidden,
    legal,
    mask_of,
    move_of,
    play_match,
)
from bot.robots.playouts.apply import next_deadline, tick
from bot.robots.playouts.masks import KEMS_HANDS, number_of
from bot.robots.playouts.moves import COUNTERS, KEMS, SIGN, TAKE

TABLES = [(preset, players) for preset, rules in PRESETS.items() for players in rules.seating.players]
NUMBERS = {"target": (2, 5), "rounds": (1, 3), "max_sweeps": (0, 1, 3), "take_limit": (0, 2, 45), "quiet": (0, 5)}
POINTS = (-1, 0, 1, 2, 3)


class FairDice(Random):
    """Draws by what the cards are and not by how they lie, for a mask has no order.

    Now and then a deck is shuffled so that up to `alike` of as many hands are four alike. `next_last`: piles have their
    next card last.
    """

    def __init__(self, seed: str, alike: int, *, next_last: bool) -> None:
        super().__init__(seed)
        self._alike = alike
        self._next_last = next_last

    def shuffle(self, x: Any) -> None:
        x.sort()
        is_deck = len(x) >= 32
        super().shuffle(x)
        if is_deck and self._alike and self.random() < 0.4:
            x[:] = self._with_kems(x)
        if self._next_last:
            x.reverse()

    def _with_kems(self, deck: list[Any]) -> list[Any]:
        by_group = sorted(deck, key=lambda card: card.group if isinstance(card, Card) else card // 4)
        alike = 4 * self.randrange(self._alike + 1)
        mixed = by_group[alike : 4 * self._alike]
        super().shuffle(mixed)
        dealt = by_group[:alike] + mixed
        hands = [dealt[place : place + 4] for place in range(0, len(dealt), 4)]
        super().shuffle(hands)
        rest = [card for card in deck if card not in dealt]
        return [card for turn in zip(*hands, strict=True) for card in turn] + rest

    def choice(self, seq: Any) -> Any:
        return super().choice(sorted(seq))


@dataclass
class Pair:
    """One match, played in the core and in a playout."""

    rules: Rules
    players: int
    seed: int
    state: State
    position: Position | None = None
    now: int = 0
    steps: int = 0
    moves: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)

    def decide(self, action: a.Action, at: int) -> tuple[Event, ...]:
        self.steps += 1
        decided = decide(self.state, action, at, self.dice(next_last=False))
        assert not isinstance(decided, Refusal), (action, decided)
        self.state = decided.state
        return tuple(decided.events)

    def dice(self, *, next_last: bool) -> FairDice:
        """Fresh dice for the decision under way, so that one side cannot draw what belongs to the other's next."""
        # Many cards put under a small stock would be drawn again at once, in an order that masks do not know.
        alike = 0 if self.rules.deal.redrawn is Redrawn.UNDER else self.players
        return FairDice(f"{self.seed} {self.steps}", alike, next_last=next_last)

    def let_time_pass(self, now: int) -> None:
        """Lets every deadline until `now` take effect, in both."""
        assert self.position is not None
        while (due := deadlines.next_deadline(self.state)) is not None and due <= now:
            self.now = max(self.now, due)
            events = self.decide(a.Tick(), self.now)
            if any(isinstance(event, CardsShown) for event in events):
                continue  # a playout leaves it out
            self.position.rng = self.dice(next_last=True)
            self.position.now = self.now
            tick(self.position)
            self.compare(events)
        self.now = now
        advance(self.position, now)

    def move(self, seat: int, move: int) -> None:
        assert self.position is not None
        self.moves += 1
        sign = emoji_sign(HOUSE_SIGNS[seat % len(self.state.teams)])
        action = a.MakeGesture(seat, GestureKind.REACT, sign.text) if move == SIGN else action_of(seat, move)
        events = self.decide(action, self.now)
        self.position.rng = self.dice(next_last=True)
        apply(self.position, seat, move)
        self.compare(events)

    def compare(self, events: tuple[Event, ...]) -> None:
        assert self.position is not None
        self._order_what_lies_under_the_stock(events)
        self.outcomes.update(event.outcome for event in events if isinstance(event, RoundEnded))
        assert said_by_playout(self.position) == said_by_core(self.state)
        assert min(self.position.wake, NEVER) <= next_deadline(self.position)
        built = from_state(self.state, self.position.rng, self.now)
        assert said_by_playout(built) == said_by_core(self.state)
        for seat in range(self.players):
            moves = bits(legal(self.position, seat))
            known = {action_of(seat, move) for move in moves if move != SIGN}
            assert known == {
                action for action in legal_actions(self.state, seat, self.now) if move_of(action) is not None
            }
            assert all(move_of(action_of(seat, move)) == move for move in moves if move != SIGN)

    def _order_what_lies_under_the_stock(self, events: tuple[Event, ...]) -> None:
        """Cards of a mask go under the stock in any order: the core's is taken on, for those cards alone."""
        under: set[int] = set()
        if self.rules.deal.redrawn is Redrawn.UNDER:
            redrawn = (event.cards for event in events if isinstance(event, ExcessRedrawn))
            under.update(number_of(card) for cards in redrawn for card in cards)
        if self.rules.sweep.swept is SweptTo.UNDER_STOCK:
            swept = 4 * sum(isinstance(event, PoolSwept) for event in events)
            under.update(number_of(card) for card in self.state.stock[len(self.state.stock) - swept :])
        order = [number_of(card) for card in reversed(self.state.stock)]
        if under:
            assert self.position is not None
            assert sorted(order) == sorted(self.position.stock)
            pairs = zip(order, self.position.stock, strict=True)
            moved = {card for pair in pairs if len(set(pair)) > 1 for card in pair}
            assert moved <= under
            self.position.stock = order


def said_by_core(state: State) -> dict[str, object]:
    due = deadlines.next_deadline(replace(state, pending_shows=()))
    ended = state.result
    return {
        "phase": (state.phase, state.phase_at, state.round, state.dealer),
        "hands": [mask_of(seat.cards) for seat in state.seats],
        "owes": [(seat.owes, mask_of(seat.before or ()), seat.owes_since) if seat.owes else 0 for seat in state.seats],
        "pool": mask_of(state.pool_cards),
        "stock": [number_of(card) for card in reversed(state.stock)],
        "discard": sorted(number_of(card) for card in state.discard),
        "sweeps": (state.sweeps, state.last_exchange),
        "vote": None if state.vote is None else (set(state.vote.agreed), state.vote.ends_at),
        "duty": None if state.duty is None else (state.duty.seat, state.duty.ends_at),
        "counters": [seat.can_counter for seat in state.seats],
        "chain": None if (c := state.chain) is None else (c.caller, c.outcome, -1 if c.team is None else c.team),
        "signed": [seat.signed_at for seat in state.seats],
        "scores": (list(state.scores), list(state.games), state.game_won, state.is_time_called, state.winner),
        "outcome": None if ended is None else ended.outcome,
        "deadline": None if due is None or state.phase is Phase.MATCH_OVER else due,
    }


def said_by_playout(position: Position) -> dict[str, object]:
    due = next_deadline(position)
    owing = zip(position.owes, position.before, position.owes_since, strict=True)
    return {
        "phase": (position.phase, position.phase_at, position.round, position.dealer),
        "hands": position.hands,
        "owes": [entry if entry[0] else 0 for entry in owing],
        "pool": position.pool,
        "stock": position.stock,
        "discard": sorted(position.discard),
        "sweeps": (position.sweeps, position.last_exchange),
        "vote": (set(bits(position.agreed)), position.vote_ends_at) if position.agreed else None,
        "duty": (position.duty, position.duty_ends_at) if position.duty >= 0 else None,
        "counters": [calls & COUNTERS != 0 for calls in position.calls],
        "chain": position.chain,
        "signed": [None if at == NEVER else at for at in position.signed_at],
        "scores": (position.scores, position.games, position.game_won, position.is_time_called, position.winner),
        "outcome": position.outcome,
        "deadline": None if due >= NEVER else due,
    }


def play_both(rules: Rules, players: int, seed: int, moves: int) -> Pair:
    """A match of random moves, biased towards alike cards and true calls, played in both and compared at each step."""
    teams = teams_for(rules, players)
    started = start_match(rules, seats=players, teams=teams, dealer=players - 1, now=0)
    pair = Pair(rules, players, seed, evolve_all(None, started))
    for seat in range(players):
        plan = one_sign(emoji_sign(HOUSE_SIGNS[seat % teams]))
        pair.decide(a.ProposeSign(seat, plan) if seat < teams else a.AcceptSign(seat, plan), 0)
    pair.position = from_state(pair.state, pair.dice(next_last=True), 0)
    pair.compare(())
    dice = Random(seed)
    for _ in range(moves):
        pair.let_time_pass(pair.now + dice.choice([0, 10, 300, 1_000, 6_000, 21_000]))
        if pair.state.phase is Phase.MATCH_OVER:
            break
        seat = dice.randrange(players)
        open_moves = bits(legal(pair.position, seat))
        if open_moves:
            pair.move(seat, dice.choices(open_moves, [_weight(pair.position, seat, move) for move in open_moves])[0])
    return pair


def _weight(position: Position, seat: int, move: int) -> float:
    """How readily a move is made: alike cards are kept and taken, and true calls are called rather than false ones."""
    if move < 128:
        alike = (position.hands[seat] >> (move % TAKE & ~3) & 0b1111).bit_count()
        return 0.3 + alike * 4 if move >= TAKE else 2 / (1 + alike**2)
    if move >= KEMS:
        return 3 if not KEMS_HANDS.isdisjoint(position.hands) else 0.15
    return 3


def some_rules(dice: Random) -> Iterator[tuple[Rules, int]]:
    """House rules at random that can be played, each with a number of players."""
    while True:
        rules = PRESETS[dice.choice(sorted(PRESETS))]
        changed = {}
        for name, axis in AXES.items():
            if axis.part == "scoring":
                values: tuple[object, ...] = POINTS
            else:
                values = NUMBERS.get(name) or tuple(choices(name))
            if values and name != "players" and dice.random() < 0.25:
                changed[name] = str(dice.choice(values))
        players = dice.choice([2, 4, 4, 4, 6, 8, 9, 10, 12])
        try:
            rules = override(rules, {**changed, "players": str(players)})
            rules = settled(roomy(rules, players))
            check_table(rules, players)
        except RulesError:
            continue
        stock = len(DECKS[rules.deal.deck]) - 4 * players
        if (rules.sweep.swept is SweptTo.UNDER_STOCK and stock % 4) or (
            rules.deal.redrawn is Redrawn.UNDER and stock < 12
        ):
            continue  # cards put under the stock would come up again at once, in an order that masks do not know
        yield rules, players


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_a_preset_is_played_as_the_core_plays_it(preset: str, players: int) -> None:
    rules = roomy(PRESETS[preset], players)
    for seed in range(2):
        assert play_both(rules, players, seed, moves=200).moves > 20


@pytest.mark.parametrize("seed", range(30))
def test_house_rules_are_played_as_the_core_plays_them(seed: int) -> None:
    rules, players = next(some_rules(Random(seed)))
    play_both(rules, players, seed, moves=150)


@pytest.mark.parametrize(
    ("players", "changes"),
    [
        (2, {"excess": "keep", "three_alike": "allowed", "duel_delay": "20"}),  # a sign ends with an exchange
        (4, {"excess": "keep", "three_alike": "allowed", "sign_required": "yes"}),
        (4, {"best_of": "5", "target": "1", "false_counter": "1", "counter_lost": "no"}),  # games won in mid-round
        (12, {"deck": "52", "swept": "under", "stock_out": "ends", "three_alike": "allowed", "quiet": "0"}),  # no stock
        (4, {"sweep_by": "dealer", "three_alike": "sweeps", "quiet": "0", "max_sweeps": "2"}),
    ],
)
def test_rules_are_compared_that_chance_seldom_puts_together(players: int, changes: dict[str, str]) -> None:
    for seed in range(3):
        play_both(override(PRESETS["classic"], changes), players, seed, moves=1000 // players)


def test_every_way_to_end_a_round_is_compared() -> None:
    four = {"excess": "keep", "four_kems": "4", "target": "99"}
    tables = [
        override(PRESETS["expert"], four),
        override(PRESETS["linternaute"], {**four, "four_kems": "0"}),
        override(PRESETS["american"], {"deck": "32", "stock_out": "ends", "quiet": "0", "sweep_vote": "1"}),
        override(PRESETS["yokai"], {"max_sweeps": "1", "target": "99"}),
        override(PRESETS["classic"], {"excess": "keep"}),
        override(PRESETS["expert"], {**four, "false_counter_ends": "no", "four_kems": "0"}),
    ]
    outcomes: Counter[Outcome] = Counter()
    for number, rules in enumerate(tables):
        outcomes += play_both(rules, 4, number, moves=500).outcomes
    assert set(outcomes) == set(Outcome)


def test_a_playout_ends_with_the_round_once_time_is_called() -> None:
    match = Match.start("classic", signs=["👀", "🍀"], seed=7)
    match.push(match.parse("D open"))
    match.push(a.CallTime())
    for position in (
        from_state(match.state, Random(1), match.now),
        from_view(match.view(0), guess_hidden(match.view(0), Random(1)), Random(1), match.now),
    ):
        assert play_match(position).rounds == 1
        assert position.phase is Phase.MATCH_OVER
