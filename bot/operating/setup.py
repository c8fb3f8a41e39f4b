"""`kems setup`: lead from a token to a running bot, as a systemd service or in containers.

Each step first tries what is already set, so that a second run asks only for what is missing.
"""

import asyncio
import getpass
import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Final

import discord
import typer

import bot
from bot.base.env_file import write
from bot.base.errors import KemsError
from bot.base.settings import ENV_FILE, Settings, SettingsError, load, unknown_names
from bot.discord.api.discord_internals import request
from bot.operating import operations
from bot.operating.doctor import GUILDS, Finding, application, servers
from bot.operating.startup import logged_in

USER: Final = "user"
SYSTEM: Final = "system"
COMPOSE: Final = "compose"
HAND: Final = "hand"
_WAYS: Final = {
    USER: "a systemd service of yours, with a copy of the database every night",
    SYSTEM: "the same as a service of this machine, which takes sudo",
    COMPOSE: "containers, with a PostgreSQL of their own",
    HAND: "you start it with `kems run`",
}

_PACKAGE: Final = Path(bot.__file__).parent
_UNITS: Final = ("kems.service", "kems-backup.service", "kems-backup.timer")
_STARTED: Final = ("kems.service", "kems-backup.timer")
_COMPOSE_FILE: Final = Path("deploy/compose.yaml")
_CONTAINERS: Final = ("docker", "compose", "--file", str(_COMPOSE_FILE), "--env-file", str(ENV_FILE))
_NO_COPIES: Final = (
    "Nothing copies its database each night: let cron run `{command} backup --keep 7 FOLDER`, in this folder."
)
_PASSWORD: Final = "POSTGRES_PASSWORD"  # noqa: S105 - its name
_ELSEWHERE: Final = re.compile(r"^(?:StateDirectory\w*|EnvironmentFile|ReadWritePaths)=.*\n", re.MULTILINE)
"""Lines of a unit that are removed: the bot works in the present folder, with the `.env` there."""
_OF_ROOT: Final = re.compile(
    r"^(?:User|Group|CapabilityB\w+|Ambient\w+|Private\w+|Protect\w+|ProcSubset)=.*\n", re.MULTILINE
)
"""Lines that systemd allows in a unit of the machine, and not in one of a user."""


def ways() -> Mapping[str, str]:
    """Return the ways to run the bot that this machine offers, by name, each with its description.

    systemd is left out if it does not answer: in a container, and for the user's own services after `su`.
    """
    has_root = os.geteuid() == 0 or shutil.which("sudo") is not None
    works = {
        USER: _answers(USER),
        SYSTEM: has_root and _answers(SYSTEM),
        COMPOSE: _COMPOSE_FILE.is_file() and _said("docker", "compose", "version") is not None,
        HAND: True,
    }
    return {name: what for name, what in _WAYS.items() if works[name]}


def _answers(method: str) -> bool:
    """Return whether the systemd of the user, or of the machine, answers."""
    return _said(*_control(method), "show", "--property=Version") is not None


def found() -> str | None:
    """Return the way in which an earlier run has installed the bot; None if none has."""
    for method in (USER, SYSTEM):
        if (_folder(method) / _UNITS[0]).exists() and _said(*_control(method), "is-enabled", _STARTED[0]) is not None:
            return method
    return COMPOSE if _PASSWORD in dict(unknown_names()) and COMPOSE in ways() else None


def keep_password() -> None:
    """Write a random password for the containers' database into `.env`, unless it has one."""
    if _PASSWORD not in dict(unknown_names()):
        write(ENV_FILE, {_PASSWORD: secrets.token_urlsafe(24)})


def start(method: str) -> str:
    """Start the bot in one of the `ways`, and return a sentence that says what was done.

    Raises:
        KemsError: A program of this machine has failed.
    """
    if method == HAND:
        return f"`kems run` starts the bot. {_NO_COPIES.format(command='kems')}"
    if method == COMPOSE:
        _run(*_CONTAINERS, "up", "--detach")
        command = shlex.join((*_CONTAINERS, "run", "--rm", "bot"))
        return f"The containers run. {_NO_COPIES.format(command=command)}"
    if not _runs(method):
        _install(method)
    if method == USER and not _lingers() and not _succeeds("loginctl", "enable-linger"):
        raise KemsError(
            f"The bot stops when you sign out. Run this as root: loginctl enable-linger {getpass.getuser()}"
        )
    return f"The service kems runs; `journalctl {'--user ' if method == USER else ''}--unit kems` shows its log."


def _control(method: str) -> tuple[str, ...]:
    return ("systemctl", "--user") if method == USER else ("systemctl",)


def _runs(method: str) -> bool:
    """Return whether the units are installed as `filled` has them and the service is active."""
    files = {_folder(method) / name: text for name, text in filled(method).items()}
    are_there = all(file.exists() and file.read_text(encoding="utf-8") == text for file, text in files.items())
    return are_there and _succeeds(*_control(method), "--quiet", "is-active", _STARTED[0])


def _install(method: str) -> None:
    Path("backups").mkdir(mode=0o700, exist_ok=True)  # kems-backup.service wants it
    folder = _folder(method) if method == USER else Path("systemd")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in filled(method).items():
        (folder / name).write_text(text, encoding="utf-8")
    as_root = () if method == USER or os.geteuid() == 0 else ("sudo",)
    if method == SYSTEM:
        _run(*as_root, "install", "--mode=644", *(str(folder / name) for name in _UNITS), str(_folder(method)))
    for does in (("daemon-reload",), ("enable", *_STARTED), ("restart", *_STARTED)):
        _run(*as_root, *_control(method), *does)


def _lingers() -> bool:
    """Return whether systemd keeps the user's services running after a logout."""
    return _said("loginctl", "show-user", str(os.getuid()), "--property=Linger", "--value") == "yes"


def _folder(method: str) -> Path:
    if method == SYSTEM:
        return Path("/etc/systemd/system")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config", "systemd/user")


def filled(method: str) -> Mapping[str, str]:
    """Return the texts of the systemd units that run the bot in the present folder, by file name."""
    source = next(each for each in (_PACKAGE / "deploy", _PACKAGE.parent / "deploy") if (each / _UNITS[0]).exists())
    return {name: _filled((source / name).read_text(encoding="utf-8"), method) for name in _UNITS}


def _filled(text: str, method: str) -> str:
    directory = Path.cwd()
    folder, python = (str(path).replace("%", "%%") for path in (directory, sys.executable))
    text = _ELSEWHERE.sub("", text).replace("/var/lib/kems/backups", "backups").replace("/var/lib/kems", folder)
    text = text.replace("/opt/kems/bin/kems", '"{}" -m bot'.format(python.replace("$", "$$")))
    if method == USER:
        return _OF_ROOT.sub("", text).replace("multi-user.target", "default.target")
    own = {
        "User": directory.owner(),
        "Group": directory.group(),
        "ProtectHome": f'read-only\nReadWritePaths="{folder}"',
    }
    return re.sub(rf"^({'|'.join(own)})=.*$", lambda line: f"{line[1]}={own[line[1]]}", text, flags=re.MULTILINE)


def _run(*command: str) -> None:
    """Run a program, whose output goes to the terminal.

    Raises:
        KemsError: It has failed.
    """
    if not _succeeds(*command):
        raise KemsError(f"This has failed: {shlex.join(command)}")


def _said(*command: str) -> str | None:
    """Return the output of a program; None if it is not installed or has failed."""
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return None if done.returncode else done.stdout.strip()


def _succeeds(*command: str) -> bool:
    try:
        return subprocess.run(command, check=False).returncode == 0
    except FileNotFoundError:
        return False


_LOOK_AGAIN_S: Final = 2.0
_AGAIN: Final = "Enter tries again, s goes on without it"
_WANTED: Final = "The bot's token (it is not shown)"
_DATABASE: Final = (
    "Where matches are kept: Enter for a file in this folder, or postgresql://USER:PASSWORD@HOST/DATABASE"
)


def set_up() -> None:
    """Take all steps from a token to a running bot; ask at the terminal for what is missing.

    Raises:
        KemsError: Without a terminal, something is missing; with one, the person has put a step off.
    """
    put_off: list[str] = []

    def do(what: str, step: Callable[[], None]) -> None:
        if not _is_done(step):
            put_off.append(what)

    try:
        _know_token()
        do("the settings in the developer portal", lambda: asyncio.run(_look(load(), application)))
        do("the bot on a server", lambda: asyncio.run(_look(load(), _joined)))
        method = found() or _way()
        if method == COMPOSE:
            keep_password()
        else:
            _try_database()
        do("the pictures of the cards", lambda: _say(asyncio.run(operations.sync_emojis(load()))))
        do("the start of the bot", lambda: _say(start(method)))
    except (KeyboardInterrupt, typer.Abort):
        raise KemsError("\nWhat is done stays done: `kems setup` goes on from here.") from None
    if put_off:
        raise KemsError(f"Not done yet: {', '.join(put_off)}. Run `kems setup` again for that.")
    typer.echo("Type `/kems start` in your server.")


def _say(sentence: str) -> None:
    typer.echo(Finding(True, sentence))


def _mend(problem: KemsError, question: str, *, default: str | None = None, is_secret: bool = False) -> str:
    """Show a problem and return what the person at the terminal answers.

    Raises:
        KemsError: The problem itself, if there is no terminal.
    """
    if not sys.stdin.isatty():
        raise problem
    typer.echo(Finding(False, str(problem)))
    return _ask(question, default=default, is_secret=is_secret)


def _ask(question: str, *, default: str | None = None, is_secret: bool = False) -> str:
    answer: str = typer.prompt(f"??  {question}", default=default, show_default=False, hide_input=is_secret)
    return answer.strip()


def _is_done(step: Callable[[], None]) -> bool:
    """Repeat a step until it succeeds, then return True; False if the person goes on without it."""
    while True:
        try:
            step()
        except KemsError as problem:
            if _mend(problem, _AGAIN, default="").lower().startswith("s"):
                return False
        else:
            return True


def _keep(**given: str) -> None:
    """Write settings into `.env`.

    Raises:
        KemsError: They cannot be written, or the environment has other values, which come first.
    """
    write(ENV_FILE, {name.upper(): value for name, value in given.items()})
    for name in given:
        if getattr(load(), name) != getattr(load(**given), name):
            raise KemsError(
                f"The environment has another {name.upper()}: remove it there, then run `kems setup` again."
            )
        _say(f"{ENV_FILE.absolute()} has {name.upper()} and can be read by you alone.")


def _know_token() -> None:
    given: dict[str, str] = {}
    while True:
        try:
            asyncio.run(_look(load(**given)))
            break
        except SettingsError as problem:
            given = {"discord_token": _mend(problem, _WANTED, is_secret=True)}
        except KemsError as problem:
            _mend(problem, "Enter tries again", default="")
    if given:
        _keep(**given)


def _try_database() -> None:
    given: dict[str, str] = {}
    if "database_url" not in load().model_fields_set and sys.stdin.isatty():
        given["database_url"] = _ask(_DATABASE, default=Settings.model_fields["database_url"].default)
    while True:
        try:
            _say(asyncio.run(operations.migrate(load(**given))))
            break
        except KemsError as problem:
            if address := _mend(problem, "Enter tries again, or another address", default=""):
                given["database_url"] = address
    if given:
        _keep(**given)


def _way() -> str:
    offered = ways()
    if len(offered) == 1 or not sys.stdin.isatty():
        return HAND
    for name, what in offered.items():
        typer.echo(f"    {name}: {what}")
    while (
        chosen := _ask("How the bot is to run: Enter for the first, or another word", default=next(iter(offered)))
    ) not in offered:
        typer.echo(Finding(False, f"Choose one of {', '.join(offered)}."))
    return chosen


async def _look(settings: Settings, *looks: Callable[[Settings, discord.Client], AsyncIterator[Finding]]) -> None:
    """Log in and print the good findings.

    Raises:
        KemsError: Some findings are not good, or Discord cannot be reached.
    """
    faults = []
    async with logged_in(settings, lambda _: None) as client:
        for look in looks:
            async for finding in look(settings, client):
                if finding.is_good:
                    typer.echo(finding)
                else:
                    faults.append(finding.sentence)
    if faults:
        raise KemsError("\n!!  ".join(faults))


async def _joined(_: Settings, client: discord.Client) -> AsyncIterator[Finding]:
    """Yield the findings on the bot's servers; at a terminal, wait until it is on one."""
    is_told = False
    while sys.stdin.isatty() and not await request(client, "GET", GUILDS, query={"limit": 1}):
        if not is_told:
            typer.echo("..  Open the link and choose your server: this goes on as soon as the bot is there.")
            is_told = True
        await asyncio.sleep(_LOOK_AGAIN_S)
    async for finding in servers(client):
        yield finding
