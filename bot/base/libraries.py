"""Checks that libraries have the internals that the bot uses beyond their public API.

One module per library uses these internals; its `names` lists what has to be there.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from os import EX_CONFIG
from types import ModuleType
from typing import Final

from bot.base.errors import KemsError

WORKING: Final = {"aiohttp": "3.14.5", "aiosqlite": "0.22.1", "discord": "2.7.1"}
"""The version of each library that the bot is tested with, by module name."""


class LibraryError(KemsError):
    """A library lacks something that the bot needs."""

    status = EX_CONFIG

    def __init__(self, module: str, problem: str) -> None:
        package = {"discord": "discord.py"}.get(module, module)
        found, working = version(package), WORKING[module]
        super().__init__(f"{package} {found} does not fit the bot ({problem}): install {package}=={working}.")


def check(libraries: Iterable[Mapping[str, object]]) -> None:
    """Check that each object has the attribute that it is listed under.

    Raises:
        LibraryError: An attribute is missing.
    """
    for name, owner in (named for names in libraries for named in names.items()):
        if not hasattr(owner, name):
            kind = owner if isinstance(owner, type | ModuleType) else type(owner)
            module = kind.__name__ if isinstance(kind, ModuleType) else kind.__module__
            raise LibraryError(module.partition(".")[0], f"{kind.__name__} has no {name}")


def fault(error: ImportError) -> Exception:
    """Return a LibraryError if one of these libraries caused a failed import, else the import's own error."""
    module = (error.name or "").partition(".")[0]
    return LibraryError(module, error.msg) if module in WORKING else error
