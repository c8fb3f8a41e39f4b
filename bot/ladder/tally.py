"""Counts the calls, counters and bluffs of each seat in the log of a match."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from bot.game import events as e
from bot.game.effects.calls import counting_holders
from bot.game.evolve import evolve
from bot.game.state import State

BAIT_MS: Final = 30_000
"""A bluff provoked the false counters that came within so many milliseconds."""

_KEMS: Final = (e.Outcome.KEMS, e.Outcome.DOUBLE, e.Outcome.FOUR_KEMS)
_COUNTERS: Final = (e.Outcome.COUNTER, e.Outcome.DOUBLE_COUNTER)
_FALSE_CALLS: Final = (e.Outcome.FALSE_KEMS, e.Outcome.FALSE_DOUBLE)
_FALSE_COUNTERS: Final = (e.Outcome.FALSE_COUNTER, e.Outcome.FALSE_DOUBLE_COUNTER)


@dataclass(frozen=True, slots=True)
class SeatTally:
    """`kems`: true ones that the seat called or held, `doubles` those of them that were doubles; `kems_ms`: the sum of
    milliseconds from the opening of the hunt to each; `caught`: Kem's of this seat that were countered; `bluffs`:
    gestures that were no sign, `baits`: false counters against the seat that followed one within `BAIT_MS`.
    """

    kems: int = 0
    doubles: int = 0
    kems_ms: int = 0
    false_calls: int = 0
    counters: int = 0
    false_counters: int = 0
    caught: int = 0
    bluffs: int = 0
    baits: int = 0


def tally(events: Iterable[e.Event]) -> tuple[SeatTally, ...]:
    """Returns the counts of each seat over a whole log. Raises ValueError when that has no `MatchStarted`."""
    state: State | None = None
    counts: tuple[Counter[str], ...] = ()
    opened_in, opened_at = 0, 0
    for event in events:
        after = evolve(state, event)
        if isinstance(event, e.MatchStarted):
            counts = tuple(Counter() for _ in after.seats)
        elif isinstance(event, e.HuntOpened) and after.round != opened_in:  # later ones follow a sweep
            opened_in, opened_at = after.round, event.at
        elif isinstance(event, e.MatchResumed) and state is not None and state.pause is not None:
            opened_at += event.at - state.pause.at
        if state is not None:
            for seat, name, amount in _marks(state, event, after, opened_at):
                counts[seat][name] += amount
        state = after
    return tuple(SeatTally(**count) for count in counts)


def _marks(before: State, event: e.Event, after: State, opened_at: int) -> Iterator[tuple[int, str, int]]:
    """Yields seat, field of `SeatTally` and amount for what one event adds."""
    if isinstance(event, e.GestureMade) and after.gestures[-1].sign is None:
        yield event.seat, "bluffs", 1
    elif isinstance(event, e.CounterFailed):
        yield from _false_counter(before, event.at, event.seat, event.target, event.team)
    elif isinstance(event, e.RoundEnded) and event.caller is not None:
        yield from _ended(before, event, event.caller, opened_at)


def _ended(state: State, event: e.RoundEnded, caller: int, opened_at: int) -> Iterator[tuple[int, str, int]]:
    if event.outcome in _KEMS:
        is_double = event.outcome is not e.Outcome.KEMS
        holders = state.kems_holders(state.team_of(caller)) if is_double else counting_holders(state, caller)
        for seat in {caller, *holders}:
            yield seat, "kems", 1
            yield seat, "doubles", int(is_double)
            yield seat, "kems_ms", event.at - opened_at
    elif event.outcome in _COUNTERS:
        assert event.team is not None, "a counter names a team, or a player of it"
        yield caller, "counters", 1
        for seat in state.kems_holders(event.team) if event.target is None else (event.target,):
            yield seat, "caught", 1
    elif event.outcome in _FALSE_CALLS:
        yield caller, "false_calls", 1
    elif event.outcome in _FALSE_COUNTERS:
        assert event.team is not None, "a counter names a team, or a player of it"
        yield from _false_counter(state, event.at, caller, event.target, event.team)


def _false_counter(state: State, at: int, caller: int, target: int | None, team: int) -> Iterator[tuple[int, str, int]]:
    yield caller, "false_counters", 1
    bluffers = {made.seat for made in state.gestures if made.sign is None and at - made.at <= BAIT_MS}
    accused = state.members(team) if target is None else (target,)
    for seat in bluffers.intersection(accused):
        yield seat, "baits", 1
