"""The private names of libraries that the bot leans on: few files, each known here, and each name still there."""

import ast
from pathlib import Path
from typing import Any

import aiosqlite
import discord
import pytest
from discord.http import HTTPClient
from discord.state import ConnectionState

ROOT = Path(__file__).parents[1]
NAMES: dict[str, dict[str, Any]] = {
    "bot/store/engine/one_hop.py": {name: lambda: aiosqlite.connect(":memory:") for name in ("_execute", "_thread")}
    | {"_conn": lambda: aiosqlite.Connection},
    "bot/ui/client.py": {
        **{name: lambda: discord.Client(intents=discord.Intents.none()) for name in ("_handlers", "_hooks")},
        "_remove_guild": lambda: ConnectionState,
    },
    "bot/ui/shard_keeper.py": {"_connection": lambda: discord.Client(intents=discord.Intents.none())},
    "bot/ui/lobby/presses.py": {"_state": lambda: discord.Interaction},
    "bot/ui/kit/interactions.py": {
        "_response_type": lambda: discord.InteractionResponse,
        "_HTTPClient__session": lambda: HTTPClient(None),  # type: ignore[arg-type]  # it asks the loop for nothing yet
    },
}
"""By file: the names, and what has them. The files say why, and what to do without."""
PUBLIC = {"_exit", "_make", "_mapping"}
"""Names of the standard library and of SQLAlchemy that are documented."""


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, names in NAMES.items() for name in names])
async def test_the_library_still_has_the_name(file: str, name: str) -> None:
    assert name in (ROOT / file).read_text(encoding="utf-8"), f"{file} uses {name} no more: take it out of this list."
    owner = NAMES[file][name]()
    assert hasattr(owner, name), f"{owner!r} has no {name} any more: {file} says what it is for, and what to do."


def test_five_files_at_most_use_private_names() -> None:
    assert len(NAMES) <= 5
    known = {(file, name) for file, names in NAMES.items() for name in names}
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(ROOT.glob("bot/**/*.py"))}
    ours = {file: _defined(tree) for file, tree in trees.items()}
    everywhere = set[str]().union(*ours.values(), PUBLIC)
    found = {
        (str(file.relative_to(ROOT)), node.attr)
        for file, tree in trees.items()
        if "sandbox" not in file.parts
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.endswith("__")
        if node.attr not in (everywhere if _is_own(node.value) else ours[file] | PUBLIC)
    }
    assert found <= known


def _is_own(owner: ast.expr) -> bool:
    return isinstance(owner, ast.Name) and owner.id in ("self", "cls")


def _defined(tree: ast.Module) -> set[str]:
    """The names that a file gives to functions, classes, fields and attributes."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case (
                ast.Attribute(attr=name, ctx=ast.Store(), value=ast.Name(id="self"))
                | ast.AnnAssign(target=ast.Name(id=name))
            ):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {each.id for each in targets if isinstance(each, ast.Name)}
    return names
