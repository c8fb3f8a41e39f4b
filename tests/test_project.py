"""What the project promises about itself: the top level, and papers that agree with the code."""

from __future__ import annotations

import ast
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

import discord
import pytest

from bot.cli import app
from bot.game.presets import PRESETS
from bot.settings import Settings
from tests.lengths import long_files

ROOT = Path(__file__).parents[1]
TOP_LEVEL = {
    ".ci", ".env.example", ".github", ".gitignore", "CHANGELOG.md", "LICENSE", "Makefile", "PRIVACY.md", "README.md",
    "SECURITY.md", "TERMS.md", "bot", "migrations", "pyproject.toml", "requirements-dev.txt",
    "requirements-sandbox.txt", "requirements.txt", "tests",
}  # fmt: skip


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_long_files_would_be_named() -> None:
    lengths = long_files(20)
    assert len(lengths) > 50
    assert lengths["tests/test_project.py"] == len(_read("tests/test_project.py").splitlines())
    assert list(lengths.values()) == sorted(lengths.values(), reverse=True)
    assert len(long_files(100)) < len(lengths)


def test_the_steps_of_the_schema_follow_one_another() -> None:
    before = "None"
    for number, file in enumerate(sorted(ROOT.glob("migrations/versions/*.py")), 1):
        assert file.name.startswith(f"{number:04}_")
        text = file.read_text(encoding="utf-8")
        assert f"\ndown_revision = {before}\n" in text, file.name
        before = text.partition("\nrevision = ")[2].partition("\n")[0]


def test_the_top_level_has_no_strays() -> None:
    ignored = [line.strip("/") for line in _read(".gitignore").splitlines() if line and not line.startswith("#")]
    names = {path.name for path in ROOT.iterdir() if not any(fnmatch(path.name, pattern) for pattern in ignored)}
    assert names - {".git"} == TOP_LEVEL


def test_the_game_imports_only_the_standard_library() -> None:
    allowed = sys.stdlib_module_names | {"bot.game"}
    strays = set()
    for file in ROOT.glob("bot/game/**/*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    modules = [each.name for each in names]
                case ast.ImportFrom(module=str(module), level=0):
                    modules = [module]
                case _:
                    continue
            roots = {".".join(module.split(".")[: 2 if module.startswith("bot") else 1]) for module in modules}
            strays |= {(file.name, root) for root in roots - allowed}
    assert strays == set()


def test_no_two_public_classes_share_a_name() -> None:
    found: dict[str, list[str]] = {}
    for file in ROOT.glob("bot/**/*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(str(file.relative_to(ROOT)))
    assert len(found) > 200
    assert {name: files for name, files in found.items() if len(files) > 1} == {}


def test_the_readme_names_only_commands_that_exist() -> None:
    readme, targets = _read("README.md"), set(re.findall(r"^([a-z]+):", _read("Makefile"), re.MULTILINE))
    made = set(re.findall(r"(?:^|`)make ([a-z]+)", readme, re.MULTILINE))
    assert {"play", "test", "run", "install"} <= made <= targets
    commands = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    commands |= {group.name or "" for group in app.registered_groups}
    assert set(re.findall(r"`kems ([a-z-]+)", readme)) == {name.replace("_", "-") for name in commands}


def test_the_readme_lists_the_presets() -> None:
    table = _read("README.md").split("sets of rules come with it")[1].split("\n\n")[1]
    assert re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE) == list(PRESETS)


@pytest.mark.parametrize("name", [name.upper() for name in Settings.model_fields])
def test_every_setting_is_explained(name: str) -> None:
    assert re.search(rf"^{name}=", _read(".env.example"), re.MULTILINE)
    assert f"| `{name}` |" in _read("README.md")


def test_no_paper_names_a_setting_that_is_gone() -> None:
    known = {name.upper() for name in Settings.model_fields}
    assert set(re.findall(r"^([A-Z_]+)=", _read(".env.example"), re.MULTILINE)) == known
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", _read("README.md"), re.MULTILINE)) == known


def test_the_invite_link_asks_for_exactly_what_the_table_below_it_explains() -> None:
    readme = _read("README.md")
    link = re.search(r"oauth2/authorize\?\S*permissions=(\d+)", readme)
    assert link
    asked = {name for name, granted in discord.Permissions(int(link[1])) if granted}
    explained = {"view_channel": "read_messages", "use_external_emojis": "external_emojis"}  # discord.py's older names
    table = readme.split("these permissions and no others:")[1].split("\n\n")[1]
    rows = [line.split("|")[1] for line in table.splitlines()[2:]]
    named = {name.strip().lower().replace(" ", "_") for row in rows for name in row.split(",")}
    assert {explained.get(name, name) for name in named} == asked
    assert "scope=bot+applications.commands" in readme
