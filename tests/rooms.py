"""Runs the tests of a room: `make test ROOM=ui/night`. With `NEAR=1`, it also runs those that depend on the room.

A room is a package of `bot`, at any depth. Its own tests are the folder of the same name in `tests`, and `ELSEWHERE`.
A test depends on a room if it imports one of the room's modules, or a module that does.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import Final

import grimp
import pytest

PROJECT: Final = Path(__file__).parents[1]
_TABLE: Final = (
    *("away", "calls", "face", "gesture_panels", "help_levels", "late_presses", "leaks", "match", "match_ends"),
    *("own_message", "panels_return", "pause", "result_film", "robot_places", "signs", "story", "swap"),
    *("table_picture", "unseen", "vote"),
)
_NIGHT: Final = (
    *("changed_nights", "crossed_presses", "express", "gone_people", "hidden_nights", "host_panel", "night_entry"),
    *("nights", "server_event", "winner_role"),
)
_INTEGRATION: Final = {
    "site": ("site",),
    "ui/daily": ("daily", "moments"),
    "ui/daily_post": ("daily",),
    "ui/help": ("help", "every_command"),
    "ui/ladder": ("corrected_ends", "league", "season_ends"),
    "ui/lobby": ("channel_post", "departures", "lobby", "people", "play", "players_role", "practice", "ranked_entry"),
    "ui/night": _NIGHT,
    "ui/privacy": ("records",),
    "ui/records": ("reading", "records", "replays"),
    "ui/rules": ("reading", "rules_editor"),
    "ui/server": ("bans", "config", "log_channel", "refusals"),
    "ui/table": _TABLE,
    "ui/words": (),
}
_SCREENS: Final = ("tests/ui/screens",)
"""The recorded screens of all features."""
ELSEWHERE: Final[dict[str, tuple[str, ...]]] = {
    "game": ("tests/rules",),
    "operating": ("tests/rig/test_setup.py",),
    **{
        room: (*(_SCREENS if room.startswith("ui/") else ()), *(f"tests/integration/test_{name}.py" for name in names))
        for room, names in _INTEGRATION.items()
    },
}
"""Own tests of a room that are not in its folder."""


def rooms() -> list[str]:
    """Return the names of all rooms, such as `game` and `ui/night`."""
    root = PROJECT / "bot"
    return sorted(file.parent.relative_to(root).as_posix() for file in root.rglob("?*/__init__.py"))


def own_tests(room: str) -> list[str]:
    """Return the folders and files of the room's own tests.

    Raises:
        ValueError: there is no such room.
    """
    if room not in rooms():
        known = ", ".join(name for name in rooms() if "/" not in name)
        raise ValueError(f"There is no room {room}. Rooms are {known}, and folders in these, such as ui/night.")
    folder = f"tests/{room}"
    return [*([folder] if (PROJECT / folder).is_dir() else []), *ELSEWHERE.get(room, ())]


def near_tests(room: str) -> list[str]:
    """Return the files of tests that depend on the room and are not its own."""
    graph = grimp.build_graph("bot", "tests", cache_dir=str(PROJECT / ".import_linter_cache"))
    package = f"bot.{room.replace('/', '.')}"
    members = graph.find_descendants(package) | {package}
    near = {name for member in members for name in graph.find_modules_that_directly_import(member)} - members
    far = {name for module in near for name in graph.find_modules_that_directly_import(module)}
    files = {Path(*name.split(".")).with_suffix(".py") for name in near | far if name.startswith("tests.")}
    own = [Path(name) for name in own_tests(room)]
    tests = (file for file in files if file.name.startswith("test_") and not {file, *file.parents} & set(own))
    return sorted(file.as_posix() for file in tests)


class Counter:
    """A plugin of pytest that counts the tests that have run."""

    count = 0

    def pytest_runtest_logfinish(self) -> None:
        self.count += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room")
    parser.add_argument("--near", action="store_true", help="add the tests that depend on the room")
    known, options = parser.parse_known_args()
    try:
        tests = own_tests(known.room)
    except ValueError as error:
        sys.exit(str(error))
    if not tests and not known.near:
        sys.exit(f"{known.room} has no tests of its own; NEAR=1 runs those that depend on it.")
    if known.near:
        tests += near_tests(known.room)
    counter = Counter()
    status = pytest.main([*options, *tests], plugins=[counter])
    print(f"{known.room}: {counter.count} tests, {sum(os.times()[:4]):.0f} CPU seconds")
    return status


if __name__ == "__main__":
    sys.exit(main())
