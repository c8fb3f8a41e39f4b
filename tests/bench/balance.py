"""What simulated matches say of each preset: `make balance` plays them and renews the figures of docs/balance.md.

    python -m tests.bench.balance [--matches N] [--jobs N]

The text around the figures is written by hand, and stays.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any, Final

from bot.game.events import Outcome
from bot.game.rules.house_rules import read_rules
from bot.game.rules.presets import PRESETS
from bot.robots import LEVELS, RobotLevel
from bot.simulation.command import OUTCOMES, as_data, figures
from bot.simulation.match import match_plans, play_all

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = DOCS / "balance.md"
PICTURES: Final = DOCS / "balance"
_BLOCK: Final = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- /\2 -->)", re.DOTALL)

HOUSE_RULES: Final = (
    "classic deck=52",
    "classic down=1",
    "classic three_alike=allowed",
    "classic quiet=2",
    "classic counter_two=counts",
    "escale kems=1 double_kems=2",
)
"""Lines that change one thing each, compared with their preset."""
_SHOWN: Final = (
    ("rounds a match", "rounds_a_match"),
    ("minutes a match", "minutes_a_match"),
    ("sweeps a round", "sweeps_a_round"),
    ("points a round", "points_a_round"),
    ("false calls a round", "false_calls_a_round"),
    ("points of the dealer's team a round", "points_of_dealer"),
)
_COLOURS: Final = (
    "#2e7d32", "#8bc34a", "#1565c0", "#64b5f6", "#c62828", "#ef9a9a", "#ef6c00", "#ffb74d", "#6a1b9a", "#757575",
    "#bdbdbd", "#212121",
)  # fmt: skip


def measured(lines: Iterable[str], level: RobotLevel, matches: int, jobs: int | None = None) -> dict[str, Any]:
    found = {}
    for line in lines:
        plan = list(match_plans(read_rules(line), [LEVELS[level]], matches=matches))
        found[line] = as_data(figures(list(play_all(plan, jobs))), ["team 1", "team 2"])
        print(line, flush=True)
    return found


def with_figures(page: str, blocks: Mapping[str, str]) -> str:
    """Returns the page with new text in some of its marked blocks.

    Raises:
        ValueError: the page does not have each of them once.
    """
    names = [match[1] for match in _BLOCK.findall(page)]
    if any(names.count(block) != 1 for block in blocks):
        raise ValueError(f"the page has the blocks {names}, not each of {sorted(blocks)} once")
    return _BLOCK.sub(
        lambda match: f"{match[1]}{blocks[match[2]]}\n{match[3]}" if match[2] in blocks else match[0], page
    )


def preset_table(found: Mapping[str, Any]) -> str:
    rows = [("", *found)]
    rows.append(("seconds a round, median", *(f"{data['round_seconds']['median']:.0f}" for data in found.values())))
    for title, key in _SHOWN:
        rows.append((title, *(_mean(data[key]) for data in found.values())))
    rows.append(
        ("won by the first dealer's team", *(as_share(data["wins_of_first_dealer"]) for data in found.values()))
    )
    for outcome in Outcome:
        shares = [data["outcomes"].get(outcome.value) for data in found.values()]
        if any(shares):
            cells = (f"{share['share']:.0%}" if share else "–" for share in shares)
            rows.append((f"ends by {OUTCOMES[outcome]}", *cells))
    return as_markdown(rows)


def house_table(found: Mapping[str, Any], presets: Mapping[str, Any]) -> str:
    """Returns what each house rule changes; a difference within its margin is no difference."""
    rows: list[tuple[str, ...]] = [("", "seconds a round", "points a round", "sweeps a round", "false calls a round")]
    for line, data in found.items():
        before = presets[line.split()[0]]
        keys = ("round_seconds", "points_a_round", "sweeps_a_round", "false_calls_a_round")
        rows.append((f"`{line}`", *(_difference(data[key], before[key]) for key in keys)))
    return as_markdown(rows)


def outcome_plot(found: Mapping[str, Any]) -> str:
    shown = [outcome for outcome in Outcome if any(outcome.value in data["outcomes"] for data in found.values())]
    height = 26 * len(found) + 22 * ((len(shown) + 2) // 3) + 24
    parts = []
    for row, (preset, data) in enumerate(found.items()):
        x, y = 110.0, 10 + 26 * row
        parts.append(f'<text x="100" y="{y + 14}" text-anchor="end">{escape(preset)}</text>')
        for outcome in shown:
            share = data["outcomes"].get(outcome.value)
            if share:
                width = 560 * share["share"]
                title = f"<title>{escape(OUTCOMES[outcome])}: {share['share']:.1%}</title>"
                fill = _COLOURS[list(Outcome).index(outcome)]
                parts.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="18" fill="{fill}">{title}</rect>')
                x += width
    for number, outcome in enumerate(shown):
        x, y = 110 + 190 * (number % 3), 26 * len(found) + 24 + 22 * (number // 3)
        fill = _COLOURS[list(Outcome).index(outcome)]
        parts.append(f'<rect x="{x}" y="{y - 11}" width="12" height="12" fill="{fill}"/>')
        parts.append(f'<text x="{x + 18}" y="{y}">{escape(OUTCOMES[outcome])}</text>')
    return _svg(height, "How rounds end", parts)


def length_plot(found: Mapping[str, Any]) -> str:
    """Returns a line for each preset: how long rounds take, nine in ten on either side, with the median."""
    most = max(data["round_seconds"]["decile_9"] for data in found.values())
    step = 30 if most > 60 else 10
    end = step * (int(most // step) + 1)
    parts = []
    for tick in range(0, end + 1, step):
        x = 110 + 560 * tick / end
        parts.append(f'<line x1="{x:.1f}" y1="6" x2="{x:.1f}" y2="{26 * len(found) + 10}" stroke="#9e9e9e"/>')
        parts.append(f'<text x="{x:.1f}" y="{26 * len(found) + 26}" text-anchor="middle">{tick} s</text>')
    for row, (preset, data) in enumerate(found.items()):
        seconds, y = data["round_seconds"], 22 + 26 * row
        low, middle, high = (110 + 560 * seconds[key] / end for key in ("decile_1", "median", "decile_9"))
        parts.append(f'<text x="100" y="{y + 4}" text-anchor="end">{escape(preset)}</text>')
        parts.append(f'<line x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}" stroke="#1565c0" stroke-width="6"/>')
        parts.append(f'<circle cx="{middle:.1f}" cy="{y}" r="6" fill="#c62828"/>')
    return _svg(26 * len(found) + 36, "How long rounds take", parts)


def main(arguments: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(prog="python -m tests.bench.balance")
    options.add_argument("--matches", type=int, default=200)
    options.add_argument("--level", type=RobotLevel, default=RobotLevel.REGULAR, choices=tuple(RobotLevel))
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args(arguments)
    presets = measured(PRESETS, chosen.level, chosen.matches, chosen.jobs)
    houses = measured(HOUSE_RULES, chosen.level, chosen.matches, chosen.jobs)
    date = datetime.now(UTC).date().isoformat()
    PICTURES.mkdir(exist_ok=True)
    about = {"date": date, "level": chosen.level.value, "matches": chosen.matches}
    (PICTURES / "figures.json").write_text(json.dumps({**about, "presets": presets, "house_rules": houses}, indent=1))
    write_page(date, chosen.level, chosen.matches, presets, houses)
    return 0


def write_page(
    date: str, level: RobotLevel, matches: int, presets: Mapping[str, Any], houses: Mapping[str, Any]
) -> None:
    (PICTURES / "outcomes.svg").write_text(outcome_plot(presets), encoding="utf-8")
    (PICTURES / "lengths.svg").write_text(length_plot(presets), encoding="utf-8")
    played = f"Played on {date}: {matches} matches of four robots at `{level}` by each line of rules."
    blocks = {"played": played, "presets": preset_table(presets), "house_rules": house_table(houses, presets)}
    PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8"), blocks), encoding="utf-8")


def _mean(data: Mapping[str, float]) -> str:
    return f"{data['mean']:.2f} ± {data['margin']:.2f}"


def as_share(data: Mapping[str, float]) -> str:
    return f"{data['share']:.0%} ({data['low']:.0%} to {data['high']:.0%})"


def _difference(data: Mapping[str, float], before: Mapping[str, float]) -> str:
    margin = (data["margin"] ** 2 + before["margin"] ** 2) ** 0.5
    change = data["mean"] - before["mean"]
    return f"{change:+.2f} ± {margin:.2f}" if abs(change) > margin else "same"


def as_markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *body = ("| " + " | ".join(row) + " |" for row in rows)
    return "\n".join((head, "| --- |" + " ---: |" * (len(rows[0]) - 1), *body))


def _svg(height: int, title: str, parts: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 {height}" font-family="sans-serif" font-size="13">'
        f'<title>{escape(title)}</title><rect width="700" height="{height}" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )


if __name__ == "__main__":
    sys.exit(main())
