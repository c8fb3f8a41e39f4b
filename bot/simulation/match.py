"""Plays matches on the core: between robots in virtual time, or of random legal moves; many of them on several cores.

Their order and their results do not depend on how many cores there are.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import inf
from multiprocessing import get_context
from random import Random
from typing import Final

from bot.game import actions as a
from bot.game import events as e
from bot.game.build_view import legal_moves, seat_view, table_view
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, draw_sign_cards, next_deadline, start_match
from bot.game.evolve import evolve_all
from bot.game.match import SeededRandom
from bot.game.rules.house_rules import check_table, teams_for
from bot.game.rules.rules import Rules
from bot.game.signs import emoji_sign, family, one_sign
from bot.game.state import State
from bot.robots import Level, Robot

MOST_MOVES: Final = 50_000
"""A match with more moves ends as it stands, without a winner."""
# Random play may sink below the target for ever.
_RANDOM_ROUNDS: Final = 100
# At random play the most that passes between two moves.
_PAUSE_MS: Final = 1500

# What the public table does not show: the mover's partners think about it.
_AMONG_PARTNERS: Final = (a.ProposeSign, a.AcceptSign)


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that was played. `points` are those of its end; `false_counters` did not end it."""

    outcome: e.Outcome
    points: tuple[int, ...]
    milliseconds: int
    dealer: int
    sweeps: int = 0
    false_counters: int = 0
    guesses: int = 0


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played. `winner` is a team, None for a draw; `dealer` is the seat that dealt first."""

    winner: int | None
    scores: tuple[int, ...]
    dealer: int
    rounds: tuple[PlayedRound, ...]
    moves: int
    milliseconds: int


MakeRobot = Callable[[Random, Level], Robot]


def play_robots(
    rules: Rules, levels: Sequence[Level], seed: int, *, dealer: int | None = None, make: MakeRobot = Robot
) -> PlayedMatch:
    """Return a match played by robots, whose `levels` are by seat; the same arguments give the same match.

    The shuffles depend on the seed alone, the robots' random numbers on the seed and the seat.

    Raises:
        RuntimeError: Nobody moves, which is a bug.
    """
    shuffles = Random(f"cards {seed}")  # noqa: S311  # a simulation repeats
    log, state = _opening(rules, len(levels), shuffles, dealer)
    robots = [make(Random(f"{seed} {seat}"), level) for seat, level in enumerate(levels)]  # noqa: S311
    moves = now = 0
    table = table_view(state)
    plans: list[tuple[float, a.Action]] = [(now, a.Tick())] * len(levels)

    def think(seat: int) -> None:
        intent = robots[seat].think(seat_view(state, seat, table), now)
        plans[seat] = (inf, a.Tick()) if intent is None else (now + intent.delay_ms, intent.action)

    while state.phase is not e.Phase.MATCH_OVER and moves < MOST_MOVES:
        mover = min(range(len(levels)), key=lambda seat: plans[seat][0])
        due, action = plans[mover]
        deadline = next_deadline(state)
        if deadline is not None and deadline <= due:
            mover, due, action = -1, deadline, a.Tick()
        if due == inf:
            raise RuntimeError(f"nobody moves in the phase {state.phase} of match {seed}")
        now = max(now, int(due))
        settled = action if mover < 0 else robots[mover].confirm(action, now)
        if settled is None:
            think(mover)
            continue
        moves += 1
        decided = decide(state, settled, now, shuffles)
        if not isinstance(decided, Refusal):
            log += decided.events
            state = decided.state
            table = table_view(state)
        partners = state.partners(mover) if isinstance(action, _AMONG_PARTNERS) else ()
        for seat, robot in enumerate(robots):
            if seat == mover or seat in partners or robot.notice(table, now):
                think(seat)
    return _played(log, state, moves, now)


def play_random(rules: Rules, seats: int, seed: int, *, dealer: int | None = None) -> PlayedMatch:
    """Return a match of random legal moves without gestures, which ends after `_RANDOM_ROUNDS` rounds at the latest."""
    rng = SeededRandom(seed)
    log, state = _opening(rules, seats, rng, dealer)
    now = moves = 0
    plans = [one_sign(emoji_sign(family(team.card)[number])) for number, team in enumerate(state.teams)]
    proposals: list[a.Action] = [a.ProposeSign(seat, plans[state.team_of(seat)]) for seat in range(seats)]
    while state.phase is not e.Phase.MATCH_OVER and (state.phase is not e.Phase.OVER or state.round < _RANDOM_ROUNDS):
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


def _opening(rules: Rules, seats: int, rng: Random, dealer: int | None) -> tuple[list[e.Event], State]:
    """Return a match that has just started; the last seat deals unless `dealer` is named."""
    teams = teams_for(rules, seats)
    first = seats - 1 if dealer is None else dealer
    cards = draw_sign_cards(rules, teams, rng)
    log = list(start_match(rules, seats=seats, teams=teams, dealer=first, now=0, sign_cards=cards))
    return log, evolve_all(None, log)


def _played(log: Sequence[e.Event], state: State, moves: int, now: int) -> PlayedMatch:
    started, rounds, seen = log[0], [], Counter[type]()
    assert isinstance(started, e.MatchStarted)
    dealer, dealt_at = started.dealer, started.at
    for event in log:
        match event:
            case e.CardsDealt():
                dealer, dealt_at, seen = event.dealer, event.at, Counter()
            case e.PoolSwept() | e.CounterFailed() | e.SignGuessed():
                seen[type(event)] += 1
            case e.RoundEnded(at=at, outcome=outcome, points=points):
                counts = (seen[e.PoolSwept], seen[e.CounterFailed], seen[e.SignGuessed])
                rounds.append(PlayedRound(outcome, points, at - dealt_at, dealer, *counts))
    return PlayedMatch(state.winner, state.scores, started.dealer, tuple(rounds), moves, now)


Turned = tuple[PlayedMatch, int]
"""A match, and by how many seats its sides were turned."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match to be played. `levels` are by side, and go round the table; none: random moves."""

    rules: Rules
    players: int
    levels: tuple[Level, ...]
    seed: int
    rotation: int
    dealer: int
    make: MakeRobot = Robot

    def play(self) -> Turned:
        """Play the match."""
        if not self.levels:
            return play_random(self.rules, self.players, self.seed, dealer=self.dealer), self.rotation
        seats = [self.levels[(seat - self.rotation) % len(self.levels)] for seat in range(self.players)]
        return play_robots(self.rules, seats, self.seed, dealer=self.dealer, make=self.make), self.rotation


def match_plans(
    rules: Rules,
    levels: Sequence[Level],
    *,
    matches: int,
    players: int = 4,
    seed: int = 1,
    make: MakeRobot = Robot,
) -> Iterator[MatchPlan]:
    """Yield the plans of matches.

    If teams differ in level, each deal is repeated with the teams moved on by a seat, until each has had all its hands.

    Args:
        rules: Of all matches.
        levels: One for all robots, one for each team, or none for random moves.
        matches: How many.
        players: At a table.
        seed: Makes the matches repeatable.
        make: Makes a robot.

    Raises:
        RulesError: The table cannot be played.
        ValueError: The number of levels is not that of the teams.
    """
    check_table(rules, players)
    teams = teams_for(rules, players)
    if len(levels) not in (0, 1, teams):
        raise ValueError(f"Name one level for all, or one for each of the {teams} teams.")
    turns = teams if len(set(levels)) > 1 else 1
    for number in range(matches):
        deal, rotation = divmod(number, turns)
        yield MatchPlan(rules, players, tuple(levels), seed + deal, rotation, (seed + deal) % players, make)


def play_all(plan: Iterable[MatchPlan], jobs: int | None = None) -> Iterator[Turned]:
    """Yield the matches in the order of the plan.

    `jobs` is how many processes play, one for each core by default; with 1 this process plays them itself.
    """
    count = jobs or os.cpu_count() or 1
    if count == 1:
        yield from (match.play() for match in plan)
        return
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        yield from pool.map(MatchPlan.play, plan)
