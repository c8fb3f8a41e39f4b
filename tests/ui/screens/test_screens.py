"""Every screen is what it was when it was recorded: equal as JSON, so that the order of keys does not matter.

A change that is meant is recorded with `python -m tests.ui.screens.record`.
"""

from __future__ import annotations

import json
from difflib import unified_diff
from itertools import islice
from typing import Any, Final

from tests.ui.screens.record import recorded
from tests.ui.screens.scenes import scenes

FEWEST: Final = 400
_MOST_SHOWN: Final = 5  # scenes whose differences are printed
_MOST_LINES: Final = 30  # of one difference
_COMMANDS: Final = (1, 2)  # types of options: a command, a group of them


def _differences(name: str, before: Any, now: Any) -> str:
    sides = [json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True).splitlines() for value in (before, now)]
    lines = unified_diff(*sides, "recorded", "now", n=2, lineterm="")
    return "\n".join((f"## {name}", *islice(lines, _MOST_LINES)))


def _sorted_commands(value: Any) -> Any:
    """The same with the commands of each group by name: their order is that of the features, and means nothing."""
    if not isinstance(value, dict) or "options" not in value:
        return value
    options = [_sorted_commands(option) for option in value["options"]]
    are_commands = any(option["type"] in _COMMANDS for option in options)
    return value | {"options": sorted(options, key=lambda option: option["name"]) if are_commands else options}


def test_every_screen_is_as_it_was_recorded() -> None:
    built = list(scenes())
    now, before = (
        {name: _sorted_commands(value) if name.startswith("command ") else value for name, value in each}
        for each in (built, recorded().items())
    )
    assert len(now) == len(built), "two scenes have one name"
    assert len(now) >= FEWEST
    assert sorted(now.keys() ^ before.keys()) == []
    changed = [name for name in sorted(now) if now[name] != before[name]]
    told = "\n".join(_differences(name, before[name], now[name]) for name in changed[:_MOST_SHOWN])
    assert not changed, f"{len(changed)} of {len(now)} screens have changed\n{told}"
