"""Plays one match on the core: between robots in virtual time, or of random legal moves."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from bot.game import actions as a
from bot.game.build_view import player_view, table_view
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, draw_sign_cards, next_deadline, start_match
from bot.game.events import CardsDealt, CounterFailed, Event, MatchStarted, Outcome, PoolSwept, RoundEnded, SignGuessed
from bot.game.evolve import evolve_all
from bot.game.legal import legal_moves
from bot.game.phase import Phase
from bot.game.rules.house_rules import teams_for
from bot.game.rules.rules import Rules
from bot.game.seeded import SeededRandom
from bot.game.signs import emoji_sign, family, one_sign
from bot.game.state import State
from bot.robots import Level, Robot

MOST_MOVES: Final = 50_000
"""A match that takes more is counted as it stands, without a winner."""
# Random play may sink below the target for ever.
_RANDOM_ROUNDS: Final = 100
# At random play the most that passes between two moves.
_PAUSE_MS: Final = 1500


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """How a round went, `milliseconds` long. `points` are those of its end; `false_counters` did not end it."""

    outcome: Outcome
    points: tuple[int, ...]
    milliseconds: int
    dealer: int
    sweeps: int = 0
    false_counters: int = 0
    guesses: int = 0


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """How a match went. `winner` is a team, None for a draw; `dealer` is the seat that dealt first."""

    winner: int | None
    scores: tuple[int, ...]
    dealer: int
    rounds: tuple[PlayedRound, ...]
    moves: int
    milliseconds: int


def play_robots(rules: Rules, levels: Sequence[Level], seed: int, *, dealer: int | None = None) -> PlayedMatch:
    """Returns a match in which `levels` are the robots' by seat; the same arguments give the same match.

    The shuffles depend on the seed alone, the robots' whims on the seed and the seat.
    """
    shuffles = Random(f"cards {seed}")  # noqa: S311  # a simulation repeats
    log, state = _opening(rules, len(levels), shuffles, dealer)
    robots = [Robot(Random(f"{seed} {seat}"), level) for seat, level in enumerate(levels)]  # noqa: S311
    now = moves = 0
    while state.phase is not Phase.MATCH_OVER and moves < MOST_MOVES:
        table = table_view(state)
        thoughts = [robot.think(player_view(state, seat, now, table), now) for seat, robot in enumerate(robots)]
        due = [(now + intent.delay_ms, intent.action) for intent in thoughts if intent is not None]
        deadline = next_deadline(state)
        if deadline is not None:
            due.insert(0, (deadline, a.Tick()))
        if not due:
            raise RuntimeError(f"nobody moves in the phase {state.phase} of match {seed}")
        at, action = min(due, key=lambda item: item[0])
        now = max(now, at)
        moves += 1
        decided = decide(state, action, now, shuffles)
        if not isinstance(decided, Refusal):
            log += decided.events
            state = decided.state
    return _played(log, state, moves, now)


def play_random(rules: Rules, seats: int, seed: int, *, dealer: int | None = None) -> PlayedMatch:
    """Returns a match of random legal moves without gestures, which is over after `_RANDOM_ROUNDS` at the latest."""
    rng = SeededRandom(seed)
    log, state = _opening(rules, seats, rng, dealer)
    now = moves = 0
    plans = [one_sign(emoji_sign(family(team.card)[number])) for number, team in enumerate(state.teams)]
    proposals: list[a.Action] = [a.ProposeSign(seat, plans[state.team_of(seat)]) for seat in range(seats)]
    while state.phase is not Phase.MATCH_OVER and (state.phase is not Phase.OVER or state.round < _RANDOM_ROUNDS):
        if proposals:
            action = proposals.pop()
        else:
            now += rng.randrange(_PAUSE_MS)
            due = next_deadline(state)
            if due is not None and due <= now:
                action = a.Tick()
            else:
                listed = legal_moves(state, rng.randrange(seats), now)
                if not listed:
                    continue
                action = rng.choice(listed)
                moves += 1
        decided = decide(state, action, now, rng)
        assert not isinstance(decided, Refusal), f"{action} is legal, and refused: {decided}"
        log += decided.events
        state = decided.state
    return _played(log, state, moves, now)


def _opening(rules: Rules, seats: int, rng: Random, dealer: int | None) -> tuple[list[Event], State]:
    """Returns a match that has just started; the last seat deals unless `dealer` is named."""
    teams = teams_for(rules, seats)
    first = seats - 1 if dealer is None else dealer
    cards = draw_sign_cards(rules, teams, rng)
    log = list(start_match(rules, seats=seats, teams=teams, dealer=first, now=0, sign_cards=cards))
    return log, evolve_all(None, log)


def _played(log: Sequence[Event], state: State, moves: int, now: int) -> PlayedMatch:
    started, rounds, seen = log[0], [], Counter[type]()
    assert isinstance(started, MatchStarted)
    dealer, dealt_at = started.dealer, started.at
    for event in log:
        match event:
            case CardsDealt():
                dealer, dealt_at, seen = event.dealer, event.at, Counter()
            case PoolSwept() | CounterFailed() | SignGuessed():
                seen[type(event)] += 1
            case RoundEnded(at=at, outcome=outcome, points=points):
                counts = (seen[PoolSwept], seen[CounterFailed], seen[SignGuessed])
                rounds.append(PlayedRound(outcome, points, at - dealt_at, dealer, *counts))
    return PlayedMatch(state.winner, state.scores, started.dealer, tuple(rounds), moves, now)
