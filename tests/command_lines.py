"""Each command line of README, `docs/`, `.github/`, and what comes of it: `python -m tests.command_lines` lists them.

A line is executed in a folder of its own where that takes nothing but this machine: what installs the bot on a machine
does so in `root/` there, which stands for `/`. Any other line's parts are held against the command line, the Makefile,
`deploy/compose.yaml` and the units, and the list says why it is not executed.
"""

import asyncio
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from os import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import typer
import yaml
from typer._click import exceptions

from bot.__main__ import main as run_kems
from bot.operating.cli import app
from bot.store.engine.database import Database
from bot.store.migrate import migrate

ROOT: Final = Path(__file__).parents[1]
OF_GITHUB: Final = (*sorted(ROOT.glob(".github/*.md")), *sorted(ROOT.glob(".github/ISSUE_TEMPLATE/*.yml")))
"""What a visitor fills in or reads before anything else: forms, and the pages beside them."""
COMPOSE: Final = ROOT / "deploy/compose.yaml"
PROGRAMS: Final = {
    *("chmod", "docker", "fsck", "gh", "git", "install", "journalctl", "kems", "make", "nohup", "pip", "podman"),
    *("python", "python3", "rotatelogs", "sha256sum", "skopeo", "sudo", "systemctl", "useradd", "uv"),
}
"""Programs that the papers call. A code span that begins with one is a command line."""

NO_DISCORD: Final = "it needs a token of Discord's; its options are read"
GOES_ON: Final = "it goes on until it is stopped; its options are read"
ENGINE: Final = "it needs a container engine; services, profiles, files and commands are looked up"
SYSTEMD: Final = "it changes this machine's services; the units are looked up"
TRIED: Final = "it installs packages from the network; its options are read, and `make long` tries it with --dry-run"
ADMIN: Final = "it changes this machine, and this user or system cannot do so in a folder"
RELEASE: Final = "it needs a release, which there is none of yet"
LONG: Final = "it takes minutes or more; make says what it would do"
PROGRAM: Final = "it needs a program that is not installed with the bot"

_NAMES: Final = {"docker compose", "docker run", "pip install", "sudo systemctl"}
"""Code spans that name a program."""
_WITHOUT_RUNNING: Final = {"run": GOES_ON, "play": GOES_ON, "setup": NO_DISCORD, "emojis": NO_DISCORD}
_VALUES: Final = {
    "N": "2", "CODE": "fr", "TEXT": "Evening", "FILE...": "match.kgn", "21:03": "00:00", "PRESET": "classic",
    "AXIS=VALUE": "auto_open=5", "FILE": "copy.db", "FOLDER": "folder", "ID": "1", "CHECK,...": "nonce", "FROM": "sqlite:///kems.db",
    "TO": "sqlite:///other.db", "kems-before-update-DATE.db": "copy.db", "TIME": "00:00",
}  # fmt: skip
_SPAN: Final = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_BLOCK: Final = re.compile(r"^ *```sh\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Line:
    """A command line of a paper."""

    paper: str
    text: str


class WrongLineError(Exception):
    """A line that does not do what the paper says; the text says why."""


def lines() -> list[Line]:
    found: dict[Line, None] = {}
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *OF_GITHUB):
        text, paper = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
        for block in _BLOCK.findall(text):
            found |= {Line(paper, _bare(line)): None for line in block.splitlines() if _bare(line)}
        for span in _SPAN.findall(_BLOCK.sub("", text)):
            found |= {Line(paper, part): None for part in _parts(" ".join(span.split()))}
    return list(found)


def _bare(line: str) -> str:
    return re.sub(r"\s+# .*", "", line).strip()


def _parts(span: str) -> Iterator[str]:
    """The command lines of a code span; none where it is none."""
    for part in re.split(r" && | \\\| ", span):
        words = part.split()
        is_command = len(words) > 1 and Path(words[0]).name in PROGRAMS
        if is_command and not part.startswith("/kems") and part not in _NAMES:
            yield part


def treat(line: Line) -> str | None:
    """Executes a line, in the present folder. Returns why it is only read, if so. Raises WrongLineError."""
    words = shlex.split(line.text.replace("\\|", "|"))
    treatment = _TREATMENTS.get(Path(words[0]).name)
    return PROGRAM if treatment is None else treatment(words[1:])


def _kems(words: list[str]) -> str | None:
    said = " ".join(words)
    optional = re.sub(r"\[[^\]]*\](\.\.\.)?", "", said)  # each option in brackets is another one
    for option in re.findall(r"\[([^\]]*)\]", said):
        _read([*_real(optional), *_real(option.partition("|")[0])])
    words = _real(optional.partition("2>&1")[0])
    if (words and words[0] in _WITHOUT_RUNNING) or "--live" in words:
        _read(words)
        return NO_DISCORD if "--live" in words else _WITHOUT_RUNNING[words[0]]
    if words and words[0] == "simulate":
        words += ["--matches", "1", "--jobs", "1"] if "--help" not in words else []
    if words == ["--install-completion"]:
        return "it changes this person's shell"
    if len(words) == 1 and words[0] in ("replay", "why", "site", "restore", "copy-db"):  # the name alone
        return _in_process([*words, "--help"])
    if words and words[0] == "site":
        _read(words)
        return "it needs a match that has ended; its options are read, and tests/integration/test_site.py writes pages"
    Path("kems-backup.db").unlink(missing_ok=True)  # a former line's
    _in_process(words + (["--yes"] if words[0] == "restore" else []))
    return None


def _real(text: str) -> list[str]:
    return [_VALUES.get(word, word) for word in shlex.split(text)]


def _read(words: list[str]) -> None:
    """Has the options of a command read without running it."""
    command: Any = typer.main.get_command(app)
    try:
        context = command.make_context("kems", list(words))
        while hasattr(command, "commands"):
            _, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
            context = command.make_context(command.name, rest, parent=context)
    except typer.Exit:
        pass
    except exceptions.ClickException as error:
        raise WrongLineError(f"{' '.join(words)}: {error.format_message()}") from None


def _in_process(words: list[str]) -> None:
    before, said = sys.argv, StringIO()
    sys.argv = ["kems", *words]
    try:
        with redirect_stdout(said), redirect_stderr(said):
            run_kems()
    except SystemExit as left:
        if left.code and words[0] != "doctor":  # which misses a token here
            raise WrongLineError(said.getvalue()) from None
    finally:
        sys.argv = before


def _make(words: list[str]) -> str:
    make = shutil.which("make") or "make"
    if subprocess.run([make, "--dry-run", *words], cwd=ROOT, capture_output=True, check=False).returncode:
        raise WrongLineError("make does not know it")
    return LONG


def _git(words: list[str]) -> None:
    """In a clone of a project that has the tag."""
    tag = words[1] if words[0] == "checkout" else "v0.2.0"
    script = (
        "git init --quiet origin && git -C origin -c user.name=x -c user.email=x@x commit --quiet --allow-empty -m x"
        f" && git -C origin tag {shlex.quote(tag)} && git clone --quiet origin clone"
    )
    with TemporaryDirectory() as folder:
        for command, where in ((["sh", "-c", script], folder), (["git", *words], f"{folder}/clone")):
            done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
            if done.returncode:
                raise WrongLineError(done.stderr)


def _docker(words: list[str]) -> str:
    compose = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    _require_files(words)
    if words[0] != "compose":
        return ENGINE
    if "--file" not in words or "--env-file" not in words:
        raise WrongLineError("it finds neither deploy/compose.yaml nor the .env above it")
    rest = words[1:]
    while rest and rest[0].startswith("--"):
        option, value, *rest = rest
        if option == "--profile" and value not in {
            profile for service in compose["services"].values() for profile in service.get("profiles", ())
        }:
            raise WrongLineError(f"no service has the profile {value}")
    names = [word.partition("=")[0] for word in rest[1:] if not word.startswith("--")]
    if names and names[0] not in compose["services"]:
        raise WrongLineError(f"there is no service {names[0]}")
    if rest[0] == "run":
        _read(rest[rest.index(names[0]) + 1 :])
    return ENGINE


def _units(words: list[str]) -> str | None:
    known = {path.name for path in (ROOT / "deploy").glob("kems*")}
    for word in words:
        if word.startswith("kems") and word not in known and f"{word}.service" not in known:
            raise WrongLineError(f"there is no unit {word}")
    if words[0] not in ("enable", "disable") or shutil.which("systemctl") is None:
        return SYSTEMD
    _run(["systemctl", f"--root={Path('root').resolve()}", *(word for word in words if word != "--now")])
    return None


def _install(words: list[str]) -> None:
    """The files of this project, into the folder that stands for `/`."""
    _require_files(words[:-1])
    target = _in_root(words[-1])
    (target if words[-1].endswith("/") else target.parent).mkdir(parents=True, exist_ok=True)
    _run(["install", *words[:-1], str(target)], ROOT)


def _useradd(words: list[str]) -> str | None:
    if shutil.which("useradd") is None or os.geteuid() != 0:
        return ADMIN
    for name in ("passwd", "group", "shadow"):
        (file := _in_root(f"/etc/{name}")).parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    _run(["useradd", "--prefix", str(Path("root").resolve()), *words])
    return None


def _pip(words: list[str]) -> str:
    _require_files(words)
    _run([sys.executable, "-m", "pip", *words, "--help"], ROOT)  # it reads the options on the way there
    return TRIED


def install_dry(line: Line) -> None:
    """Has pip find out whether it could install what a line says."""
    _run([sys.executable, "-m", "pip", *shlex.split(line.text)[1:], "--dry-run", "--quiet"], ROOT)


def _in_root(path: str) -> Path:
    return Path("root").resolve() / path.lstrip("/")


def _run(words: list[str], folder: Path | None = None) -> None:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise WrongLineError(done.stderr)


def _python(words: list[str]) -> str | None:
    if words[:2] == ["-m", "venv"]:
        _run([sys.executable, "-m", "venv", "--without-pip", str(_in_root(words[2]))])
        return None
    if words[0] == "-m" and words[1].startswith("tests."):
        path = ROOT / words[1].replace(".", "/")
        if not (path.with_suffix(".py").exists() or (path / "__main__.py").exists()):
            raise WrongLineError(f"there is no module {words[1]}")
        return LONG
    if words[:2] == ["-m", "bot"]:
        return _kems(words[2:] or ["--help"])
    raise WrongLineError("nobody knows what it is to do")


def _require_files(words: list[str]) -> None:
    for word in words:
        is_file = re.fullmatch(r"[\w.-]+(/[\w.-]+)*", word) and ("/" in word or word.endswith((".txt", ".example")))
        if is_file and not (ROOT / word).exists():
            raise WrongLineError(f"there is no {word}")


def _for(reason: str) -> Callable[[list[str]], str]:
    return lambda _words: reason


_TREATMENTS: Final[dict[str, Callable[[list[str]], str | None]]] = {
    "kems": _kems,
    "make": _make,
    "git": _git,
    "docker": _docker,
    "systemctl": _units,
    "journalctl": _units,
    "install": _install,
    "useradd": _useradd,
    "pip": _pip,
    "python": _python,
    "python3": _python,
    "chmod": _for(ADMIN),
    **dict.fromkeys(("gh", "podman", "sha256sum", "skopeo"), _for(RELEASE)),
}


def prepare() -> None:
    """Makes the present folder one of a host: a database, a copy of it, the file of a match."""
    asyncio.run(_make_database())
    shutil.copy("kems.db", "copy.db")
    shutil.copy(next((ROOT / "tests/golden").glob("*.kgn")), "match.kgn")


async def _make_database() -> None:
    database = Database("sqlite:///kems.db")
    await migrate(database)
    await database.close()


def main() -> None:
    with TemporaryDirectory() as folder:
        chdir(folder)
        prepare()
        for line in lines():
            try:
                came_of_it = treat(line) or "executed"
            except WrongLineError as error:
                came_of_it = f"WRONG: {error}"
            print(f"{line.paper}: {line.text}\n    {came_of_it}")


if __name__ == "__main__":
    main()
