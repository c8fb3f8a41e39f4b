"""Matches of random legal moves, and the moments of them that are worth a screen. The same seed gives the same match.

Nothing here depends on the names of classes, on hash seeds, or on the order in which legal moves are found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from random import Random
from typing import Final

from bot.game import actions as a
from bot.game import events as e
from bot.game.cards import most_alike
from bot.game.checks.refusals import Refusal
from bot.game.deadlines import next_deadline
from bot.game.decide import decide, draw_sign_cards, start_match
from bot.game.evolve import evolve, evolve_all
from bot.game.legal import legal_actions
from bot.game.phase import Phase
from bot.game.rules.house_rules import override, preset, roomy, teams_for
from bot.game.signs.sign import HOUSE_SIGNS, GestureKind, Strategy, emoji_sign, spoken_sign
from bot.game.signs.sign_cards import family
from bot.game.signs.sign_plans import PlanKind, SignPlan
from bot.game.state import State

_MOVES: Final = 700
_MOST_MOMENTS: Final = 9
_ORDER: Final = (
    *(a.ProposeSign, a.AcceptSign, a.KeepSign, a.OpenHunt, a.PutDown, a.Take, a.AskSweep, a.AnswerSweep),
    *(a.MakeGesture, a.CallKems, a.CallDouble, a.CounterPlayer, a.CounterTeam, a.ShowCards, a.GuessSign),
    *(a.AccuseTeam, a.NextRound),
)
_CALLS: Final = (a.CallKems, a.CallDouble, a.CounterPlayer, a.CounterTeam)
_FACETS: Final = ("outcome", "is_right", "by_chance", "silent", "strategy", "kind", "is_double", "winner")
ALL: Final = tuple(Strategy)


@dataclass(frozen=True)
class Spec:
    """Which match to play; `rules` are house rules by axis."""

    preset: str
    players: int
    seed: int
    strategies: tuple[Strategy, ...] = ()
    rules: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.preset} {self.players} {self.seed}"


@dataclass(frozen=True)
class Moment:
    """A state, when it is (milliseconds), and the seat that brought it about."""

    name: str
    state: State
    now: int
    seat: int

    def paused(self, *, by_itself: bool = False) -> Moment:
        """The same with the match paused."""
        return replace(self, state=evolve(self.state, e.MatchPaused(self.now, by_itself=by_itself)))


@dataclass(frozen=True)
class Played:
    """A match: its whole log, and some moments of it."""

    spec: Spec
    log: tuple[e.Event, ...]
    moments: tuple[Moment, ...]


def play(spec: Spec, seen: set[object]) -> Played:
    """Play the match; its moments show what `seen` does not hold yet, which is added, and each phase once."""
    return _Match(spec).play(seen)


def retrace(name: str, log: Sequence[e.Event], seen: set[object]) -> tuple[Moment, ...]:
    """The moments of a log that show what `seen` does not hold yet, which is added."""
    moments = []
    state: State | None = None
    for event, following in zip(log, (*log[1:], None), strict=True):
        state = evolve_all(state, (event,))
        is_whole = following is None or following.at > event.at
        if is_whole and _facets(event) not in seen:
            seen.add(_facets(event))
            seat = getattr(event, "seat", 0)
            moments.append(Moment(f"{name} {len(moments)} {state.phase}", state, event.at, seat or 0))
    return tuple(moments)


class _Match:
    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.dice = Random(spec.seed)
        self.rules = roomy(override(preset(spec.preset), spec.rules), spec.players)
        teams = teams_for(self.rules, spec.players)
        self.log: list[e.Event] = list(
            start_match(
                self.rules,
                seats=spec.players,
                teams=teams,
                dealer=spec.players - 1,
                now=0,
                strategies=spec.strategies,
                sign_cards=draw_sign_cards(self.rules, teams, self.dice),
            )
        )
        self.state = evolve_all(None, self.log)
        self.now = 0

    def play(self, seen: set[object]) -> Played:
        moments = [Moment(f"{self.spec.name} start", self.state, 0, 0)]
        phases: set[Phase] = {self.state.phase}
        for number in range(_MOVES):
            if self.state.phase is Phase.MATCH_OVER:
                break
            self.now += self.dice.choice([0, 10, 300, 1_000, 6_000])
            known = len(self.log)
            while (due := next_deadline(self.state)) is not None and due <= self.now:
                self.now = max(due, self.log[-1].at)
                self._submit(a.Tick())
            seat = self.dice.randrange(self.spec.players)
            self._act(seat)
            fresh = {_facets(event) for event in self.log[known:]}
            is_new = not fresh <= seen and len(moments) < _MOST_MOMENTS
            if is_new or self.state.phase not in phases:
                moments.append(Moment(f"{self.spec.name} {number} {self.state.phase}", self.state, self.now, seat))
                seen |= fresh
                phases.add(self.state.phase)
        return Played(self.spec, tuple(self.log), tuple(moments))

    def _act(self, seat: int) -> None:
        action = self._choice(seat)
        if isinstance(action, _CALLS) and self.dice.random() < 0.5:
            rival = (seat + 1) % self.spec.players
            margin = e.CallMargin(self.now, seat, rival, self.dice.choice(list(e.CallKind)), 40)
            if not isinstance(decide(self.state, action, self.now, Random(1)), Refusal):
                self._add((margin,))
        self._submit(action)

    def _submit(self, action: a.Action) -> None:
        done = decide(self.state, action, self.now, self.dice)
        if not isinstance(done, Refusal):
            self._add(done.events)

    def _add(self, events: tuple[e.Event, ...]) -> None:
        self.log.extend(events)
        self.state = evolve_all(self.state, events)

    def _choice(self, seat: int) -> a.Action:
        state, dice = self.state, self.dice
        team = state.teams[state.team_of(seat)]
        group = next((card.group for card in most_alike(state.seats[seat].cards)), 0)
        weights: dict[a.Action, float] = dict.fromkeys(sorted(legal_actions(state, seat, self.now), key=_place), 5)
        for action in weights:
            match action:
                case a.CallKems() | a.CallDouble():
                    weights[action] = 40 if state.kems_holders(state.team_of(seat)) else 0.3
                case a.CounterPlayer() | a.CounterTeam():
                    weights[action] = 0.3
                case a.PutDown(card=card):
                    weights[action] = 0.5 if card.group == group else 5
                case a.Take(card=card):
                    weights[action] = 80 if card.group == group else 20
                case a.AnswerSweep(agrees=True):
                    weights[action] = 20
                case a.NextRound():
                    weights[action] = 30
        sign = emoji_sign(dice.choice(HOUSE_SIGNS[:5]))
        weights[a.MakeGesture(seat, dice.choice([GestureKind.REACT, GestureKind.POST]), sign.text)] = 2
        weights[a.MakeGesture(seat, GestureKind.SAY, "Oh, what *weather*!")] = 1
        rival = (seat + 1) % len(state.seats)
        rivals = state.teams[state.team_of(rival)].plan
        named = rivals.signs[:1] if rivals is not None and rivals.signs and dice.random() < 0.5 else (sign,)
        weights[a.GuessSign(seat, state.team_of(rival), named)] = 0.5
        if team.proposal is None:
            weights[a.ProposeSign(seat, self._plan(seat))] = 5
        return dice.choices(list(weights), list(weights.values()))[0]

    def _plan(self, seat: int) -> SignPlan:
        state, dice = self.state, self.dice
        team = state.teams[state.team_of(seat)]
        texts = family(team.card)[:8]
        members = len(state.members(state.team_of(seat)))
        if team.plan is not None and team.is_half_found and dice.random() < 0.8:
            kept = (emoji_sign(dice.choice(texts)) if sign in team.spent else sign for sign in team.plan.signs)
            return SignPlan(PlanKind.DOUBLE, tuple(kept), dice.random() < 0.3)
        kind = dice.choice([PlanKind.SINGLE, *(list(PlanKind) if state.strategies else [])])
        count = {PlanKind.SINGLE: 1, PlanKind.DOUBLE: members, PlanKind.INTERMEDIATE: 4, PlanKind.TOTAL: 0}[kind]
        signs = tuple(map(emoji_sign, dice.sample(texts, count)))
        if Strategy.SPOKEN in state.strategies and signs and dice.random() < 0.3:
            signs = (spoken_sign("what weather"), *signs[1:])
        return SignPlan(kind, signs, bool(state.strategies) and dice.random() < 0.3)


def _place(action: a.Action) -> tuple[int, str]:
    """Where a move stands among others: by its kind, then by what it names."""
    return _ORDER.index(type(action)), repr(astuple(action))


def _facets(event: e.Event) -> tuple[object, ...]:
    """What kind of event it is, as far as a screen may show it."""
    plan = getattr(event, "plan", None)
    shape = None if plan is None else (plan.kind, plan.presign)
    return (type(event), shape, *(getattr(event, name, None) for name in _FACETS))
