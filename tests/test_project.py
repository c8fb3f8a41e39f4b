"""What the project promises about itself: the top level, the locks of a checkout, and the files of the wheel."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.lengths import long_files

ROOT = Path(__file__).parents[1]
TOP_LEVEL = {
    ".ci", ".env.example", ".github", ".gitignore", "CHANGELOG.md", "LICENSE", "Makefile", "README.md",
    "CONTRIBUTING.md", "SECURITY.md", "bot", "deploy", "docs", "migrations", "pyproject.toml", "requirements-bench.txt",
    "requirements-dev.txt", "requirements.txt", "tests",
}  # fmt: skip


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_too_long_files_are_reported() -> None:
    lengths = long_files(20)
    assert len(lengths) > 50
    assert lengths["tests/test_project.py"] == len(_read("tests/test_project.py").splitlines())
    assert list(lengths.values()) == sorted(lengths.values(), reverse=True)
    assert len(long_files(100)) < len(lengths)


def test_the_revisions_of_the_schema_follow_one_another() -> None:
    before = "None"
    for number, file in enumerate(sorted(ROOT.glob("migrations/versions/*.py")), 1):
        assert file.name.startswith(f"{number:04}_")
        text = file.read_text(encoding="utf-8")
        assert f"\ndown_revision = {before}\n" in text, file.name
        before = text.partition("\nrevision = ")[2].partition("\n")[0]


def test_the_top_level_has_no_unexpected_files() -> None:
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


LOCKS = ("requirements.txt", "requirements-dev.txt")  # each holds the one before it
BENCH = "requirements-bench.txt"  # what only `make bench` needs


def _project() -> dict[str, Any]:
    return tomllib.loads(_read("pyproject.toml"))


def _pins(name: str) -> dict[str, str]:
    """The locked version of each package."""
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[[a-z,-]+\])?==([\w.]+)", _read(name), re.MULTILINE))


def _names(requirements: list[Any]) -> set[str]:
    """The packages that a list in pyproject.toml declares, as the locks spell them; included groups are left out."""
    declared = [each for each in requirements if isinstance(each, str)]
    return {re.split(r"[\[<>=; ]", each)[0].lower().replace(".", "-") for each in declared}


@pytest.mark.parametrize("name", [*LOCKS, BENCH])
def test_a_lock_file_has_versions_and_hashes_and_no_index_url(name: str) -> None:
    lines = _read(name).splitlines()
    heads = [line for line in lines if not line.startswith(" ")]
    assert heads
    assert [line for line in heads if not re.fullmatch(r"[a-z0-9-]+(\[[a-z,-]+\])?==[\w.]+( ; [^\\]+)? \\", line)] == []
    assert [line for line in lines if line.startswith(" ") and "--hash=sha256:" not in line] == []
    assert re.search(r"://|--index|--find-links|--trusted-host|@", _read(name)) is None


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_has_the_extras_that_its_packages_require(name: str) -> None:
    """Without them, older versions of pip refuse the lock once a newer version of such a package is out."""
    asked = [
        (each.name.lower(), extra)
        for package in _pins(name)
        for each in _requirements(package)
        if each.marker is None or each.marker.evaluate({"extra": ""})
        for extra in each.extras
    ]
    locked = dict(re.findall(r"^([a-z0-9-]+)\[([a-z,-]+)\]==", _read(name), re.MULTILINE))
    assert [(other, extra) for other, extra in asked if extra not in locked.get(other, "").split(",")] == []


def _requirements(package: str) -> list[Requirement]:
    """What an installed package asks for; nothing where it is for another system or Python."""
    try:
        return [Requirement(text) for text in requires(package) or []]
    except PackageNotFoundError:
        return []


def test_each_lock_file_contains_the_next_smaller_one() -> None:
    bot, developers = map(_pins, LOCKS)
    assert bot.items() < developers.items()


def test_every_declared_package_is_in_the_right_lock_file() -> None:
    project = _project()
    bot, developers = (set(_pins(name)) for name in LOCKS)
    groups = {name: _names(group) for name, group in project["dependency-groups"].items()}
    assert _names(project["project"]["dependencies"]) | groups["build"] <= bot
    assert groups["dev"] <= developers
    assert groups["bench"] <= set(_pins(BENCH))
    assert not groups["bench"] & developers
    assert not {"mypy", "playwright", "pytest", "ruff", "simcord", "uv"} & bot


def test_every_dependency_has_a_stated_purpose() -> None:
    listed = _read("pyproject.toml").split("\ndependencies = [\n")[1].split("\n]\n")[0].splitlines()
    assert len(listed) == len(_project()["project"]["dependencies"])
    assert [line for line in listed if not re.search(r'",  # .{6,}$', line)] == []


def test_the_build_backend_is_the_locked_one() -> None:
    project = _project()
    assert project["build-system"]["requires"] == project["dependency-groups"]["build"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return zipfile.ZipFile(file)


def test_the_wheel_holds_all_of_the_bot_the_migrations_and_what_runs_it_and_nothing_else(
    wheel: zipfile.ZipFile,
) -> None:
    files = {
        *(str(path.relative_to(ROOT)) for path in ROOT.glob("bot/**/*") if path.is_file()),
        *(
            f"bot/{path.relative_to(ROOT)}"
            for folder in ("deploy", "migrations")
            for path in ROOT.glob(f"{folder}/**/*")
            if path.is_file()
        ),
    }
    shipped = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert shipped == {name for name in files if "/__pycache__/" not in name and not name.endswith(".DS_Store")}
    for kind in (".mako", ".po", ".ttf", ".html", ".js", ".css"):
        assert any(name.endswith(kind) for name in shipped), kind


def test_the_licences_of_third_party_files_are_declared_and_shipped(wheel: zipfile.ZipFile) -> None:
    declared = _project()["project"]["license-files"]
    shipped = wheel.namelist()
    fonts = [path for path in ROOT.glob("bot/**/*") if path.suffix in (".ttf", ".otf")]
    assert fonts
    for font in fonts:
        licences = {str(path.relative_to(ROOT)) for path in font.parent.glob("LICENSE*")}
        assert licences & set(declared), font
        assert licences <= set(shipped), font
    for name in declared:
        assert any(each.endswith(f".dist-info/licenses/{name}") for each in shipped), name
