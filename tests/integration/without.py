"""A bot whose code lacks rooms, as `python -m tests.integration.without ui.help site`: one opens a table with it.

The rooms cannot be imported, and the list of features lacks those of them; all else is imported.
"""

import asyncio
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory
from types import ModuleType

import pytest

import bot


class Gone(MetaPathFinder):
    """Finds none of these modules, and nothing in them."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def is_gone(self, name: str) -> bool:
        return any(name == gone or name.startswith(f"{gone}.") for gone in self._names)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if self.is_gone(name):
            raise ModuleNotFoundError(f"{name} was taken away")
        return None


def take_away(rooms: Sequence[str]) -> None:
    """Import all that is left. Raises ModuleNotFoundError where that cannot do without these rooms."""
    gone = Gone([f"bot.{room}" for room in rooms])
    sys.meta_path.insert(0, gone)
    path = Path(bot.__path__[0]) / "compose.py"
    source, module = path.read_text("utf-8"), ModuleType("bot.compose")
    for room in rooms:
        source, lines = re.subn(rf'    "{room.removeprefix("ui.")}",\n', "", source)
        assert lines == room.startswith("ui."), f"{room}: a line"
    sys.modules["bot.compose"] = bot.compose = module  # type: ignore[attr-defined]
    exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102 - it is the bot's own code
    for found in walk_packages(bot.__path__, "bot."):
        if not gone.is_gone(found.name) and found.name != "bot.__main__":
            import_module(found.name)


async def open_a_table() -> None:
    from tests.integration.sqlite_in_loop import answer_in_loop  # noqa: PLC0415 - they import the bot
    from tests.integration.table import kems  # noqa: PLC0415

    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        answer_in_loop(patch)
        async with kems(Path(folder)) as harness:
            await harness["Léa"].slash("kems start")
            assert ":join" in str(harness["Léa"].last())
            await harness.restart()
            await harness["Bruno"].click("Rejoindre", harness["Léa"].last())
            assert "Bruno" in harness["Léa"].last().text


if __name__ == "__main__":
    take_away(sys.argv[1:])
    asyncio.run(open_a_table())
