"""Plays matches between robots on the real core: virtual time jumps from one intention or deadline to the next."""

from dataclasses import dataclass, field
from random import Random

from bot.game import actions as a
from bot.game.build_view import seat_view, table_view
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, next_deadline, start_match
from bot.game.events import Event, RoundEnded
from bot.game.evolve import evolve_all
from bot.game.rules.house_rules import teams_for
from bot.game.rules.rules import Rules
from bot.game.state import Phase, State
from bot.robots import REGULAR, Intent, Level, Robot, Timing


@dataclass
class Record:
    """What a match was like; rounds as (outcome's event, milliseconds since the hunt was dealt)."""

    state: State
    events: list[Event]
    refused: list[tuple[a.Action, Refusal]] = field(default_factory=list)
    rounds: list[tuple[RoundEnded, int]] = field(default_factory=list)
    moves: int = 0
    now: int = 0


def play_match(
    rules: Rules,
    *,
    seed: int,
    seats: int = 4,
    timing: Timing | None = None,
    level: Level = REGULAR,
    max_moves: int = 20_000,
    silent: frozenset[int] = frozenset(),
) -> Record:
    """A whole match of robots; the seats of `silent` never move. Stops after `max_moves`, finished or not."""
    rng = Random(seed)
    players = [seat for seat in range(seats) if seat not in silent]
    robots = {seat: Robot(Random(seed * 100 + seat), level, timing=timing) for seat in players}
    opening = start_match(rules, seats=seats, teams=teams_for(rules, seats), dealer=seats - 1, now=0)
    record = Record(evolve_all(None, opening), list(opening))
    submit(record, a.Tick(), 0, rng)  # deals a duel
    while record.state.phase is not Phase.MATCH_OVER and record.moves < max_moves:
        submit(record, *next_move(record, robots)[1:], rng)
    return record


def submit(record: Record, action: a.Action, at: int, rng: Random) -> None:
    """Let the core judge one action, at this instant or now if that is later."""
    record.now = max(record.now, at)
    record.moves += 1
    outcome = decide(record.state, action, record.now, rng)
    if isinstance(outcome, Refusal):
        record.refused.append((action, outcome))
        return
    record.rounds += [
        (event, event.at - record.state.dealt_at) for event in outcome.events if isinstance(event, RoundEnded)
    ]
    record.events += outcome.events
    record.state = outcome.state


def next_move(record: Record, robots: dict[int, Robot]) -> tuple[dict[int, Intent | None], a.Action, int]:
    """What every robot thinks, and the earliest action of robots and clock with its instant."""
    state, now, table = record.state, record.now, table_view(record.state)
    thoughts = {seat: robot.think(seat_view(state, seat, table), now) for seat, robot in robots.items()}
    moves = [(intent.action, record.now + intent.delay_ms) for intent in thoughts.values() if intent is not None]
    deadline = next_deadline(record.state)
    if deadline is not None:
        moves.append((a.Tick(), deadline))
    assert moves, f"the table stands still in phase {record.state.phase}"
    assert all(at >= record.now for action, at in moves if not isinstance(action, a.Tick))
    return thoughts, *min(moves, key=lambda move: move[1])
