"""The core under random play: any table, any rules, any order of moves, also forbidden ones."""

from collections.abc import MutableSequence
from dataclasses import fields, replace
from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.game import actions as a
from bot.game.build_view import legal_moves, player_view, table_view
from bot.game.cards import DECKS, HAND_SIZE, Card, most_alike
from bot.game.checks.refusals import Code, Refusal
from bot.game.decide import decide, draw_sign_cards, next_deadline, start_match
from bot.game.effects.calls import game_winner
from bot.game.events import CardsDealt, Event, GameWon, MatchPaused, MatchResumed, Outcome, Phase, TimeCalled
from bot.game.evolve import evolve, evolve_all
from bot.game.rules.house_rules import RulesError, check_table, override, teams_for, without_idle_changes
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import AXES, EndsAt, Rules
from bot.game.signs import (
    HOUSE_SIGNS,
    GestureKind,
    PlanKind,
    Sign,
    SignCard,
    SignPlan,
    Strategy,
    combined_sign,
    emoji_sign,
    family,
    one_sign,
    spoken_sign,
)
from bot.game.state import Slots, State, Team
from bot.store.schema.codec import VERSION, decode_event, encode_event
from tests.examples import examples

SIGNS = [
    *(emoji_sign(text) for text in HOUSE_SIGNS[:4]),
    spoken_sign("what weather"),
    combined_sign(HOUSE_SIGNS[0], "what weather"),
]
MOST_TICKS = 20  # deadlines that may fall due one after the other without anybody acting

ALL_FOUR = {"four_kems": "4", "double_counters": "yes", "excess": "keep"}


class LuckyDeals(Random):
    """Shuffles, but now and then so that everybody is dealt four alike."""

    def __init__(self, seed: int, seats: int) -> None:
        super().__init__(seed)
        self.seats = seats

    def shuffle(self, x: MutableSequence[Card]) -> None:
        super().shuffle(x)
        groups = list(dict.fromkeys(card.group for card in x if not card.is_joker))
        if self.random() < 1 / 3 and len(x) >= HAND_SIZE * (self.seats + 1):
            dealt = groups[: self.seats]
            x.sort(
                key=lambda card: (
                    card.group not in dealt,
                    card.member,
                    groups.index(card.group) if card.group in dealt else 0,
                )
            )


def _values(name: str) -> st.SearchStrategy[str]:
    """Numbers small enough that something happens: quick sweeps, short matches; below zero where they may be."""
    numbers = ["2", "3", *(["-1"] if AXES[name].least < 0 else [])]
    return st.sampled_from(AXES[name].values or numbers)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Rules, int]:
    """Rules, pristine or with house rules, and a number of players that may play by them."""
    rules = PRESETS[draw(st.sampled_from(sorted(PRESETS)))]
    names = draw(st.lists(st.sampled_from(sorted(AXES)), max_size=5, unique=True))
    bonus = draw(st.sampled_from([{}, ALL_FOUR]))
    rules = without_idle_changes(override(rules, {**{name: draw(_values(name)) for name in names}, **bonus}))
    fitting = [count for count in rules.seating.players if _fits(rules, count)]
    if not fitting:  # a lead beyond the target, or teams of three at a preset for four
        rules = PRESETS[rules.preset]
        fitting = [count for count in rules.seating.players if _fits(rules, count)]
    return rules, draw(st.sampled_from(fitting))


def _fits(rules: Rules, players: int) -> bool:
    try:
        check_table(rules, players)
    except RulesError:
        return False
    return True


class Match(RuleBasedStateMachine):
    """One match; `now` is its clock."""

    state: State
    now: int
    rng: Random
    log: list[Event]

    @initialize(table=tables(), seed=st.integers(0, 2**32), data=st.data())
    def begin(self, table: tuple[Rules, int], seed: int, data: st.DataObject) -> None:
        rules, players = table
        self.now, self.rng = 1_000, LuckyDeals(seed, players)
        teams = teams_for(rules, players)
        dealer = data.draw(st.integers(0, players - 1))
        strategies = data.draw(st.sets(st.sampled_from(Strategy)))
        cards = draw_sign_cards(rules, teams, self.rng)
        started = start_match(
            rules, seats=players, teams=teams, dealer=dealer, now=self.now, strategies=strategies, sign_cards=cards
        )
        self.log = list(started)
        self.state = evolve_all(None, self.log)
        if data.draw(st.integers(0, 9)):
            self.settle_signs(data)
            self.submit(a.OpenHunt(dealer))

    @rule(data=st.data())
    def settle_signs(self, data: st.DataObject) -> None:
        for team in range(len(self.state.teams)):
            plan = data.draw(_plans(len(self.state.members(team)), self.state.teams[team].card))
            for seat in self.state.members(team):
                self.submit(a.AcceptSign(seat, plan) if self.state.teams[team].proposal else a.ProposeSign(seat, plan))

    @rule(data=st.data())
    def make_a_legal_move(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, len(self.state.seats) - 1))
        legal = sorted(legal_moves(self.state, seat, self.now), key=repr)
        if legal:
            assert not isinstance(self.submit(data.draw(st.sampled_from(legal))), Refusal)

    @precondition(lambda self: self.state.phase in (Phase.READY, Phase.HUNT))
    @rule(seats=st.integers(1, 4), data=st.data())
    def collect(self, seats: int, data: st.DataObject) -> None:
        """A few players in turn put down what fits least and take what fits best, as people do."""
        self.submit(a.OpenHunt(self.state.dealer))
        first = data.draw(st.integers(0, len(self.state.seats) - 1))
        for seat in range(first, min(first + seats, len(self.state.seats))):
            group = next((card.group for card in most_alike(self.state.seats[seat].cards)), 0)
            for _ in range(data.draw(st.integers(1, HAND_SIZE))):
                odd = [card for card in self.state.seats[seat].cards if card.group != group]
                if odd:
                    self.submit(a.PutDown(seat, odd[0]))
            if data.draw(st.integers(0, 9)):
                for _ in range(self.state.seats[seat].owes):
                    pool = sorted(self.state.pool_cards, key=lambda card: (card.group != group, card))
                    self.submit(a.Take(seat, pool[0]))

    @precondition(lambda self: self.state.phase is Phase.HUNT)
    @rule(data=st.data())
    def sweep(self, data: st.DataObject) -> None:
        """The quiet time passes, somebody asks, the others answer, mostly yes."""
        self.time_passes(1000 * 10)
        self.submit(a.AskSweep(data.draw(st.integers(0, len(self.state.seats) - 1))))
        for seat in range(len(self.state.seats)):
            self.submit(a.AnswerSweep(seat, agrees=data.draw(st.integers(0, 9)) > 0))

    @precondition(lambda self: self.state.phase is Phase.HUNT and _twice_lucky(self.state))
    @rule(data=st.data(), is_counter=st.booleans())
    def find_two_kems(self, data: st.DataObject, is_counter: bool) -> None:
        """A true double, or a true double counter."""
        team = data.draw(st.sampled_from(_twice_lucky(self.state)))
        if is_counter:
            self.submit(a.CounterTeam((team + 1) % len(self.state.seats), team, is_double=True))
        else:
            self.submit(a.CallDouble(self.state.kems_holders(team)[0]))

    @precondition(lambda self: self.state.chain is not None)
    @rule(data=st.data())
    def add_a_word(self, data: st.DataObject) -> None:
        """Somebody of the team that called adds the other word."""
        chain = self.state.chain
        seat = data.draw(st.sampled_from(self.state.members(self.state.team_of(chain.caller))))
        teams = st.integers(0, len(self.state.teams) - 1)
        words = [a.CallDouble(seat), a.CounterTeam(seat, data.draw(teams), is_double=True)]
        self.submit(words[chain.outcome is Outcome.DOUBLE])

    @precondition(lambda self: self.state.phase in (Phase.HUNT, Phase.CHAIN))
    @rule(data=st.data(), is_true=st.booleans())
    def call(self, data: st.DataObject, is_true: bool) -> None:
        """Somebody shows the sign; somebody calls or counters, on a Kem's if there is one to find."""
        state = self.state
        holders = [seat for seat in range(len(state.seats)) if state.seats[seat].holds_kems]
        target = data.draw(st.sampled_from(holders if holders and is_true else range(len(state.seats))))
        team = state.team_of(target)
        for sign in (half for whole in state.signs_of(target) for half in whole.halves):
            kind = GestureKind.SAY if sign.is_spoken else GestureKind.REACT
            self.submit(a.MakeGesture(target, kind, sign.text))
        self.now += 5_000
        partner = data.draw(st.sampled_from(state.members(team)))
        rival = (target + 1) % len(state.seats)
        calls: list[a.Action] = [
            a.CallKems(partner),
            a.CallDouble(partner),
            a.CounterPlayer(rival, target),
            a.CounterTeam(rival, team),
            a.CounterTeam(rival, team, is_double=True),
            a.GuessSign(rival, team, data.draw(_named(state, team))),
            a.AccuseTeam(rival, team, data.draw(st.sampled_from(Strategy))),
        ]
        self.submit(data.draw(st.sampled_from(calls)))

    @precondition(lambda self: any(team.may_change for team in self.state.teams))
    @rule(data=st.data())
    def keep_the_sign(self, data: st.DataObject) -> None:
        """Of a sign at which somebody had a guess; the list of legal moves is compared with what is taken."""
        able = [number for number, team in enumerate(self.state.teams) if team.may_change]
        seat = data.draw(st.sampled_from(self.state.members(data.draw(st.sampled_from(able)))))
        self.submit(a.KeepSign(seat))

    @precondition(lambda self: self.state.strategies & {Strategy.TOTAL, Strategy.PRESIGN})
    @rule(data=st.data())
    def accuse_somebody(self, data: st.DataObject) -> None:
        """In any phase of what the vote allowed."""
        strategy = data.draw(st.sampled_from(sorted(self.state.strategies & {Strategy.TOTAL, Strategy.PRESIGN})))
        team = data.draw(st.integers(0, len(self.state.teams) - 1))
        self.submit(a.AccuseTeam((team + 1) % len(self.state.seats), team, strategy))

    @rule(data=st.data())
    def try_anything(self, data: st.DataObject) -> None:
        """Nonsense included: a refusal is a value and changes nothing."""
        before = self.state
        outcome = self.submit(data.draw(_actions(self.state)))
        if isinstance(outcome, Refusal):
            assert isinstance(outcome.code, Code)
            assert self.state is before

    @rule(milliseconds=st.sampled_from([0, 1, 900, 3_000, 6_000, 30_000, 50_000]))
    def time_passes(self, milliseconds: int) -> None:
        self.now += milliseconds
        for _ in range(MOST_TICKS):
            due = next_deadline(self.state)
            if due is None or due > self.now:
                return
            assert self.submit(a.Tick()), "a deadline that is due takes effect"
        raise AssertionError("the clock runs in circles")

    @precondition(lambda self: len(self.log) % 7 == 0)  # else few matches would have a second round
    @rule()
    def call_time(self) -> None:
        """The round that runs is played out; without one the match ends at once, and time is called once."""
        state = self.state
        events = self.submit(a.CallTime())
        if state.phase is Phase.MATCH_OVER:
            assert events == Refusal(Code.MATCH_OVER)
        elif state.is_time_called:
            assert events == ()
        else:
            assert events[0] == TimeCalled(self.now)
            is_between = not state.round or state.result is not None
            assert (self.state.phase is Phase.MATCH_OVER) is is_between
            assert is_between or replace(self.state, is_time_called=False) == state

    @precondition(lambda self: self.state.phase is not Phase.MATCH_OVER)
    @rule(milliseconds=st.sampled_from([0, 900, 30_000]))
    def pause(self, milliseconds: int) -> None:
        """What the live table does: nothing happens meanwhile, and everything is as far away as before."""
        due, before = next_deadline(self.state), self.now
        self.log.append(MatchPaused(self.now))
        self.state = evolve(self.state, self.log[-1])
        assert next_deadline(self.state) is None
        self.now += milliseconds
        self.log.append(MatchResumed(self.now))
        self.state = evolve(self.state, self.log[-1])
        assert next_deadline(self.state) == (None if due is None else due + self.now - before)

    def submit(self, action: a.Action) -> tuple[Event, ...] | Refusal:
        """What followed; the state that the core gives with the events is the one that they lead to."""
        state, now = self.state, self.now
        if not isinstance(action, a.Tick | a.NextRound | a.CallTime) and 0 <= action.seat < len(state.seats):
            listed = not isinstance(action, a.MakeGesture | a.GuessSign | a.ProposeSign | a.AcceptSign | a.ShowCards)
            is_legal = action in legal_moves(state, action.seat, now)
            outcome = decide(state, action, now, self.rng)
            assert not listed or is_legal is not isinstance(outcome, Refusal)
        else:
            outcome = decide(state, action, now, self.rng)
        if isinstance(outcome, Refusal):
            return outcome
        events, self.state = outcome
        self.log.extend(events)
        assert self.state == evolve_all(state, events)
        assert sum_of_points(state, events) == self.state.scores
        is_new_round = any(isinstance(event, CardsDealt) for event in events)
        if state.rules.end.ends_at is EndsAt.TARGET and not is_new_round:
            winner = None if state.game_won else game_winner(state.rules, self.state.scores)
            won = [event.team for event in events if isinstance(event, GameWon)]
            assert won == ([] if winner is None else [winner]), "a game is noted when it is won, and once"
            assert sum(self.state.games) == sum(state.games) + len(won)
        return events

    @invariant()
    def nothing_is_left_of_a_round_that_is_over(self) -> None:
        state = self.state
        if state.phase in (Phase.OVER, Phase.MATCH_OVER):
            assert (state.pending_shows, state.vote, state.duty, state.chain) == ((), None, None, None)
        if state.phase is Phase.MATCH_OVER:
            assert not any(legal_moves(state, seat, self.now) for seat in range(len(state.seats)))
        else:
            assert all(team.may_change for team in state.teams if team.is_half_found)

    @invariant()
    def no_round_follows_once_time_is_called(self) -> None:
        state = self.state
        is_running = state.round and state.result is None
        assert not state.is_time_called or is_running or state.phase is Phase.MATCH_OVER

    @invariant()
    def nobody_can_hold_up_the_table(self) -> None:
        state = self.state
        for seat in state.seats if state.round else ():
            assert (seat.owes_since is None) is (seat.owes == 0)
        limit, most = state.rules.exchange.take_limit, state.rules.sweep.max_sweeps
        if limit and state.phase is Phase.HUNT and next_deadline(state) is not None and next_deadline(state) > self.now:
            assert all(seat.owes_since is None or self.now < seat.owes_since + 1000 * limit for seat in state.seats)
        assert not most or state.phase in (Phase.OVER, Phase.MATCH_OVER) or state.sweeps < most

    @invariant()
    def every_card_is_in_one_place(self) -> None:
        state = self.state
        if state.round:
            hands = [card for seat in state.seats for card in seat.cards]
            cards = [*hands, *state.pool_cards, *state.stock, *state.discard]
            assert sorted(cards) == sorted(DECKS[state.rules.deal.deck])

    @invariant()
    def records_have_their_fields_and_no_others(self) -> None:
        """Evolving copies fields by name, which nothing else checks."""
        for record in (self.state, *self.state.seats, *self.state.teams):
            assert vars(record).keys() == {field.name for field in fields(record)}

    @invariant()
    def hands_and_pool_agree(self) -> None:
        state = self.state
        if state.round:
            owed = sum(seat.owes for seat in state.seats)
            assert all(len(seat.hand) == HAND_SIZE for seat in state.seats)
            assert len(state.pool_cards) == HAND_SIZE + owed
            assert max(seat.owes for seat in state.seats) <= state.rules.exchange.down

    @invariant()
    def nobody_sees_a_secret(self) -> None:
        state = self.state
        if state.phase in (Phase.SIGNS, Phase.OVER, Phase.MATCH_OVER):
            return
        for seat in (None, *range(min(3, len(state.seats)))):
            other = _with_secrets_changed(state, seat, Random(1))
            if seat is None:
                assert table_view(state) == table_view(other)
            else:
                assert player_view(state, seat, self.now) == player_view(other, seat, self.now)

    def teardown(self) -> None:
        """What was stored says it all."""
        if hasattr(self, "log"):
            assert evolve_all(None, self.log) == self.state
            for event in self.log:
                assert decode_event(event.__class__.__name__, VERSION, encode_event(event)[1]) == event


def _twice_lucky(state: State) -> list[int]:
    """The teams that hold two Kem's."""
    return [team for team in range(len(state.teams)) if len(state.kems_holders(team)) > 1]


def sum_of_points(before: State, events: tuple[Event, ...]) -> tuple[int, ...]:
    """The score that the events alone say."""
    scores = before.scores
    is_new_game = before.game_won
    for event in events:
        if type(event).__name__ == "CardsDealt" and is_new_game:
            scores = (0,) * len(scores)
        points: tuple[int, ...] = getattr(event, "points", ()) or (0,) * len(scores)
        scores = tuple(score + point for score, point in zip(scores, points, strict=True))
    return scores


def _actions(state: State) -> st.SearchStrategy[a.Action]:
    seats = st.integers(-1, len(state.seats))
    teams = st.integers(-1, len(state.teams))
    cards = st.sampled_from([*DECKS[state.rules.deal.deck], Card(13, 1)])
    return st.one_of(
        st.builds(a.ProposeSign, seats, _plans(2, None)),
        st.builds(a.AcceptSign, seats, _plans(2, None)),
        st.builds(a.KeepSign, seats),
        st.builds(a.OpenHunt, seats),
        st.builds(a.PutDown, seats, cards),
        st.builds(a.Take, seats, cards),
        st.builds(a.AskSweep, seats),
        st.builds(a.AnswerSweep, seats, st.booleans()),
        st.builds(a.MakeGesture, seats, st.sampled_from(GestureKind), st.sampled_from([*HOUSE_SIGNS[:4], "hello"])),
        st.builds(a.CallKems, seats),
        st.builds(a.CallDouble, seats),
        st.builds(a.CounterPlayer, seats, seats),
        st.builds(a.CounterTeam, seats, teams, st.booleans()),
        st.builds(a.ShowCards, seats, st.lists(cards, max_size=3).map(tuple)),
        st.builds(a.GuessSign, seats, teams, st.lists(st.sampled_from(SIGNS), max_size=3).map(tuple)),
        st.builds(a.AccuseTeam, seats, teams, st.sampled_from(Strategy)),
        st.builds(a.NextRound),
    )


@st.composite
def _plans(draw: st.DrawFn, members: int, card: SignCard | None) -> SignPlan:
    """Any agreement, most of a shape that a team of so many may have."""
    kind = draw(st.sampled_from(PlanKind))
    count = {PlanKind.SINGLE: 1, PlanKind.DOUBLE: members, PlanKind.INTERMEDIATE: 3, PlanKind.TOTAL: 0}[kind]
    signs = SIGNS if card is None else [emoji_sign(text) for text in family(card)[:5]]
    drawn = draw(st.lists(st.sampled_from(signs), min_size=count, max_size=count, unique=draw(st.booleans())))
    return SignPlan(kind, tuple(drawn), draw(st.booleans()))


def _named(state: State, team: int) -> st.SearchStrategy[tuple[Sign, ...]]:
    """What somebody takes for a team's signs: often some of them."""
    plan = state.teams[team].plan
    signs = SIGNS if plan is None or not plan.signs else plan.signs
    return st.lists(st.sampled_from([*signs, SIGNS[0]]), min_size=1, max_size=2, unique=True).map(tuple)


def _with_secrets_changed(state: State, seat: int | None, rng: Random) -> State:
    """The same state as `seat` (nobody: None) knows it: unseen cards change places, the others' signs are others."""
    hidden = [card for other, held in enumerate(state.seats) if other != seat for card in held.cards]
    hidden += [*state.stock, *state.discard]
    rng.shuffle(hidden)
    cards = iter(hidden)

    def dealt_anew(hand: Slots) -> Slots:
        return tuple(None if card is None else next(cards) for card in hand)

    seats = tuple(
        held if other == seat else replace(held, hand=dealt_anew(held.hand)) for other, held in enumerate(state.seats)
    )
    stock = tuple(next(cards) for _ in state.stock)
    teams = tuple(
        own if seat is not None and number == state.team_of(seat) else _with_another_plan(own)
        for number, own in enumerate(state.teams)
    )
    gestures = tuple(
        made if seat is not None and state.team_of(made.seat) == state.team_of(seat) else replace(made, sign=None)
        for made in state.gestures
    )
    return replace(state, seats=seats, stock=stock, discard=tuple(cards), teams=teams, gestures=gestures)


def _with_another_plan(team: Team) -> Team:
    """All that a team hides from the others, made different; that it was asked rightly to stop pre-sign is known."""
    told = team.lost & {Strategy.PRESIGN}
    return Team(plan=one_sign(emoji_sign("🗝️")), lost=told, is_known_single=team.is_known_single)


class LongMatch(Match):
    """The same with many more matches, others each time: `make long` prints the seed, `make long SEED=1` repeats it."""


TestMatch = pytest.mark.slow(Match.TestCase)
TestMatch.settings = settings(max_examples=examples(60), stateful_step_count=50)
TestLongMatch = pytest.mark.long(pytest.mark.timeout(3600)(LongMatch.TestCase))
TestLongMatch.settings = settings(TestMatch.settings, max_examples=1500)
