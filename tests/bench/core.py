"""The pure core at random legal play, moves a second, beside python-chess."""

import time
from collections.abc import Iterator
from itertools import islice
from random import Random
from statistics import median
from typing import Final

from bot.game import actions as a
from bot.game.build_view import legal_moves
from bot.game.checks.refusals import Refusal
from bot.game.decide import Decision, decide, next_deadline, start_match
from bot.game.events import Event, Phase
from bot.game.evolve import evolve_all
from bot.game.match import SeededRandom
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.rules.rules import Rules
from bot.game.signs import HOUSE_SIGNS, emoji_sign, one_sign
from bot.game.state import State
from tests.bench.figures import Figure, Part, spread, told

COUNTED: Final = frozenset(
    {*(a.PutDown, a.Take, a.AskSweep, a.AnswerSweep), *(a.CallKems, a.CallDouble, a.CounterPlayer, a.CounterTeam)}
)
"""The moves that count. Opening a hunt, dealing and settling signs are made and do not; gestures are not made."""
MOVES: Final = 40
"""Exchanges in a log up to the middle of a hunt."""
_SAMPLE: Final = 3000
_PAUSE_MS: Final = 1500
"""The most that passes between two moves at a table."""
_PLIES: Final = 200
"""Random games of chess hardly end; after so many half-moves another one begins."""


class ChessMissingError(Exception):
    """python-chess is not installed."""

    def __init__(self) -> None:
        super().__init__("python-chess is not installed: run make bench.")


def actions(preset: str, seed: int) -> Iterator[a.Action | None]:
    """Play random matches of four for ever; yields each action, None where a seat that was asked had no move."""
    rng = SeededRandom(seed)
    random, ready, over = rng.random, Phase.READY, Phase.MATCH_OVER
    while True:
        _, state = agreed(PRESETS[preset], 0, rng)
        now = 0
        while state.phase is not over:
            now += int(random() * _PAUSE_MS)
            due = next_deadline(state)
            if due is not None and due <= now:
                action = a.Tick()
            else:
                seat = state.dealer if state.phase is ready else int(random() * 4)  # nobody else moves then
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


def chess_moves() -> Iterator[int]:
    """Random games of python-chess (https://python-chess.readthedocs.io); yields 1 for each move.

    Raises ChessMissingError.
    """
    try:
        import chess  # type: ignore[import-not-found]  # noqa: PLC0415 - only `make bench` installs it
    except ImportError as error:
        raise ChessMissingError from error

    rng = Random(1)
    while True:
        board = chess.Board()
        for _ in range(_PLIES):
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(rng.choice(legal))
            yield 1


def bench_core(rounds: int = 7, seconds: float = 0.5) -> Part:
    """Plays all presets in turn; the figures are those of classic and of the slowest one. Raises ChessMissingError."""
    players = {preset: moves(preset, 1) for preset in PRESETS} | {"python-chess": chess_moves()}
    rates: dict[str, list[float]] = {name: [] for name in players}
    next(players["python-chess"])  # imports it
    for _ in range(rounds):
        for name, found in rates.items():
            found.append(_per_second(players[name], seconds))
    slowest = min(PRESETS, key=lambda preset: median(rates[preset]))
    part = Part(
        "The core at random legal play",
        "Four seats, two teams: the legal moves of a seat drawn by chance, one of them judged and carried out. Putting"
        " down, taking, sweeping, answering and calling count as moves; gestures are neither made nor counted."
        " python-chess lists and makes random legal moves in Python as well.",
    )
    chess = tuple(rates["python-chess"])
    for name, preset in (("classic", "classic"), (f"{slowest}, the slowest preset", slowest)):
        part.figures.append(Figure(name, "moves/s", tuple(rates[preset]), "moves/s, python-chess", chess))
        made = [each for each in islice(actions(preset, 1), _SAMPLE) if each and not isinstance(each, a.Tick)]
        share = sum(type(action) in COUNTED for action in made) / len(made)
        part.notes.append(f"{preset}: {share:.0%} of what seats do counts; the rest opens hunts, deals, shows cards")
    part.notes += [f"{name}: {told(median(found))} moves/s, {spread(found)}" for name, found in rates.items()]
    return part


def _per_second(moves: Iterator[int], seconds: float) -> float:
    count, began = 0, time.perf_counter()
    while (passed := time.perf_counter() - began) < seconds:
        count += next(moves)
    return count / passed


def agreed(rules: Rules, now: int, rng: Random) -> tuple[list[Event], State]:
    """A match of four whose teams have agreed on their signs."""
    events = list(start_match(rules, seats=4, teams=2, dealer=3, now=now))
    state = evolve_all(None, events)
    plans = [one_sign(emoji_sign(sign)) for sign in HOUSE_SIGNS[:2]]
    proposals = [a.ProposeSign(seat, plans[seat]) for seat in (0, 1)]
    for action in (*proposals, *(a.AcceptSign(seat, plans[seat - 2]) for seat in (2, 3))):
        made, state = after(state, action, now, rng)
        events += made
    return events, state


def hunt_log(seed: int, now: int) -> list[Event]:
    """The events of a match up to the middle of a hunt."""
    rng = Random(seed)
    while True:
        events, state = agreed(CLASSIC, now, rng)
        made, state = after(state, a.OpenHunt(3), now, rng)
        events += made
        for _ in range(MOVES):
            legal = (each for seat in range(4) for each in legal_moves(state, seat, now))
            exchanges = [each for each in legal if isinstance(each, a.PutDown | a.Take)]
            if state.phase is not Phase.HUNT or not exchanges:
                break
            made, state = after(state, rng.choice(exchanges), now, rng)
            events += made
        if state.phase is Phase.HUNT:
            return events


def after(state: State, action: a.Action, now: int, rng: Random) -> tuple[tuple[Event, ...], State]:
    """What follows from an action: the events, and the state after them; of one that is refused, nothing."""
    outcome = decide(state, action, now, rng)
    return ((), state) if isinstance(outcome, Refusal) else outcome
