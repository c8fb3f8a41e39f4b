"""A round step by step: of a finished match with all hands open, of a running one as onlookers saw it.

Steps are built from the log by allow-list: stock, plans and signs that were never made stay out of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from bot.game import events as e
from bot.game.build_view import table_view
from bot.game.events import Phase
from bot.game.evolve import evolve
from bot.game.state import Slots, State
from bot.game.views import Offers, TableView

_UNSEEN = (
    *(e.SignProposed, e.SignAccepted, e.SignSettled, e.SignKept),
    *(e.PoolTurnedUp, e.StockRebuilt, e.MatchPaused, e.MatchResumed, e.CallMargin),
    *(e.TimeCalled, e.GameWon, e.MatchEnded),
)
_EXCHANGES = (e.CardPutDown, e.CardTaken)
_PUBLIC = (
    *(e.HuntOpened, *_EXCHANGES, e.GestureMade, e.SweepAsked, e.SweepAgreed, e.SweepRefused, e.PoolSwept),
    *(e.ChainOpened, e.ChainBroken, e.CounterHadNoEffect, e.CounterFailed, e.RoundEnded),
)


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """An event, `at` milliseconds after the deal, and the table after it.

    `table` says of every gesture whether it was a sign; `hands` are by seat, with None for an empty slot. Onlookers saw
    neither.
    """

    at: int
    event: e.Event
    table: TableView
    hands: tuple[Slots, ...]


@dataclass(frozen=True, slots=True)
class RoundReplay:
    """Round `number` of the `rounds` of a match. An event that is no step shows its effect in the step before."""

    number: int
    rounds: int
    steps: tuple[ReplayStep, ...]


def replay_round(events: Sequence[e.Event], number: int) -> RoundReplay:
    """Return the round `number` of a match, or the nearest one that it has.

    Raises:
        ValueError: The match has not ended.
    """
    steps = _finished(events)
    return _replay(steps, min(max(number, 1), len(steps)))


def replay_rounds(events: Sequence[e.Event]) -> Iterator[RoundReplay]:
    """Yield all rounds in order, playing the match again only once.

    Raises:
        ValueError: The match has not ended.
    """
    steps = _finished(events)
    return (_replay(steps, number) for number in steps)


def public_round(events: Sequence[e.Event], number: int) -> RoundReplay | None:
    """Return what onlookers saw of a finished round of any match; None if the round is not finished.

    The steps have no hands, and do not say which gesture was a sign.
    """
    steps = _steps(events, _is_public).get(number, [])
    if not steps or not isinstance(steps[-1][0], e.RoundEnded):
        return None
    return RoundReplay(number, number, tuple(_public_step(event, state) for event, state in steps))


_Steps = dict[int, list[tuple[e.Event, State]]]


def _finished(events: Sequence[e.Event]) -> _Steps:
    steps = _steps(events, _is_step) if events and isinstance(events[-1], e.MatchEnded) else {}
    if not steps:
        raise ValueError("only a match that was played to its end can be replayed: its hands were laid open")
    return steps


def _steps(events: Sequence[e.Event], is_step: Callable[[e.Event, State], bool]) -> _Steps:
    """Return the steps of each round by its number, each with the state after it."""
    steps: _Steps = {}
    for event, before, after in _played(events):
        if not after.round or _is_past(event, before):
            continue
        found = steps.setdefault(after.round, [])
        if is_step(event, before):
            found.append((event, after))
        elif found:
            found[-1] = (found[-1][0], after)
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
    """Return whether the round was over before the event, and the event does not end its game or match."""
    is_over = before.phase is Phase.OVER and not isinstance(event, e.CardsDealt)
    return is_over and not isinstance(event, e.GameWon | e.MatchEnded)


def _is_step(event: e.Event, before: State) -> bool:
    """Return whether the event is shown by itself; that the hunt goes on after a sweep is not."""
    if isinstance(event, e.HuntOpened):
        return before.phase is Phase.READY
    return not isinstance(event, _UNSEEN)


def _is_public(event: e.Event, before: State) -> bool:
    is_hidden = isinstance(event, _EXCHANGES) and not before.rules.exchange.takes_seen
    return isinstance(event, _PUBLIC) and not is_hidden and _is_step(event, before)


def _public_step(event: e.Event, state: State) -> ReplayStep:
    table = table_view(state)
    result = None if table.result is None else replace(table.result, signs=((),) * table.teams)
    gestures = tuple(replace(made, is_sign=None) for made in table.gestures)
    penalties = tuple(replace(item, signs=()) if isinstance(item, e.SignGuessed) else item for item in table.penalties)
    table = replace(table, gestures=gestures, penalties=penalties, reports=(), offers=Offers(), result=result)
    return ReplayStep(event.at - state.dealt_at, event, table, ((),) * len(state.seats))


def _step(event: e.Event, state: State) -> ReplayStep:
    table = table_view(state)
    made = zip(table.gestures, state.gestures, strict=True)
    table = replace(table, gestures=tuple(replace(info, is_sign=g.sign is not None) for info, g in made))
    return ReplayStep(event.at - state.dealt_at, event, table, tuple(seat.hand for seat in state.seats))
