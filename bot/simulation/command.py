"""`kems simulate`: plays matches with a progress bar and reports their figures with margins of error.

The report is a table for people and data for programs.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean, median, quantiles, stdev
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot.base.errors import KemsError
from bot.game.events import Outcome
from bot.game.rules.house_rules import for_players, read_rules, teams_for, with_room
from bot.game.rules.presets import PRESETS
from bot.robots import LEVELS, Level, RobotLevel
from bot.simulation.match import MatchPlan, PlayedMatch, match_plans, play_all

_Z: Final = 1.96
"""Intervals contain the true value in 95 of 100 cases."""
_FALSE: Final = (Outcome.FALSE_KEMS, Outcome.FALSE_DOUBLE, Outcome.FALSE_COUNTER, Outcome.FALSE_DOUBLE_COUNTER)

OUTCOMES: Final = {
    Outcome.KEMS: "Kem's",
    Outcome.DOUBLE: "double Kem's",
    Outcome.COUNTER: "counter",
    Outcome.DOUBLE_COUNTER: "double counter",
    Outcome.FALSE_KEMS: "false Kem's",
    Outcome.FALSE_DOUBLE: "false double",
    Outcome.FALSE_COUNTER: "false counter",
    Outcome.FALSE_DOUBLE_COUNTER: "false double counter",
    Outcome.FOUR_KEMS: "four Kem's",
    Outcome.THREE_ALIKE: "three alike in the pool",
    Outcome.TOO_MANY_SWEEPS: "too many sweeps",
    Outcome.STOCK_OUT: "stock out",
}


_MEANS: Final = {
    "points_of_dealer": "points of the dealer's team a round, beyond the others",
    "rounds_a_match": "rounds a match",
    "minutes_a_match": "minutes a match",
    "sweeps_a_round": "sweeps a round",
    "points_a_round": "points a round, of all teams",
    "false_calls_a_round": "false calls a round",
    "guesses_a_round": "guesses of a sign a round",
    "moves_a_round": "moves a round",
}


@dataclass(frozen=True, slots=True)
class Share:
    """A share, with the interval that contains the true one in 95 of 100 cases (Wilson)."""

    count: int
    total: int

    @property
    def value(self) -> float:
        """The share, 0 to 1."""
        return self.count / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The interval that contains the true share in 95 of 100 cases."""
        if not self.total:
            return 0.0, 1.0
        n, p = self.total, self.value
        middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        reach = _Z / (1 + _Z**2 / n) * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
        return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean; in 95 of 100 cases the true one is within `margin` of it."""

    mean: float
    margin: float


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long rounds take, in seconds: nine in ten are longer than `short`, nine in ten are shorter than `long`."""

    short: float
    median: float
    long: float
    mean: Mean


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of matches.

    - `wins`: by side; side 0 is the team on seat 0 in the first of two matches.
    - `dealer_wins`: matches won by the team that dealt first, out of those that were won.
    - `means`: `points_of_dealer`, what the dealer's team gains in a round beyond the mean of the other teams;
      `points_a_round`, the gains of all teams together; `false_calls_a_round`, those of all kinds.
    """

    matches: int
    rounds: int
    wins: tuple[Share, ...]
    draws: Share
    dealer_wins: Share
    outcomes: dict[Outcome, Share]
    lengths: Lengths
    means: dict[str, Mean]


def figures(pairs: Sequence[tuple[PlayedMatch, int]]) -> Figures:
    """Return the figures of matches, each with how far its sides were turned.

    Raises:
        ValueError: No round was played to its end.
    """
    matches = [match for match, _ in pairs]
    rounds = [played for match in matches for played in match.rounds]
    if not rounds:
        raise ValueError("No round was played to its end.")
    teams = len(matches[0].scores)
    sides = Counter((match.winner - rotation) % teams for match, rotation in pairs if match.winner is not None)
    won = [match for match in matches if match.winner is not None]
    seconds = [played.milliseconds / 1000 for played in rounds]
    deciles = quantiles(seconds, n=10) if len(seconds) > 1 else [seconds[0]] * 9
    outcomes = Counter(played.outcome for played in rounds)
    return Figures(
        matches=len(matches),
        rounds=len(rounds),
        wins=tuple(Share(sides[side], len(matches)) for side in range(teams)),
        draws=Share(len(matches) - len(won), len(matches)),
        dealer_wins=Share(sum(match.winner == match.dealer % teams for match in won), len(won)),
        outcomes={outcome: Share(outcomes[outcome], len(rounds)) for outcome in Outcome if outcomes[outcome]},
        lengths=Lengths(deciles[0], median(seconds), deciles[-1], _mean(seconds)),
        means={
            "points_of_dealer": _mean([_dealer_gain(played.points, played.dealer % teams) for played in rounds]),
            "rounds_a_match": _mean([len(match.rounds) for match in matches]),
            "minutes_a_match": _mean([match.milliseconds / 60_000 for match in matches]),
            "sweeps_a_round": _mean([played.sweeps for played in rounds]),
            "points_a_round": _mean([sum(max(0, points) for points in played.points) for played in rounds]),
            "false_calls_a_round": _mean([played.false_counters + (played.outcome in _FALSE) for played in rounds]),
            "guesses_a_round": _mean([played.guesses for played in rounds]),
            "moves_a_round": _mean([match.moves / max(1, len(match.rounds)) for match in matches]),
        },
    )


def _dealer_gain(points: Sequence[int], team: int) -> float:
    others = [gained for other, gained in enumerate(points) if other != team]
    return points[team] - fmean(others)


def _mean(values: Sequence[float]) -> Mean:
    return Mean(fmean(values), _Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0)


Column = tuple[str, Figures]
"""A column of the report: what was played, such as the preset's name, and its figures."""


def as_table(columns: Sequence[Column], sides: Sequence[str]) -> Table:
    """Return the columns side by side; each column after the first also shows how it differs from the first."""
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("")
    for title, _ in columns:
        table.add_column(title, justify="right")
    rows = [list(_rows(figures, sides)) for _, figures in columns]
    for lines in zip(*rows, strict=True):
        table.add_row(lines[0][0], *(value for _, value in lines))
    for outcome in (item for item in Outcome if any(item in figures.outcomes for _, figures in columns)):
        values = [figures.outcomes.get(outcome, Share(0, figures.rounds)) for _, figures in columns]
        table.add_row(f"  ends by {OUTCOMES[outcome]}", *map(_share, values))
    return table


def as_data(figures: Figures, sides: Sequence[str]) -> dict[str, Any]:
    """Return the figures as plain data; shares and means with their intervals."""
    return {
        "matches": figures.matches,
        "rounds": figures.rounds,
        "wins": [{"side": side, **_share_data(share)} for side, share in zip(sides, figures.wins, strict=True)],
        "draws": _share_data(figures.draws),
        "wins_of_first_dealer": _share_data(figures.dealer_wins),
        "outcomes": {outcome.value: _share_data(share) for outcome, share in figures.outcomes.items()},
        "round_seconds": {
            "decile_1": figures.lengths.short,
            "median": figures.lengths.median,
            "decile_9": figures.lengths.long,
            **asdict(figures.lengths.mean),
        },
        **{name: asdict(found) for name, found in figures.means.items()},
    }


def _rows(figures: Figures, sides: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield "matches", f"{figures.matches:,}"
    for side, share in zip(sides, figures.wins, strict=True):
        yield f"won by {side}", _share(share)
    yield "drawn", _share(figures.draws)
    yield "won by the team that dealt first", _share(figures.dealer_wins)
    yield "seconds a round, median", f"{figures.lengths.median:.0f}"
    yield "  nine in ten", f"{figures.lengths.short:.0f} or more, {figures.lengths.long:.0f} or less"
    for name, found in figures.means.items():
        yield _MEANS[name], f"{found.mean:.2f} ± {found.margin:.2f}"


def _share(share: Share) -> str:
    low, high = share.interval
    return f"{share.value:.1%} ({low:.1%} to {high:.1%})"


def _share_data(share: Share) -> dict[str, Any]:
    low, high = share.interval
    return {"share": share.value, "low": low, "high": high, "count": share.count}


RANDOM: Final = "random"
"""In place of a level: random legal moves, without gestures."""


def simulate(
    line: str,
    levels: Sequence[str],
    *,
    matches: int,
    players: int,
    seed: int,
    jobs: int | None = None,
    file: Path | None = None,
    console: Console | None = None,
) -> None:
    """Let robots play by a line of rules, and by its unchanged preset for comparison; print a table, write JSON.

    Both allow so many `players`, and get a deck large enough for them unless the line names a deck.

    Args:
        line: Rules, as `read_rules` takes them.
        levels: One for all robots, one for each team, or `RANDOM`.
        matches: How many.
        players: At a table.
        seed: Makes the matches repeatable.
        jobs: How many processes play; by default one for each core.
        file: Where to write JSON.
        console: Where to print.

    Raises:
        KemsError: The matches cannot be played, or the file cannot be written.
    """
    screen = console or Console(soft_wrap=True)
    named = _levels(levels)
    try:
        chosen = read_rules(line)
        rules, known = (with_room(for_players(item, players), players) for item in (chosen, PRESETS[chosen.preset]))
        variants = [(rules.preset, known), *([(line, rules)] if rules != known else [])]
        sides = _sides(levels, teams_for(rules, players))
        started = time.monotonic()
        columns = []
        for title, played in variants:
            plan = list(match_plans(played, named, matches=matches, players=players, seed=seed))
            columns.append((title, _played(title, plan, jobs, screen)))
    except ValueError as error:
        raise KemsError(str(error)) from error
    seconds = time.monotonic() - started
    screen.print(as_table(columns, sides))
    cores = jobs or os.cpu_count() or 1
    rate = f"{matches * len(variants) / seconds:.1f} matches a second"
    screen.print(f"{rate} on {cores} {'core' if cores == 1 else 'cores'}")
    if file is not None:
        _write(file, columns, sides, {"rules": line, "players": players, "seed": seed})


def _levels(levels: Sequence[str]) -> tuple[Level, ...]:
    if tuple(levels) == (RANDOM,):
        return ()
    unknown = [level for level in levels if level not in tuple(RobotLevel)]
    if unknown:
        known = ", ".join(RobotLevel)
        raise KemsError(f"There is no level {unknown[0]}: name any of {known}, or {RANDOM} alone.")
    return tuple(LEVELS[RobotLevel(level)] for level in levels)


def _sides(levels: Sequence[str], teams: int) -> list[str]:
    if len(set(levels)) > 1:
        return [f"{level} (team {number})" for number, level in enumerate(levels, start=1)]
    return [f"team {number}" for number in range(1, teams + 1)]


def _played(title: str, plan: Sequence[MatchPlan], jobs: int | None, screen: Console) -> Figures:
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not screen.is_terminal,
    )
    with bar:
        return figures(list(bar.track(play_all(plan, jobs), total=len(plan), description=title)))


def _write(file: Path, columns: Sequence[Column], sides: Sequence[str], about: dict[str, Any]) -> None:
    data = {**about, "figures": [{"played": title, **as_data(found, sides)} for title, found in columns]}
    try:
        file.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise KemsError(f"{file} cannot be written: {error.strerror}.") from error
