"""What libraries do not promise stands in one module a library, and each name is still there."""

import ast
import re
from collections.abc import Mapping
from importlib import reload
from pathlib import Path
from types import ModuleType
from typing import Final

import aiohttp
import discord
import pytest

from bot.base import libraries
from bot.base.libraries import LibraryError
from bot.discord.api import aiohttp_internals, discord_internals
from bot.operating.run import loading
from bot.store.engine import driver_thread

ROOT: Final = Path(__file__).parents[2]
MODULES: Final[Mapping[str, ModuleType]] = {
    "aiohttp": aiohttp_internals, "aiosqlite": driver_thread, "discord": discord_internals
}  # fmt: skip
"""By library."""
PUBLIC: Final = {"_exit", "_fields", "_make", "_mapping", "_replace", "_value_"}
"""Names of the standard library and of SQLAlchemy that are documented."""


@pytest.mark.parametrize("library", MODULES)
def test_every_private_name_exists_and_is_used(library: str) -> None:
    module = MODULES[library]
    libraries.check([module.names()])
    assert module.__file__ is not None
    text = Path(module.__file__).read_text(encoding="utf-8")
    assert [name for name in module.names() if len(re.findall(rf"\b{name}\b", text)) < 2] == []


def test_the_working_versions_are_the_locked_ones() -> None:
    lock = (ROOT / "requirements.txt").read_text("utf-8").replace("discord-py==", "discord==")
    assert all(f"\n{module}=={version} " in lock for module, version in libraries.WORKING.items())
    assert libraries.WORKING.keys() == MODULES.keys()


def test_a_start_with_another_version_of_a_library_names_the_working_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(discord.state.ConnectionState, "_remove_guild")
    with pytest.raises(LibraryError) as missing, loading():
        pass
    assert missing.value.status == 78
    assert str(missing.value) == (
        "discord.py 2.7.1 does not fit the bot (ConnectionState has no _remove_guild): install discord.py==2.7.1."
    )
    monkeypatch.undo()
    monkeypatch.delattr(aiohttp.client_reqrep, "ClientRequest")
    wrong = r"aiohttp .* does not fit the bot \(cannot import name 'ClientRequest'"
    with pytest.raises(LibraryError, match=wrong), loading():
        reload(aiohttp_internals)


def test_no_other_module_uses_private_names() -> None:
    """Nor the requests of discord.py's `http`. Imports are the linter's (`banned-api` in pyproject.toml)."""
    own = {Path(str(module.__file__)) for module in MODULES.values()}
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(ROOT.glob("bot/**/*.py")) if file not in own}
    assert [file for file, text in texts.items() if re.search(r"(?<!discord)\.http\b", text)] == []
    defined = {name for text in texts.values() for found in _DEFINES.findall(text) for name in found}
    trees = {file: ast.parse(text) for file, text in texts.items() if _asks_others(text) or _own(text) - defined}
    assert 0 < len(trees) < len(texts) / 10, "few files are parsed, for that takes seconds"
    ours = {file: _defined(tree) for file, tree in trees.items()}
    everywhere = defined.union(*ours.values(), PUBLIC)
    found = {
        (str(file.relative_to(ROOT)), node.attr)
        for file, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.endswith("__")
        if node.attr not in (everywhere if _is_own(node.value) else ours[file] | PUBLIC)
    }
    assert found == set()


_DEFINES = re.compile(r"(?:def|class) (_\w+)|\bself\.(_\w+)(?=[^=\n(]*=(?!=))|^ +(_\w+)(?=[^=\n(]*[:=])", re.MULTILINE)
"""What most files define, without parsing them."""


def _asks_others(text: str) -> bool:
    """Whether a file uses private names of what is neither `self` nor `cls`."""
    return re.search(r"(?<!\bself)(?<!\bcls)\._[a-z]", text) is not None


def _own(text: str) -> set[str]:
    return set(re.findall(r"\b(?:self|cls)\.(_[a-z]\w*)", text))


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
