"""The tests of a room and of what depends on it, for `make test ROOM=nights`: `python -m tests.rooms nights`.

A test depends on a room if it imports one of the room's modules, or a module that does.
"""

import sys
from pathlib import Path

import grimp

PROJECT = Path(__file__).parents[1]


def rooms() -> list[str]:
    """Rooms by their names, such as `game` and `ui`: the packages of `bot`."""
    return sorted(file.parent.name for file in (PROJECT / "bot").glob("*/__init__.py"))


def tests_of(room: str) -> list[str]:
    """The room's folder of tests, where it has one, and the files elsewhere that depend on the room.

    Raises ValueError: there is no such room.
    """
    if room not in rooms():
        raise ValueError(f"There is no room {room}. Rooms are {', '.join(rooms())}.")
    graph = grimp.build_graph("bot", "tests", cache_dir=str(PROJECT / ".import_linter_cache"))
    members = graph.find_descendants(f"bot.{room}") | {f"bot.{room}"}
    near = {name for member in members for name in graph.find_modules_that_directly_import(member)} - members
    far = {name for module in near for name in graph.find_modules_that_directly_import(module)}
    files = {Path(*name.split(".")).with_suffix(".py") for name in near | far if name.startswith("tests.")}
    folder = Path("tests", room)
    others = (file for file in files if file.name.startswith("test_") and folder not in file.parents)
    own = [folder] if (PROJECT / folder).is_dir() else []
    return [path.as_posix() for path in (*own, *sorted(others))]


if __name__ == "__main__":
    try:
        print(*tests_of(sys.argv[1]))
    except ValueError as error:
        sys.exit(str(error))
