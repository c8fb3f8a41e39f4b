"""`python -m tests.ui.screens.record` keeps every scene as it is built now, and says how many there are.

One line a scene, its name and its value as JSON, in the order of names; compressed.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Final

from tests.ui.screens.scenes import scenes

RECORDED: Final = Path(__file__).parent / "recorded.jsonl.gz"


def recorded() -> dict[str, Any]:
    """The values that are kept, by name."""
    lines = gzip.decompress(RECORDED.read_bytes()).decode().split("\n")
    return dict(json.loads(line) for line in lines)


def record() -> int:
    """Keep all scenes in place of what was kept; returns how many."""
    built = dict(scenes())
    lines = [json.dumps([name, built[name]], ensure_ascii=False, sort_keys=True) for name in sorted(built)]
    RECORDED.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    return len(built)


if __name__ == "__main__":
    print(f"{record()} screens, {RECORDED.stat().st_size // 1024} KiB")
