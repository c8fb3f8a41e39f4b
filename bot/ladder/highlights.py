"""What stands out in the log of a match: the best player, the longest bluff, the quickest Kem's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.game import events as e
from bot.game.evolve import evolve
from bot.game.phase import Phase
from bot.game.state import State
from bot.ladder.tally import SeatTally, tally

_KEMS: Final = (e.Outcome.KEMS, e.Outcome.DOUBLE, e.Outcome.FOUR_KEMS)


@dataclass(frozen=True, slots=True)
class Feat:
    """What one seat did, and how many milliseconds it took; `count` gestures of a bluff."""

    seat: int
    milliseconds: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Highlights:
    """`best` are the seats with the most to their credit, which is `tally` of each; none where no seat has any.

    A true Kem's counts for the seat that called it and for those that held it, a double twice; a counter counts for
    its caller; a false call or counter takes one away. Between equals those lead whose bluffs provoked more false
    counters, then those who were caught less often, then those who bluffed more.

    `bluff` is the longest time from a seat's first bluff in a round to its last, without a sign of its own in between.
    `quickest` is the true Kem's that came soonest after its hunt was opened, pauses left out. The first of equal feats
    counts.
    """

    best: tuple[int, ...] = ()
    tally: SeatTally | None = None
    bluff: Feat | None = None
    quickest: Feat | None = None


NO_HIGHLIGHTS: Final = Highlights()


def highlights(events: Sequence[e.Event]) -> Highlights:
    """Returns what stands out in a whole log."""
    counts = tally(events)
    merits = [_merit(count) for count in counts]
    most = max(merits, default=())
    best = tuple(seat for seat, merit in enumerate(merits) if merit == most and merit[0] > 0)
    return Highlights(best, counts[best[0]] if best else None, *_feats(events))


def _merit(count: SeatTally) -> tuple[int, ...]:
    credit = count.kems + count.doubles + count.counters - count.false_calls - count.false_counters
    return credit, count.baits, -count.caught, count.bluffs


def _feats(events: Sequence[e.Event]) -> tuple[Feat | None, Feat | None]:
    """Returns the longest bluff and the quickest Kem's."""
    state: State | None = None
    bluff: Feat | None = None
    quickest: Feat | None = None
    opened_in = opened_at = 0
    for event in events:
        before, state = state, evolve(state, event)
        if isinstance(event, e.HuntOpened) and state.round != opened_in:  # later ones follow a sweep
            opened_in, opened_at = state.round, event.at
        elif isinstance(event, e.MatchResumed) and before is not None and before.pause is not None:
            opened_at += event.at - before.pause.at
        elif isinstance(event, e.GestureMade) and state.phase is not Phase.OVER:  # between rounds none is a bluff
            made = _bluff(state, event.seat)
            if made is not None and (bluff is None or made.milliseconds > bluff.milliseconds):
                bluff = made
        elif isinstance(event, e.RoundEnded) and event.outcome in _KEMS and event.caller is not None:
            taken = event.at - opened_at
            if quickest is None or taken < quickest.milliseconds:
                quickest = Feat(event.caller, taken)
    return bluff, quickest


def _bluff(state: State, seat: int) -> Feat | None:
    """Returns the bluff that the seat has made so far, since its last sign in the round; one gesture is none."""
    run: list[int] = []
    for made in state.gestures:
        if made.seat == seat:
            run = [] if made.sign is not None else [*run, made.at]
    return Feat(seat, run[-1] - run[0], len(run)) if len(run) > 1 else None
