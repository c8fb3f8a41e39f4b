"""What one trick is worth to a player of strength `strong`: `python -m tests.bench.tricks` renews its table.

    python -m tests.bench.tricks [--matches N] [--jobs N]

A side with the trick plays `classic` against `strong` and against `master`, the same deals from both pairs of seats. No
level was set on these deals.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice
from random import Random
from typing import Final

from bot.game import actions as a
from bot.game.events import Phase
from bot.game.rules.presets import CLASSIC
from bot.game.signs import HOUSE_SIGNS, GestureKind, emoji_sign, fold_emojis
from bot.game.views import SeatView
from bot.robots import LEVELS, Intent, Level, Robot, RobotLevel
from bot.robots.collect import Collector
from bot.robots.level import CandidateAction, DelayRange
from bot.simulation.command import figures
from bot.simulation.match import Turned, match_plans, play_all
from tests.bench.balance import PAGE, as_markdown, as_share, with_figures

_STRONG: Final = LEVELS[RobotLevel.STRONG]
_PARTS: Final = (_STRONG.timing, _STRONG.skill, _STRONG.least_wait)
_OTHERS: Final = (RobotLevel.STRONG, RobotLevel.MASTER)
_FIRST_SEED: Final = 70_000
_NAMES_AFTER_MS: Final = 1000


@dataclass(frozen=True, slots=True)
class Trickster(Level):
    """A level whose robots are made by `robot`."""

    robot: Callable[[Random, Level], Robot] = Robot


class _NamesSigns(Robot):
    """Names one emoji after the other as the opponents' sign."""

    _named = 0

    def _counter(self, view: SeatView, collector: Collector) -> Iterator[CandidateAction]:
        found = {sign.text for said in view.table.reports if said.is_right for sign in said.signs}
        for seat, made in self._memory.made.items():
            if seat % view.table.teams != view.team and found & {fold_emojis(seen.info.text) for seen in made}:
                yield CandidateAction(a.CounterPlayer(view.seat, seat), self._timing.counter)
        yield from super()._counter(view, collector)

    def think(self, view: SeatView, now: int) -> Intent | None:
        intent = super().think(view, now)
        if not view.may_guess or view.table.phase is not Phase.HUNT:
            return intent
        if intent is not None and intent.delay_ms <= _NAMES_AFTER_MS:
            return intent
        self._named += 1
        sign = emoji_sign(HOUSE_SIGNS[self._named % len(HOUSE_SIGNS)])
        return Intent(a.GuessSign(view.seat, 1 - view.team, (sign,)), _NAMES_AFTER_MS)


class _CountersAlways(Robot):
    """Counters every gesture of an opponent."""

    def _counter(self, view: SeatView, collector: Collector) -> Iterator[CandidateAction]:
        for seat in self._memory.made:
            if seat % view.table.teams != view.team and self._reader.odds(view, seat):
                yield CandidateAction(a.CounterPlayer(view.seat, seat), self._timing.counter)


class _BluffsOnce(Robot):
    """Makes its sign once without a Kem's in each round; its partner takes only a later one for the truth."""

    def _mislead(self, view: SeatView) -> Iterator[CandidateAction]:
        own = [made for made in view.table.gestures if made.seat == view.seat]
        if not own and view.signs:
            sign = a.MakeGesture(view.seat, GestureKind.REACT, view.signs[0].text)
            yield CandidateAction(sign, self._timing.gesture)

    def _call(self, view: SeatView) -> Iterator[CandidateAction]:
        partners = [made for made in view.table.gestures if made.seat in view.partners]
        if len(partners) > 1:
            yield from super()._call(view)


def _hoards(view: SeatView, action: a.Action) -> bool:
    """Permits everything but to put down what an opponent was seen to take."""
    if not isinstance(action, a.PutDown):
        return True
    taken = {card.group for seen in view.table.exchanges if (seen.seat - view.seat) % 2 for card in seen.taken}
    return action.card.group not in taken or view.table.seats[view.seat].must_exchange


def _paced(**timing: DelayRange) -> Level:
    return replace(_STRONG, timing=replace(_STRONG.timing, **timing), least_wait=1)


TRICKS: Final[dict[str, Level]] = {
    "none": _STRONG,
    "reads and counts like `master`": replace(LEVELS[RobotLevel.MASTER], timing=_STRONG.timing),
    "names signs, one after the other": Trickster(*_PARTS, _NamesSigns),
    "exchanges in 2 to 4 s": _paced(put=(1300, 2700), take=(700, 1300)),
    "exchanges in 1.4 to 2.7 s": _paced(put=(900, 1700), take=(500, 1000)),
    "exchanges in 1.4 to 2.7 s and calls in 0.6 to 1.5 s": _paced(
        put=(900, 1700), take=(500, 1000), call=(600, 1500), counter=(600, 1500), gesture=(600, 1500)
    ),
    "bluffs with its sign, then makes it in earnest": Trickster(*_PARTS, _BluffsOnce),
    "counters every gesture": Trickster(*_PARTS, _CountersAlways),
    "wraps its sign: a bluff after every take": replace(_STRONG, skill=replace(_STRONG.skill, decoys=1)),
    "hoards what opponents collect": Trickster(*_PARTS, partial(Robot, permits=_hoards)),
}


def make_robot(rng: Random, level: Level) -> Robot:
    return level.robot(rng, level) if isinstance(level, Trickster) else Robot(rng, level)


def play_cells(cells: Sequence[Sequence[Level]], matches: int, jobs: int | None = None) -> Iterator[list[Turned]]:
    """Yields the matches of each pair of sides; one pool of processes plays them all."""
    plan = (match_plans(CLASSIC, sides, matches=matches, seed=_FIRST_SEED, make=make_robot) for sides in cells)
    played = play_all(chain.from_iterable(plan), jobs)
    for _ in cells:
        yield list(islice(played, matches))


def _told(played: Sequence[Turned]) -> str:
    won = figures(played).wins[0]
    low, high = won.interval
    return as_share({"share": won.value, "low": low, "high": high})


def read_options(name: str, matches: int, arguments: list[str] | None) -> tuple[int, int]:
    """Returns how many matches a cell has, and how many processes play."""
    options = argparse.ArgumentParser(prog=f"python -m {name}")
    options.add_argument("--matches", type=int, default=matches)
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args(arguments)
    return chosen.matches, chosen.jobs


def renew(block: str, rows: Sequence[Sequence[str]], matches: int) -> None:
    played = f"Played on {datetime.now(UTC).date().isoformat()}, {matches:,} matches a cell:"
    page = with_figures(PAGE.read_text(encoding="utf-8"), {block: f"{played}\n\n{as_markdown(rows)}"})
    PAGE.write_text(page, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    chosen = read_options("tests.bench.tricks", 1000, arguments)
    rows: list[tuple[str, ...]] = [("a `strong` side that", *(f"against `{other}`" for other in _OTHERS))]
    told = play_cells([(trick, LEVELS[other]) for trick in TRICKS.values() for other in _OTHERS], *chosen)
    for name in TRICKS:
        rows.append((name, *(_told(next(told)) for _ in _OTHERS)))
        print(rows[-1], flush=True)
    renew("tricks", rows, chosen[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
