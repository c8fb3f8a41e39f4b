"""The review's verdicts, held against continuations by the core: as it was played, and as the coach would have it.

Each continuation deals what the seat had not seen: all but its own hand, the pool, the discard pile and the cards
that others were seen to take. A partner who makes the sign holds four alike; an opponent whose sign is known, in three
worlds of four: two rounds showed it with four alike, and none since without (rule of succession).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import takewhile
from random import Random

import pytest

from bot.game import actions as a
from bot.game import events as e
from bot.game.build_view import legal_moves, player_view
from bot.game.cards import HAND_SIZE
from bot.game.evolve import evolve
from bot.game.rules.house_rules import read_rules
from bot.game.rules.rules import DoubleCall
from bot.game.signs import emoji_sign, one_sign
from bot.game.state import State, with_changes, with_seat, with_team
from bot.records.review import Lapse, Moment, moments, review
from bot.robots import LEVELS, REGULAR, Robot, RobotLevel
from bot.robots.level import COACH
from tests.records.test_review import CHLOE, planted
from tests.robots.driver import Record, next_move, play_match, submit

CALLS = (a.CallKems, a.CallDouble, a.CounterPlayer, a.CounterTeam)
MOST_MOVES = 150
FRESH = one_sign(emoji_sign("🪁"))
BELIEVED = 3 / 4


class Verdict:
    """One moment of a seat: the state then, and the minds of all seats just before."""

    def __init__(self, events: Sequence[e.Event], moment: Moment, seat: int) -> None:
        self.moment, self.seat, self.now = moment, seat, moment.event.at
        self.state = evolve(None, events[0])
        players = range(len(self.state.seats))
        self.minds = {each: Robot(Random(each), COACH if each == seat else REGULAR) for each in players}
        for event in takewhile(lambda event: event is not moment.event, events[1:]):
            self.state = evolve(self.state, event)
            if self.state.phase is not e.Phase.DEAL:
                for each, mind in self.minds.items():
                    mind.advise(player_view(self.state, each, event.at), event.at)
        if moment.lapse is not Lapse.WANTED:
            self.state = evolve(self.state, moment.event)

    def world(self, rng: Random) -> State:
        """The state with other hands and another stock, which the seat cannot tell from the true ones."""
        state, moment = self.state, self.moment
        taken = self.minds[self.seat]._memory.held
        hands = {each: list(one.hand) for each, one in enumerate(state.seats) if each != self.seat}
        hidden = [*state.stock]
        for each, hand in hands.items():
            for slot, card in enumerate(hand):
                if card is not None and taken.get(card) != each:
                    hidden.append(card)
                    hand[slot] = None
        holds = moment.lapse is not Lapse.WANTED
        if moment.lapse is Lapse.COUNTER:
            holds = rng.random() < BELIEVED
        if holds:
            kept = [card for card in hands[moment.seat] if card is not None]
            counts = Counter(card.group for card in (*kept, *hidden))
            fits = {group for group, count in counts.items() if count == HAND_SIZE}
            group = rng.choice(sorted(fits & {card.group for card in kept} if kept else fits))
            hands[moment.seat] = [*kept, *(card for card in hidden if card.group == group)]
            hidden = [card for card in hidden if card.group != group]
        rng.shuffle(hidden)
        for each, hand in hands.items():
            before = state.seats[each].hand
            full = (hidden.pop() if new is None and old else new for old, new in zip(before, hand, strict=True))
            state = with_seat(state, each, hand=tuple(full))
        return with_changes(state, stock=tuple(hidden))

    def points(self, number: int, *, is_advised: bool) -> int:
        """What the seat's team gains on the best other one until the round is over, in world `number`."""
        rng = Random(number)
        record, minds = Record(self.world(rng), [], now=self.now), deepcopy(self.minds)
        for each, mind in minds.items():
            mind._rng.seed(f"{number} {each}")
        for first in self._begin(record, minds, is_advised=is_advised):
            submit(record, first, self.now, rng)
            assert not record.refused, record.refused
        while not record.rounds and record.state.phase is not e.Phase.MATCH_OVER and record.moves < MOST_MOVES:
            submit(record, *next_move(record, minds)[1:], rng)
        gained = [after - before for before, after in zip(self.state.scores, record.state.scores, strict=True)]
        own = gained.pop(self.seat % len(gained))
        return own - max(gained)

    def _begin(self, record: Record, minds: dict[int, Robot], *, is_advised: bool) -> list[a.Action]:
        """Makes the minds and the state as one of the two sides has them; returns the seat's move at once, if any."""
        seat, event, state = self.seat, self.moment.event, record.state
        match self.moment.lapse:
            case Lapse.DOUBLE if state.rules.calls.double is DoubleCall.TWO_VOICES:
                minds[seat]._permits = lambda _, action: not isinstance(action, CALLS)
                return [a.CallKems(self.moment.seat), *([a.CallDouble(seat)] if is_advised else [])]
            case Lapse.DOUBLE:
                return [a.CallDouble(seat) if is_advised else a.CallKems(seat)]
            case Lapse.SIGN | Lapse.COUNTER if not is_advised:
                minds[seat]._permits = lambda _, action: not isinstance(action, CALLS)
            case Lapse.SIGN:
                is_double = state.seats[seat].holds_kems and state.rules.calls.double is DoubleCall.AT_ONCE
                return [a.CallDouble(seat) if is_double else a.CallKems(seat)]
            case Lapse.COUNTER:
                other = self.moment.seat
                named = a.CounterPlayer(seat, other), a.CounterTeam(seat, other % len(state.teams))
                return [action for action in legal_moves(state, seat, self.now) if action in named][:1]
            case Lapse.WANTED if is_advised:
                minds[seat]._permits = lambda _, action: self.moment.event.card.group != _put(action)
            case Lapse.WANTED:
                return [a.PutDown(seat, event.card)]
            case Lapse.BURNT if is_advised:
                made = replace(state.gestures[-1], text=FRESH.signs[0].text, sign=FRESH.signs[0], plan=FRESH)
                state = with_team(state, seat % len(state.teams), plan=FRESH)
                record.state = with_changes(state, gestures=(*state.gestures[:-1], made))
        return []

    def is_reversed(self, worlds: int) -> bool:
        gains = [
            self.points(number, is_advised=True) - self.points(number, is_advised=False) for number in range(worlds)
        ]
        return sum(gains) < 0


def _put(action: a.Action) -> int | None:
    match action:
        case a.PutDown(card=card) | a.Swap(put=card):
            return card.group
        case _:
            return None


def verdicts(matches: int) -> Iterator[Verdict]:
    """Those on planted mistakes, and those on beginners' matches by several sheets."""
    match = planted()
    for moment in moments(match.events, CHLOE):
        yield Verdict(match.events, moment, CHLOE)
    for number in range(matches):
        rules = read_rules(("classic", "yokai", "linternaute", "american")[number % 4])
        log = play_match(rules, seed=number, level=LEVELS[RobotLevel.BEGINNER]).events
        for seat in range(4):
            for moment in review(replace(match, events=tuple(log)), seat):
                yield Verdict(log, moment, seat)


@pytest.mark.timeout(0)
@pytest.mark.parametrize(("matches", "worlds"), [(0, 12), pytest.param(4, 500, marks=pytest.mark.long)])
def test_under_one_verdict_in_twenty_is_reversed(matches: int, worlds: int) -> None:
    judged = [(verdict.moment.lapse, verdict.is_reversed(worlds)) for verdict in verdicts(matches)]
    wrong = Counter(lapse.value for lapse, is_reversed in judged if is_reversed)
    print(f"{sum(wrong.values())} of {len(judged)} verdicts reversed by {worlds} continuations each: {dict(wrong)}")
    assert {lapse for lapse, _ in judged} == set(Lapse)
    assert sum(wrong.values()) < len(judged) / 20
