"""The figures of each seat from the log of a match: calls, counters, bluffs and highlights."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.game import events as e
from bot.game.effects.calls import counting_holders
from bot.game.events import Phase
from bot.game.evolve import evolve
from bot.game.signs import Sign
from bot.game.state import State
from bot.ladder.columns import SeatTally

BAIT_MS: Final = 30_000
"""Milliseconds within which a bluff counts as the cause of a false counter."""
QUICK_MS: Final = 1_000
"""A Kem's is quick if its caller needs less after the partner's sign."""

_FALSE_CALLS: Final = (e.Outcome.FALSE_KEMS, e.Outcome.FALSE_DOUBLE)
_FALSE_COUNTERS: Final = (e.Outcome.FALSE_COUNTER, e.Outcome.FALSE_DOUBLE_COUNTER)


class Deed(StrEnum):
    """A badge for a deed in ranked matches of a server; all but `PARTNERS` have a column.

    - `READER`: countered a team whose sign was new in the match.
    - `QUICK`: a quick Kem's. `BAIT`: a bluff that was countered.
    - `PARTNERS`: `PARTNERS` different partners.
    - `BARE`: won `BARE_WINS` matches while the hand panel marked nothing.
    """

    READER = "read"
    QUICK = "quick"
    BAIT = "baits"
    PARTNERS = "partners"
    BARE = "wins_without_marks"


PARTNERS: Final = 10
BARE_WINS: Final = 10


Handovers = Sequence[Sequence[int]]
"""By seat, the instants at which others started and stopped to play in its player's place, in turn."""


def tally(events: Iterable[e.Event], handovers: Handovers = ()) -> tuple[SeatTally, ...]:
    """Return what the player of each seat did over a whole log.

    Raises:
        ValueError: The log has no `MatchStarted`.
    """
    counts: tuple[Counter[str], ...] = ()
    known: dict[Sign | None, int] = {}
    for before, event, after, opened_at in _steps(events):
        if before is None:
            counts = tuple(Counter() for _ in after.seats)
            continue
        if isinstance(event, e.GestureMade) and (sign := after.gestures[-1].sign) is not None:
            known.setdefault(sign, after.round)
        for seat, name, amount in _marks(before, event, after, opened_at, known):
            if is_own(seat, event.at, handovers):
                counts[seat][name] += amount
    return tuple(SeatTally(**count) for count in counts)


def is_own(seat: int, at: int, handovers: Handovers) -> bool:
    """Return whether the seat's own player, not a substitute, played there at that instant."""
    return not handovers or sum(instant <= at for instant in handovers[seat]) % 2 == 0


def _steps(events: Iterable[e.Event]) -> Iterator[tuple[State | None, e.Event, State, int]]:
    """Yield the states before and after each event, and when the hunt was opened, later by its pauses."""
    state: State | None = None
    opened_in = opened_at = 0
    for event in events:
        before, state = state, evolve(state, event)
        if isinstance(event, e.HuntOpened) and state.round != opened_in:  # later ones follow a sweep
            opened_in, opened_at = state.round, event.at
        elif isinstance(event, e.MatchResumed) and before is not None and before.pause is not None:
            opened_at += event.at - before.pause.at
        yield before, event, state, opened_at


def _marks(
    before: State, event: e.Event, after: State, opened_at: int, known: Mapping[Sign | None, int]
) -> Iterator[tuple[int, str, int]]:
    """Yield seat, field of `SeatTally` and amount for what an event adds. `known`: the first round of each sign."""
    if isinstance(event, e.GestureMade) and after.gestures[-1].sign is None:
        yield event.seat, "bluffs", 1
    elif isinstance(event, e.CounterFailed):
        yield from _false_counter(before, event.at, event.seat, event.target, event.team)
    elif isinstance(event, e.RoundEnded) and event.caller is not None:
        yield from _ended(before, event, event.caller, opened_at, known)


def _ended(
    state: State, event: e.RoundEnded, caller: int, opened_at: int, known: Mapping[Sign | None, int]
) -> Iterator[tuple[int, str, int]]:
    if event.outcome in e.TRUE_KEMS:
        called_at = event.at if state.chain is None else state.phase_at
        partners = state.partners(caller)
        signed_at = [made.at for made in state.gestures if made.sign is not None and made.seat in partners]
        yield caller, "quick", int(any(0 <= called_at - at < QUICK_MS for at in signed_at))
        is_double = event.outcome is not e.Outcome.KEMS
        holders = state.kems_holders(state.team_of(caller)) if is_double else counting_holders(state, caller)
        for seat in {caller, *holders}:
            yield seat, "kems", 1
            yield seat, "doubles", int(is_double)
            yield seat, "kems_ms", event.at - opened_at
    elif event.outcome in e.COUNTERS:
        assert event.team is not None, "a counter names a team, or a player of it"
        signs = {made.sign for made in state.gestures if state.team_of(made.seat) == event.team} - {None}
        yield caller, "counters", 1
        yield caller, "read", int({known[sign] for sign in signs} == {state.round})
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


@dataclass(frozen=True, slots=True)
class Feat:
    """What a seat did in a round, and how many milliseconds it took; `count` gestures of a bluff."""

    seat: int
    milliseconds: int
    count: int = 1
    round: int = 1


SOON_MS: Final = 15_000
"""Longest time of a Kem's that can be a highlight as the quickest."""


@dataclass(frozen=True, slots=True)
class Highlights:
    """The highlights of a match; the first of equal ones counts.

    - `best`: the seats with most merit, none if no seat has any; `tally` is that of the first.
    - `bluff`: the longest time from a seat's first bluff in a round to its last, with no sign of its own in between.
    - `quickest`: the true Kem's that came soonest after its hunt was opened, without pauses, within `SOON_MS`.
    - `closest`: the call that won points by the fewest milliseconds before an opponent's.

    A true Kem's is a merit of the seat that called it and of those that held it, a double counts twice; a counter is
    one of its caller; a false call or counter takes one away. Between equals, those lead whose bluffs caused more false
    counters, then those who were caught less often, then those who bluffed more.
    """

    best: tuple[int, ...] = ()
    tally: SeatTally | None = None
    bluff: Feat | None = None
    quickest: Feat | None = None
    closest: Feat | None = None


NO_HIGHLIGHTS: Final = Highlights()


def highlights(events: Sequence[e.Event], handovers: Handovers = ()) -> Highlights:
    """Return the highlights of a match."""
    counts = tally(events, handovers)
    merits = [_merit(count) for count in counts]
    most = max(merits, default=())
    best = tuple(seat for seat, merit in enumerate(merits) if merit == most and merit[0] > 0)
    return Highlights(best, counts[best[0]] if best else None, *_feats(events, handovers))


def _merit(count: SeatTally) -> tuple[int, ...]:
    credit = count.kems + count.doubles + count.counters - count.false_calls - count.false_counters
    return credit, count.baits, -count.caught, count.bluffs


def _feats(events: Sequence[e.Event], handovers: Handovers) -> tuple[Feat | None, Feat | None, Feat | None]:
    bluff: Feat | None = None
    quickest: Feat | None = None
    closest: Feat | None = None
    for _, event, state, opened_at in _steps(events):
        if isinstance(event, e.GestureMade) and state.phase is not Phase.OVER:  # between rounds none is a bluff
            made = _bluff(state, event.seat) if is_own(event.seat, event.at, handovers) else None
            if made is not None and (bluff is None or made.milliseconds > bluff.milliseconds):
                bluff = made
        elif isinstance(event, e.RoundEnded) and event.outcome in e.TRUE_KEMS and event.caller is not None:
            took_ms = event.at - opened_at
            is_theirs = is_own(event.caller, event.at, handovers)
            if is_theirs and took_ms <= SOON_MS and (quickest is None or took_ms < quickest.milliseconds):
                quickest = Feat(event.caller, took_ms, round=state.round)
        if isinstance(event, e.RoundEnded) and (race := _race(state, event)) is not None:
            is_theirs = is_own(race.seat, event.at, handovers)
            if is_theirs and (closest is None or race.milliseconds < closest.milliseconds):
                closest = race
    return bluff, quickest, closest


def _race(state: State, ended: e.RoundEnded) -> Feat | None:
    """Return the call that won a round before an opponent's."""
    margin = state.margin
    if margin is None or ended.points[state.team_of(margin.seat)] <= 0:
        return None
    return Feat(margin.seat, margin.milliseconds, round=state.round)


def _bluff(state: State, seat: int) -> Feat | None:
    """Return the bluff that the seat has made so far, since its last sign in the round; one gesture is none."""
    run: list[int] = []
    for made in state.gestures:
        if made.seat == seat:
            run = [] if made.sign is not None else [*run, made.at]
    return Feat(seat, run[-1] - run[0], len(run), state.round) if len(run) > 1 else None
