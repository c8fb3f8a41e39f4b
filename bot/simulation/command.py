"""`kems simulate`: plays the matches with a progress bar, and writes what they tell."""

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.base.errors import KemsError
from bot.game.rules.house_rules import for_players, read_rules, roomy, teams_for
from bot.game.rules.presets import PRESETS
from bot.robots import LEVELS, Level, RobotLevel
from bot.simulation.match import MatchPlan, match_plans, play_all
from bot.simulation.tally import Column, Figures, as_data, as_table, figures

RANDOM: Final = "random"
"""In the place of a level: random legal moves, without gestures."""


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
    """Plays matches by a line of rules, and by its preset where it changes that; prints a table, writes JSON.

    Both are played by so many `players`, with a deck large enough, whatever the sheet says.

    Raises KemsError: what cannot be played, or a file that cannot be written.
    """
    screen = console or Console(soft_wrap=True)
    named = _levels(levels)
    try:
        asked = read_rules(line)
        rules, known = (roomy(for_players(item, players), players) for item in (asked, PRESETS[asked.preset]))
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
