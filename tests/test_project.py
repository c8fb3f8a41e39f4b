"""What the project promises about itself: the top level, and papers that agree with the code."""

import ast
import sys
from fnmatch import fnmatch
from pathlib import Path

from tests.lengths import long_files

ROOT = Path(__file__).parents[1]
TOP_LEVEL = {
    ".ci", ".env.example", ".github", ".gitignore", "CHANGELOG.md", "LICENSE", "Makefile", "README.md",
    "CONTRIBUTING.md", "SECURITY.md", "bot", "deploy", "docs", "migrations", "pyproject.toml", "requirements-bench.txt",
    "requirements-dev.txt", "requirements.txt", "tests",
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
