"""The pure core at random legal play, moves a second, beside engines of other games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from statistics import median
from typing import Final

from bot.game import actions as a
from bot.game.checks.refusals import Refusal
from bot.game.deadlines import next_deadline
from bot.game.decide import Decision, decide, start_match
from bot.game.events import Event
from bot.game.evolve import evolve_all
from bot.game.legal import legal_moves
from bot.game.phase import MATCH_OVER, READY
from bot.game.rules.presets import PRESETS
from bot.game.seeded import SeededRandom
from bot.game.signs.sign import HOUSE_SIGNS, emoji_sign
from bot.game.signs.sign_plans import one_sign
from bot.game.state import State
from tests.bench.engines import ENGINES
from tests.bench.figures import Figure, Part, Target, spread, told
from tests.bench.race import race

COUNTED: Final = frozenset(
    {
        *(a.PutDown, a.Take, a.AskSweep, a.AnswerSweep),
        *(a.CallKems, a.CallDouble, a.CounterPlayer, a.CounterTeam),
    }
)
"""The moves that count. Opening a hunt, dealing and settling signs are made and do not; gestures are not made."""
_FASTER_THAN: Final = {name: Target(least=1.0) for name in ENGINES if name != "OpenSpiel hearts"}
_SAMPLE: Final = 3000
_PAUSE_MS: Final = 1500
"""The most that passes between two moves at a table."""


def actions(preset: str, seed: int) -> Iterator[a.Action | None]:
    """Play random matches of four for ever; yields each action, None where a seat that was asked had no move."""
    rng = SeededRandom(seed)
    random = rng.random
    plans = [one_sign(emoji_sign(sign)) for sign in HOUSE_SIGNS[:2]]
    first: list[a.Action] = [a.ProposeSign(seat, plans[seat]) for seat in (0, 1)]
    first += [a.AcceptSign(seat, plans[seat - 2]) for seat in (2, 3)]
    while True:
        state = evolve_all(None, start_match(PRESETS[preset], seats=4, teams=2, dealer=3, now=0))
        for action in first:
            _, state = after(state, action, 0, rng)
        now = 0
        while state.phase is not MATCH_OVER:
            now += int(random() * _PAUSE_MS)
            due = next_deadline(state)
            if due is not None and due <= now:
                action = a.Tick()
            else:
                seat = state.dealer if state.phase is READY else int(random() * 4)  # nobody else moves then
                moves = legal_moves(state, seat, now)
                if not moves:
                    yield None
                    continue
                action = moves[int(random() * len(moves))]
            outcome = decide(state, action, now, rng)
            assert isinstance(outcome, Decision)
            state = outcome.state
            yield action


def moves(preset: str, seed: int) -> Iterator[int]:
    """The same; yields 1 for each move that counts, and nothing for others."""
    return (1 for action in actions(preset, seed) if type(action) in COUNTED)


def bench_core(rounds: int = 7, seconds: float = 0.5) -> Part:
    """All presets are played; the figures are those of classic and of the slowest one.

    Raises EnginesMissingError where the other games are not installed.
    """
    rates = race({preset: moves(preset, 1) for preset in PRESETS}, [*ENGINES], rounds, seconds)
    slowest = min(PRESETS, key=lambda preset: median(rates[preset]))
    part = Part(
        "The core at random legal play",
        "Four seats, two teams: the legal moves of a seat drawn by chance, one of them judged and carried out. Putting"
        " down, taking, sweeping, answering and calling count as moves; gestures are neither made nor counted. The"
        " other engines list and make random legal moves in Python as well. To be faster than PokerKit and python-chess"
        " is required, than rlcard's UNO it is aimed at; OpenSpiel is written in C++, and shown.",
    )
    for preset in dict.fromkeys(("classic", slowest)):
        name = preset if preset == "classic" else f"{preset}, the slowest preset"
        part.figures += [
            Figure(
                name, "moves/s", rates[preset], f"moves/s, {engine}", rates[engine], _FASTER_THAN.get(engine, Target())
            )
            for engine in ENGINES
        ]
    for preset in dict.fromkeys(("classic", slowest)):
        sample = islice(actions(preset, 1), _SAMPLE)
        made = [action for action in sample if action is not None and not isinstance(action, a.Tick)]
        share = sum(type(action) in COUNTED for action in made) / len(made)
        part.notes.append(f"{preset}: {share:.0%} of what seats do counts; the rest opens hunts, deals, shows cards")
    part.notes += [f"{name}: {told(median(found))} moves/s, {spread(found)}" for name, found in rates.items()]
    return part


def after(state: State, action: a.Action, now: int, rng: Random) -> tuple[tuple[Event, ...], State]:
    """What follows from an action: the events, and the state after them; of one that is refused, nothing."""
    outcome = decide(state, action, now, rng)
    return ((), state) if isinstance(outcome, Refusal) else outcome
