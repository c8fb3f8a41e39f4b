"""The private names of libraries that the bot leans on: few files, each known here, and each name still there."""

import ast
import re
from pathlib import Path

import aiohttp
import discord
import pytest

from bot.base import libraries
from bot.base.libraries import LibraryError

ROOT = Path(__file__).parents[2]
PUBLIC = {"_exit", "_fields", "_make", "_mapping", "_replace", "_value_"}
"""Names of the standard library and of SQLAlchemy that are documented."""


def test_the_libraries_still_have_the_names_and_the_files_use_them() -> None:
    libraries.check()
    unused = [
        (file, name)
        for file, each in libraries.taken().items()
        for name in each.names
        if name not in (ROOT / file).read_text(encoding="utf-8")
    ]
    assert unused == []


def test_each_request_beside_the_promised_calls_is_listed() -> None:
    taken = libraries.taken()
    asked = {
        (str(file.relative_to(ROOT)), name)
        for file in ROOT.glob("bot/**/*.py")
        for name in re.findall(r"(?<!discord)\.http\.(\w+)\(", file.read_text(encoding="utf-8"))
    }
    assert asked
    assert not [(file, name) for file, name in asked if file not in taken or name not in taken[file].names]


def test_the_versions_that_work_are_those_of_the_lock() -> None:
    lock = (ROOT / "requirements.txt").read_text("utf-8").replace("discord-py==", "discord==")
    assert all(f"\n{module}=={version} " in lock for module, version in libraries.WORKING.items())


def test_a_start_with_another_library_ends_with_the_version_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(discord.state.ConnectionState, "_remove_guild")
    with pytest.raises(LibraryError) as missing:
        libraries.check()
    assert missing.value.status == 78
    assert str(missing.value) == (
        "discord.py 2.7.1 does not fit the bot (ConnectionState has no _remove_guild): install discord.py==2.7.1."
    )
    monkeypatch.delattr(aiohttp.client_reqrep, "ClientResponse")
    with pytest.raises(LibraryError, match=r"aiohttp .* does not fit the bot \(cannot import name 'ClientResponse'"):
        libraries.check()


def test_five_files_at_most_use_private_names() -> None:
    taken = libraries.taken()
    known = {(file, name) for file, each in taken.items() for name in each.names if name.startswith("_")}
    assert len({file for file, _ in known}) <= 5
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(ROOT.glob("bot/**/*.py"))}
    defined = {name for text in texts.values() for found in _DEFINES.findall(text) for name in found}
    trees = {file: ast.parse(text) for file, text in texts.items() if _asks_others(text) or _own(text) - defined}
    assert 0 < len(trees) < len(texts) / 10, "few files are parsed, for that takes seconds"
    ours = {file: _defined(tree) for file, tree in trees.items()}
    everywhere = defined.union(*ours.values(), PUBLIC)
    found = {
        (str(file.relative_to(ROOT)), node.attr)
        for file, tree in trees.items()
        if "sandbox" not in file.parts
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.endswith("__")
        if node.attr not in (everywhere if _is_own(node.value) else ours[file] | PUBLIC)
    }
    assert found <= known


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
