"""The moments of random matches that are worth a screen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot.game import events as e
from bot.game.events import Phase
from bot.game.evolve import evolve, evolve_all
from bot.game.rules.house_rules import override, preset, with_room
from bot.game.signs import Strategy
from bot.game.state import State
from tests.game.matches import steps_at_random

_MOVES: Final = 700
_MOST_MOMENTS: Final = 9
_FACETS: Final = ("outcome", "is_right", "by_chance", "silent", "strategy", "kind", "is_double", "winner")
ALL: Final = tuple(Strategy)


@dataclass(frozen=True)
class Spec:
    """Which match to play; `rules` are house rules by axis."""

    preset: str
    players: int
    seed: int
    strategies: tuple[Strategy, ...] = ()
    rules: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.preset} {self.players} {self.seed}"


@dataclass(frozen=True)
class Moment:
    """A state, when it is (milliseconds), and the seat that brought it about."""

    name: str
    state: State
    now: int
    seat: int

    def paused(self, *, by_itself: bool = False) -> "Moment":
        """The same with the match paused."""
        return replace(self, state=evolve(self.state, e.MatchPaused(self.now, by_itself=by_itself)))


@dataclass(frozen=True)
class Played:
    """A match: its whole log, and some moments of it."""

    spec: Spec
    log: tuple[e.Event, ...]
    moments: tuple[Moment, ...]


def play(spec: Spec, seen: set[object]) -> Played:
    """Play the match; its moments show what `seen` does not hold yet, which is added, and each phase once."""
    rules = with_room(override(preset(spec.preset), spec.rules), spec.players)
    log: list[e.Event] = []
    moments: list[Moment] = []
    phases: set[Phase] = set()
    fresh: set[object] = set()
    number = 0
    match = steps_at_random(rules, spec.players, spec.seed, moves=_MOVES, strategies=spec.strategies, have_margins=True)
    for state, now, seat, events in match:
        log.extend(events)
        if not moments:
            moments.append(Moment(f"{spec.name} start", state, now, 0))
            phases.add(state.phase)
            continue
        fresh |= {_facets(event) for event in events}
        if seat is None:
            continue
        is_new = not fresh <= seen and len(moments) < _MOST_MOMENTS
        if is_new or state.phase not in phases:
            moments.append(Moment(f"{spec.name} {number} {state.phase}", state, now, seat))
            seen |= fresh
            phases.add(state.phase)
        fresh, number = set(), number + 1
    return Played(spec, tuple(log), tuple(moments))


def retrace(name: str, log: Sequence[e.Event], seen: set[object]) -> tuple[Moment, ...]:
    """The moments of a log that show what `seen` does not hold yet, which is added."""
    moments = []
    state: State | None = None
    for event, following in zip(log, (*log[1:], None), strict=True):
        state = evolve_all(state, (event,))
        is_whole = following is None or following.at > event.at
        if is_whole and _facets(event) not in seen:
            seen.add(_facets(event))
            seat = getattr(event, "seat", 0)
            moments.append(Moment(f"{name} {len(moments)} {state.phase}", state, event.at, seat or 0))
    return tuple(moments)


def _facets(event: e.Event) -> tuple[object, ...]:
    """What kind of event it is, as far as a screen may show it."""
    plan = getattr(event, "plan", None)
    shape = None if plan is None else (plan.kind, plan.presign)
    return (type(event), shape, *(getattr(event, name, None) for name in _FACETS))
