"""`docs/performance.md`: how the bot is measured, the newest run of each part, and one from before they were there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.bench.parts import PARTS
from tests.bench.report import Run, as_json, as_markdown, read

DOCS: Final = Path(__file__).parents[2] / "docs"
_INTRODUCTION: Final = """\
# Performance

`make bench` writes this page. It takes the bot apart: what a press costs, what people see at many tables, and each room
by itself.

## Method

- Every figure stands beside a reference that is measured in the same run, on the same machine. A ratio says more than a
  time: another machine moves both.
- Rounds of a figure and of its reference alternate. The page shows the median of all rounds; the lowest and the highest
  ratio of a round are in brackets. `docs/performance/after.json` holds all rounds.
- A target is a bound for the ratio (`x`), or for the figure itself. A figure without a target is only shown.
- Bots run in processes of their own against a Discord on loopback sockets. Databases are files, and what is written is
  on the disk (`synchronous=FULL`) before it counts.
- Each part says when it was measured, of which commit, and what else kept the machine busy then. A part that was
  disturbed by other work says so.
- A rented machine may be two or three times as quick in one hour as in the next, without any load to be seen. Each part
  says how many steps of a plain Python loop the machine made a second just before it. A slow hour moves figures without
  a reference most, and ratios less.
"""


def write_page(run: Run, docs: Path = DOCS) -> Path:
    """Write the page of these parts, and of the others as they were measured last; all of them as JSON.

    What else it shows are files beside it: `before.json`, a run; `limits.md`, what holds figures back; `profile.txt`.
    """
    stored = docs / "performance"
    stored.mkdir(exist_ok=True)
    newest = stored / "after.json"
    known = (read(newest) if newest.exists() else {}) | run
    run = {name: known[name] for name in PARTS if name in known}
    newest.write_bytes(as_json(run))
    sections = [_INTRODUCTION, f"## This version\n\n{as_markdown(run)}"]
    limits, profile, before = (stored / name for name in ("limits.md", "profile.txt", "before.json"))
    if limits.exists():
        sections.append(f"## Where the limits are\n\n{limits.read_text(encoding='utf-8')}")
    if profile.exists():
        text = profile.read_text(encoding="utf-8").strip()
        sections.append(f"## Where the time goes\n\n```text\n{text}\n```\n")
    if before.exists():
        sections.append(f"## Before\n\n{as_markdown(read(before))}")
    page = docs / "performance.md"
    page.write_text("\n".join(section.strip("\n") + "\n" for section in sections), encoding="utf-8")
    return page
