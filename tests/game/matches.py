"""Matches played at random, and when two matches are the same, though they were played at another hour.

The same seed gives the same match: nothing depends on the names of classes, on hash seeds, or on the order in which
legal moves are found.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import astuple, replace
from functools import cache
from random import Random
from typing import Final, NamedTuple

from bot.game import actions as a
from bot.game.build_view import legal_moves
from bot.game.cards import most_alike
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, draw_sign_cards, next_deadline, start_match
from bot.game.events import (
    CallKind,
    CallMargin,
    CardsDealt,
    Event,
    MatchStarted,
    Phase,
    SignAccepted,
    SignProposed,
    SignSettled,
)
from bot.game.evolve import evolve_all
from bot.game.rules.house_rules import teams_for
from bot.game.rules.rules import Rules
from bot.game.signs import HOUSE_SIGNS, GestureKind, PlanKind, SignPlan, Strategy, emoji_sign, family, spoken_sign
from bot.game.state import State

_ORDER: Final = (
    *(a.ProposeSign, a.AcceptSign, a.KeepSign, a.OpenHunt, a.PutDown, a.Take, a.AskSweep, a.AnswerSweep),
    *(a.MakeGesture, a.CallKems, a.CallDouble, a.CounterPlayer, a.CounterTeam, a.ShowCards, a.GuessSign),
    *(a.AccuseTeam, a.NextRound),
)
_CALLS: Final = (a.CallKems, a.CallDouble, a.CounterPlayer, a.CounterTeam)


def what_happened(log: Iterable[Event]) -> list[Event]:
    """The log in each round's own time; of the signs only what was settled, not who proposed it and when."""
    signs: dict[int, Event] = {}
    events: list[Event] = []
    dealt_at: int | None = None
    for event in log:
        if isinstance(event, SignProposed | SignAccepted):
            continue
        if isinstance(event, CardsDealt):
            dealt_at = event.at
        if dealt_at is not None and isinstance(event, SignSettled) and event.by_chance:
            events.append(replace(event, at=0))  # at the next deal, whose moment notation does not tell
        elif dealt_at is not None:
            events.append(replace(event, at=event.at - dealt_at))
        elif isinstance(event, SignSettled):
            signs[event.team] = replace(event, at=0, by_chance=False)
        else:
            assert isinstance(event, MatchStarted)
            events.append(replace(event, at=0))
    return [*(signs[team] for team in sorted(signs)), *events]


def where_all_lies(state: State) -> dict[str, object]:
    """Cards, scores and phase: what players would look at to compare two tables."""
    return {
        "hands": [seat.hand for seat in state.seats],
        "pool": state.pool,
        "stock": state.stock,
        "discard": state.discard,
        "scores": state.scores,
        "games": state.games,
        "phase": state.phase,
        "dealer": state.dealer,
        "winner": state.winner,
    }


class Step(NamedTuple):
    """A state of a match, its instant, the seat that tried to move, and what happened; `seat` is None for a timer."""

    state: State
    now: int
    seat: int | None
    events: tuple[Event, ...]


def play_at_random(
    rules: Rules, players: int, seed: int, *, moves: int, late: int = 0, strategies: Collection[Strategy] = ()
) -> list[Event]:
    """The log of a match of random legal moves, biased as people are: towards four alike, agreement and calls.

    `late`: milliseconds by which deadlines take effect after they fell due, as timers do.
    """
    steps = steps_at_random(rules, players, seed, moves=moves, late=late, strategies=strategies)
    return [event for step in steps for event in step.events]


def steps_at_random(
    rules: Rules,
    players: int,
    seed: int,
    *,
    moves: int,
    late: int = 0,
    strategies: Collection[Strategy] = (),
    have_margins: bool = False,
) -> Iterator[Step]:
    """Yields the steps of a random match. `have_margins`: half of the calls are close ones."""
    dice = Random(seed)
    teams = teams_for(rules, players)
    cards = draw_sign_cards(rules, teams, dice)
    started = start_match(
        rules, seats=players, teams=teams, dealer=players - 1, now=0, strategies=strategies, sign_cards=cards
    )
    state = evolve_all(None, started)
    now = last_at = 0
    yield Step(state, now, None, started)

    def submit(action: a.Action) -> tuple[Event, ...]:
        nonlocal state, last_at
        margin: tuple[Event, ...] = ()
        if have_margins and isinstance(action, _CALLS) and dice.random() < 0.5:
            rival = (action.seat + 1) % players
            margin = (CallMargin(now, action.seat, rival, dice.choice(list(CallKind)), 40),)
        done = decide(state, action, now, dice)
        if isinstance(done, Refusal) or not done.events:
            return ()
        state, last_at = evolve_all(state, (*margin, *done.events)), done.events[-1].at
        return (*margin, *done.events)

    for _ in range(moves):
        if state.phase is Phase.MATCH_OVER:
            break
        now += dice.choice([0, 10, 300, 1_000, 6_000])
        while (due := next_deadline(state)) is not None and due <= now:
            now = max(due + late, last_at)
            fallen = submit(a.Tick())
            yield Step(state, now, None, fallen)
        seat = dice.randrange(players)
        made = submit(_random_move(state, seat, now, dice))
        yield Step(state, now, seat, made)


def _random_move(state: State, seat: int, now: int, dice: Random) -> a.Action:
    team = state.teams[state.team_of(seat)]
    group = next((card.group for card in most_alike(state.seats[seat].cards)), 0)
    rival = (seat + 1) % len(state.seats)
    weights: dict[a.Action, float] = dict.fromkeys(sorted(legal_moves(state, seat, now), key=_place), 5)
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
    rivals = state.teams[state.team_of(rival)].plan
    named = rivals.signs[:1] if rivals is not None and rivals.signs and dice.random() < 0.5 else (sign,)
    weights[a.GuessSign(seat, state.team_of(rival), named)] = 0.5
    if team.proposal is None:
        weights[a.ProposeSign(seat, _random_plan(state, seat, dice))] = 5
    return dice.choices(list(weights), list(weights.values()))[0]


@cache
def _place(action: a.Action) -> tuple[int, str]:
    """Where a move stands among others: by its kind, then by what it names."""
    return _ORDER.index(type(action)), repr(astuple(action))


def _random_plan(state: State, seat: int, dice: Random) -> SignPlan:
    """How a team might signal; a team with half a double found keeps the other half, mostly."""
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
