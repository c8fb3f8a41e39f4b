"""A round of a finished match, step by step, with all hands open.

Steps are built from the log by allow-list: stock, plans and signs that were never made stay out of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.game import events as e
from bot.game.build_view import table_view
from bot.game.events import Phase
from bot.game.evolve import evolve
from bot.game.state import Slots, State
from bot.game.views import TableView

_UNSEEN = (
    *(e.SignProposed, e.SignAccepted, e.SignSettled, e.SignKept),
    *(e.PoolTurnedUp, e.StockRebuilt, e.MatchPaused, e.MatchResumed, e.CallMargin),
    *(e.TimeCalled, e.GameWon, e.MatchEnded),
)


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """An event, `at` milliseconds after the deal, and the table after it.

    `table` says of every gesture whether it was a sign; `hands` are by seat, with None for an empty slot.
    """

    at: int
    event: e.Event
    table: TableView
    hands: tuple[Slots, ...]


@dataclass(frozen=True, slots=True)
class RoundReplay:
    """Round `number` of the `rounds` that a match had. An event that is no step shows its effect in the step before."""

    number: int
    rounds: int
    steps: tuple[ReplayStep, ...]


def replay_round(events: Sequence[e.Event], number: int) -> RoundReplay:
    """Returns the round `number`, or the nearest that the match had. Raises ValueError before the match has ended."""
    steps = _steps(events)
    return _replay(steps, min(max(number, 1), len(steps)))


def replay_rounds(events: Sequence[e.Event]) -> Iterator[RoundReplay]:
    """Yields all rounds in turn; the match is played again once. Raises ValueError as `replay_round` does."""
    steps = _steps(events)
    return (_replay(steps, number) for number in steps)


_Steps = dict[int, list[tuple[e.Event, State]]]


def _steps(events: Sequence[e.Event]) -> _Steps:
    """Returns the steps of each round by its number, each with the state after it."""
    rounds = max((event.round for event in events if isinstance(event, e.CardsDealt)), default=0)
    if not rounds or not isinstance(events[-1], e.MatchEnded):
        raise ValueError("only a match that was played to its end can be replayed: its hands were laid open")
    steps: _Steps = {number: [] for number in range(1, rounds + 1)}
    for event, before, after in _played(events):
        if not after.round or _is_past(event, before):
            continue
        if _is_step(event, before):
            steps[after.round].append((event, after))
        else:
            steps[after.round][-1] = (steps[after.round][-1][0], after)
    return steps


def _replay(steps: _Steps, number: int) -> RoundReplay:
    return RoundReplay(number, len(steps), tuple(_step(event, state) for event, state in steps[number]))


def _played(events: Sequence[e.Event]) -> Iterator[tuple[e.Event, State, State]]:
    before = evolve(None, events[0])
    for event in events[1:]:
        after = evolve(before, event)
        yield event, before, after
        before = after


def _is_past(event: e.Event, before: State) -> bool:
    """Returns whether the round was over before the event, and the event does not end its game or match."""
    is_over = before.phase is Phase.OVER and not isinstance(event, e.CardsDealt)
    return is_over and not isinstance(event, e.GameWon | e.MatchEnded)


def _is_step(event: e.Event, before: State) -> bool:
    """Returns whether the event is shown by itself; that the hunt goes on after a sweep is not."""
    if isinstance(event, e.HuntOpened):
        return before.phase is Phase.READY
    return not isinstance(event, _UNSEEN)


def _step(event: e.Event, state: State) -> ReplayStep:
    table = table_view(state)
    made = zip(table.gestures, state.gestures, strict=True)
    table = replace(table, gestures=tuple(replace(shown, is_sign=g.sign is not None) for shown, g in made))
    return ReplayStep(event.at - state.dealt_at, event, table, tuple(seat.hand for seat in state.seats))
